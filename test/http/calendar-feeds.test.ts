import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { escapeText, foldLine, writeEvent } from '../../src/calendar/feed.js';
import { addDays } from '../../src/domain/dates.js';
import { newId } from '../../src/domain/rules.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { onlyIf } from '../support/skipping.js';

const lines: string[] = [];
let gateway: TestGateway;
const categoryId = newId();

beforeAll(async () => {
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  gateway = await startGateway({ RATE_LIMIT_FAILURES: '20' }, undefined, { log });
  await prisma().category.create({
    data: { ...place(), id: categoryId, name: 'Licence, B; C', modified: testTime },
  });
});
afterAll(() => gateway.close());
beforeEach(async () => {
  await prisma().calendarFeed.deleteMany();
  await prisma().expirationItem.deleteMany();
});

const prisma = () => gateway.database.prisma;
const place = () => ({ organizationId: gateway.organizationId, teamId: gateway.teamId });

async function addItem(values: object = {}): Promise<string> {
  const id = newId();
  const data = { name: 'Passport', expirationDate: new Date('2027-03-31'), modified: testTime, ...values };
  await prisma().expirationItem.create({ data: { ...place(), id, categoryId, ...data } });
  return id;
}

const payload = '{ url feed { id name alarms showDetails isFiltered lastUsedAt } }';
const create = async (input: object = {}, token = gateway.viewer) =>
  (
    await gateway.graphql(
      `mutation ($input: CreateCalendarFeedInput!) { result: createCalendarFeed(input: $input) ${payload} }`,
      { input: { name: 'Dates', ...input } },
      token,
    )
  ).data.result as { url: string; feed: { id: string; isFiltered: boolean } };

const fetchFeed = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

interface Parsed {
  readonly uid: string;
  readonly start: string;
  readonly end: string;
  readonly summary: string;
}

const bySummary = (a: Parsed, b: Parsed) => (a.uid < b.uid ? -1 : 1);

function parse(text: string): Parsed[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar
    .getAllSubcomponents('vevent')
    .map((component) => new ICAL.Event(component))
    .map(({ uid, startDate, endDate, summary }) => ({
      ...{ uid, summary },
      ...{ start: startDate.toString(), end: endDate.toString() },
    }))
    .sort(bySummary);
}

test('a feed shows the items in use that its user sees, each as a day', async () => {
  const id = await addItem({ details: 'Line 1\nLine 2' });
  await addItem({ name: 'Archived', isActive: false });
  await addItem({ name: 'Missing', isMissing: true });
  await addItem({ name: 'No date', expirationDate: null });
  await addItem({ name: 'Long ago', expirationDate: addDays(testTime, -92) });
  await addItem({ name: 'Far away', expirationDate: addDays(testTime, 1097) });
  const { url, feed } = await create({ alarms: [7, 30, 7], showDetails: true });
  expect(feed).toMatchObject({ alarms: [30, 7], showDetails: true, isFiltered: false, lastUsedAt: null });
  const { status, headers, text } = await fetchFeed(url);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(headers.get('content-disposition')).toBeNull();
  expect(headers.get('cache-control')).toBe('private, max-age=300');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('last-modified')).toBe(testTime.toUTCString());
  expect(text.split('\r\n').slice(0, -1)).toEqual(
    `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Expiration Gateway//Calendar//EN
CALSCALE:GREGORIAN
NAME:Dates
X-WR-CALNAME:Dates
REFRESH-INTERVAL;VALUE=DURATION:PT1H
X-PUBLISHED-TTL:PT1H
COLOR:teal
BEGIN:VEVENT
UID:${id}@127.0.0.1
DTSTAMP:20261120T093000Z
LAST-MODIFIED:20261120T093000Z
SEQUENCE:59477400
DTSTART;VALUE=DATE:20270331
DTEND;VALUE=DATE:20270401
SUMMARY:Passport
CATEGORIES:Licence\\, B\\; C
DESCRIPTION:Line 1\\nLine 2
STATUS:CONFIRMED
TRANSP:TRANSPARENT
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Passport
TRIGGER:-P29DT16H
END:VALARM
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Passport
TRIGGER:-P6DT16H
END:VALARM
END:VEVENT
END:VCALENDAR`.split('\n'),
  );
});

test('an item has another day for the last day to give notice, with its own word and alarms', async () => {
  const id = await addItem({ name: 'Lease', noticeDate: new Date('2026-12-31') });
  // It is shown by its own day, wherever the other one is.
  await addItem({ name: 'Far', expirationDate: new Date('2044-01-01'), noticeDate: new Date('2027-01-31') });
  const { url } = await create({ alarms: [7] });
  const { text, headers } = await fetchFeed(url);
  const events = parse(text);
  expect(events).toMatchObject([
    { uid: `${id}.notice@127.0.0.1`, start: '2026-12-31', summary: 'Lease: Last day to give notice' },
    { uid: `${id}@127.0.0.1`, start: '2027-03-31', summary: 'Lease' },
    { start: '2027-01-31', summary: 'Far: Last day to give notice' },
  ]);
  expect(text.match(/TRIGGER:/g)).toHaveLength(3);
  await prisma().expirationItem.update({
    where: { id },
    data: { noticeDate: new Date('2026-12-30'), modified: addDays(testTime, 1) },
  });
  const changed = await fetchFeed(url);
  expect(changed.headers.get('etag')).not.toBe(headers.get('etag'));
  expect(parse(changed.text)[0]).toMatchObject({ start: '2026-12-30' });
});

test('an alarm rings at the time of the item, or else of its policy', async () => {
  const { prisma } = gateway.database;
  const { reminderPolicyId } = await prisma.team.findUniqueOrThrow({ where: { id: gateway.teamId } });
  const policies = { where: { id: reminderPolicyId ?? '' } };
  const { url } = await create({ alarms: [30, 1, 0] });
  const triggers = async () => (await fetchFeed(url)).text.match(/TRIGGER:.*/g);
  await addItem();
  await prisma.reminderPolicy.update({ ...policies, data: { timeOfDay: '17:30' } });
  expect(await triggers()).toEqual(['TRIGGER:-P29DT6H30M', 'TRIGGER:-PT6H30M', 'TRIGGER:PT17H30M']);
  const { headers } = await fetchFeed(url);
  await prisma.reminderPolicy.update({ ...policies, data: { timeOfDay: '08:00' } });
  expect((await fetchFeed(url)).headers.get('etag')).not.toBe(headers.get('etag'));
  await prisma.expirationItem.updateMany({ data: { timeOfDay: '00:00' } });
  expect(await triggers()).toEqual(['TRIGGER:-P30D', 'TRIGGER:-P1D', 'TRIGGER:PT0M']);
});

test('a feed reaches three years ahead, leap day included', async () => {
  await addItem({ name: 'In three years', expirationDate: new Date('2029-11-20') });
  await addItem({ name: 'Later', expirationDate: new Date('2029-11-21') });
  const { url } = await create();
  expect((await fetchFeed(url)).text.match(/SUMMARY:.*/g)).toEqual(['SUMMARY:In three years']);
});

test('an unchanged feed is not sent again, and its items are not read', async () => {
  const id = await addItem();
  const { url } = await create();
  const { headers, text } = await fetchFeed(url);
  const tag = headers.get('etag') ?? '';
  expect(tag).toMatch(/^"[\w-]+"$/);
  const again = () => fetchFeed(url, { headers: { 'If-None-Match': tag } });
  const statements = await gateway.statementNames(async () => {
    expect(await again()).toMatchObject({ status: 304, text: '' });
  });
  expect(statements).not.toContain('calendar.items');
  expect((await fetchFeed(url)).text).toBe(text);
  expect(await fetchFeed(url, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  // A renewal, a new name of the document type, and an item that is gone.
  const modified = addDays(testTime, 1);
  const data = { expirationDate: new Date('2028-03-31'), modified };
  await prisma().expirationItem.update({ where: { id }, data });
  const renewed = await again();
  expect(renewed.status).toBe(200);
  expect(parse(renewed.text)).toMatchObject([{ uid: `${id}@127.0.0.1`, start: '2028-03-31' }]);
  expect(renewed.text).not.toContain('20270331');
  const tags = new Set([tag, renewed.headers.get('etag')]);
  await prisma().category.update({ where: { id: categoryId }, data: { modified: addDays(testTime, 2) } });
  tags.add((await fetchFeed(url)).headers.get('etag'));
  await prisma().expirationItem.delete({ where: { id } });
  tags.add((await fetchFeed(url)).headers.get('etag'));
  expect(tags.size).toBe(4);
});

test('a long calendar has its 5,000 next dates, each once', async () => {
  const soon = addDays(testTime, 30);
  const dates = [addDays(testTime, 31), ...Array.from({ length: 5000 }, () => soon)];
  const data = dates.map((expirationDate, place) => {
    const row = { id: newId(), name: `Item ${place}`, categoryId, expirationDate, modified: testTime };
    return { organizationId: gateway.organizationId, teamId: gateway.teamId, ...row };
  });
  await prisma().expirationItem.createMany({ data });
  const { text } = await fetchFeed((await create()).url);
  const ids = text.match(/^UID:.{36}/gm) ?? [];
  expect([ids.length, new Set(ids).size]).toEqual([5000, 5000]);
  expect(text).not.toContain('SUMMARY:Item 0\r\n');
});

test('a filter applies with the values of each moment', async () => {
  await addItem({ name: 'Soon', expirationDate: addDays(testTime, 10) });
  await addItem({ name: 'Later' });
  const filter = {
    or: [{ expiresBefore: '2026-12-31' }, { expirationDate: { gt: '2028-01-01' } }],
    status: ['CURRENT', 'NOTIFYING'],
    hasNone: ['ATTACHMENTS'],
  };
  const { url, feed } = await create({ filter });
  expect(feed.isFiltered).toBe(true);
  expect(parse((await fetchFeed(url)).text).map(({ summary }) => summary)).toEqual(['Soon']);
  const { errors } = await gateway.graphql(
    'mutation { createCalendarFeed(input: { name: "", alarms: [-1], filter: { teamId: "x" } }) { url } }',
    {},
    gateway.viewer,
  );
  expect(errors[0].extensions.violations.map(({ path }: { path: string[] }) => path.join('.'))).toEqual([
    'input.name',
    'input.alarms.0',
  ]);
});

test('a feed ends with its rights, by a new address, and when it is deleted', async () => {
  await addItem();
  const { url, feed } = await create();
  const count = async (address = url) => parse((await fetchFeed(address)).text).length;
  expect(await count()).toBe(1);
  const { userId } = await prisma().calendarFeed.findFirstOrThrow();
  const membership = { userId, teamId: gateway.teamId };
  await prisma().membership.deleteMany({ where: membership });
  expect(await count()).toBe(0);
  await prisma().membership.create({ data: membership });
  const where = { id: userId };
  await prisma().user.update({ where, data: { isActive: false } });
  expect((await fetchFeed(url)).status).toBe(404);
  await prisma().user.update({ where, data: { isActive: true } });
  const change = async (field: string, answer: string, token: string) =>
    gateway.graphql(`mutation { result: ${field}(id: "${feed.id}") ${answer} }`, {}, token);
  const { url: other } = (await change('rotateCalendarFeed', payload, gateway.member)).data.result;
  expect([(await fetchFeed(url)).status, await count(other)]).toEqual([404, 1]);
  const { data } = await gateway.graphql('{ me { calendarFeeds { id lastUsedAt } } }', {}, gateway.viewer);
  expect(data.me.calendarFeeds).toEqual([{ id: feed.id, lastUsedAt: expect.any(String) }]);
  expect((await change('deleteCalendarFeed', '', gateway.viewer)).data.result).toBe(true);
  expect((await fetchFeed(other)).status).toBe(404);
  expect((await change('deleteCalendarFeed', '', gateway.viewer)).errors[0].extensions.code).toBe(
    'NOT_FOUND',
  );
});

const readers: Readonly<Record<string, string>> = {
  icalendar: `import icalendar, json, sys
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
print(json.dumps([{"uid": str(e["uid"]), "start": e["dtstart"].dt.isoformat(), "end": e["dtend"].dt.isoformat(),
  "summary": str(e["summary"])} for e in calendar.walk("vevent")]))`,
  vobject: `import vobject, json, sys
calendar = vobject.readOne(sys.stdin.buffer.read().decode())
print(json.dumps([{"uid": e.uid.value, "start": e.dtstart.value.isoformat(), "end": e.dtend.value.isoformat(),
  "summary": e.summary.value} for e in calendar.vevent_list]))`,
};

const canRead = (library: string) => spawnSync('/usr/bin/python3', ['-c', `import ${library}`]).status === 0;

for (const [library, script] of Object.entries(readers)) {
  test(`${library} reads what ical.js does`, onlyIf(canRead(library), `python3-${library}`), async () => {
    const names = ['😀'.repeat(255), 'a;b,c\\d', '"quoted": x', '  spaces  ', 'ö'.repeat(80)];
    for (const name of names) await addItem({ name, details: `${name}\r\nBEGIN:VEVENT\r\n` });
    const { url } = await create({ name: 'A;B\\,C', alarms: [0, 1], showDetails: true });
    const { text } = await fetchFeed(url);
    const events = parse(text);
    expect(events.map(({ summary }) => summary).sort()).toEqual(names.sort());
    const read = JSON.parse(
      execFileSync('/usr/bin/python3', ['-c', script], { input: text, encoding: 'utf8' }),
    );
    expect(read.sort(bySummary)).toEqual(events);
  });
}

test('no text can leave its line, and lines are folded between characters', () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 });
  fc.assert(
    fc.property(text, text, (summary, category) => {
      const written = writeEvent({
        ...{ uid: 'a@b', date: testTime, modified: testTime, alarms: [1], alarmTime: '08:00' },
        ...{ summary, category, description: summary },
      });
      expect(written.endsWith('\r\n')).toBe(true);
      for (const line of written.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      const unfolded = written.replaceAll('\r\n ', '').split('\r\n');
      expect(unfolded.join('')).not.toMatch(/[^\P{Cc}\t]/u);
      expect(unfolded.filter((line) => line.startsWith('BEGIN:'))).toEqual(['BEGIN:VEVENT', 'BEGIN:VALARM']);
      expect(unfolded.find((line) => line.startsWith('SUMMARY:'))).toBe(`SUMMARY:${escapeText(summary)}`);
      // Outlook shows a line's end between a backslash and what it escapes.
      expect(written).not.toMatch(/(?<!\\)(?:\\\\)*\\\r\n /);
      expect(foldLine(summary.toWellFormed()).replaceAll('\r\n ', '')).toBe(`${summary.toWellFormed()}\r\n`);
    }),
  );
});

test('the address opens nothing else, is not logged, and cannot be guessed without end', async () => {
  const { url } = await create();
  const { pathname } = new URL(url);
  const secret = pathname.slice('/calendar/'.length, -'.ics'.length);
  expect(secret).toMatch(/^[\w-]{43}$/);
  await fetchFeed(url);
  expect((await gateway.graphql('{ me { id } }', {}, secret)).errors[0].extensions.code).toBe('UNAUTHORIZED');
  const about = (path: string) => fetchFeed(gateway.url + path);
  expect((await about(pathname.replace('.ics', ''))).status).toBe(404);
  expect(lines.join('')).toContain('/calendar/{id}');
  expect(lines.join('')).not.toContain(secret);
  const guesses = Array.from({ length: 30 }, (_, place) => about(`/calendar/${'A'.repeat(43)}${place}.ics`));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([404, 429]));
  // Who knows a feed goes on reading it.
  expect((await fetchFeed(url)).status).toBe(200);
});

test('a calendar of a token ends with it: revoked, expired, or of a user who is deactivated', async () => {
  // The failures of the test before no longer count for the address.
  gateway.clock.now = new Date(testTime.getTime() + 3_600_000);
  const statusOf = async ({ url }: { url: string }) => (await fetchFeed(url)).status;
  const made = async (expiresAt: string | null) =>
    (
      await gateway.graphql(
        `mutation ($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { token accessToken { id } } }`,
        { input: { name: 'Script', role: 'VIEWER', ...(expiresAt && { expiresAt }) } },
      )
    ).data.createAccessToken;
  const [revoked, expiring] = [await made(null), await made('2026-11-21T00:00:00Z')];
  const [ofRevoked, ofExpiring] = [await create({}, revoked.token), await create({}, expiring.token)];
  expect([await statusOf(ofRevoked), await statusOf(ofExpiring)]).toEqual([200, 200]);
  const listed = async () =>
    (await gateway.graphql('{ me { calendarFeeds { id endsWithToken expiresAt } } }')).data.me.calendarFeeds;
  expect(await listed()).toEqual([
    { id: ofExpiring.feed.id, endsWithToken: true, expiresAt: '2026-11-21T00:00:00.000Z' },
    { id: ofRevoked.feed.id, endsWithToken: true, expiresAt: null },
  ]);
  await gateway.graphql(`mutation { revokeAccessToken(id: "${revoked.accessToken.id}") { id } }`);
  expect([await statusOf(ofRevoked), await statusOf(ofExpiring)]).toEqual([404, 200]);
  const rotated = await gateway.graphql(
    `mutation { rotateCalendarFeed(id: "${ofRevoked.feed.id}") { url } }`,
  );
  expect(rotated.errors[0].extensions.code).toBe('NOT_FOUND');
  gateway.clock.now = new Date('2026-11-21T00:00:00Z');
  expect(await statusOf(ofExpiring)).toBe(404);
  expect(await listed()).toEqual([]);
  gateway.clock.now = testTime;

  const theirs = await create({}, gateway.viewer);
  const { userId } = await prisma().calendarFeed.findUniqueOrThrow({ where: { id: theirs.feed.id } });
  await gateway.graphql(`mutation { deactivateUser(id: "${userId}") { id } }`);
  expect(await statusOf(theirs)).toBe(404);
  await prisma().user.update({ where: { id: userId }, data: { isActive: true } });
  expect(await statusOf(theirs)).toBe(404);
});

test('administrators see and delete the calendars of everybody, with an event', async () => {
  const { url, feed } = await create({ name: 'Theirs' });
  const list = async (of = '', token = gateway.admin) =>
    gateway.graphql(`{ calendarFeeds${of} { id name user { email } } }`, {}, token);
  const theirs = { id: feed.id, name: 'Theirs', user: { email: 'max@example.com' } };
  expect((await list()).data.calendarFeeds).toEqual([theirs]);
  expect((await list(`(userId: "${gateway.userId}")`)).data.calendarFeeds).toEqual([]);
  expect((await list(`(userId: "${newId()}")`)).errors[0].extensions.code).toBe('NOT_FOUND');
  expect((await list('', gateway.member)).errors[0].extensions.code).toBe('FORBIDDEN');
  const { data } = await gateway.graphql(`mutation { deleteCalendarFeed(id: "${feed.id}") }`);
  expect(data.deleteCalendarFeed).toBe(true);
  expect((await fetchFeed(url)).status).toBe(404);
  const events = '{ eventLogs(filter: { types: [SIGN_IN_CHANGED] }, first: 1) { nodes { description } } }';
  expect((await gateway.graphql(events)).data.eventLogs.nodes).toEqual([
    {
      description:
        'User "Max Member" <max@example.com> lost the calendar "Theirs", which an administrator deleted',
    },
  ]);
});
