import { randomUUID as newId } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectRefused } from '../graphql/people.support.js';
import { ask } from '../graphql/support.js';
import { testTime } from '../support/gateway.js';
import { linkTo, look, type Office, openOffice, pdf, request } from './support.js';

let office: Office;
let place: { organizationId: string; teamId: string };
const [categoryId, annId, truckId] = [newId(), newId(), newId()];
beforeAll(async () => {
  office = await openOffice();
  const { prisma } = office.gateway.database;
  place = { organizationId: office.gateway.organizationId, teamId: office.gateway.teamId };
  await prisma.category.create({ data: { ...place, id: categoryId, name: 'Insurance' } });
  await prisma.contact.create({ data: { ...place, id: annId, name: 'Ann Lee', email: 'Ann@example.org' } });
  await prisma.vehicle.create({
    data: { ...place, id: truckId, name: 'Truck 101', licensePlate: 'BT 1014' },
  });
});
afterAll(() => office.close());
beforeEach(() => {
  office.gateway.clock.now = testTime;
});

const prisma = () => office.gateway.database.prisma;
const eventsOf = async (id: string) =>
  (
    await prisma().eventLog.findMany({
      where: { entities: { some: { entityId: id, position: 0 } } },
      orderBy: [{ created: 'asc' }, { id: 'asc' }],
    })
  ).map(({ typeId }) => typeId);
const waiting = async () =>
  (
    await ask(
      office.gateway,
      '{ uploadNotifications(filter: { needsReview: true }) { nodes { id filename version expirationItem { isActive } } } }',
    )
  ).uploadNotifications.nodes;
const confirm = `mutation ($id: ID!, $input: ConfirmUploadInput!) { confirmUpload(id: $id, input: $input) {
  state needsReview expirationItem { id name expirationDate } } }`;
const item = async (values: object = {}) => {
  const id = newId();
  const date = new Date('2027-01-31');
  await prisma().expirationItem.create({
    data: {
      ...place,
      id,
      categoryId,
      name: 'Insurance 101',
      expirationDate: date,
      created: testTime,
      modified: testTime,
      ...values,
    },
  });
  return id;
};

/** Waits until a request is in a state. */
const reaches = (id: string, state: string) =>
  expect.poll(async () => (await look(office, id)).state).toBe(state);

test('what is asked, sent and accepted renews the item, with the files', async () => {
  const itemId = await item();
  const made = await request(office, {
    expirationItemId: itemId,
    recipientId: annId,
    message: 'Front and back, please.',
  });
  expect(made).toMatchObject({
    state: 'OPEN',
    renews: true,
    itemDate: '2027-01-31',
    category: { name: 'Insurance' },
  });
  const [link = ''] = await office.mailAfter(2);
  expect(link).toMatch(/asked/);
  expect(office.post.sink.taken.at(-1)).toMatchObject({ to: ['Ann@example.org'] });
  expect(await look(office, made.id)).toMatchObject({ state: 'SENT', delivery: { state: 'SENT' } });
  const page = await office.open(link);
  expect(page.status).toBe(200);
  for (const words of ['Insurance', 'Front and back, please.', '31 January 2027'])
    expect(page.text).toContain(words);
  expect(page.text).not.toContain('<script>');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  const files = [
    { name: '../front.pdf', bytes: pdf('front') },
    { name: 'back.pdf', bytes: pdf('back') },
  ];
  expect(
    (await office.answer(link, { request: made.id, date: '2028-01-31', words: 'Here.' }, files)).status,
  ).toBe(303);
  expect((await office.open(link)).text).toMatch(/2 file\(s\) received on 20 November 2026/);
  const received = await look(office, made.id);
  expect(received).toMatchObject({ state: 'RECEIVED', answer: 'Here.', statedDate: '2028-01-31' });
  expect(received.heldItem.isActive).toBe(false);
  expect(received.heldItem.attachments.nodes).toEqual([
    { name: 'front.pdf', contentType: 'application/pdf' },
    { name: 'back.pdf', contentType: 'application/pdf' },
  ]);
  // Nothing has come to the item before somebody accepts it.
  expect(await prisma().attachment.count({ where: { itemId } })).toBe(0);
  const first = (await waiting()).find(({ filename }: { filename: string }) => filename === 'front.pdf');
  expect(first).toMatchObject({ filename: 'front.pdf', expirationItem: { isActive: false } });
  await expectRefused(office.gateway, confirm, { id: first.id, input: { expirationDate: '2027-01-31' } }, [
    'BAD_REQUEST',
    /later/,
  ]);
  await expectRefused(office.gateway, confirm, { id: first.id, input: {} }, [
    'BAD_REQUEST',
    /expirationDate/,
  ]);
  const accepting = [1, 2, 3].map(() =>
    office.gateway.graphql(confirm, { id: first.id, input: { expirationDate: '2028-01-31' } }),
  );
  const answers = await Promise.all(accepting);
  const done = answers.filter(({ errors }) => !errors);
  // Of those who come later, who still finds the upload confirms it as it is, and nothing is renewed twice.
  expect(done.length).toBeGreaterThan(0);
  expect(done[0]?.data.confirmUpload).toMatchObject({
    needsReview: false,
    expirationItem: { id: itemId, name: 'Insurance 101', expirationDate: '2028-01-31' },
  });
  expect(await prisma().renewal.count({ where: { itemId } })).toBe(1);
  expect(await prisma().attachment.count({ where: { itemId } })).toBe(2);
  expect(await look(office, made.id)).toMatchObject({
    state: 'ACCEPTED',
    heldItem: null,
    item: { id: itemId },
  });
  expect(await prisma().expirationItem.count({ where: { id: received.heldItem.id } })).toBe(0);
  expect(await waiting()).toEqual([]);
  expect(await eventsOf(made.id)).toEqual([1, 35, 36, 37]);
  expect((await office.open(link)).status).toBe(404);
});

test('a document of a vehicle becomes its paper, and one mail asks a person for everything', async () => {
  const about = { holderKind: 'VEHICLE', holderId: truckId, recipientId: annId, language: 'de' };
  const licence = newId();
  await prisma().category.create({ data: { ...place, id: licence, name: 'Registration' } });
  const one = await request(office, { ...about, categoryId });
  const two = await request(office, { ...about, categoryId: licence, dueOn: '2026-12-24' });
  const before = office.post.sink.taken.length;
  const [link = ''] = await office.mailAfter(2);
  expect(office.post.sink.taken.length).toBe(before + 1);
  const { text } = await office.open(link);
  for (const words of ['Truck 101, BT 1014', 'Registration', 'Insurance', '24. Dezember 2026', 'lang="de"'])
    expect(text).toContain(words);
  expect((await office.open(`${link}?lang=fr`)).text).toContain('Envoyer');
  // A language that is not there changes nothing.
  for (const lang of ['tlh', '', 'de%00', '../de'])
    expect((await office.open(`${link}?lang=${lang}`)).text).toContain('lang="de"');
  await office.answer(link, { request: one.id }, [{ name: 'a.pdf', bytes: pdf() }]);
  const accept = `mutation ($id: ID!, $input: AcceptDocumentRequestInput!) { acceptDocumentRequest(id: $id, input: $input) {
    state item { name expirationDate isActive holders { nodes { __typename } } } } }`;
  await expectRefused(office.gateway, accept, { id: two.id, input: {} }, [
    'CONFLICT',
    /Nothing was received/,
  ]);
  const { acceptDocumentRequest } = await ask(office.gateway, accept, {
    id: one.id,
    input: { expirationDate: '2028-05-01' },
  });
  expect(acceptDocumentRequest).toMatchObject({
    state: 'ACCEPTED',
    item: {
      name: 'Insurance, Truck 101, BT 1014',
      expirationDate: '2028-05-01',
      isActive: true,
      holders: { nodes: [{ __typename: 'Vehicle' }] },
    },
  });
  await expectRefused(office.gateway, accept, { id: one.id, input: {} }, ['CONFLICT', /already settled/]);
  // The link still asks for the other one, and the next mail has the same link.
  const left = await office.open(link);
  expect(left.text).toContain('Registration');
  expect(left.text).not.toContain('>Insurance<');
  const [again] = await office.mailAfter(7 * 24 * 60);
  expect(again).toBe(link);
  expect(office.post.sink.taken.at(-1)?.mail.subject).toMatch(/^Erinnerung: /);
});

describe('what is sent back or not needed', () => {
  const decline = `mutation ($id: ID!, $input: DeclineDocumentRequestInput!) { declineDocumentRequest(id: $id, input: $input) { state } }`;
  const act = (name: string) => `mutation ($id: ID!) { ${name}DocumentRequest(id: $id) { state ending } }`;

  test('an answer is sent back with a reason, and its files are gone', async () => {
    const { id } = await request(office, { categoryId, email: 'bo@example.org' });
    const [link = ''] = await office.mailAfter(2);
    await office.answer(link, { request: id }, [{ name: 'a.pdf', bytes: pdf() }]);
    const { heldItem } = await look(office, id);
    await expectRefused(office.gateway, decline, { id, input: { reason: ' ' } }, ['BAD_REQUEST', /reason/]);
    await ask(office.gateway, decline, { id, input: { reason: 'It cannot be read.' } });
    await expectRefused(office.gateway, decline, { id, input: { reason: 'Again' } }, [
      'CONFLICT',
      /Nothing was received/,
    ]);
    expect(await prisma().expirationItem.count({ where: { id: heldItem.id } })).toBe(0);
    expect(await waiting()).toEqual([]);
    expect(await office.mailAfter(1)).toEqual([link]);
    expect(office.post.sink.taken.at(-1)?.mail.text).toContain('It cannot be read.');
    expect((await office.open(link)).text).toContain('It cannot be read.');
    expect((await look(office, id)).state).toBe('SENT');
  });

  test('who does not have it says so, and nothing can be accepted', async () => {
    const { id } = await request(office, { categoryId, email: 'cy@example.org' });
    const [link = ''] = await office.mailAfter(2);
    expect((await office.answer(link, { request: id })).status).toBe(400);
    expect((await office.answer(link, { request: id, words: 'Sold.' })).status).toBe(303);
    expect(await look(office, id)).toMatchObject({ state: 'RECEIVED', answer: 'Sold.', heldItem: null });
    const accept = `mutation ($id: ID!) { acceptDocumentRequest(id: $id, input: {}) { state } }`;
    await expectRefused(office.gateway, accept, { id }, ['CONFLICT', /but words/]);
    await ask(office.gateway, act('cancel'), { id });
    await expectRefused(office.gateway, act('cancel'), { id }, ['CONFLICT', /ended/]);
    expect((await office.open(link)).status).toBe(404);
    expect((await office.answer(link, { request: id, words: 'x' })).status).toBe(404);
    await expectRefused(office.gateway, act('cancel'), { id: newId() }, ['NOT_FOUND', /document request/]);
  });

  test('sent again, the link is another one, and the first ends', async () => {
    const { id } = await request(office, { categoryId, email: 'di@example.org' });
    const [link = ''] = await office.mailAfter(2);
    await ask(office.gateway, act('resend'), { id });
    expect((await office.open(link)).status).toBe(404);
    const [other = ''] = await office.mailAfter(1);
    expect(other).not.toBe(link);
    expect((await office.open(other)).status).toBe(200);
    await office.answer(other, { request: id, words: 'x' });
    await expectRefused(office.gateway, act('resend'), { id }, ['CONFLICT', /waits/]);
  });

  test.each([
    [
      'MET',
      async (itemId: string): Promise<void> =>
        void (await ask(
          office.gateway,
          `mutation ($id: ID!) { renewExpirationItem(id: $id, input: { expirationDate: "2029-01-31" }) { id } }`,
          { id: itemId },
        )),
    ],
    [
      'ITEM_GONE',
      async (id: string): Promise<void> =>
        void (await prisma().expirationItem.update({ where: { id }, data: { isActive: false } })),
    ],
    [
      'ITEM_GONE',
      async (id: string): Promise<void> =>
        void (await ask(office.gateway, 'mutation ($id: ID!) { deleteExpirationItem(id: $id) { id } }', {
          id,
        })),
    ],
    [
      'RECIPIENT_GONE',
      async (_id: string): Promise<void> =>
        void (await prisma().contact.update({
          where: { id: annId },
          data: { email: `${newId()}@example.org` },
        })),
    ],
  ] as const)('a request ends by itself: %s', async (ending, change) => {
    const itemId = await item();
    const { id } = await request(office, { expirationItemId: itemId, recipientId: annId });
    const [link = ''] = await office.mailAfter(2);
    await change(itemId);
    // The page knows at once.
    expect((await office.open(link)).text).not.toContain('Insurance 101');
    await office.mailAfter(1, 0);
    expect(await look(office, id)).toMatchObject({ state: 'CANCELLED', ending });
    expect((await eventsOf(id)).at(-1)).toBe(39);
    await ask(office.gateway, act('cancel'), { id }).catch(() => {});
  });

  test('a holder that is deleted ends what was asked about it', async () => {
    const holderId = newId();
    await prisma().vehicle.create({ data: { ...place, id: holderId, name: 'Gone' } });
    const { id } = await request(office, {
      categoryId,
      holderKind: 'VEHICLE',
      holderId,
      email: 'ed@example.org',
    });
    await ask(office.gateway, 'mutation ($id: ID!) { deleteVehicle(id: $id) { id } }', { id: holderId });
    await office.mailAfter(2, 0);
    expect(await look(office, id)).toMatchObject({
      state: 'CANCELLED',
      ending: 'HOLDER_GONE',
      delivery: null,
    });
  });

  test('without an answer, mails end after five, and then the link', async () => {
    const { id } = await request(office, { categoryId, email: 'fay@example.org' });
    const sent = () => office.post.sink.taken.filter(({ to }) => to.includes('fay@example.org')).length;
    for (const [count, minutes] of [2, 10_080, 10_080, 10_080, 10_080].entries()) {
      await office.mailAfter(minutes);
      await expect.poll(sent).toBe(count + 1);
    }
    const links = office.post.sink.taken
      .filter(({ to }) => to.includes('fay@example.org'))
      .map(({ mail: { text = '' } }) => /https:\S+\/asked\/[\w-]{43}/.exec(text)?.[0]);
    expect(links).toHaveLength(5);
    expect(new Set(links).size).toBe(1);
    await office.mailAfter(10_080, 0);
    expect(await prisma().delivery.count({ where: { address: 'fay@example.org' } })).toBe(5);
    await office.mailAfter(30 * 24 * 60, 0);
    expect(await look(office, id)).toMatchObject({ state: 'LAPSED', ending: null });
    expect((await office.open(links[0] ?? '')).status).toBe(404);
    // Sent again, and asked for something else, with a link that the old mails do not have.
    await ask(office.gateway, 'mutation ($id: ID!) { resendDocumentRequest(id: $id) { id } }', { id });
    const again = await linkTo(office, 'fay@example.org');
    await reaches(id, 'SENT');
    expect((await office.open(again)).status).toBe(200);
    await office.mailAfter(31 * 24 * 60, 0);
    await office.mailAfter(31 * 24 * 60, 0);
    const later = await request(office, { categoryId, email: 'fay@example.org', message: 'Once more.' });
    const last = await linkTo(office, 'fay@example.org');
    await reaches(later.id, 'SENT');
    const opened = await Promise.all([links[0] ?? '', again, last].map((link) => office.open(link)));
    expect(opened.map(({ status }) => status)).toEqual([404, 404, 200]);
  });
});

test('an item that moves to another workspace is asked for no more, and shown no more', async () => {
  const itemId = await item();
  const { id } = await request(office, { expirationItemId: itemId, email: 'mia@example.org' });
  const link = await linkTo(office, 'mia@example.org');
  await office.answer(link, { request: id, date: '2028-01-31' }, [{ name: 'a.pdf', bytes: pdf() }]);
  const teamId = office.gateway.otherTeamId;
  const move =
    'mutation ($id: ID!, $teamId: ID!) { updateExpirationItem(id: $id, input: { name: "Secret", teamId: $teamId }) { id } }';
  await ask(office.gateway, move, { id: itemId, teamId });
  expect((await office.open(link)).text).not.toContain('Secret');
  const accept =
    'mutation ($id: ID!) { acceptDocumentRequest(id: $id, input: { expirationDate: "2028-01-31" }) { id } }';
  await expectRefused(office.gateway, accept, { id }, ['CONFLICT', /another workspace/]);
  const next = await request(office, { expirationItemId: await item(), email: 'kim@example.org' });
  await ask(office.gateway, move, { id: next.item.id, teamId });
  await office.mailAfter(2, 0);
  expect(await look(office, next.id)).toMatchObject({ state: 'CANCELLED', ending: 'ITEM_GONE' });
});

test('all that one person is asked for is on the page, and can be answered', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 105; n++) {
    const id = newId();
    await prisma().category.create({ data: { ...place, id, name: `Paper ${n}` } });
    ids.push((await request(office, { categoryId: id, email: 'lou@example.org' })).id);
  }
  const link = await linkTo(office, 'lou@example.org');
  const { text } = await office.open(link);
  expect(ids.filter((id) => !text.includes(id))).toEqual([]);
  const answers = [ids[0], ids.at(-1)].map((id = '') =>
    office.answer(link, { request: id }, [{ name: 'a.pdf', bytes: pdf() }]),
  );
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([303, 303]);
});

test('a workspace can be deleted once nothing is asked for there', async () => {
  const { createTeam } = await ask(
    office.gateway,
    'mutation { createTeam(input: { name: "Passing" }) { id } }',
  );
  const input = { categoryId, teamId: createTeam.id, email: 'pat@example.org' };
  const { id } = await request(office, input);
  const remove = () => office.gateway.send('DELETE', `/v1/teams/${createTeam.id}`);
  expect((await remove()).status).toBe(409);
  await ask(office.gateway, 'mutation ($id: ID!) { cancelDocumentRequest(id: $id) { id } }', { id });
  expect((await remove()).status).toBeLessThan(300);
});

describe('what cannot be asked', () => {
  const document =
    'mutation ($input: CreateDocumentRequestInput!) { createDocumentRequest(input: $input) { id } }';
  const refused = (input: object, why: [string, RegExp], token?: string) =>
    expectRefused(office.gateway, document, { input }, why, token);

  test('nobody, two recipients, unknown records, the past, a stopped address', async () => {
    await refused({ categoryId }, ['BAD_REQUEST', /recipientId/]);
    await refused({ categoryId, email: 'x@example.org', recipientId: annId }, ['BAD_REQUEST', /recipientId/]);
    await refused({ categoryId, email: 'nobody' }, ['BAD_REQUEST', /email/]);
    await refused({ email: 'x@example.org' }, ['BAD_REQUEST', /categoryId/]);
    await refused({ categoryId: newId(), email: 'x@example.org' }, ['BAD_REQUEST', /categoryId/]);
    await refused({ expirationItemId: newId(), email: 'x@example.org' }, ['BAD_REQUEST', /expirationItemId/]);
    await refused({ categoryId, recipientId: newId() }, ['BAD_REQUEST', /recipientId/]);
    await refused({ categoryId, holderId: truckId, email: 'x@example.org' }, ['BAD_REQUEST', /holderKind/]);
    await refused({ categoryId, holderKind: 'COMPANY', holderId: truckId, email: 'x@example.org' }, [
      'BAD_REQUEST',
      /holderId/,
    ]);
    await refused({ categoryId, email: 'x@example.org', dueOn: '2026-11-19' }, ['BAD_REQUEST', /dueOn/]);
    await refused({ categoryId, email: 'x@example.org', language: 'tlh' }, ['BAD_REQUEST', /language/]);
    await refused({ categoryId, email: 'x@example.org', teamId: newId() }, ['BAD_REQUEST', /teamId/]);
    await prisma().suppression.create({
      data: {
        organizationId: place.organizationId,
        addressKey: 'stop@example.org',
        scope: 'ALL',
        reason: 'ADMIN',
      },
    });
    await refused({ categoryId, email: 'Stop@example.org' }, ['BAD_REQUEST', /gets no mails/]);
  });

  test('the same of the same recipient twice, and an id that is taken', async () => {
    const { id } = await request(office, { categoryId, email: 'twice@example.org' });
    await refused({ categoryId, email: 'TWICE@example.org' }, ['CONFLICT', new RegExp(id)]);
    await refused({ id, categoryId, email: 'other@example.org' }, ['CONFLICT', /id/]);
  });

  test('more than a workspace may ask in a day', async () => {
    const data = Array.from({ length: 500 }, () => ({
      ...place,
      id: newId(),
      teamId: office.gateway.otherTeamId,
      created: testTime,
    }));
    await prisma().documentRequest.createMany({ data });
    const input = { email: 'x@example.org', categoryId, teamId: office.gateway.otherTeamId };
    await refused(input, ['TOO_MANY_REQUESTS', /500/]);
  });

  test('by those who may only read', async () => {
    await refused({ categoryId, email: 'x@example.org' }, ['FORBIDDEN', /./], office.gateway.viewer);
  });
});

test('the link of a person who was erased opens nothing, and no mail follows', async () => {
  const contactId = newId();
  const ann = { ...place, id: contactId, name: 'Zoe Gone', email: 'zoe@example.org' };
  await prisma().contact.create({ data: ann });
  const { id } = await request(office, { categoryId, email: 'zoe@example.org' });
  const link = await linkTo(office, 'zoe@example.org');
  expect((await office.open(link)).status).toBe(200);
  await ask(office.gateway, 'mutation ($id: ID!) { erasePerson(id: $id) { erased } }', { id: contactId });
  expect((await office.open(link)).status).toBe(404);
  const { linkId } = await prisma().documentRequest.findUniqueOrThrow({ where: { id } });
  const mails = () => prisma().delivery.count({ where: { subjectId: linkId } });
  expect(await mails()).toBe(1);
  await office.mailAfter(8 * 24 * 60, 0);
  expect(await mails()).toBe(1);
  expect(await look(office, id)).toMatchObject({ state: 'LAPSED' });
});
