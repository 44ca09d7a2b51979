import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startMailSink } from '../mail/smtp.support.js';
import { isLong, onPosix, prepareBench, timeout } from './fixture.js';
import { kill, killAll, query } from './support.js';

const bench = prepareBench();
/** Vehicles, changes of the state of each, and deaths in each change. */
const [vehicles, rounds, deaths] = isLong ? [20_000, 6, 6] : [2_000, 3, 3];
const processes = 2;
const key = 'ab'.repeat(32);

onPosix('each change of compliance is told once by workers that are killed', { timeout }, async () => {
  const sink = await startMailSink();
  const url = await bench.database();
  const gateway = await bench.start({ databaseUrl: url, env: { SECRET_KEY: key } });
  await gateway.stop();
  const sql = (text: string) => query<Record<string, unknown>>(url, text);
  const [team] = await sql('SELECT id, organization_id AS organization FROM teams LIMIT 1');
  const own = `'${team?.organization}'::uuid, '${team?.id}'::uuid`;
  const id = (kind: string) => `md5('${kind} ' || n)::uuid`;
  await sql(`
    INSERT INTO categories (id, organization_id, team_id, name) SELECT ${id('type')}, ${own}, 'Policy' FROM generate_series(1, 1) AS n;
    INSERT INTO vehicles (id, organization_id, team_id, name)
    SELECT ${id('vehicle')}, ${own}, 'Truck ' || n FROM generate_series(1, ${vehicles}) AS n;
    INSERT INTO expiration_items (id, organization_id, team_id, name, category_id, expiration_date)
    SELECT ${id('item')}, ${own}, 'Policy', md5('type 1')::uuid, current_date - 2 FROM generate_series(1, ${vehicles}) AS n;
    INSERT INTO item_holders (item_id, kind, holder_id, vehicle_id, position)
    SELECT ${id('item')}, 'VEHICLE', ${id('vehicle')}, ${id('vehicle')}, 0 FROM generate_series(1, ${vehicles}) AS n;
    INSERT INTO requirements (id, organization_id, team_id, name, holder_kind, any_of)
    VALUES (gen_random_uuid(), ${own}, 'Insured', 'vehicle', ARRAY[md5('type 1')::uuid]);
    DELETE FROM compliance_turns;
    INSERT INTO holder_compliances (organization_id, team_id, kind, holder_id, vehicle_id, state, urgency, changes_at)
    SELECT organization_id, team_id, 'VEHICLE', id, id, 'COMPLIANT', 2000000, current_date FROM vehicles;
    INSERT INTO webhook_endpoints (id, organization_id, name, url, event_types, team_ids, state, rate_per_second)
    VALUES (gen_random_uuid(), '${team?.organization}', 'Told', 'https://example.com', ARRAY['compliance.changed'], '{}', 'PAUSED', 10);
    INSERT INTO users (id, organization_id, team_id, name, email, role)
    SELECT ${id('user')}, ${own}, 'Anna', 'anna@example.org', 'ADMIN' FROM generate_series(1, 1) AS n;
    INSERT INTO watches (id, organization_id, team_id, user_id, holders)
    SELECT ${id('watch')}, ${own}, ${id('user')}, '{"kind":"vehicle"}' FROM generate_series(1, 1) AS n`);
  const start = (): ChildProcess =>
    spawn(process.execPath, [bench.program, 'worker'], {
      env: {
        ...{ PATH: process.env.PATH, DATABASE_URL: url, SECRET_KEY: key, LOG_LEVEL: 'error' },
        ...{ SMTP_URL: `smtp://127.0.0.1:${sink.port}`, MAIL_FROM: 'expiry@example.com' },
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const count = async () => {
    const [row] = await sql(`SELECT
      (SELECT count(*)::int FROM event_logs WHERE type_id = 34) AS events,
      (SELECT count(*)::int FROM webhook_messages WHERE type = 'compliance.changed') AS messages,
      (SELECT count(*)::int FROM webhook_outbox) AS waiting`);
    return row;
  };
  const workers = Array.from({ length: processes }, start);
  try {
    for (let round = 1; round <= rounds; round++) {
      // The first change is that of a day; people make the others.
      const date = round % 2 === 0 ? 'current_date + 300' : 'current_date - 2';
      if (round > 1) await sql(`UPDATE expiration_items SET expiration_date = ${date}`);
      for (let killed = 0; killed < deaths; killed++) {
        const slot = killed % processes;
        await sleep(Math.random() * 400);
        const worker = workers[slot] as ChildProcess;
        const exited = once(worker, 'exit');
        kill(Number(worker.pid));
        await exited;
        workers[slot] = start();
      }
      await expect
        .poll(count, { timeout: timeout / 4, interval: 250 })
        .toEqual({ events: round * vehicles, messages: round * vehicles, waiting: 0 });
    }
    const told = await sql(`
      SELECT DISTINCT count(*)::int AS times FROM event_logs JOIN event_log_entities AS about ON about.event_id = event_logs.id
      WHERE event_logs.type_id = 34 GROUP BY about.entity_id`);
    expect(told).toEqual([{ times: rounds }]);
    // Whoever watches is told once of each vehicle each time, by one mail for all of them.
    const waiting = 'SELECT count(*)::int AS count FROM compliance_notices WHERE delivery_id IS NULL';
    await expect.poll(async () => (await sql(waiting))[0], { timeout: timeout / 4 }).toEqual({ count: 0 });
    const notices = await sql(`
      SELECT DISTINCT count(*)::int AS times, count(DISTINCT delivery_id) > 0 AS planned
      FROM compliance_notices GROUP BY compliance_id`);
    expect(notices).toEqual([{ times: Math.ceil(rounds / 2), planned: true }]);
    await sql("UPDATE deliveries SET due_at = now() WHERE state = 'QUEUED'");
    // Reminders of the items go to the admins.
    const mails = () => sink.taken.filter(({ mail }) => mail.subject?.startsWith('Not compliant'));
    const subject = `Not compliant: ${new Intl.NumberFormat('en').format(vehicles)} vehicles`;
    await expect
      .poll(() => mails().map(({ mail }) => mail.subject), { timeout: timeout / 4, interval: 250 })
      .toContain(subject);
    expect(mails().length).toBeLessThanOrEqual(rounds);
    const [messages] = await sql('SELECT count(DISTINCT event_id)::int AS count FROM webhook_messages');
    expect(messages).toEqual({ count: rounds * vehicles });
  } finally {
    await killAll(workers);
    await sink.close();
  }
});
