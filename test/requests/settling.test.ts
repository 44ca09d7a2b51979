import { randomUUID as newId } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { queueRequestMails } from '../../src/requests/mails.js';
import { startRequests } from '../../src/requests/worker.js';
import { expectRefused } from '../graphql/people.support.js';
import { ask } from '../graphql/support.js';
import { testTime } from '../support/gateway.js';
import { linkTo, look, type Office, openOffice, pdf, request } from './support.js';

let office: Office;
let place: { organizationId: string; teamId: string };
const [categoryId, truckId] = [newId(), newId()];
beforeAll(async () => {
  office = await openOffice();
  const { prisma } = office.gateway.database;
  place = { organizationId: office.gateway.organizationId, teamId: office.gateway.teamId };
  await prisma.category.create({ data: { ...place, id: categoryId, name: 'Insurance' } });
  await prisma.vehicle.create({ data: { ...place, id: truckId, name: 'Truck 101' } });
});
afterAll(() => office.close());
beforeEach(() => {
  office.gateway.clock.now = testTime;
});

const prisma = () => office.gateway.database.prisma;
const file = (name: string) => [{ name, bytes: pdf(name) }];
const confirm = `mutation ($id: ID!, $ifVersion: String, $date: Date) {
  confirmUpload(id: $id, ifVersion: $ifVersion, input: { expirationDate: $date }) { needsReview } }`;
const accept = `mutation ($id: ID!, $ifVersion: String) {
  acceptDocumentRequest(id: $id, ifVersion: $ifVersion, input: { expirationDate: "2028-01-31" }) { state } }`;
const decline = `mutation ($id: ID!) { declineDocumentRequest(id: $id, input: { reason: "Blurred" }) { state } }`;
const resend = 'mutation ($id: ID!) { resendDocumentRequest(id: $id) { state } }';
const update = `mutation ($id: ID!, $input: UpdateExpirationItemInput!) {
  updateExpirationItem(id: $id, input: $input) { id } }`;

/** Asks somebody for a document, and returns the request's id and its link. */
async function asked(email: string) {
  const { id } = await request(office, { categoryId, email });
  return { id, link: await linkTo(office, email) };
}

/** Lists what waits in the inbox about a request. */
async function waiting(id: string) {
  const { heldItem } = await look(office, id);
  const nodes = await ask(
    office.gateway,
    '{ uploadNotifications(filter: { needsReview: true }) { nodes { id filename version expirationItem { id } } } }',
  );
  type Upload = { id: string; filename: string; version: string; expirationItem: { id: string } | null };
  return (nodes.uploadNotifications.nodes as Upload[]).filter(
    ({ expirationItem }) => expirationItem?.id === heldItem?.id,
  );
}

describe('what arrives while somebody looks at something else', () => {
  test('is not accepted unseen from the inbox', async () => {
    const { id, link } = await asked('ann@example.org');
    await office.answer(link, { request: id }, file('front.pdf'));
    const [seen] = await waiting(id);
    office.gateway.clock.now = new Date(office.gateway.clock.now.getTime() + 1_000);
    await office.answer(link, { request: id }, file('other.pdf'));
    const date = '2028-01-31';
    await expectRefused(office.gateway, confirm, { id: seen?.id, ifVersion: seen?.version, date }, [
      'PRECONDITION_FAILED',
      /changed/,
    ]);
    await expectRefused(office.gateway, confirm, { id: seen?.id, date }, ['CONFLICT', /More was received/]);
    expect((await look(office, id)).state).toBe('RECEIVED');
    const again = (await waiting(id)).find((upload) => upload.id === seen?.id);
    await ask(office.gateway, confirm, { id: seen?.id, ifVersion: again?.version, date });
    const { state, item } = await look(office, id);
    expect(state).toBe('ACCEPTED');
    expect(await prisma().attachment.count({ where: { itemId: item.id } })).toBe(2);
  });

  test('is not accepted unseen with the request', async () => {
    const { id, link } = await asked('bo@example.org');
    await office.answer(link, { request: id }, file('front.pdf'));
    const { version: ifVersion } = await look(office, id);
    office.gateway.clock.now = new Date(office.gateway.clock.now.getTime() + 1_000);
    await office.answer(link, { request: id, words: 'That was the wrong one.' });
    await expectRefused(office.gateway, accept, { id }, ['CONFLICT', /More was received/]);
    await expectRefused(office.gateway, accept, { id, ifVersion }, ['PRECONDITION_FAILED', /changed/]);
    await ask(office.gateway, accept, { id, ifVersion: (await look(office, id)).version });
    expect((await look(office, id)).state).toBe('ACCEPTED');
  });

  test('words before the files ask for no version', async () => {
    const { id, link } = await asked('cy@example.org');
    await office.answer(link, { request: id, words: 'Tomorrow.' });
    office.gateway.clock.now = new Date(office.gateway.clock.now.getTime() + 1_000);
    await office.answer(link, { request: id }, file('front.pdf'));
    await ask(office.gateway, accept, { id });
    expect((await look(office, id)).state).toBe('ACCEPTED');
  });
});

describe('the item that keeps an answer', () => {
  test('keeps it when it is edited, and does not become active by hand', async () => {
    const { id, link } = await asked('di@example.org');
    await office.answer(link, { request: id }, file('front.pdf'));
    const { heldItem } = await look(office, id);
    await ask(office.gateway, update, {
      id: heldItem.id,
      input: { name: 'Mine', expirationDate: '2028-01-31' },
    });
    expect(await waiting(id)).toHaveLength(1);
    const refused: [string, RegExp] = ['CONFLICT', /accept the request/];
    await expectRefused(office.gateway, update, { id: heldItem.id, input: { isActive: true } }, refused);
    const teamId = office.gateway.otherTeamId;
    await expectRefused(office.gateway, update, { id: heldItem.id, input: { teamId } }, refused);
    const put = await office.gateway.send('PATCH', `/v1/expirationitems/${heldItem.id}`, {
      body: [{ op: 'replace', path: '/is_active', value: true }],
    });
    expect(put.status).toBe(409);
    expect(await look(office, id)).toMatchObject({ state: 'RECEIVED', heldItem: { isActive: false } });
    await ask(office.gateway, accept, { id });
    expect(await look(office, id)).toMatchObject({ state: 'ACCEPTED', item: { id: heldItem.id } });
    expect(await prisma().expirationItem.findUnique({ where: { id: heldItem.id } })).toMatchObject({
      name: 'Mine',
      isActive: true,
    });
    // It is an ordinary item now.
    await ask(office.gateway, update, { id: heldItem.id, input: { isActive: false } });
    await ask(office.gateway, update, { id: heldItem.id, input: { isActive: true } });
  });

  test('of an answer that was sent back is gone', async () => {
    const { id, link } = await asked('ed@example.org');
    await office.answer(link, { request: id }, file('front.pdf'));
    const { heldItem } = await look(office, id);
    await ask(office.gateway, decline, { id });
    await expectRefused(office.gateway, update, { id: heldItem.id, input: { isActive: true } }, [
      'NOT_FOUND',
      /./,
    ]);
  });
});

describe('the most mails of a day', () => {
  const mailsTo = (address: string) => prisma().delivery.count({ where: { address } });

  test('a recipient gets ten, and the others wait', async () => {
    const { id, link } = await asked('fay@example.org');
    for (let n = 0; n < 9; n++) {
      await ask(office.gateway, resend, { id });
      await linkTo(office, 'fay@example.org', 1);
    }
    expect(await mailsTo('fay@example.org')).toBe(10);
    const cap: [string, RegExp] = ['TOO_MANY_REQUESTS', /has had 10 mails/];
    await expectRefused(office.gateway, resend, { id }, cap);
    expect((await office.open(link)).status).toBe(404);
    // Asking for something else waits, too.
    const holder = { holderKind: 'VEHICLE', holderId: truckId };
    await request(office, { categoryId, email: 'fay@example.org', ...holder });
    await office.mailAfter(2, 0);
    expect(await mailsTo('fay@example.org')).toBe(10);
    await office.mailAfter(24 * 60);
    expect(await mailsTo('fay@example.org')).toBe(11);
    await ask(office.gateway, resend, { id });
  });

  test('an answer can be sent back beyond it, and its mail waits', async () => {
    const { id, link } = await asked('gus@example.org');
    for (let n = 0; n < 9; n++) {
      await office.answer(link, { request: id }, file('a.pdf'));
      await ask(office.gateway, decline, { id });
      await linkTo(office, 'gus@example.org', 1);
    }
    await office.answer(link, { request: id }, file('a.pdf'));
    await ask(office.gateway, decline, { id });
    expect((await look(office, id)).state).toBe('OPEN');
    await office.mailAfter(2, 0);
    expect(await mailsTo('gus@example.org')).toBe(10);
    await linkTo(office, 'gus@example.org', 24 * 60);
    // The mail server has a mail before the gateway notes so.
    await expect.poll(async () => (await look(office, id)).state, { timeout: 30_000 }).toBe('SENT');
  });

  test('mails that nobody got do not count', async () => {
    const { id } = await asked('hub@example.org');
    const { linkId } = await prisma().documentRequest.findUniqueOrThrow({ where: { id } });
    const data = (['SUPPRESSED', 'FAILED', 'CANCELLED'] as const).flatMap((state) =>
      Array.from({ length: 10 }, () => ({
        ...{ ...place, id: newId(), kind: 'MAIL' as const, dedupeKey: newId(), state, created: testTime },
        ...{ subjectKind: 'documentRequest', subjectId: linkId, address: 'hub@example.org' },
      })),
    );
    await prisma().delivery.createMany({ data });
    await ask(office.gateway, resend, { id });
    await linkTo(office, 'hub@example.org', 1);
  });

  test('a workspace sends as many as it may ask', async () => {
    const teamId = office.gateway.otherTeamId;
    const { id } = await request(office, { categoryId, email: 'hal@example.org', teamId });
    const data = Array.from({ length: 500 }, () => ({
      ...{ organizationId: place.organizationId, id: newId(), teamId, kind: 'MAIL' as const },
      ...{ dedupeKey: newId(), subjectKind: 'documentRequest', address: 'x@example.org' },
      ...{ state: 'SENT' as const, created: testTime },
    }));
    await prisma().delivery.createMany({ data });
    await expectRefused(office.gateway, resend, { id }, ['TOO_MANY_REQUESTS', /500 mails/]);
    await office.mailAfter(2, 0);
    expect(await mailsTo('hal@example.org')).toBe(0);
    await office.mailAfter(24 * 60);
    expect(await mailsTo('hal@example.org')).toBe(1);
  });
});

test('several processes send no more mails of a day than a workspace may', async () => {
  const { createTeam } = await ask(office.gateway, 'mutation { createTeam(input: { name: "Full" }) { id } }');
  const teamId = createTeam.id;
  for (const n of [1, 2, 3, 4]) await request(office, { categoryId, email: `full${n}@example.org`, teamId });
  const data = Array.from({ length: 498 }, () => ({
    ...{ organizationId: place.organizationId, id: newId(), teamId, kind: 'MAIL' as const },
    ...{ dedupeKey: newId(), subjectKind: 'documentRequest', address: 'x@example.org' },
    ...{ state: 'SENT' as const, created: testTime },
  }));
  await prisma().delivery.createMany({ data });
  const now = new Date(testTime.getTime() + 120_000);
  await Promise.all([1, 2, 3].map(() => queueRequestMails(office.gateway.database, now)));
  expect(await prisma().delivery.count({ where: { teamId } })).toBe(500);
});

test('steps, answers and mails at once deadlock never', async () => {
  const { id, link } = await asked('kai@example.org');
  const soon = () => queueRequestMails(office.gateway.database, new Date(testTime.getTime() + 600_000));
  await office.answer(link, { request: id }, file('a.pdf'));
  const results = await Promise.all([
    office.gateway.graphql(decline, { id }),
    office.answer(link, { request: id }, file('b.pdf')),
    office.gateway.graphql(resend, { id }),
    request(office, { categoryId, email: 'kai@example.org', holderKind: 'VEHICLE', holderId: truckId }),
    ...[1, 2].map(soon),
  ]);
  expect(JSON.stringify(results)).not.toMatch(/INTERNAL|deadlock/i);
});

test('a request that cannot be closed keeps no mail from being sent', async () => {
  const itemId = newId();
  await prisma().expirationItem.create({
    data: { ...place, id: itemId, categoryId, name: 'Card', created: testTime, modified: testTime },
  });
  const stuck = await request(office, { expirationItemId: itemId, email: 'ida@example.org' });
  await prisma().expirationItem.update({ where: { id: itemId }, data: { isActive: false } });
  await prisma().$executeRawUnsafe(`
    CREATE FUNCTION refuse_closing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`);
  await prisma().$executeRawUnsafe(`
    CREATE TRIGGER refuse_closing BEFORE UPDATE ON document_requests FOR EACH ROW
    WHEN (NEW.state = 'CANCELLED') EXECUTE FUNCTION refuse_closing()`);
  const { id } = await request(office, { categoryId, email: 'jo@example.org' });
  office.gateway.clock.now = new Date(testTime.getTime() + 120_000);
  const clock = () => office.gateway.clock.now;
  const stop = startRequests(
    { database: office.gateway.database, clock, log: pino({ level: 'silent' }), requestsMs: 50 },
    () => true,
  );
  try {
    await expect.poll(() => prisma().delivery.count({ where: { address: 'jo@example.org' } })).toBe(1);
    expect((await look(office, stuck.id)).state).toBe('OPEN');
    expect((await look(office, id)).delivery).toMatchObject({ state: 'QUEUED' });
  } finally {
    await stop();
    await prisma().$executeRawUnsafe('DROP FUNCTION refuse_closing CASCADE');
  }
});

test('a mail that cannot be queued keeps no other one from being sent', async () => {
  const { database } = office.gateway;
  const now = new Date(testTime.getTime() + 120_000);
  for (const email of ['kay@example.org', 'lee@example.org', 'max@example.org'])
    await request(office, { categoryId, email });
  await prisma().$executeRawUnsafe(`
    CREATE FUNCTION refuse_mail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
  await prisma().$executeRawUnsafe(`
    CREATE TRIGGER refuse_mail BEFORE INSERT ON deliveries FOR EACH ROW
    WHEN (NEW.address = 'lee@example.org') EXECUTE FUNCTION refuse_mail()`);
  const faults: string[] = [];
  const queue = (at: Date) =>
    queueRequestMails(database, at, undefined, ({ message }) => faults.push(message));
  const queued = async () =>
    (
      await prisma().delivery.findMany({
        where: { address: { in: ['kay@example.org', 'lee@example.org', 'max@example.org'] } },
      })
    )
      .map(({ address }) => address)
      .sort();
  await queue(now);
  await queue(now);
  expect(faults).toEqual([expect.stringMatching(/refused/)]);
  expect(await queued()).toEqual(['kay@example.org', 'max@example.org']);
  await prisma().$executeRawUnsafe('DROP FUNCTION refuse_mail CASCADE');
  await queue(new Date(now.getTime() + 3_600_000));
  expect(await queued()).toEqual(['kay@example.org', 'lee@example.org', 'max@example.org']);
});

test('two who accept at once do not give an item more files than it may have', {
  timeout: 60_000,
}, async () => {
  const items = { category: { id: categoryId }, expirationDate: '2027-01-31', name: 'Nearly full' };
  const create =
    'mutation ($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }';
  const { id: itemId } = (await ask(office.gateway, create, { input: items })).createExpirationItem;
  const row = { ...place, itemId, contentType: 'text/plain', contentLength: 1 };
  const files = Array.from({ length: 99 }, (_, position) => ({ ...row, id: newId(), name: 'f', position }));
  await prisma().attachment.createMany({ data: files });
  const requests: string[] = [];
  for (const email of ['one@example.org', 'two@example.org']) {
    const { id } = await request(office, { expirationItemId: itemId, email });
    await office.answer(await linkTo(office, email), { request: id }, file(email));
    requests.push(id);
  }
  const { url } = office.gateway;
  const send = (id: string, expirationDate: string) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${office.gateway.admin}` },
      body: JSON.stringify({
        query: `mutation ($id: ID!, $date: Date) {
          acceptDocumentRequest(id: $id, input: { expirationDate: $date }) { state } }`,
        variables: { id, date: expirationDate },
      }),
    }).then(async (response) => (await response.json()).errors?.[0]?.extensions.code);
  // Both have begun before either can lock the item.
  const outcomes = await prisma().$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT id FROM expiration_items WHERE id = ${itemId}::uuid FOR NO KEY UPDATE`;
      const both = [send(requests[0] ?? '', '2028-01-31'), send(requests[1] ?? '', '2029-01-31')];
      const waiting = () => prisma().$queryRaw<unknown[]>`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(async () => (await waiting()).length, { timeout: 15_000 }).toBe(2);
      return { both };
    },
    { timeout: 30_000 },
  );
  expect((await Promise.all(outcomes.both)).sort()).toEqual(['CONFLICT', undefined]);
  expect(await prisma().attachment.count({ where: { itemId } })).toBe(100);
});
