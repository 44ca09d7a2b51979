import { randomUUID as newId } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectRefused } from '../graphql/people.support.js';
import { ask } from '../graphql/support.js';
import { linkKey, secrets } from '../reminders/sender.support.js';
import { testTime } from '../support/gateway.js';
import { prepareKilling } from './killing.support.js';
import {
  type ClaimedDelivery,
  claimDeliveries,
  closeRequests,
  composeMail,
  evaluateReminders,
  look,
  type Office,
  openOffice,
  pdf,
  queueRequestMails,
  request,
  settleDelivery,
} from './support.js';

let office: Office;
let place: { organizationId: string; teamId: string };
let despiteKill: Awaited<ReturnType<typeof prepareKilling>>;
const categoryId = newId();
beforeAll(async () => {
  office = await openOffice();
  const { organizationId, teamId, database } = office.gateway;
  place = { organizationId, teamId };
  await database.prisma.category.create({ data: { ...place, id: categoryId, name: 'Führerschein' } });
  despiteKill = await prepareKilling(database);
});
afterAll(() => office.close());
beforeEach(async () => {
  office.gateway.clock.now = testTime;
  const { teamId } = place;
  // What earlier tests have left is over.
  await prisma().expirationItem.updateMany({ data: { isActive: false } });
  await prisma().delivery.updateMany({
    where: { dueAt: { not: null } },
    data: { state: 'CANCELLED', dueAt: null },
  });
  await prisma().documentRequestLink.updateMany({ data: { nextMailAt: null } });
  await prisma().reminderMark.deleteMany({ where: { teamId: { not: teamId } } });
  await prisma().reminderMark.updateMany({
    where: { teamId },
    data: { through: testTime, nextAt: testTime, pageAfter: null, pageUntil: null },
  });
});

const prisma = () => office.gateway.database.prisma;
const at = (days: number, hours = 0) => new Date(testTime.getTime() + days * 86_400_000 + hours * 3_600_000);

/** Creates a policy with steps, and answers its id. */
async function policy(...steps: object[]): Promise<string> {
  const document =
    'mutation ($input: CreateReminderPolicyInput!) { createReminderPolicy(input: $input) { id } }';
  const input = { name: newId(), timeOfDay: '08:00', steps };
  return (await ask(office.gateway, document, { input })).createReminderPolicy.id;
}

/** Creates a person and items of that person, which expire some days later and follow a policy. */
async function items(email: string, reminderPolicyId: string, days: readonly number[], values: object = {}) {
  const contactId = newId();
  await prisma().contact.create({ data: { ...place, id: contactId, name: email, email } });
  const ids: string[] = [];
  for (const day of days) {
    const [id, times] = [newId(), { created: testTime, modified: testTime }];
    await prisma().expirationItem.create({
      data: {
        ...{ ...place, ...times, id, categoryId, reminderPolicyId, name: `Licence ${day}` },
        ...{ contactId, expirationDate: new Date(at(day).toISOString().slice(0, 10)), ...values },
      },
    });
    ids.push(id);
  }
  return ids;
}

/** Returns whether a transaction was killed. */
const killed = async () => {
  const statement = 'SELECT is_called AS "isCalled" FROM killings';
  return (await prisma().$queryRawUnsafe<{ isCalled: boolean }[]>(statement))[0]?.isCalled ?? false;
};

/** Decides what is due, and queues the mails of requests. */
async function decide(days: number): Promise<void> {
  const { gateway } = office;
  gateway.clock.now = at(days);
  const { now } = gateway.clock;
  await evaluateReminders({ database: gateway.database, clock: () => now, isMailSetUp: () => true });
  await closeRequests(gateway.database, now);
  await queueRequestMails(gateway.database, now);
}

/** Sends what is due some days later, and returns the mails to an address. */
async function mailsTo(address: string, days: number) {
  const before = office.post.sink.taken.length;
  // The sender goes on by itself, at this time from now on.
  void office.post.send(at(days).toISOString(), 0);
  await decide(days);
  // A mail that is being sent is due again after its lease.
  const queued = { state: 'QUEUED', dueAt: { lte: at(days, 1) } } as const;
  await expect.poll(() => prisma().delivery.count({ where: queued }), { timeout: 30_000 }).toBe(0);
  return office.post.sink.taken.slice(before).flatMap(({ to, mail }) => (to.includes(address) ? [mail] : []));
}

const linksIn = (text: string | undefined) =>
  [...(text ?? '').matchAll(/https:\S+\/asked\/[\w-]{43}/g)].map(String);
const requestsOf = (ids: readonly string[]) =>
  prisma().documentRequest.findMany({
    where: { itemId: { in: [...ids] } },
    orderBy: [{ created: 'asc' }, { id: 'asc' }],
  });

// First, since nothing is sent by itself before another test sends.
test('a request whose own mail waits is sent by it, although the mail of a reminder fails for good', async () => {
  const { database } = office.gateway;
  const address = 'waits@example.org';
  const [itemId = ''] = await items(address, await policy({ offsetDays: -30, asksForDocument: true }), [31]);
  const { id } = await request(office, { expirationItemId: itemId, email: address });
  await decide(1);
  const claim = { count: 10, now: at(1), leaseUntil: at(2), host: 'example.com' };
  const claimed = await claimDeliveries(database, claim);
  const links = { origin: 'https://expiry.example.com', key: linkKey, open: secrets.open };
  const attempt = async (kind: string, result: Parameters<typeof settleDelivery>[2]) => {
    const delivery = claimed.find(({ subjectKind }) => subjectKind === kind) as ClaimedDelivery;
    const mail = await database.inTransaction((tx) => composeMail(tx, delivery, links, at(1)));
    expect(linksIn(mail?.text)).toHaveLength(1);
    await database.inTransaction((tx) => settleDelivery(tx, delivery, result, at(1)));
  };
  const failure = { reason: 'no', failure: 'MAIL_ADDRESS_NOT_ASCII', statusCode: undefined } as const;
  await attempt('item', { outcome: 'hopeless', ...failure });
  expect(await look(office, id)).toMatchObject({ state: 'OPEN', delivery: { state: 'QUEUED' } });
  await attempt('documentRequest', { outcome: 'sent' });
  expect(await look(office, id)).toMatchObject({ state: 'SENT', delivery: { state: 'SENT' } });
});

test('the mail of such a step has a link, by which the new document is sent', async () => {
  const steps = [{ offsetDays: -30 }, { offsetDays: -20, asksForDocument: true }];
  const [id = ''] = await items('jana@example.org', await policy(...steps), [31]);
  const recipientKey = 'mail:jana@example.org';
  await prisma().recipientSetting.create({
    data: { organizationId: place.organizationId, recipientKey, language: 'de' },
  });
  const [plain] = await mailsTo('jana@example.org', 1);
  expect([linksIn(plain?.text), await requestsOf([id])]).toEqual([[], []]);
  const [mail, ...others] = await mailsTo('jana@example.org', 11);
  expect(others).toEqual([]);
  expect(mail?.subject).toMatch(/läuft .* ab/);
  expect(mail?.text).toMatch(/Neues Dokument senden:\nhttps:\S+\/asked\//);
  expect(mail?.html).toContain('Neues Dokument senden');
  const [made] = await requestsOf([id]);
  expect(made).toMatchObject({ isReminded: true, renews: true, email: null, language: 'de', categoryId });
  await expect.poll(async () => (await look(office, made?.id ?? '')).state).toBe('SENT');
  const [link = ''] = linksIn(mail?.text);
  const page = await office.open(link);
  expect(page.text).toContain('<html lang="de">');
  expect(page.text).toContain('Führerschein');
  // The request sends no mails of its own: those of the reminder are enough.
  expect(await mailsTo('jana@example.org', 20)).toEqual([]);
  await office.answer(link, { request: made?.id ?? '' }, [{ name: 'neu.pdf', bytes: pdf() }]);
  const accept = `mutation ($id: ID!) {
    acceptDocumentRequest(id: $id, input: { expirationDate: "2031-01-31" }) { state item { expirationDate } } }`;
  expect(await ask(office.gateway, accept, { id: made?.id })).toEqual({
    acceptDocumentRequest: { state: 'ACCEPTED', item: { expirationDate: '2031-01-31' } },
  });
});

test('later steps bring the same link, and one that has ended asks anew; what was cancelled is asked no more', async () => {
  const asks = { asksForDocument: true };
  const steps = [-90, -80, -20, -10].map((offsetDays) => ({ offsetDays, ...asks }));
  const address = 'later@example.org';
  const [id = ''] = await items(address, await policy(...steps), [91]);
  const linkAfter = async (days: number) => linksIn((await mailsTo(address, days))[0]?.text)[0];
  const first = await linkAfter(1);
  expect(await linkAfter(11)).toBe(first);
  // Thirty days after the last mail the link ends, and with it the request.
  await decide(45);
  expect(await requestsOf([id])).toMatchObject([{ state: 'LAPSED' }]);
  expect((await office.open(first ?? '')).status).toBe(404);
  const anew = await linkAfter(71);
  expect(anew).not.toBe(first);
  expect((await office.open(anew ?? '')).status).toBe(200);
  const [request] = await requestsOf([id]);
  await ask(office.gateway, 'mutation ($id: ID!) { cancelDocumentRequest(id: $id) { state } }', {
    id: request?.id,
  });
  const [last] = await mailsTo(address, 81);
  expect([last === undefined, linksIn(last?.text)]).toEqual([false, []]);
  expect(await requestsOf([id])).toMatchObject([{ state: 'CANCELLED' }]);
});

test('killed in between, a reminder asks once, and both attempts of its mail have one link', async () => {
  const address = 'killed@example.org';
  const [id = ''] = await items(address, await policy({ offsetDays: -30, asksForDocument: true }), [31]);
  const isMade = async () => (await requestsOf([id])).length > 0;
  const before = office.post.sink.taken.length;
  const send = (hours: number) => void office.post.send(at(1, hours).toISOString(), 0);
  const isSent = async () =>
    (await prisma().delivery.count({ where: { address, state: 'SENT', dueAt: null } })) === 1;
  await despiteKill({ on: 'INSERT', when: 'NEW.is_reminded' }, isMade, async () => {
    send(0);
    await decide(1);
    // The lost attempt has a lease. Once it has ended, the queue tries again by itself.
    await expect.poll(async () => (await killed()) || (await isMade()), { timeout: 30_000 }).toBe(true);
    send(1);
    await expect.poll(isSent, { timeout: 30_000 }).toBe(true);
  });
  // The server has taken the mail, and nobody was told so.
  await prisma().delivery.updateMany({
    where: { address },
    data: { state: 'QUEUED', settledAt: null, dueAt: at(1, 1) },
  });
  send(2);
  await expect.poll(isSent, { timeout: 30_000 }).toBe(true);
  const mails = office.post.sink.taken.slice(before);
  expect(new Set(mails.map(({ mail }) => linksIn(mail.text)[0])).size).toBe(1);
  expect(new Set(mails.map(({ mail }) => mail.messageId)).size).toBe(1);
  expect(mails.length).toBeGreaterThan(1);
  expect(await requestsOf([id])).toHaveLength(1);
});

test('a digest has one link, whose page lists all that is asked for', async () => {
  const address = 'many@example.org';
  const asks = await policy({ offsetDays: -30, asksForDocument: true });
  const ids = await items(address, asks, [31, 31, 31, 31, 31, 31, 31]);
  const plain = await policy({ offsetDays: -30 });
  const { contactId } = await prisma().expirationItem.findUniqueOrThrow({ where: { id: ids[0] ?? '' } });
  const [other = ''] = await items('nobody@example.org', plain, [31], { contactId });
  const [mail, ...others] = await mailsTo(address, 1);
  expect(others).toEqual([]);
  const links = linksIn(mail?.text);
  expect([links.length, new Set(links).size]).toEqual([7, 1]);
  expect(await requestsOf([...ids, other])).toHaveLength(7);
  const page = await office.open(links[0] ?? '');
  expect(page.text.match(/<section/g)).toHaveLength(7);
});

test('who is asked already gets the link of that request, and who stands in for others gets none', async () => {
  const asks = await policy({ offsetDays: -30, asksForDocument: true });
  const [known = ''] = await items('known@example.org', asks, [31]);
  const input = { expirationItemId: known, email: 'known@example.org' };
  const document =
    'mutation ($input: CreateDocumentRequestInput!) { createDocumentRequest(input: $input) { id } }';
  const { id } = (await ask(office.gateway, document, { input })).createDocumentRequest;
  await items('gone@example.org', asks, [31], { name: 'Without anybody' });
  await prisma().contact.updateMany({ where: { email: 'gone@example.org' }, data: { isActive: false } });
  const [mail] = (await mailsTo('known@example.org', 1)).filter(({ subject }) =>
    subject?.includes('expires'),
  );
  expect(linksIn(mail?.text)).toHaveLength(1);
  expect((await requestsOf([known])).map((request) => request.id)).toEqual([id]);
  const standIns = office.post.sink.taken.filter(({ mail: { subject } }) =>
    subject?.includes('Without anybody'),
  );
  expect(standIns.length).toBeGreaterThan(0);
  expect(standIns.flatMap(({ mail: { text } }) => linksIn(text))).toEqual([]);
});

test('a step about the last day to give notice asks for nothing, and who does not know of links keeps them', async () => {
  const { gateway } = office;
  const create =
    'mutation ($input: CreateReminderPolicyInput!) { createReminderPolicy(input: $input) { id } }';
  const input = { name: 'Notice', steps: [{ offsetDays: -30, about: 'NOTICE', asksForDocument: true }] };
  await expectRefused(gateway, create, { input }, ['BAD_REQUEST', /asksForDocument/]);
  const id = await policy({ offsetDays: -30, asksForDocument: true }, { offsetDays: 0 });
  const change = `mutation ($id: ID!, $steps: [ReminderStepInput!]!) { updateReminderPolicy(id: $id, input: { steps: $steps }) {
    steps { offsetDays asksForDocument } } }`;
  const steps = [{ offsetDays: -30, recipients: ['ASSIGNEE'] }, { offsetDays: 0 }];
  expect((await ask(gateway, change, { id, steps })).updateReminderPolicy.steps).toEqual([
    { offsetDays: -30, asksForDocument: true },
    { offsetDays: 0, asksForDocument: false },
  ]);
  const read = await fetch(`${gateway.url}/v1/reminderpolicies/${id}`, {
    headers: { Authorization: `Bearer ${gateway.admin}` },
  });
  expect((await read.json()).steps).toMatchObject([
    { asks_for_document: true },
    { asks_for_document: false },
  ]);
});

test('a mail has no link that opens nothing, as for the paper of an archived vehicle', async () => {
  const address = 'archived@example.org';
  const [id = ''] = await items(address, await policy({ offsetDays: -30, asksForDocument: true }), [31]);
  const vehicleId = newId();
  await prisma().vehicle.create({ data: { ...place, id: vehicleId, name: 'Sold', isArchived: true } });
  await prisma().itemHolder.create({
    data: { itemId: id, kind: 'VEHICLE', holderId: vehicleId, vehicleId, position: 0 },
  });
  const [mail] = await mailsTo(address, 1);
  expect([mail === undefined, linksIn(mail?.text)]).toEqual([false, []]);
  expect(await requestsOf([id])).toEqual([]);
});

test('the link of an open request comes again when the date was corrected to an earlier one', async () => {
  const address = 'earlier@example.org';
  const [id = ''] = await items(address, await policy({ offsetDays: -30, asksForDocument: true }), [61]);
  const document =
    'mutation ($input: CreateDocumentRequestInput!) { createDocumentRequest(input: $input) { id } }';
  await ask(office.gateway, document, { input: { expirationItemId: id, email: address } });
  const expirationDate = new Date(at(31).toISOString().slice(0, 10));
  await prisma().expirationItem.update({ where: { id }, data: { expirationDate } });
  const [mail] = (await mailsTo(address, 1)).filter(({ subject }) => subject?.includes('expires'));
  expect(linksIn(mail?.text)).toHaveLength(1);
  expect(await requestsOf([id])).toHaveLength(1);
});

// Last, since nothing more is asked for on this day.
test('beyond the requests of a day, the reminder goes without a link', async () => {
  const asks = await policy({ offsetDays: -30, asksForDocument: true });
  const [id = ''] = await items('cap@example.org', asks, [31]);
  await prisma().documentRequest.createMany({
    data: Array.from({ length: 500 }, () => ({
      ...place,
      id: newId(),
      created: at(1),
      state: 'CANCELLED' as const,
    })),
  });
  const [mail] = await mailsTo('cap@example.org', 1);
  expect([mail === undefined, linksIn(mail?.text)]).toEqual([false, []]);
  expect(await requestsOf([id])).toEqual([]);
});
