import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { endSilence } from '../../src/db/queue/loop.js';
import { claimJobs } from '../../src/db/queue/queue.js';
import { sql } from '../../src/db/sql/sql.js';
import { catchUp } from '../../src/reminders/evaluate/evaluation.js';
import { claimDeliveries, remindersState } from '../../src/reminders/send/queue.js';
import { claimUploads } from '../../src/uploads/queue.js';
import { ask } from '../graphql/support.js';
import { startMailSink } from '../mail/smtp.support.js';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import { addWorker } from '../support/workers.js';
import { receive } from '../uploads/support.js';
import { openWebhooks } from '../webhooks/support.js';
import { openPost } from './sender.support.js';
import { makeWorld } from './support.js';

const closed: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closed.splice(0).reverse()) await close();
});

/** Makes a database silent, as `restore` does. */
const silence = ({ database }: Pick<TestGateway, 'database'>) =>
  database.sql("INSERT INTO restored_backup (made_at, restored_at) VALUES ('2026-11-20', '2026-11-21')");

const anna = 'anna@example.org';
const step = (offsetDays: number) => ({ offsetDays, recipients: ['ADDRESSES'], addresses: [anna] });

test('a restored database decides and sends no reminder until it goes live, and then each one once', async () => {
  const world = await makeWorld();
  closed.push(world.drop);
  await world.steps(step(-31), step(-30), step(-1));
  const waiting = await world.item('2027-04-01');
  await world.at('2027-03-01T07:00:00Z');
  await silence(world);
  const later = await world.item('2027-03-31');
  const now = new Date('2027-03-03T09:00:00Z');
  // Ends, although something is due that must wait.
  expect(await catchUp(world.database, now, undefined)).toBe(0);
  const claim = { count: 9, now, leaseUntil: new Date('2027-03-03T10:00:00Z'), host: 'example.com' };
  expect(await claimDeliveries(world.database, claim)).toEqual([]);
  expect(await world.deliveries()).toMatchObject([{ state: 'QUEUED', attempts: 0, firstTriedAt: null }]);
  expect(await remindersState(world.database, now)).toEqual({
    ...{ queued: 1, next: null, oldest: null, refused: 0 },
  });
  const before = ['2027-03-01T07:00 -31 PENDING'];
  expect([await world.ledger(waiting), await world.ledger(later)]).toEqual([before, []]);

  expect(await endSilence(world.database)).toBe(true);
  expect(await endSilence(world.database)).toBe(false);
  await world.at(now.toISOString());
  // As after an outage: the last step that was missed, and nothing twice.
  expect(await world.ledger(waiting)).toEqual([...before, '2027-03-02T07:00 -30 PENDING']);
  expect((await world.ledger(later)).at(-1)).toBe('2027-03-01T07:00 -30 PENDING');
  const { sink, send, close } = await openPost(world);
  closed.push(close);
  await send(now.toISOString(), (await world.deliveries()).length);
  await world.at(now.toISOString());
  expect((await world.deliveries()).filter(({ state }) => state !== 'SENT')).toEqual([]);
  const told = sink.taken.map(({ mail }) => mail.messageId);
  expect(new Set(told).size).toBe(told.length);
});

test('it makes messages of webhooks, and sends them once it is live', async () => {
  const at = await openWebhooks();
  closed.push(at.close);
  const { gateway, receiver } = at;
  const { path } = await at.create();
  await silence(gateway);
  const stop = at.start();
  await ask(gateway, 'mutation { createCompany(input: { name: "Acme" }) { id } }');
  let made = 0;
  while (made === 0)
    [{ made }] = (await gateway.database.sql<{ made: number }>(
      'SELECT count(*)::int AS made FROM webhook_deliveries WHERE due_at IS NOT NULL',
      [],
    )) as [{ made: number }];
  await stop();
  expect(receiver.at(path)).toEqual([]);
  expect(
    await gateway.database.sql('SELECT attempts FROM webhook_deliveries WHERE due_at IS NOT NULL'),
  ).toEqual([{ attempts: 0 }]);
  await endSilence(gateway.database);
  at.start();
  await at.settled();
  expect(receiver.at(path)).toHaveLength(1);
});

test('it fetches no upload by its address, and removes no file, but files what has arrived', async () => {
  const gateway = await startGateway();
  closed.push(gateway.close);
  const { database, clock } = gateway;
  const claim = () => ({ count: 9, now: clock.now, leaseUntil: new Date(clock.now.getTime() + 1) });
  await receive(gateway, { filename: 'fetched', url: 'https://cdn.example.com/1' });
  await receive(gateway, { filename: 'arrived', url: null });
  await database.sql(
    "INSERT INTO file_removals (id, store, object_key, due_at) VALUES ($1, 'FOLDER', 'key', $2)",
    [randomUUID(), clock.now],
  );
  const names = async () =>
    (await claimUploads(database, 'FILING', claim())).map(({ upload }) => upload.filename);
  const removals = () => claimJobs(database, 'file_removals', claim(), { set: sql`store = store` });
  await silence(gateway);
  expect(await names()).toEqual(['arrived']);
  expect(await removals()).toEqual([]);
  await endSilence(database);
  expect(await names()).toEqual(['fetched']);
  expect(await removals()).toHaveLength(1);
});

test('everybody learns it, and an administrator of the first organization ends it', async () => {
  const sink = await startMailSink();
  closed.push(sink.close);
  const mail = { SMTP_URL: `smtp://127.0.0.1:${sink.port}`, MAIL_FROM: 'expiry@example.com' };
  const gateway = await startGateway(mail);
  closed.push(gateway.close);
  await addWorker(gateway.database, {
    ...{ started_at: gateway.clock.now, seen_at: gateway.clock.now },
    has_mail: true,
  });
  await silence(gateway);
  const read = async (token?: string) =>
    (await ask(gateway, '{ reminderHealth { obstacle } }', {}, token)).reminderHealth.obstacle;
  expect([await read(), await read(gateway.viewer)]).toEqual(['RESTORED', 'RESTORED']);
  const trial = `mutation { sendTestMail(to: "${anna}") { isSent answer } }`;
  expect((await ask(gateway, trial)).sendTestMail).toEqual({
    isSent: false,
    answer: expect.stringMatching(/restored from a backup.+`go-live`/),
  });
  const goLive = 'mutation { goLive { obstacle } }';
  const other = await createTenant(gateway.database, 'Globex');
  for (const token of [gateway.member, gateway.viewer, other.admin]) {
    const { errors } = await gateway.graphql(goLive, {}, token);
    expect(errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  }
  expect(await read()).toBe('RESTORED');
  for (let count = 0; count < 2; count++)
    expect((await ask(gateway, goLive)).goLive.obstacle).not.toBe('RESTORED');
  const { eventLogs } = await ask(
    gateway,
    '{ eventLogs(filter: { term: "went live" }) { nodes { description } } }',
  );
  expect(eventLogs.nodes).toHaveLength(1);
  expect((await ask(gateway, trial)).sendTestMail.isSent).toBe(true);
});
