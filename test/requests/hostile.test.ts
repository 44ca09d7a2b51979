import { randomUUID as newId } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testTime } from '../support/gateway.js';
import { linkTo, look, type Office, openOffice, pdf, request } from './support.js';

let office: Office;
let id: string;
let link: string;
const categoryId = newId();
beforeAll(async () => {
  office = await openOffice({ TRUST_PROXY: '1' });
  const { gateway } = office;
  const { organizationId, teamId } = gateway;
  await gateway.database.prisma.category.create({
    data: { id: categoryId, organizationId, teamId, name: '<b>Card</b>' },
  });
  ({ id } = await request(office, {
    categoryId,
    email: 'ann@example.org',
    message: '<script>alert(1)</script>',
  }));
  [link = ''] = await office.mailAfter(2);
});
afterAll(() => office.close());

let visitors = 0;
/** Returns the header of a visitor whom no limit knows. */
const visitor = () => {
  visitors += 1;
  return { 'X-Forwarded-For': `10.1.${visitors >> 8}.${visitors & 255}` };
};

test('what the office wrote is shown as text, and opening a link changes nothing', async () => {
  const before = await look(office, id);
  for (const method of ['GET', 'HEAD', 'OPTIONS']) await office.open(link, { method });
  const { text, headers } = await office.open(link);
  expect(text).toContain('&lt;b&gt;Card');
  expect(text).not.toMatch(/<b>|<script>/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-robots-tag')).toContain('noindex');
  expect(await look(office, id)).toEqual(before);
});

test('the script of the page says that a person has opened it', async () => {
  const made = await request(office, { categoryId, email: 'open@example.org' });
  const [own = ''] = await office.mailAfter(2);
  const { text, headers } = await office.open(own);
  const [, script = ''] = /<script src="([^"]+)" type="module">/.exec(text) ?? [];
  expect(headers.get('content-security-policy')).toContain("script-src 'self'");
  const loaded = await fetch(new URL(script, office.gateway.url));
  expect([loaded.status, await loaded.text()]).toEqual([200, expect.stringContaining('opened')]);
  expect((await look(office, made.id)).state).toBe('SENT');
  expect((await office.answer(own, { opened: '1' })).status).toBe(204);
  const { state, openedAt } = await office.gateway.database.prisma.documentRequest.findUniqueOrThrow({
    where: { id: made.id },
  });
  expect([state, openedAt]).toEqual(['OPENED', office.gateway.clock.now]);
  expect((await office.answer(own, { opened: '1' })).status).toBe(204);
  const events = await office.gateway.database.prisma.eventLog.findMany({
    where: { typeId: 43, entities: { some: { entityId: made.id, position: 0 } } },
  });
  expect(events.map(({ description }) => description)).toEqual([
    expect.stringMatching(/was opened by open@example.org, by a link in a mail$/),
  ]);
  expect((await office.answer(`${own.slice(0, -4)}AAAA`, { opened: '1' })).status).toBe(404);
  expect((await office.answer(own, { request: made.id }, [{ name: 'a.pdf', bytes: pdf() }])).status).toBe(
    303,
  );
  expect((await look(office, made.id)).state).toBe('RECEIVED');
});

test('the page of a person who is asked for much is noted as opened, some requests at a time', async () => {
  const { gateway } = office;
  const { id } = await request(office, { categoryId, email: 'much@example.org' });
  const link = await linkTo(office, 'much@example.org');
  const row = await gateway.database.prisma.documentRequest.findUniqueOrThrow({ where: { id } });
  await gateway.database.prisma.documentRequest.createMany({
    data: Array.from({ length: 119 }, () => ({ ...row, id: newId() })),
  });
  expect((await office.answer(link, { opened: '1' })).status).toBe(204);
  const { linkId } = row;
  const states = await gateway.database.prisma.documentRequest.groupBy({
    by: ['state'],
    where: { linkId },
    _count: true,
  });
  expect(states).toEqual([{ state: 'OPENED', _count: 120 }]);
});

test('links that were never there, have ended, or are malformed have one answer', async () => {
  const pathOf = (secret: string) => link.replace(/[^/]+$/, secret);
  const made = await request(office, { categoryId, email: 'end@example.org' });
  const [ended = ''] = await office.mailAfter(2);
  await office.gateway.graphql('mutation ($id: ID!) { cancelDocumentRequest(id: $id) { id } }', {
    id: made.id,
  });
  const pages = [];
  for (const address of [ended, pathOf('A'.repeat(43)), pathOf('x'), pathOf('%00'), pathOf(id)]) {
    const { status, text } = await office.open(address, { headers: visitor() });
    pages.push(`${status} ${text}`);
    const posted = await office.open(address, { method: 'POST', headers: visitor(), body: new FormData() });
    pages.push(`${posted.status} ${posted.text}`);
  }
  expect(new Set(pages).size).toBe(1);
  expect(pages[0]).toMatch(/^404 /);
});

test('a link answers only its own requests', async () => {
  const other = await request(office, { categoryId, email: 'other@example.org' });
  const [foreign = ''] = await office.mailAfter(2);
  const files = [{ name: 'a.pdf', bytes: pdf() }];
  expect((await office.answer(foreign, { request: id }, files)).status).toBe(404);
  expect((await office.answer(foreign, { request: 'x' }, files)).status).toBe(404);
  expect((await office.answer(foreign, {}, files)).status).toBe(404);
  for (const one of [id, other.id]) expect((await look(office, one)).state).toBe('SENT');
});

test.each([
  ['a ZIP file', 'a.pdf', 'PK\x03\x04'],
  ['SVG', 'a.png', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ['HTML', 'a.html', '<!doctype html><script>alert(1)</script>'],
])('%s is not taken', async (_, name, words) => {
  const files = [
    { name, bytes: Buffer.from(words) },
    { name: 'b.pdf', bytes: pdf() },
  ];
  const { status, text } = await office.answer(link, { request: id }, files);
  expect(status).toBe(400);
  expect(text).toContain('role="alert"');
  expect((await look(office, id)).state).toBe('SENT');
});

test('no form, broken dates and too many files are refused', async () => {
  const files = Array.from({ length: 11 }, (_, n) => ({ name: `${n}.pdf`, bytes: pdf(String(n)) }));
  expect((await office.answer(link, { request: id }, files)).status).toBe(400);
  expect((await office.answer(link, { request: id, date: '2027-02-30' }, files.slice(0, 1))).status).toBe(
    400,
  );
  const body = `request=${id}&words=x`;
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect((await office.open(link, { method: 'POST', body, headers })).status).toBe(404);
  const broken = {
    method: 'POST',
    body: 'nothing',
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
  };
  expect((await office.open(link, broken)).status).toBe(400);
  expect((await look(office, id)).state).toBe('SENT');
});

test('a body that is too large is refused', async () => {
  const bytes = Buffer.concat([pdf(), Buffer.alloc(17 * 1024 * 1024)]);
  expect((await office.answer(link, { request: id }, [{ name: 'a.pdf', bytes }])).status).toBe(413);
});

test('answers at once are all kept, and no more than ten files', async () => {
  office.gateway.clock.now = new Date(testTime.getTime() + 3_600_000);
  const made = await request(office, { categoryId, email: 'many@example.org' });
  const [own = ''] = await office.mailAfter(2);
  const files = (round: number) =>
    Array.from({ length: 4 }, (_, n) => ({ name: `${n}.pdf`, bytes: pdf(`${round} ${n}`) }));
  const sent = await Promise.all(
    [1, 2, 3, 4].map((round) => office.answer(own, { request: made.id }, files(round))),
  );
  expect(sent.map(({ status }) => status).sort()).toEqual([303, 303, 400, 400]);
  const { heldItem, state } = await look(office, made.id);
  expect(state).toBe('RECEIVED');
  expect(heldItem.attachments.nodes).toHaveLength(8);
});

test('a file that is sent again is kept once', async () => {
  const made = await request(office, { categoryId, email: 'once@example.org' });
  const [own = ''] = await office.mailAfter(2);
  const send = (names: string[], more: Record<string, string> = {}) =>
    office.answer(
      own,
      { request: made.id, ...more },
      names.map((name) => ({ name: `${name}.pdf`, bytes: pdf(name) })),
    );
  expect((await send(['one', 'one'], { script: '1' })).status).toBe(204);
  const before = await look(office, made.id);
  office.gateway.clock.now = new Date(office.gateway.clock.now.getTime() + 1_000);
  expect((await send(['one'], { script: '1' })).status).toBe(204);
  expect(await look(office, made.id)).toEqual(before);
  const all = ['one', ...Array.from({ length: 9 }, (_, n) => `other ${n}`)];
  expect((await send(all, { script: '1', words: 'Again.' })).status).toBe(204);
  expect((await send([...all, 'eleventh'])).status).toBe(400);
  const { heldItem, answer } = await look(office, made.id);
  expect([heldItem.attachments.nodes.length, answer]).toEqual([10, 'Again.']);
});

test('a date that is sent with files received before is stored', async () => {
  const made = await request(office, { categoryId, email: 'date@example.org' });
  const link = await linkTo(office, 'date@example.org');
  const send = (date?: string) =>
    office.answer(link, { request: made.id, ...(date && { date }) }, [{ name: 'a.pdf', bytes: pdf() }]);
  for (const [date, stored] of [
    [undefined, null],
    ['2031-05-01', '2031-05-01'],
    ['2031-06-01', '2031-06-01'],
    [undefined, '2031-06-01'],
  ] as const) {
    expect((await send(date)).status).toBe(303);
    expect((await look(office, made.id)).statedDate).toBe(stored);
  }
  expect((await look(office, made.id)).heldItem.attachments.nodes).toHaveLength(1);
});

test('an answer in parts waits for its last one, and nobody accepts it before', async () => {
  const { gateway } = office;
  const asked = async (email: string) => {
    const { id } = await request(office, { categoryId, email });
    const link = await linkTo(office, email);
    const send = (name: string | null, fields: Record<string, string> = {}) =>
      office.answer(
        link,
        { request: id, script: '1', ...fields },
        name === null ? [] : [{ name: `${name}.pdf`, bytes: pdf(name) }],
      );
    return { id, link, send };
  };
  const accept = 'mutation ($id: ID!) { acceptDocumentRequest(id: $id, input: {}) { state } }';
  const names = async (id: string) =>
    (await look(office, id)).heldItem.attachments.nodes.map(({ name }: { name: string }) => name);
  const { id, link, send } = await asked('parts@example.org');
  for (const again of [1, 2])
    expect([again, (await send('one', { more: '1' })).status]).toEqual([again, 204]);
  expect((await look(office, id)).state).toBe('SENT');
  expect((await gateway.graphql(accept, { id })).errors?.[0]?.message).toMatch(/Nothing was received/);
  expect((await office.open(link)).text).toContain('Only a part of your files has arrived');
  gateway.clock.now = new Date(gateway.clock.now.getTime() + 1_000);
  expect((await send('two', { words: 'Both.' })).status).toBe(204);
  expect(await look(office, id)).toMatchObject({ state: 'RECEIVED', answer: 'Both.' });
  expect(await names(id)).toEqual(['one.pdf', 'two.pdf']);
  const told = await gateway.database.prisma.eventLog.findMany({
    where: { typeId: 36, entities: { some: { entityId: id, position: 0 } } },
  });
  expect(told.map(({ description }) => description)).toEqual([expect.stringContaining('with 2 files')]);
  // It is one answer, which asks for no version.
  expect((await gateway.graphql(accept, { id })).data.acceptDocumentRequest.state).toBe('ACCEPTED');
  // The end may have no file, or one that came before.
  for (const [email, end] of [
    ['end1@example.org', null],
    ['end2@example.org', 'one'],
  ] as const) {
    const own = await asked(email);
    await own.send('one', { more: '1' });
    expect((await own.send(end)).status).toBe(204);
    expect((await look(office, own.id)).state).toBe('RECEIVED');
    expect(await names(own.id)).toEqual(['one.pdf']);
  }
  // What ends by itself keeps no parts.
  const gone = await asked('gone@example.org');
  await gone.send('one', { more: '1' });
  const { heldItem } = await look(office, gone.id);
  await gateway.database.prisma.documentRequest.update({
    where: { id: gone.id },
    data: { categoryId: null },
  });
  await office.mailAfter(1, 0);
  expect(await look(office, gone.id)).toMatchObject({ state: 'CANCELLED', heldItem: null });
  expect(await gateway.database.prisma.expirationItem.count({ where: { id: heldItem.id } })).toBe(0);
});

test('empty files and those beyond the most are refused, not left out', async () => {
  const made = await request(office, { categoryId, email: 'whole@example.org' });
  const link = await linkTo(office, 'whole@example.org');
  const empty = { name: 'empty.pdf', bytes: Buffer.alloc(0) };
  const good = { name: 'a.pdf', bytes: pdf() };
  expect((await office.answer(link, { request: made.id }, [good, empty])).status).toBe(400);
  // The last one is another file than those before it.
  const files = [...Array(12).fill(good), { name: 'b.pdf', bytes: pdf('last') }];
  expect((await office.answer(link, { request: made.id }, files)).status).toBe(400);
  expect((await look(office, made.id)).state).toBe('SENT');
});

test('a link is opened twenty times a minute, and guesses of an address as often', async () => {
  const made = await request(office, { categoryId, email: 'often@example.org' });
  expect(made.state).toBe('OPEN');
  const [own = ''] = await office.mailAfter(2);
  const statuses = [];
  for (let n = 0; n < 25; n++) statuses.push((await office.open(own, { headers: visitor() })).status);
  expect(statuses).toEqual([...Array(20).fill(200), ...Array(5).fill(429)]);
  const headers = visitor();
  const guesses = [];
  for (let n = 0; n < 25; n++) {
    const guess = own.replace(/[^/]+$/, Buffer.alloc(32, n + 1).toString('base64url'));
    guesses.push((await office.open(guess, { headers })).status);
  }
  expect(guesses).toEqual([...Array(20).fill(404), ...Array(5).fill(429)]);
  // Whoever shares the address still reaches a link of their own.
  const fresh = await request(office, { categoryId, email: 'fresh@example.org' });
  expect(fresh.state).toBe('OPEN');
  const [good = ''] = await office.mailAfter(2);
  expect((await office.open(good, { headers })).status).toBe(200);
});

test('neither the log nor the database has a secret', async () => {
  const secret = link.split('/').at(-1) ?? '';
  expect(secret).toHaveLength(43);
  const { prisma } = office.gateway.database;
  const rows = [
    await prisma.documentRequestLink.findMany(),
    await prisma.delivery.findMany(),
    await prisma.eventLog.findMany(),
  ];
  const written = JSON.stringify([rows, office.lines], (_key, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  expect(written).not.toContain(secret);
});
