import pino from 'pino';
import { expect, test } from 'vitest';
import type { Database } from '../../src/db/connection/database.js';
import { newId } from '../../src/domain/rules.js';
import { createMailer } from '../../src/mail/mailer.js';
import { evaluateReminders } from '../../src/reminders/evaluate/evaluation.js';
import { startSender } from '../../src/reminders/reminder-worker.js';
import { claimDeliveries } from '../../src/reminders/send/queue.js';
import { startMailSink } from '../mail/smtp.support.js';
import { createDatabase, createTenant } from '../support/gateway.js';
import { isLong, timeout } from './fixture.js';
import { query } from './support.js';

/** Items of a workspace that are not due, beside those that are. */
const sizes = isLong ? [10_000, 1_000_000] : [200, 20_000];
const due = 100;
/** Deliveries that wait at once. */
const waiting = isLong ? 100_000 : 3_000;

interface Place {
  readonly url: string;
  readonly database: Database;
  readonly organizationId: string;
  readonly teamId: string;
  readonly categoryId: string;
  /** Names of the statements that were sent since it was emptied. */
  readonly sent: string[];
  drop(): Promise<void>;
}

async function makePlace(poolSize = 1): Promise<Place> {
  const sent: string[] = [];
  // By default one connection, whose counts of rows are told before they are read.
  const { url, database, drop } = await createDatabase(({ name }) => void sent.push(name ?? ''), {
    poolSize,
  });
  const { organizationId, teamId } = await createTenant(database);
  const { prisma } = database;
  const { reminderPolicyId } = await prisma.team.update({ where: { id: teamId }, data: { timezone: 'UTC' } });
  await prisma.reminderStep.updateMany({
    where: { policyId: reminderPolicyId ?? '' },
    data: { recipients: ['ADDRESSES'], addresses: ['anna@example.org'] },
  });
  const categoryId = newId();
  await prisma.category.create({ data: { id: categoryId, organizationId, teamId, name: 'Licence' } });
  await prisma.reminderMark.deleteMany({ where: { teamId: { not: teamId } } });
  const begin = new Date('2027-01-01');
  const mark = { through: begin, nextAt: begin, dayThrough: begin, dayNextAt: begin };
  await prisma.reminderMark.updateMany({ data: mark });
  return { url, database, organizationId, teamId, categoryId, sent, drop };
}

/** Adds items with dates in a range of days, past all triggers: what these write is there as they would have it. */
async function addItems(place: Place, count: number, first: string, days: number): Promise<void> {
  const { organizationId, teamId, categoryId, url } = place;
  // On a connection that waits as long as it takes.
  await query(
    url,
    `SET session_replication_role = replica;
     INSERT INTO expiration_items (id, organization_id, team_id, category_id, name, expiration_date, notify_on, created, modified)
     SELECT gen_random_uuid(), '${organizationId}', '${teamId}', '${categoryId}', 'Item', date, date - 30, '2026-12-01', '2026-12-01'
     FROM generate_series(0, ${count} - 1) AS n, LATERAL (SELECT '${first}'::date + n % ${days} AS date) AS on_date;
     ANALYZE expiration_items`,
  );
}

/** Reads how many rows all statements so far have read and written. */
async function touched({ database }: Place): Promise<number> {
  await database.sql('SELECT pg_stat_force_next_flush()', []);
  await database.sql('SELECT pg_stat_clear_snapshot()', []);
  const [row] = await database.sql<{ rows: number }>(
    `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd + n_tup_del)::int AS rows
     FROM pg_stat_user_tables`,
    [],
  );
  return row?.rows ?? 0;
}

interface Cost {
  readonly items: number;
  readonly told: number;
  readonly statements: number;
  readonly rows: number;
  readonly ms: number;
}

/** Measures what one day's decisions cost. */
async function costWith(items: number): Promise<{ due: Cost; idle: Cost }> {
  const place = await makePlace();
  try {
    await addItems(place, items, '2029-01-01', 2_000);
    // 30 days before its date, an item is told of for the first time.
    await addItems(place, due, '2027-02-10', 1);
    const measure = async (time: string): Promise<Cost> => {
      const before = await touched(place);
      place.sent.length = 0;
      const start = performance.now();
      const told = await evaluateReminders({
        ...{ database: place.database, clock: () => new Date(time), isMailSetUp: () => true },
      });
      const ms = performance.now() - start;
      const statements = place.sent.length;
      return { items, told, statements, rows: (await touched(place)) - before, ms };
    };
    await measure('2027-01-10T12:00:00Z');
    return { due: await measure('2027-01-11T12:00:00Z'), idle: await measure('2027-01-12T12:00:00Z') };
  } finally {
    await place.drop();
  }
}

const write = (line: string) => process.stdout.write(`${line}\n`);

test("a day's cost follows what is due, not what exists", { timeout }, async () => {
  const [few, many] = [await costWith(sizes[0] ?? 0), await costWith(sizes[1] ?? 0)];
  for (const { due, idle } of [few, many]) {
    for (const { items, told, statements, rows, ms } of [due, idle]) {
      write(
        `| ${items} items | ${told} told | ${statements} statements | ${rows} rows | ${ms.toFixed(0)} ms |`,
      );
    }
  }
  expect([few.due.told, many.due.told, few.idle.told, many.idle.told]).toEqual([due, due, 0, 0]);
  expect(many.due.statements).toBe(few.due.statements);
  expect(many.idle.statements).toBe(few.idle.statements);
  // PostgreSQL rather reads a small table from end to end, each time; of a large one it reads what is due.
  expect(many.due.rows).toBeLessThan(30 * due);
  expect(many.idle.rows).toBeLessThan(100);
});

/** Queues mails, 20 of each item, each a reminder of its own. */
async function addMails(place: Place, count: number): Promise<void> {
  const { organizationId, teamId, url } = place;
  await addItems(place, Math.ceil(count / 20), '2027-02-10', 1);
  await query(
    url,
    `WITH item AS (SELECT id, row_number() OVER () AS place FROM expiration_items), made AS (
       SELECT item.id AS item, gen_random_uuid() AS reminder, gen_random_uuid() AS delivery, n
       FROM generate_series(1, ${count}) AS n JOIN item ON item.place = 1 + n % ceil(${count} / 20.0)::int
     ), decided AS (
       INSERT INTO reminders (id, organization_id, team_id, item_id, item_name, step_key, expiration_date, slot, state, decided_at)
       SELECT reminder, '${organizationId}'::uuid, '${teamId}'::uuid, item, 'Item', gen_random_uuid(), '2027-02-10', '2027-01-11', 'PENDING', '2027-01-11' FROM made
     ), targets AS (
       INSERT INTO reminder_targets (reminder_id, recipient_key, address, delivery_id)
       SELECT reminder, 'mail:a' || n || '@example.org', 'a' || n || '@example.org', delivery FROM made
     )
     INSERT INTO deliveries (id, organization_id, team_id, kind, dedupe_key, subject_kind, subject_id, address, due_at, created)
     SELECT delivery, '${organizationId}'::uuid, '${teamId}'::uuid, 'MAIL', n::text, 'item', item, 'a' || n || '@example.org', '2027-01-11'::timestamptz + n * interval '1 ms', '2027-01-11'
     FROM made;
     ANALYZE deliveries, reminders, reminder_targets`,
  );
}

test('a long queue is claimed as fast as a short one, at the configured rate', { timeout }, async () => {
  const place = await makePlace();
  const sink = await startMailSink();
  try {
    await addMails(place, waiting);
    const { database } = place;
    const now = new Date('2027-01-12');
    const claim = { count: 6, now, leaseUntil: new Date('2027-01-13'), host: 'example.com' };
    const times: number[] = [];
    for (let batch = 0; batch < 100; batch++) {
      const start = performance.now();
      expect(await claimDeliveries(database, claim)).toHaveLength(6);
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    const rate = 50;
    const server = { host: '127.0.0.1', port: sink.port, tls: 'optional' as const, login: undefined };
    const mailer = createMailer({
      server,
      from: 'expiry@example.com',
      replyTo: undefined,
      withoutTls: false,
    });
    globalThis.gc?.();
    const memory = process.memoryUsage().heapUsed;
    const started = performance.now();
    const sender = startSender({
      ...{ database, mailer, host: 'example.com', links: async () => undefined, clock: () => now },
      ...{ log: pino({ level: 'silent' }), rate },
    });
    const seconds = isLong ? 20 : 5;
    await expect.poll(() => sink.taken.length, { timeout: timeout / 2 }).toBeGreaterThan(rate * seconds);
    const [taken, took] = [sink.taken.length, (performance.now() - started) / 1_000];
    await sender.stop();
    const grown = (process.memoryUsage().heapUsed - memory) / 2 ** 20;
    const [median, worst] = [times[50], times[98]];
    write(
      `${waiting} queued: claims of 6 in ${median?.toFixed(1)} ms (median), ${worst?.toFixed(1)} ms (99th of 100); ` +
        `${(taken / took).toFixed(1)} mails a second of ${rate}; heap +${grown.toFixed(1)} MiB`,
    );
    // Half a second's worth is saved up in the beginning.
    expect(taken).toBeLessThanOrEqual(rate * (took + 0.5) * 1.05);
    expect(grown).toBeLessThan(64);
  } finally {
    await sink.close();
    await place.drop();
  }
});

/** People whose digests are due in one minute, and items of each. */
const [people, each] = [isLong ? 10_000 : 500, 3];

test('digests of one minute are decided and sent, each with all of its items', { timeout }, async () => {
  const place = await makePlace(8);
  const sink = await startMailSink();
  try {
    const { database, organizationId, teamId, url } = place;
    const { prisma } = database;
    await prisma.reminderStep.updateMany({ data: { recipients: ['MAIN_CONTACT'], addresses: [] } });
    await addItems(place, people * each, '2027-02-10', 1);
    const daily = { organizationId, recipientKey: 'default:contacts', mode: 'DAILY' as const };
    await prisma.recipientSetting.create({ data: { ...daily, digestTime: '08:00' } });
    await query(
      url,
      `SET session_replication_role = replica;
       INSERT INTO contacts (id, organization_id, team_id, name, email, created, modified)
       SELECT md5('contact ' || n)::uuid, '${organizationId}', '${teamId}', 'Anna', 'anna' || n || '@example.org', now(), now()
       FROM generate_series(0, ${people - 1}) AS n;
       UPDATE expiration_items AS item SET contact_id = md5('contact ' || place % ${people})::uuid
       FROM (SELECT id, row_number() OVER () AS place FROM expiration_items) AS numbered WHERE numbered.id = item.id;
       ANALYZE contacts, expiration_items`,
    );
    const settings = { database, isMailSetUp: () => true };
    await evaluateReminders({ ...settings, clock: () => new Date('2027-01-10T12:00:00Z') });
    const now = new Date('2027-01-11T08:00:00Z');
    place.sent.length = 0;
    const begun = performance.now();
    const told = await evaluateReminders({ ...settings, clock: () => now });
    const decided = performance.now() - begun;
    const statements = place.sent.length;
    expect(told).toBe(people * each);
    globalThis.gc?.();
    const memory = process.memoryUsage().heapUsed;
    const subjects = new Map<string, number>();
    const server = { host: '127.0.0.1', port: sink.port, tls: 'optional' as const, login: undefined };
    const mailer = createMailer({
      ...{ server, from: 'expiry@example.com', replyTo: undefined, withoutTls: false },
    });
    const ids = new Set<string>();
    let highest = 0;
    const started = performance.now();
    const sender = startSender({
      ...{ database, mailer, host: 'example.com', links: async () => undefined, clock: () => now },
      ...{ log: pino({ level: 'silent' }), rate: 100_000 },
      onDelivered: () => {
        // The sink is in this process: what it has taken must not count.
        for (const { mail } of sink.taken.splice(0)) {
          ids.add(mail.messageId ?? '');
          subjects.set(mail.subject ?? '', (subjects.get(mail.subject ?? '') ?? 0) + 1);
        }
        highest = Math.max(highest, process.memoryUsage().heapUsed - memory);
      },
    });
    await expect.poll(() => ids.size, { timeout: timeout * 0.8, interval: 100 }).toBe(people);
    const took = (performance.now() - started) / 1_000;
    await sender.stop();
    write(
      `${people} digests of ${each} items: decided in ${(decided / 1_000).toFixed(1)} s with ${statements} statements; ` +
        `sent in ${took.toFixed(0)} s (${(people / took).toFixed(0)} a second); heap +${(highest / 2 ** 20).toFixed(0)} MiB at most`,
    );
    expect([...subjects]).toEqual([[`${each} documents need attention`, people]]);
    const untold = await prisma.reminder.count({ where: { state: { not: 'TOLD' } } });
    expect(untold).toBe(0);
    expect(highest / 2 ** 20).toBeLessThan(128);
  } finally {
    await sink.close();
    await place.drop();
  }
});
