import { randomUUID as newId, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../graphql/support.js';
import { linkTo, look, type Office, openOffice, request } from './support.js';

let office: Office;
const categoryId = newId();
beforeAll(async () => {
  office = await openOffice({ TRUST_PROXY: '1' });
  const { organizationId, teamId, database } = office.gateway;
  await database.prisma.category.create({ data: { id: categoryId, organizationId, teamId, name: 'Card' } });
});
afterAll(() => office.close());

const print = (words: string) => process.stdout.write(`Links that ask for documents: ${words}\n`);

let senders = 0;
/** Returns the headers of a sender whom no limit knows. */
const newSender = () => {
  senders += 1;
  return { 'X-Forwarded-For': `10.${senders >> 16}.${(senders >> 8) & 255}.${senders & 255}` };
};

/** Returns the address of a link with another secret. */
const guessOf = (link: string) => link.replace(/[^/]+$/, randomBytes(32).toString('base64url'));

const minutes = 60_000;

test('10,000 guesses from one address and 10,000 from many open nothing, and change nothing', {
  timeout: 10 * minutes,
}, async () => {
  const { id } = await request(office, { categoryId, email: 'guess@example.org' });
  const link = await linkTo(office, 'guess@example.org');
  const before = await look(office, id);
  const guess = async (headers: Record<string, string>) =>
    (await office.open(guessOf(link), { headers })).status;
  const statuses = new Map<number, number>();
  const one = newSender();
  const began = performance.now();
  for (let at = 0; at < 10_000; at += 20) {
    const many = Array.from({ length: 20 }, () => guess(newSender()));
    for (const status of await Promise.all([...many, ...Array.from({ length: 20 }, () => guess(one))]))
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses.keys()].sort()).toEqual([404, 429]);
  // An address has twenty guesses a minute.
  const passed = Math.ceil((performance.now() - began) / minutes) + 1;
  expect(statuses.get(404) ?? 0).toBeLessThanOrEqual(10_000 + 20 * passed);
  expect(await look(office, id)).toEqual(before);
  expect((await office.open(link, { headers: one })).status).toBe(200);
  print(`of 20,000 guesses, ${statuses.get(404)} found nothing and ${statuses.get(429)} were refused unread`);
});

/** Returns a part of sorted numbers, such as the median. */
const part = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(share * (sorted.length - 1))] ?? 0;

test('unknown, ended and revoked links take the same time', { timeout: 10 * minutes }, async () => {
  const cancel = 'mutation ($id: ID!) { cancelDocumentRequest(id: $id) { id } }';
  const resend = 'mutation ($id: ID!) { resendDocumentRequest(id: $id) { id } }';
  const made = async (email: string) => {
    const { id } = await request(office, { categoryId, email });
    return { id, link: await linkTo(office, email) };
  };
  const [cancelled, lapsed, resent] = [
    await made('cancelled@example.org'),
    await made('lapsed@example.org'),
    await made('resent@example.org'),
  ];
  await ask(office.gateway, cancel, { id: cancelled.id });
  const { prisma } = office.gateway.database;
  await prisma.documentRequestLink.updateMany({
    where: { recipientKey: 'mail:lapsed@example.org' },
    data: { expiresAt: office.gateway.clock.now },
  });
  await ask(office.gateway, resend, { id: resent.id });
  await linkTo(office, 'resent@example.org');
  const links: Readonly<Record<string, () => string>> = {
    unknown: () => guessOf(cancelled.link),
    cancelled: () => cancelled.link,
    lapsed: () => lapsed.link,
    revoked: () => resent.link,
  };
  const times = new Map(Object.keys(links).map((name) => [name, [] as number[]]));
  const bodies = new Set<string>();
  for (let round = 0; round < 1_100; round++)
    // By turns, in another order each time: what else the machine does slows all of them down.
    for (const name of Object.keys(links).sort(() => Math.random() - 0.5)) {
      const [link, options] = [links[name]?.() ?? '', { headers: newSender() }];
      const began = performance.now();
      const { status, text } = await office.open(link, options);
      const took = performance.now() - began;
      bodies.add(`${status} ${text}`);
      // The first ones warm up.
      if (round >= 100) times.get(name)?.push(took);
    }
  expect(bodies.size).toBe(1);
  for (const [name, all] of times) {
    const sorted = [...all].sort((a, b) => a - b);
    const [low, median, high] = [0.1, 0.5, 0.9].map((share) => part(sorted, share).toFixed(2));
    print(`${name}: median ${median} ms, from ${low} to ${high} in eight of ten`);
  }
  const unknown = times.get('unknown') ?? [];
  for (const [name, all] of times) {
    if (name === 'unknown') continue;
    const slower = all.filter((took, at) => took > (unknown[at] ?? 0)).length / all.length;
    print(`${name} took longer than unknown in ${(100 * slower).toFixed(1)} % of 1,000 pairs`);
    // Nobody can tell them apart by pairs. By chance alone, they are beyond this once in a billion.
    expect(Math.abs(slower - 0.5), name).toBeLessThan(0.1);
  }
});
