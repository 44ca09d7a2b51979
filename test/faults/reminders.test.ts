import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { openDatabase } from '../../src/db/connection/database.js';
import { newId } from '../../src/domain/rules.js';
import { createMailer } from '../../src/mail/mailer.js';
import { type MailSink, startMailSink } from '../mail/smtp.support.js';
import { createTenant } from '../support/gateway.js';
import { isLong, onPosix, prepareBench, timeout } from './fixture.js';
import { kill, query } from './support.js';

const bench = prepareBench();
/** Processes that decide and send at once, items that are due in one slot, and deaths of each process. */
const [processes, items, deaths] = isLong ? [4, 1_000, 10] : [2, 120, 3];
/** The most mails of a process in a second, and so the connections on which it sends. */
const mailRate = 30;
const nowhere = { host: '127.0.0.1', port: 9, tls: 'optional', login: undefined } as const;
const { connections } = createMailer(
  { server: nowhere, from: 'expiry@example.com', replyTo: undefined, withoutTls: false },
  mailRate,
);

/**
 * Fills a workspace with items that are due today, each for one of some people.
 * @param people number of people; if they have several items each, they get them as one mail a day
 */
async function makeItems(url: string, people: number): Promise<void> {
  const database = openDatabase({ url, poolSize: 2, onError: () => {} });
  const { organizationId, teamId } = await createTenant(database);
  const { prisma } = database;
  const { reminderPolicyId: policyId } = await prisma.team.update({
    where: { id: teamId },
    data: { timezone: 'UTC' },
  });
  await prisma.reminderStep.deleteMany({ where: { policyId: policyId ?? '' } });
  await prisma.reminderPolicy.update({
    where: { id: policyId ?? '' },
    data: { timeOfDay: '00:00', leadDays: 0 },
  });
  const to = { recipients: ['MAIN_CONTACT'] };
  await prisma.reminderStep.create({
    data: { id: newId(), policyId: policyId ?? '', position: 0, offsetDays: 0, ...to },
  });
  const categoryId = newId();
  await prisma.category.create({ data: { id: categoryId, organizationId, teamId, name: 'Licence' } });
  await database.close();
  // What is due was so before any of the processes looked.
  await query(
    url,
    `UPDATE reminder_marks SET through = now() - interval '2 days', next_at = now() - interval '1 minute';
     INSERT INTO contacts (id, organization_id, team_id, name, email, created, modified)
     SELECT md5('contact ' || n)::uuid, '${organizationId}', '${teamId}', 'Anna', 'anna' || n || '@example.org', now(), now()
     FROM generate_series(0, ${people - 1}) AS n;
     INSERT INTO recipient_settings (organization_id, recipient_key, mode, digest_time)
     SELECT '${organizationId}', 'default:organization', 'DAILY', '00:00' WHERE ${people < items};
     INSERT INTO expiration_items (id, organization_id, team_id, category_id, contact_id, name, expiration_date, created, modified)
     SELECT gen_random_uuid(), '${organizationId}', '${teamId}', '${categoryId}', md5('contact ' || n % ${people})::uuid, 'Item ' || n || '.', (now() AT TIME ZONE 'UTC')::date, now(), now()
     FROM generate_series(1, ${items}) AS n`,
  );
}

/** Starts a worker as a process, which a signal ends that it cannot catch. */
function startWorker(url: string, sink: MailSink): ChildProcess {
  const env = {
    ...{ PATH: process.env.PATH, DATABASE_URL: url, SECRET_KEY: 'ab'.repeat(32), LOG_LEVEL: 'error' },
    ...{ SMTP_URL: `smtp://127.0.0.1:${sink.port}`, MAIL_FROM: 'expiry@example.com' },
    MAIL_RATE: String(mailRate),
  };
  return spawn(process.execPath, [bench.program, 'worker'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Lets processes decide and send until all people have their mails, and kills them meanwhile. */
async function killAgain(people: number): Promise<void> {
  const url = await bench.database();
  await makeItems(url, people);
  // As slow as a real server, so that processes die in the middle of it.
  const onMailFrom = (_address: unknown, _session: unknown, callback: () => void) => {
    setTimeout(callback, 30);
  };
  const sink = await startMailSink({ onMailFrom });
  const workers = Array.from({ length: processes }, () => startWorker(url, sink));
  try {
    let killed = 0;
    while (killed < processes * deaths) {
      const before = sink.taken.length;
      const slot = killed % processes;
      // Once it does something, at a moment that nobody chose.
      const more = expect.poll(() => sink.taken.length > before, { timeout: 20_000 }).toBe(true);
      await more.catch(() => {});
      await sleep(Math.random() * 120);
      const worker = workers[slot] as ChildProcess;
      const exited = once(worker, 'exit');
      kill(Number(worker.pid));
      await exited;
      killed++;
      // What it had taken up is taken over when its lease ends; here the time until then has passed.
      if (killed % processes === 0) {
        for (const other of workers) kill(Number(other.pid));
        await query(url, 'UPDATE deliveries SET due_at = now() WHERE due_at > now()');
        for (const [index] of workers.entries()) workers[index] = startWorker(url, sink);
      } else workers[slot] = startWorker(url, sink);
    }
    const waiting = () =>
      query<{ n: number }>(url, 'SELECT count(*)::int AS n FROM deliveries WHERE due_at IS NOT NULL');
    await expect
      .poll(
        async () => {
          // Claims of the dead, as above. Those who live have theirs for less than half a minute.
          await query(
            url,
            `UPDATE deliveries SET due_at = now() WHERE due_at > now() AND due_at < now() + interval '90 seconds'`,
          );
          return (await waiting())[0]?.n;
        },
        { timeout: timeout / 2, interval: 500 },
      )
      .toBe(0);
    const ids = sink.taken.map(({ mail }) => mail.messageId);
    const told = await query<{ n: number; states: string[] }>(
      url,
      `SELECT count(DISTINCT (item_id, step_key, expiration_date, occurrence))::int AS n, array_agg(DISTINCT state::text) AS states
       FROM reminders WHERE step_key <> ALL('{00000000-0000-4000-8000-000000000002,00000000-0000-4000-8000-000000000003}')`,
    );
    const doubled = ids.length - new Set(ids).size;
    process.stdout.write(
      `${items} items, ${killed} kills: ${new Set(ids).size} mails, ${doubled} of them twice or more\n`,
    );
    expect(told).toEqual([{ n: items, states: ['TOLD'] }]);
    // None is missing, and what came twice came with the same name.
    expect(new Set(ids).size).toBe(people);
    const mails = new Map(sink.taken.map(({ mail }) => [mail.messageId, mail]));
    const named = [...mails.values()].flatMap(({ text = '' }) => text.match(/Item \d+\. expires/g) ?? []);
    expect([named.length, new Set(named).size]).toEqual([items, items]);
    // A process that dies has a mail with the server on each connection at most. At the end of each round all die at once.
    expect(doubled).toBeLessThanOrEqual(connections * (killed + deaths * (processes - 1)));
  } finally {
    for (const worker of workers) kill(Number(worker.pid));
    await sink.close();
  }
}

onPosix('processes that decide and send are killed, again and again', { timeout }, () => killAgain(items));

onPosix('digests have each item once, however often processes are killed', { timeout }, () =>
  killAgain(items / 4),
);
