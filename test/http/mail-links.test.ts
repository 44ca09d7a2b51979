import { createSecretKey } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSecrets } from '../../src/db/secrets/secrets.js';
import { newId } from '../../src/domain/rules.js';
import { type LinkPurpose, signLink } from '../../src/mail/signed-links.js';
import { mailLinkPurpose } from '../../src/reminders/reminder-worker.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';

const anna = 'mail:anna@example.org';
const SECRET_KEY = '5e'.repeat(32);
const secretKey = createSecretKey(Buffer.from(SECRET_KEY, 'hex'));
const lines: string[] = [];
let gateway: TestGateway;
let sign: (changes?: Partial<LinkPurpose>, now?: Date) => string;
let itemId: string;
const [categoryId, annaId] = [newId(), newId()];

beforeAll(async () => {
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  gateway = await startGateway({ SECRET_KEY }, undefined, { log });
  const key = await createSecrets({ secretKey, dataDir: 'unused' }).keyFor(mailLinkPurpose);
  await prisma().category.create({ data: { ...place(), id: categoryId, name: 'Licence' } });
  await prisma().contact.create({ data: { ...place(), id: annaId, email: 'Anna@example.org' } });
  sign = (changes = {}, now = testTime) => {
    const { organizationId } = gateway;
    const purpose = { action: 'acknowledge', organizationId, itemId, date: '2027-03-31' } as const;
    return `/r/${signLink(key, { ...purpose, recipientKey: anna, ...changes }, now)}`;
  };
});
afterAll(() => gateway.close());

beforeEach(async () => {
  itemId = newId();
  await prisma().suppression.deleteMany();
  const contacts = { create: { contactId: annaId, position: 0 } };
  await prisma().expirationItem.create({ data: { ...place(), id: itemId, categoryId, ...item, contacts } });
});

const prisma = () => gateway.database.prisma;
const place = () => ({ organizationId: gateway.organizationId, teamId: gateway.teamId });
const item = {
  name: '<script>alert(1)</script> & "Co"',
  expirationDate: new Date('2027-03-31'),
  modified: testTime,
};

const send = async (path: string, method = 'POST', init: RequestInit = {}) => {
  const response = await fetch(gateway.url + path, { method, ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const acknowledgements = () => prisma().acknowledgement.findMany({ where: { itemId } });
const events = () =>
  prisma().eventLog.count({ where: { typeId: 9, entities: { some: { entityId: itemId } } } });
const suppressions = async () =>
  (await prisma().suppression.findMany()).map(({ addressKey, scope, scopeId, reason, until }) =>
    [addressKey, scope, scopeId === itemId, reason, until].join(' '),
  );

test('opening a link a hundred times shows a page, and changes nothing', async () => {
  for (const action of ['acknowledge', 'snooze', 'unsubscribe'] as const) {
    const link = sign({ action });
    const pages = await Promise.all(Array.from({ length: 100 }, () => send(link, 'GET')));
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
    const [{ text, headers }] = pages as [(typeof pages)[number]];
    expect(text).toContain('<form method="post">');
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script');
    const policy = headers.get('content-security-policy');
    expect(policy).toMatch(/default-src 'none'.*form-action 'self'/);
    expect(policy).not.toContain('script-src');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
  expect(await acknowledgements()).toEqual([]);
  expect(await suppressions()).toEqual([]);
  expect(await events()).toBe(0);
});

test('pressing the button acknowledges once, with an event, whoever it is', async () => {
  const results = await Promise.all(Array.from({ length: 5 }, () => send(sign())));
  expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(results[0]?.text).toContain('Noted: you will take care of it.');
  expect(await acknowledgements()).toMatchObject([
    { via: 'LINK', userId: null, snoozeUntil: null, expirationDate: new Date('2027-03-31') },
  ]);
  expect(await events()).toBe(1);
});

test('an acknowledgement names the user, or the contact, who was written to', async () => {
  await send(sign({ recipientKey: 'mail:ada@example.com' }));
  expect(await acknowledgements()).toMatchObject([{ userId: gateway.userId }]);
  await prisma().acknowledgement.deleteMany();
  const contact = { ...place(), id: newId(), name: 'Bo', email: 'Bo@Example.org', modified: testTime };
  await prisma().contact.create({ data: contact });
  await prisma().expirationItem.update({ where: { id: itemId }, data: { contactId: contact.id } });
  await send(sign({ recipientKey: 'mail:bo@example.org' }));
  expect(await acknowledgements()).toMatchObject([{ userId: null, contactId: contact.id }]);
});

test('a date that was renewed meanwhile is not acknowledged', async () => {
  await prisma().expirationItem.update({
    where: { id: itemId },
    data: { expirationDate: new Date('2028-03-31') },
  });
  for (const method of ['GET', 'POST']) {
    const { status, text } = await send(sign(), method);
    expect(status).toBe(409);
    expect(text).toContain('The date has changed');
  }
  expect(await acknowledgements()).toEqual([]);
});

describe('a link opens nothing, and says nothing,', () => {
  const change = (data: object) => prisma().expirationItem.update({ where: { id: itemId }, data });
  const [user, boss] = ['mail:user@example.org', 'mail:boss@example.org'];
  const userId = newId();
  const moved = async () => change({ teamId: gateway.otherTeamId, name: 'Secret new name' });

  beforeAll(async () => {
    const { teamId: workspace } = place();
    await prisma().user.create({ data: { ...place(), id: userId, name: 'U', email: 'user@example.org' } });
    await prisma().membership.create({ data: { userId, teamId: workspace } });
    await prisma().team.update({
      where: { id: gateway.otherTeamId },
      data: { name: 'Secret workspace' },
    });
    await prisma().team.update({
      where: { id: workspace },
      data: { reminderFallbackAddress: 'boss@example.org' },
    });
  });

  test.each<[string, string, () => Promise<unknown>]>([
    ['once the item is deleted', anna, () => prisma().expirationItem.delete({ where: { id: itemId } })],
    ['once it is archived', anna, () => change({ isActive: false })],
    ['once it has no date', anna, () => change({ expirationDate: null })],
    ['once its reminders are off', anna, () => change({ reminderMode: 'OFF' })],
    ['to a contact that was replaced', anna, () => prisma().expirationItemContact.deleteMany()],
    [
      'to a contact that is not active',
      anna,
      () => prisma().contact.update({ where: { id: annaId }, data: { isActive: false } }),
    ],
    [
      'to a former address',
      anna,
      () => prisma().contact.update({ where: { id: annaId }, data: { email: 'new@example.org' } }),
    ],
    ['to a user who does not see the workspace that the item moved to', user, moved],
    ['to an address that only the former workspace writes to', boss, moved],
  ])('%s', async (_, recipientKey, done) => {
    const open = (method: string, action: LinkPurpose['action']) =>
      send(`${sign({ action, recipientKey })}?days=3`, method);
    for (const action of ['acknowledge', 'snooze'] as const)
      expect(await open('GET', action)).toMatchObject({ status: 200 });
    await done();
    const unknown = await send('/r/a.b', 'GET');
    for (const action of ['acknowledge', 'snooze'] as const)
      for (const method of ['GET', 'POST'])
        expect(await open(method, action)).toMatchObject({ status: 404, text: unknown.text });
    expect(await acknowledgements()).toEqual([]);
    // Whoever gets mails can end them all the same.
    const { text, status } = await open('GET', 'unsubscribe');
    expect(status).toBe(200);
    expect(text).not.toMatch(/Secret|alert|Co"|only=item/);
    await prisma().contact.update({
      where: { id: annaId },
      data: { isActive: true, email: 'Anna@example.org' },
    });
  });

  test('and is open to a user who sees both workspaces', async () => {
    await moved();
    const { status, text } = await send(sign({ recipientKey: 'mail:ada@example.com' }), 'GET');
    expect(status).toBe(200);
    expect(text).toContain('Secret new name');
  });

  test('in the language of the browser', async () => {
    const init = { headers: { 'accept-language': 'xx, de-AT;q=0.8, en;q=0.5' } };
    expect((await send('/r/a.b', 'GET', init)).text).toContain('Dieser Link funktioniert nicht');
  });
});

test.each([
  ['', '2026-11-27'],
  ['?days=1', '2026-11-21'],
  ['?days=14', '2026-12-04'],
  ['?days=9999', '2026-11-27'],
])('a snooze with "%s" ends on %s', async (query, until) => {
  const { status, text } = await send(sign({ action: 'snooze' }) + query);
  expect(status).toBe(200);
  expect(text).toContain(`on ${until}`);
  expect(await acknowledgements()).toEqual([]);
  const kept = await prisma().postponement.findMany({ where: { itemId } });
  expect(kept).toMatchObject([{ recipientKey: anna, until: new Date(until) }]);
});

test('a link does not undo that all reminders of the date end', async () => {
  const expirationDate = new Date('2027-03-31');
  await prisma().acknowledgement.create({
    data: { ...place(), itemId, expirationDate, via: 'API', silence: true },
  });
  const { text } = await send(`${sign({ action: 'snooze' })}?days=3`);
  expect(text).toContain('does not work');
  expect(await prisma().postponement.findMany({ where: { itemId } })).toEqual([]);
  await send(sign());
  expect(await acknowledgements()).toMatchObject([{ silence: true, snoozeUntil: null, via: 'API' }]);
});

test('one click unsubscribes from everything, and can be undone', async () => {
  const link = sign({ action: 'unsubscribe' });
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  for (const _ of [1, 2]) expect(await send(link, 'POST', { body })).toMatchObject({ status: 200 });
  expect(await suppressions()).toEqual(['anna@example.org ALL false UNSUBSCRIBED ']);
  expect((await send(`${link}?undo=on`)).text).toContain('You will get reminders again.');
  expect(await suppressions()).toEqual([]);
});

test('the second button unsubscribes from this item', async () => {
  const link = sign({ action: 'unsubscribe' });
  expect((await send(link, 'GET')).text).toContain('formaction="?only=item"');
  const { text } = await send(`${link}?only=item`);
  expect(await suppressions()).toEqual(['anna@example.org ITEM true UNSUBSCRIBED ']);
  expect(text).toContain('?undo=on&amp;only=item');
  await send(`${link}?undo=on&only=item`);
  expect(await suppressions()).toEqual([]);
});

test('a digest is unsubscribed from as a whole, without an item', async () => {
  const link = sign({ action: 'unsubscribe', itemId: undefined, date: undefined });
  expect((await send(link, 'GET')).text).not.toContain('only=item');
  expect(await send(`${link}?only=item`)).toMatchObject({ status: 200 });
  expect(await suppressions()).toEqual(['anna@example.org ALL false UNSUBSCRIBED ']);
});

test('a recipient chooses how often mails come, and what waits comes then', async () => {
  const { organizationId, teamId } = gateway;
  const [dueAt, id] = [new Date(testTime.getTime() + 9 * 86_400_000), newId()];
  const waiting = { id, organizationId, teamId, kind: 'MAIL', subjectKind: 'digest', dueAt } as const;
  await prisma().delivery.create({
    data: { ...waiting, dedupeKey: 'digest of anna', address: 'Anna@Example.org' },
  });
  const link = sign({ action: 'digest', itemId: undefined, date: undefined });
  const settings = async () =>
    (await prisma().recipientSetting.findMany()).map(({ recipientKey, mode }) => `${recipientKey} ${mode}`);
  const due = async () =>
    (await prisma().delivery.findFirstOrThrow({ where: { subjectKind: 'digest' } })).dueAt;
  const shown = await send(link, 'GET');
  expect([shown.status, await settings(), await due()]).toEqual([200, [], dueAt]);
  for (const name of ['One mail a day', 'One mail a week', 'A mail for each item'])
    expect(shown.text).toContain(`>${name}</button>`);
  // A mail program sends a body of its own.
  expect((await send(link)).text).toContain('You now get one mail a day.');
  expect(await settings()).toEqual([`${anna} DAILY`]);
  const next = (await due())?.getTime() ?? 0;
  expect([next > testTime.getTime(), next - testTime.getTime() <= 86_400_000]).toEqual([true, true]);
  for (const [mode, said] of [
    ['weekly', 'You now get one mail a week.'],
    ['single', 'You now get a mail for each item.'],
  ] as const) {
    expect((await send(`${link}?mode=${mode}`)).text).toContain(said);
    expect(await settings()).toEqual([`${anna} ${mode.toUpperCase()}`]);
  }
  expect(await due()).toEqual(testTime);
  await prisma().delivery.deleteMany({ where: { subjectKind: 'digest' } });
  await prisma().recipientSetting.deleteMany();
});

test("the recipient cannot undo a suppression after the server's refusal", async () => {
  const { organizationId } = gateway;
  await prisma().suppression.create({
    data: { organizationId, addressKey: 'anna@example.org', scope: 'ALL', reason: 'REFUSED' },
  });
  await send(`${sign({ action: 'unsubscribe' })}?undo=on`);
  expect(await suppressions()).toEqual(['anna@example.org ALL false REFUSED ']);
});

test('a page is in the language of the recipient', async () => {
  const { organizationId } = gateway;
  await prisma().recipientSetting.create({
    data: { organizationId, recipientKey: 'mail:anna@example.org', language: 'de' },
  });
  const { text } = await send(sign(), 'GET');
  expect(text).toContain('<html lang="de">');
  expect(text).toContain('Ich kümmere mich darum');
  await prisma().recipientSetting.deleteMany();
});

test('links that are old, changed, from elsewhere or of a former user open nothing', async () => {
  const link = sign();
  await prisma().user.updateMany({ where: { email: 'max@example.com' }, data: { isActive: false } });
  const bad = [
    `${link}x`,
    `${link.slice(0, -2)}__`,
    link.replace('/r/', '/r/A'),
    '/r/a.b',
    '/r/.',
    `/r/${'a'.repeat(5_000)}.b`,
    sign({}, new Date(testTime.getTime() - 62 * 86_400_000)),
    sign({ organizationId: newId() }),
    sign({ recipientKey: 'mail:max@example.com' }),
  ];
  for (const path of bad) {
    for (const method of ['GET', 'POST']) {
      const { status, text } = await send(path, method);
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toContain('alert');
    }
  }
  // The item of another organization is not there.
  const other = await prisma().organization.create({
    data: { id: newId(), name: 'Other', modified: testTime },
  });
  expect(await send(sign({ organizationId: other.id }))).toMatchObject({ status: 404 });
  expect(await acknowledgements()).toEqual([]);
});

test('no token is logged', async () => {
  const link = sign();
  await send(link);
  await send(`${link}?days=3`, 'GET');
  expect(lines.join('')).toContain('/r/{id}');
  expect(lines.join('')).not.toContain(link.slice(3, 60));
});

test.each([
  ['2026-11-30', ['1', '3', '7'], false],
  ['2026-11-22', ['1'], false],
  ['2026-11-20', ['1', '3', '7', '14'], true],
  ['2026-11-01', ['1', '3', '7', '14'], true],
])('for an item of %s, only days that make sense are offered: %s', async (date, days, isAfter) => {
  await prisma().expirationItem.update({ where: { id: itemId }, data: { expirationDate: new Date(date) } });
  const { text } = await send(sign({ action: 'snooze', date }), 'GET');
  expect([...text.matchAll(/days=(\d+)/g)].map(([, count]) => count)).toEqual(days);
  expect(text.includes('All of these days are after the date.')).toBe(isAfter);
  if (isAfter) return;
  await send(`${sign({ action: 'snooze', date })}?days=14`);
  const [kept] = await prisma().postponement.findMany({ where: { itemId } });
  expect(kept?.until.getTime()).toBeLessThanOrEqual(new Date(date).getTime());
});
