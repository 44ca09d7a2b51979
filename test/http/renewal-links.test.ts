import { createSecretKey, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decide, sendAll, setSteps } from '../reminders/told.support.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { whileLocked } from '../support/locks.js';
import {
  type LinkPurpose,
  languages,
  newId,
  pathOfLink,
  readLinkKey,
  secretKeyOfLinks,
} from './mail-links.support.js';

const [max, anna] = ['mail:max@example.com', 'mail:anna@example.org'];
let gateway: TestGateway;
let key: KeyObject;
let itemId: string;
let policyId: string;
const [categoryId, annaId, viewerId] = [newId(), newId(), newId()];

const prisma = () => gateway.database.prisma;
const place = () => ({ organizationId: gateway.organizationId, teamId: gateway.teamId });

const sign = (changes: Partial<LinkPurpose> = {}, now = testTime, by = key) => {
  const { organizationId } = gateway;
  const purpose = { action: 'renew', organizationId, itemId, date: '2026-12-20', recipientKey: max } as const;
  return pathOfLink(by, { ...purpose, ...changes }, now);
};

const open = async (path: string, method = 'GET', date?: string) => {
  const body = date === undefined ? {} : { body: new URLSearchParams({ date }) };
  const response = await fetch(gateway.url + path, { method, ...body });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const post = (path: string, date: string) => open(path, 'POST', date);

const dateNow = async () => {
  const { expirationDate } = await prisma().expirationItem.findUniqueOrThrow({ where: { id: itemId } });
  return expirationDate?.toISOString().slice(0, 10);
};
const renewals = () => prisma().renewal.findMany({ where: { itemId } });
const change = (data: object) => prisma().expirationItem.update({ where: { id: itemId }, data });
const allowContacts = (contactsMayRenew: boolean) =>
  prisma().reminderPolicy.update({ where: { id: policyId }, data: { contactsMayRenew } });
const setRule = (autoRenew: object) =>
  prisma().category.update({ where: { id: categoryId }, data: { autoRenew } });
const monthly = { every: 1, unit: 'MONTHS', requireAcknowledgement: false, byPeople: true, from: 'OLD_DATE' };

beforeAll(async () => {
  gateway = await startGateway({ SECRET_KEY: secretKeyOfLinks });
  key = await readLinkKey();
  const team = await prisma().team.findUniqueOrThrow({ where: { id: gateway.teamId } });
  policyId = team.reminderPolicyId ?? '';
  await prisma().category.create({ data: { ...place(), id: categoryId, name: 'Permit' } });
  await prisma().contact.create({
    data: { ...place(), id: annaId, name: 'Anna', email: 'Anna@example.org' },
  });
  const viewer = {
    ...place(),
    id: viewerId,
    name: 'V',
    email: 'viewer@example.org',
    role: 'VIEWER' as const,
  };
  await prisma().user.create({ data: viewer });
  await prisma().membership.create({ data: { userId: viewerId, teamId: gateway.teamId } });
});
afterAll(() => gateway.close());

beforeEach(async () => {
  itemId = newId();
  gateway.clock.now = testTime;
  await allowContacts(false);
  await setRule(monthly);
  const item = {
    ...place(),
    ...{ id: itemId, categoryId, name: '<b>Permit</b>', expirationDate: new Date('2026-12-20') },
    ...{ created: testTime, modified: testTime },
    contacts: { create: { contactId: annaId, position: 0 } },
  };
  await prisma().expirationItem.create({ data: item });
});

const valueIn = (text: string) => /<input[^>]* value="([^"]*)"/.exec(text)?.[1];

test('the mail offers the link, the page proposes the date, and its button renews', async () => {
  const { prisma: on } = gateway.database;
  await on.expirationItem.deleteMany({ where: { id: { not: itemId } } });
  await on.expirationItem.update({ where: { id: itemId }, data: { name: 'Permit' } });
  await allowContacts(true);
  await setSteps(gateway, gateway.teamId, [
    {
      offsetDays: -30,
      recipients: ['CONTACTS', 'WORKSPACE_MEMBERS', 'ADDRESSES'],
      addresses: ['o@example.org'],
    },
  ]);
  await decide(gateway);
  const mails = await sendAll(gateway, 5, { keyOfLinks: key });
  const linkIn = (to: string) => {
    const mail = mails.find((one) => one.to.includes(to))?.mail;
    const path = /It was renewed until 20 January 2027:\nhttps:\/\/expiry\.example\.com(\/r\/\S+)/;
    const found = path.exec(mail?.text ?? '')?.[1];
    expect(mail?.html?.includes('It was renewed until 20 January 2027')).toBe(found !== undefined);
    return found;
  };
  expect(mails).toHaveLength(5);
  // Neither a viewer nor an address that is nobody's gets one.
  expect(linkIn('viewer@example.org')).toBeUndefined();
  expect(linkIn('o@example.org')).toBeUndefined();
  const [link = '', ofContact = ''] = [linkIn('max@example.com'), linkIn('Anna@example.org')];
  for (const path of [link, ofContact]) {
    const { status, text } = await open(path);
    expect([status, valueIn(text)]).toEqual([200, '2027-01-20']);
    expect(text).toMatch(/<label for="date">It was renewed until<\/label>/);
    expect(text).toMatch(/min="2026-12-21"/);
    expect(text).not.toContain('<script');
  }
  expect([await dateNow(), await renewals()]).toEqual(['2026-12-20', []]);
  const { status, text } = await post(link, '2027-01-31');
  expect(status).toBe(200);
  expect(text).toContain('Noted: it was renewed until 31 January 2027.');
  expect(await dateNow()).toBe('2027-01-31');
  const member = await on.user.findFirstOrThrow({ where: { email: 'max@example.com' } });
  expect(await renewals()).toMatchObject([
    { previousDate: new Date('2026-12-20'), expirationDate: new Date('2027-01-31'), userId: member.id },
  ]);
  const events = await on.eventLog.findMany({ where: { typeId: 3 } });
  expect(events).toMatchObject([
    {
      ...{ userId: member.id, teamId: gateway.teamId },
      description: 'Expiration item "Permit" was renewed: expiration_date, by a link in a mail',
    },
  ]);
  // The old links say so, and do nothing.
  for (const answer of [
    await open(link),
    await post(link, '2028-01-01'),
    await post(ofContact, '2028-01-01'),
  ]) {
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('It was renewed already. Its date is 31 January 2027 now.');
    expect(answer.text).not.toContain('<form');
  }
  expect(await dateNow()).toBe('2027-01-31');
});

test('a contact renews if the policy allows it, and the event is about both', async () => {
  const link = sign({ recipientKey: anna });
  for (const method of ['GET', 'POST']) expect(await open(link, method)).toMatchObject({ status: 404 });
  await allowContacts(true);
  expect(await open(link)).toMatchObject({ status: 200 });
  expect(await post(link, '2027-01-20')).toMatchObject({ status: 200 });
  expect(await renewals()).toMatchObject([{ userId: null }]);
  const [event] = await prisma().eventLog.findMany({
    where: { typeId: 3, entities: { some: { entityId: itemId } } },
    include: { entities: true },
  });
  expect(event?.entities.map(({ entityId }) => entityId)).toContain(annaId);
});

test('ten at once renew once', async () => {
  await allowContacts(true);
  const paths = Array.from({ length: 10 }, (_, n) => sign({ recipientKey: n % 2 ? max : anna }));
  const answers = await Promise.all(paths.map((path, n) => post(path, `2027-02-${10 + n}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  const winner = answers.findIndex(({ status }) => status === 200);
  expect(await dateNow()).toBe(`2027-02-${10 + winner}`);
  expect(await renewals()).toHaveLength(1);
});

describe('a date is refused with a sentence:', () => {
  test.each([
    ['2026-12-20', /The new date must be later than 20 December 2026\./],
    ['2020-01-01', /must be later/],
    ['', /Enter a date, such as 2027-01-20\./],
    ['tomorrow', /Enter a date/],
    ['2027-02-30', /Enter a date/],
    ['31.12.2027', /Enter a date/],
    ['2027-1-1', /Enter a date/],
    ['2027-12-31T00:00:00Z', /Enter a date/],
    ['20270-12-31', /Enter a date/],
    ['0000-00-00', /Enter a date/],
    ['<script>alert(1)</script>', /Enter a date/],
    ['\0', /Enter a date/],
  ])('%j', async (date, sentence) => {
    const { status, text } = await post(sign(), date);
    expect(status).toBe(400);
    expect(text).toMatch(sentence);
    expect(text).toMatch(/aria-invalid="true" aria-describedby="wrong"/);
    expect(valueIn(text)).toBe('2027-01-20');
    expect(text).not.toContain('<script');
    expect(await dateNow()).toBe('2026-12-20');
  });

  test('a form without one, a body of another kind, and one that is too large', async () => {
    expect(await open(sign(), 'POST')).toMatchObject({ status: 400 });
    const response = await fetch(gateway.url + sign(), { method: 'POST', body: '{"date":"2027-01-20"}' });
    expect(response.status).toBe(400);
    expect((await post(sign(), 'x'.repeat(100_000))).status).toBe(413);
    expect(await dateNow()).toBe('2026-12-20');
  });
});

describe('the link opens nothing, like one that never existed,', () => {
  test.each<[string, string, () => Promise<unknown>]>([
    ['once no renewals are left', max, () => change({ renewalsLeft: 0 })],
    ['once the renewals end before', max, () => change({ renewUntil: new Date('2027-01-19') })],
    ['for a viewer', 'mail:viewer@example.org', async () => {}],
    ['for nobody', 'mail:nobody@example.org', async () => {}],
    [
      'once the type says nothing',
      max,
      () =>
        gateway.graphql(
          'mutation ($id: ID!) { updateCategory(id: $id, input: { autoRenew: null }) { id } }',
          { id: categoryId },
        ),
    ],
    ['once the item is archived', max, () => change({ isActive: false })],
    ['once it moved out of sight', max, () => change({ teamId: gateway.otherTeamId, name: 'Secret' })],
    [
      'for a contact that was replaced',
      anna,
      async () => {
        await allowContacts(true);
        await prisma().expirationItemContact.deleteMany({ where: { itemId } });
      },
    ],
    ['for an address that the policy names', 'mail:o@example.org', () => allowContacts(true)],
    [
      'for a contact who is a viewer, too',
      'mail:viewer@example.org',
      async () => {
        await allowContacts(true);
        const contact = { ...place(), id: newId(), name: 'V', email: 'viewer@example.org' };
        await prisma().contact.create({ data: contact });
        await prisma().expirationItemContact.create({ data: { itemId, contactId: contact.id, position: 1 } });
      },
    ],
  ])('%s', async (_, recipientKey, done) => {
    await done();
    const unknown = await open('/r/a.b');
    for (const method of ['GET', 'POST'])
      expect(
        await open(sign({ recipientKey }), method, method === 'POST' ? '2027-01-20' : undefined),
      ).toMatchObject({
        ...{ status: 404, text: unknown.text },
      });
    expect([await dateNow(), await renewals()]).toEqual(['2026-12-20', []]);
  });

  test('with a foreign or changed token', async () => {
    const path = sign();
    const [head = '', code = ''] = path.split('.');
    const body = Buffer.from(head.slice(3), 'base64url').toString();
    const forged = Buffer.from(body.replace('2026-12-20', '2026-12-21')).toString('base64url');
    const others = [
      `/r/${forged}.${code}`,
      sign({}, testTime, createSecretKey(Buffer.alloc(32, 1))),
      sign({ organizationId: newId() }),
      sign({ itemId: newId() }),
      sign({}, new Date(testTime.getTime() - 62 * 86_400_000)),
    ];
    for (const other of others) expect(await post(other, '2027-01-20')).toMatchObject({ status: 404 });
    expect(await dateNow()).toBe('2026-12-20');
  });
});

test.each([
  ['no renewals are left', { renewalsLeft: 1 }],
  ['the renewals have ended', { renewUntil: new Date('2027-01-20') }],
])('after the last renewal, the link says that it was renewed: %s', async (_, end) => {
  await change(end);
  expect(await post(sign(), '2027-01-20')).toMatchObject({ status: 200 });
  for (const answer of [await open(sign()), await post(sign(), '2027-02-20')]) {
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('It was renewed already. Its date is 20 January 2027 now.');
  }
  // Whoever may not renew it learns nothing.
  await allowContacts(false);
  expect(await open(sign({ recipientKey: anna }))).toMatchObject({ status: 404 });
  expect(await open(sign({ date: '2027-01-20' }))).toMatchObject({ status: 404 });
  expect(await dateNow()).toBe('2027-01-20');
});

test('a right that ends while the renewal waits renews nothing', async () => {
  await allowContacts(true);
  const answers = await whileLocked(gateway, { id: itemId }, async (waiting) => {
    const answer = post(sign({ recipientKey: anna }), '2027-01-20');
    await waiting();
    await allowContacts(false);
    return [answer];
  });
  expect(await answers[0]).toMatchObject({ status: 404 });
  expect([await dateNow(), await renewals()]).toEqual(['2026-12-20', []]);
});

test('there is no proposal beyond the calendar, and so no link', async () => {
  await change({ expirationDate: new Date('9999-12-10') });
  expect(await open(sign({ date: '9999-12-10' }))).toMatchObject({ status: 404 });
  await change({ expirationDate: new Date('9999-11-30') });
  const { text } = await open(sign({ date: '9999-11-30' }));
  expect(valueIn(text)).toBe('9999-12-30');
});

test.each(languages)('an item that is not valid by now is refused in the language: %s', async (language) => {
  await prisma().user.updateMany({ where: { email: 'max@example.com' }, data: { language } });
  await change({ name: '' });
  const { status, text } = await post(sign(), '2027-01-20');
  expect(status).toBe(400);
  const wrong = /<p class="wrong" id="wrong" role="alert">([^<]*)</.exec(text)?.[1] ?? '';
  expect(wrong).toMatch(/ Acme\.$/);
  expect(wrong.includes('Nothing was saved')).toBe(language === 'en');
  expect(text).not.toMatch(/is required|must have|\{\{/);
  expect([await dateNow(), await renewals()]).toEqual(['2026-12-20', []]);
  await prisma().user.updateMany({ where: { email: 'max@example.com' }, data: { language: null } });
});

test('a date that was edited is no renewal: the link says that it has changed', async () => {
  await change({ expirationDate: new Date('2027-03-01') });
  const { status, text } = await post(sign(), '2027-04-01');
  expect(status).toBe(409);
  expect(text).toContain('The date has changed since this mail was sent.');
});

test('the page proposes from today, and keeps the day of the month', async () => {
  await setRule({ ...monthly, from: 'TODAY' });
  gateway.clock.now = new Date('2026-12-23T12:00:00Z');
  expect(valueIn((await open(sign())).text)).toBe('2027-01-23');
  await setRule(monthly);
  await change({ expirationDate: new Date('2027-01-31') });
  const dates = [];
  for (const date of ['2027-01-31', '2027-02-28', '2027-03-31']) {
    const link = sign({ date });
    const proposed = valueIn((await open(link)).text) ?? '';
    dates.push(proposed);
    expect(await post(link, proposed)).toMatchObject({ status: 200 });
  }
  expect(dates).toEqual(['2027-02-28', '2027-03-31', '2027-04-30']);
});

test.each(languages)('all pages are in the language of the recipient: %s', async (language) => {
  await prisma().user.updateMany({ where: { email: 'max@example.com' }, data: { language } });
  const pages = [await open(sign()), await post(sign(), 'x'), await post(sign(), '2026-01-01')];
  pages.push(await post(sign(), '2027-01-20'), await open(sign()));
  expect(pages.map(({ status }) => status)).toEqual([200, 400, 400, 200, 409]);
  for (const { text } of pages) {
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).not.toMatch(/\{\{|undefined|null/);
  }
  const english = ['renewed', 'Enter a date', 'must be later', 'Save the renewal'];
  const shown = english.filter((words) => pages.some(({ text }) => text.includes(words)));
  expect(shown).toEqual(language === 'en' ? english : []);
  await prisma().user.updateMany({ where: { email: 'max@example.com' }, data: { language: null } });
});
