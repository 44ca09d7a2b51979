import { beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { smtpError } from '../mail/smtp.support.js';
import { anna, decide, dueDate, makeItem, sendAll, setSteps, to } from '../reminders/told.support.js';
import { testTime, useFreshGateway } from '../support/gateway.js';
import { ask } from './support.js';

const gateway = useFreshGateway();
let itemId: string;
beforeEach(async () => {
  await setSteps(gateway, gateway.teamId, [to(anna)]);
  itemId = await makeItem(gateway, gateway);
  expect(await decide(gateway)).toBe(1);
});

const list = `query ($filter: DeliveryFilter) { deliveries(first: 5, filter: $filter) { totalCount nodes {
  id kind state address subjectKind attempts lastError statusCode messageId dueAt settledAt version
  expirationItem { id } reminders(first: 2) { totalCount nodes { itemName state targets { address reason delivery { id } } } }
} } }`;
const retry =
  'mutation ($id: ID!, $v: String) { retryDelivery(id: $id, ifVersion: $v) { id state version } }';

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever an answer holds.
const read = async (filter: object = {}, token?: string): Promise<any> =>
  (await ask(gateway, list, { filter }, token)).deliveries;

const codeOf = async (query: string, variables: object, token?: string) => {
  const { errors } = await gateway.graphql(query, variables, token);
  return errors?.[0].extensions.code;
};

const refuse = () =>
  sendAll(gateway, 2, {
    onRcptTo: ({ address }, _session, callback) =>
      callback(address === anna ? smtpError(550, 'No such user here') : null),
  });

test('a delivery is shown with its reminders, and found by each part of a filter', async () => {
  const { totalCount, nodes } = await read();
  expect(totalCount).toBe(1);
  expect(nodes[0]).toMatchObject({
    ...{ kind: 'MAIL', state: 'QUEUED', address: anna, subjectKind: 'item', attempts: 0 },
    ...{
      lastError: null,
      statusCode: null,
      messageId: null,
      settledAt: null,
      expirationItem: { id: itemId },
    },
    reminders: {
      totalCount: 1,
      nodes: [
        {
          itemName: 'Trade licence',
          state: 'PENDING',
          targets: [{ address: anna, reason: null, delivery: { id: nodes[0].id } }],
        },
      ],
    },
  });
  const at = testTime.toISOString();
  const later = new Date(testTime.getTime() + 1).toISOString();
  const found = { teamId: gateway.teamId, expirationItemId: itemId, since: at, address: 'ANNA@example.org' };
  for (const filter of [
    { state: 'QUEUED' },
    { kind: 'MAIL' },
    { term: 'ANNA@' },
    ...Object.entries(found).map(([k, v]) => ({ [k]: v })),
  ])
    expect((await read(filter)).totalCount, JSON.stringify(filter)).toBe(1);
  const others = {
    teamId: gateway.otherTeamId,
    expirationItemId: newId(),
    since: later,
    address: 'b@example.org',
  };
  for (const filter of [
    { state: 'SENT' },
    { kind: 'CHAT' },
    { term: 'bert' },
    ...Object.entries(others).map(([k, v]) => ({ [k]: v })),
  ])
    expect((await read(filter)).totalCount, JSON.stringify(filter)).toBe(0);
});

test("the mail server's message is explained in plain words", async () => {
  await refuse();
  const { nodes } = await read({ address: anna });
  expect(nodes[0]).toMatchObject({ state: 'FAILED', statusCode: 550, dueAt: null, attempts: 1 });
  expect(nodes[0].lastError).toMatch(
    /^The mailbox does not exist or is disabled, and it was given up. The server said: .*No such user here/,
  );
  expect(nodes[0].reminders.nodes[0].targets).toContainEqual({
    ...{ address: anna, reason: 'The mail server refused the address.' },
    delivery: { id: nodes[0].id },
  });
});

test('a refused delivery is retried when its address may be written to again, once by two', async () => {
  await refuse();
  const [{ id, version }] = (await read({ address: anna })).nodes;
  expect(await codeOf(retry, { id })).toBe('CONFLICT');
  const { suppressions } = await ask(
    gateway,
    `{ suppressions(filter: {address: "${anna.toUpperCase()}"}) { totalCount nodes { id address scope reason } } }`,
  );
  expect(suppressions).toMatchObject({
    totalCount: 1,
    nodes: [{ address: anna, scope: 'ALL', reason: 'REFUSED' }],
  });
  await ask(gateway, `mutation { deleteSuppression(id: "${suppressions.nodes[0].id}") { id } }`);
  expect(await codeOf(retry, { id, v: 'another' })).toBe('PRECONDITION_FAILED');
  const answers = await Promise.all([codeOf(retry, { id, v: version }), codeOf(retry, { id })]);
  expect(answers.filter((code) => code === undefined)).toHaveLength(1);
  expect(answers.filter((code) => code === 'CONFLICT' || code === 'PRECONDITION_FAILED')).toHaveLength(1);
  const taken = await sendAll(gateway, 1);
  expect(taken).toMatchObject([{ to: [anna] }]);
  const [sent] = (await read({ address: anna })).nodes;
  expect(sent).toMatchObject({
    id,
    state: 'SENT',
    lastError: null,
    reminders: { nodes: [{ state: 'TOLD' }] },
  });
  expect(sent.version).not.toBe(version);
  expect(await codeOf(retry, { id })).toBe('CONFLICT');
});

test.each(['QUEUED', 'SENT', 'SUPPRESSED', 'CANCELLED'] as const)(
  'a %s delivery cannot be retried',
  async (state) => {
    const [{ id }] = (await read()).nodes;
    await gateway.database.prisma.delivery.update({ where: { id }, data: { state } });
    expect(await codeOf(retry, { id })).toBe('CONFLICT');
    expect(await codeOf(retry, { id }, gateway.viewer)).toBe('FORBIDDEN');
    for (const id of ['no id', newId()]) expect(await codeOf(retry, { id })).toBe('NOT_FOUND');
  },
);

test('deliveries are visible only in their own workspace', async () => {
  const { database, otherTeamId: teamId, organizationId } = gateway;
  await setSteps(gateway, teamId, [to('bert@example.org')]);
  await makeItem(gateway, { organizationId, teamId });
  await decide(gateway);
  expect(await database.prisma.delivery.count()).toBe(2);
  expect((await read()).totalCount).toBe(2);
  const seen = await read({}, gateway.viewer);
  expect(seen.nodes.map(({ address }: { address: string }) => address)).toEqual([anna]);
  const hidden = await database.prisma.delivery.findFirstOrThrow({ where: { teamId } });
  await database.prisma.delivery.update({ where: { id: hidden.id }, data: { state: 'FAILED' } });
  expect(await codeOf(retry, { id: hidden.id }, gateway.member)).toBe('NOT_FOUND');
  expect(await codeOf('{ deliveries { totalCount } }', {}, gateway.uploader)).toBe('FORBIDDEN');
});

test('reminders are found by each part of a filter', async () => {
  const query = 'query ($filter: ReminderFilter) { reminders(filter: $filter) { totalCount } }';
  const count = async (filter: object) => (await ask(gateway, query, { filter })).reminders.totalCount;
  const [{ id: deliveryId }] = (await read()).nodes;
  for (const filter of [
    { term: 'TRADE' },
    { state: 'PENDING' },
    { since: '2026-11-20T08:00:00Z' },
    { isWithoutRecipient: false },
    { expirationItemId: itemId, deliveryId, teamId: gateway.teamId },
    { expirationDate: { gte: dueDate, lte: dueDate } },
  ])
    expect(await count(filter), JSON.stringify(filter)).toBe(1);
  for (const filter of [
    { term: 'visa' },
    { state: 'TOLD' },
    { since: '2026-11-20T08:00:01Z' },
    { isWithoutRecipient: true },
    { expirationItemId: newId() },
    { deliveryId: newId() },
    { teamId: gateway.otherTeamId },
  ])
    expect(await count(filter), JSON.stringify(filter)).toBe(0);
});
