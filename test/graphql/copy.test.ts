import { expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { createItem, readItem } from '../rest/items.support.js';
import { createTenant, useGateway } from '../support/gateway.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();

const mutation = `mutation ($id: ID!, $input: CopyExpirationItemInput) {
  copy: copyExpirationItem(id: $id, input: $input) { id name expirationDate category { id } contacts { id } }
}`;

const makeItem = (input: object = {}) =>
  createItem(gateway, {
    ...{ name: 'Lease', details: 'Told', timeOfDay: '08:30', contacts: [{ email: 'a@example.com' }] },
    ...{
      tags: [{ name: 'x' }, { name: 'a' }],
      locations: [{ name: 'Yard' }],
      category: { name: 'Contract' },
    },
    customFields: [{ name: 'Amount', value: '1,50' }],
    attachments: [{ name: 'f', contentType: 'text/plain', content: 'AP9cJw==' }],
    ...input,
  });

test('a copy has the values and links of its original, and neither files nor renewals', async () => {
  const item = await makeItem();
  const renew = `mutation ($id: ID!) { renewExpirationItem(id: $id, input: { expirationDate: "2030-01-31" }) { id } }`;
  await ask(gateway, renew, item);
  const original = await readItem(gateway, item);
  const { copy } = await ask(gateway, mutation, { id: item.id });
  const { id, name, attachments, renewals, ...rest } = await readItem(gateway, copy);
  const { id: was, name: wasName, attachments: files, renewals: history, ...expected } = original;
  expect(rest).toEqual(expected);
  expect([name, attachments, renewals]).toEqual(['Lease (copy)', [], []]);
  expect(id).not.toBe(was);
  expect([wasName, files.length, history.length]).toEqual(['Lease', 1, 1]);
  expect(await readItem(gateway, item)).toEqual(original);
});

test('a copy has the days and the end of renewals of its original, and nothing is acknowledged', async () => {
  const days = { renewUntil: '2030-06-01', renewalsLeft: 2 };
  const rule = { unit: 'MONTHS', count: 3, before: 'EXPIRATION' };
  const fields = `noticeDate noticeRule { unit count before } renewUntil renewalsLeft
    acknowledgement { note } noticeAcknowledgement { note }`;
  const query = `mutation ($id: ID!, $input: CopyExpirationItemInput) { copy: copyExpirationItem(id: $id, input: $input) { ${fields} } }`;
  const acknowledge =
    'mutation ($id: ID!) { setAcknowledgement(id: $id, input: { about: NOTICE }) { note } }';
  const open = { ...days, acknowledgement: null, noticeAcknowledgement: null };
  for (const [given, copied, moved] of [
    [{ noticeRule: rule }, '2027-03-01', '2028-03-01'],
    [{ noticeDate: '2027-04-01' }, '2027-04-01', '2028-04-01'],
  ] as const) {
    const { id } = await makeItem({ ...days, ...given });
    await ask(gateway, acknowledge, { id });
    const noticeRule = 'noticeRule' in given ? rule : null;
    const { copy } = await ask(gateway, query, { id });
    expect(copy).toEqual({ ...open, noticeRule, noticeDate: copied });
    const later = await ask(gateway, query, { id, input: { expirationDate: '2028-06-01' } });
    expect(later.copy).toEqual({ ...open, noticeRule, noticeDate: moved });
  }
});

test('a copy takes a name, a date, and the files if asked', async () => {
  const item = await makeItem();
  const input = { name: 'Lease 2', expirationDate: '2031-02-28', withAttachments: true };
  const { copy } = await ask(gateway, mutation, { id: item.id.toUpperCase(), input });
  const { name, expirationDate, attachments } = await readItem(gateway, copy);
  expect([name, expirationDate]).toEqual(['Lease 2', '2031-02-28']);
  const [{ id: was, ...file }] = item.attachments;
  expect(attachments).toEqual([{ ...file, id: expect.any(String) }]);
  expect(attachments[0].id).not.toBe(was);
  await ask(gateway, 'mutation ($id: ID!) { deleteExpirationItem(id: $id) { id } }', item);
  expect((await readItem(gateway, copy)).attachments[0].content).toBe('AP9cJw==');
});

test('its event tells what it was copied from, in both histories', async () => {
  const item = await makeItem();
  const { copy } = await ask(gateway, mutation, { id: item.id });
  const query =
    'query ($id: ID!) { eventLogs(filter: { entityId: $id }, first: 1) { nodes { type description details } } }';
  for (const id of [item.id, copy.id]) {
    const [event] = (await ask(gateway, query, { id })).eventLogs.nodes;
    expect(event).toMatchObject({
      ...{ type: 'CREATED', description: 'Expiration item "Lease (copy)" was copied from "Lease"' },
    });
    expect(JSON.parse(event.details).copied_from).toEqual({ before: null, after: item.id });
  }
});

test('a long name is cut, not through a character', async () => {
  const item = await makeItem({ name: `${'x'.repeat(247)}🚗 and on` });
  const { copy } = await ask(gateway, mutation, { id: item.id });
  expect(copy.name).toBe(`${'x'.repeat(247)} (copy)`);
});

test('invalid input is rejected, and nothing is created', async () => {
  const foreign = await createTenant(gateway.database, 'Globex');
  const item = await makeItem();
  const hidden = await createItem(gateway, { teamId: gateway.otherTeamId });
  const before = await gateway.database.prisma.expirationItem.count();
  const refused = (id: string, input: object = {}, token?: string) =>
    refusal(gateway, mutation, { id, input }, token);
  for (const id of ['no-uuid', newId()]) await expectRefusal(refused(id), 'NOT_FOUND');
  await expectRefusal(refused(hidden.id, {}, gateway.member), 'NOT_FOUND');
  await expectRefusal(refused(item.id, {}, foreign.admin), 'NOT_FOUND');
  await expectRefusal(refused(item.id, {}, gateway.viewer), 'FORBIDDEN');
  await expectRefusal(refused(item.id, { name: ' ' }), 'BAD_REQUEST', 'name');
  await expectRefusal(refused(item.id, { name: 'x'.repeat(256) }), 'BAD_REQUEST', 'name');
  await expectRefusal(refused(item.id, { expirationDate: null }), 'BAD_REQUEST', 'expirationDate');
  await gateway.database.prisma.attachment.updateMany({
    where: { itemId: item.id },
    data: { contentLength: 300n * 1024n * 1024n },
  });
  await expectRefusal(refused(item.id, { withAttachments: true }), 'PAYLOAD_TOO_LARGE');
  expect(await gateway.database.prisma.expirationItem.count()).toBe(before);
});
