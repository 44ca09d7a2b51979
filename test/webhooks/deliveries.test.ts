import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimMessages } from '../../src/webhooks/send/sender.js';
import { ask } from '../graphql/support.js';
import { openPost } from '../reminders/sender.support.js';
import { eventually } from '../support/eventually.js';
import { waiters } from '../support/locks.js';
import { openWebhooks, type Webhooks } from './support.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

let hooks: Webhooks;
let stop: () => Promise<void>;
beforeAll(async () => {
  hooks = await openWebhooks();
  stop = hooks.start();
});
beforeEach(() => {
  hooks.receiver.answer = accept;
});
afterAll(() => hooks?.close());

const accept: RequestListener = (_request, response) => response.writeHead(204).end();
const refuse =
  (status: number, headers = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end('sorry');

const change = () => hooks.gateway.send('POST', '/v1/vehicles', { body: { name: 'Van' } });

const endpointQuery = `query ($id: ID!) { webhookEndpoint(id: $id) { state disabledReason failingSince
  deliveries(first: 50, orderBy: [{ field: CREATED }]) { nodes {
    state dueAt statusCode lastError attempts { number at statusCode error responseStart } message { id type } } } } }`;
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever an answer holds.
const look = async (id: string): Promise<any> => {
  const { webhookEndpoint } = await ask(hooks.gateway, endpointQuery, { id });
  return { ...webhookEndpoint, deliveries: webhookEndpoint.deliveries.nodes };
};

/** Moves the clock to the next attempt of the first delivery, and waits for it. Returns the milliseconds moved. */
async function toNextAttempt(id: string): Promise<number> {
  const [{ dueAt }] = (await look(id)).deliveries;
  const ms = Date.parse(dueAt) - hooks.gateway.clock.now.getTime();
  hooks.later(ms);
  await hooks.settled();
  return ms;
}

test('a message is tried ten times over three days, always with the same id', async () => {
  const { receiver } = hooks;
  const { id, path } = await hooks.create({ eventTypes: ['vehicle.created'] });
  receiver.answer = refuse(500);
  await change();
  await hooks.settled();
  const waits: number[] = [];
  while ((await look(id)).deliveries[0].dueAt !== null) waits.push(await toNextAttempt(id));
  const expected = [
    5 * second,
    5 * minute,
    30 * minute,
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
  ];
  expect(waits).toHaveLength(expected.length);
  for (const [at, wait] of waits.entries()) {
    expect(wait).toBeGreaterThanOrEqual((expected[at] ?? 0) * 0.8 - 1);
    expect(wait).toBeLessThanOrEqual((expected[at] ?? 0) * 1.2 + 1);
  }
  const sent = receiver.received.filter((one) => one.path === path);
  expect(sent).toHaveLength(10);
  const distinct = (name: string) => new Set(sent.map(({ headers }) => headers[name])).size;
  expect([distinct('webhook-id'), distinct('webhook-timestamp'), distinct('webhook-signature')]).toEqual([
    1, 10, 10,
  ]);
  const { state, failingSince, deliveries } = await look(id);
  expect({ state, failingSince }).toEqual({ state: 'ENABLED', failingSince: expect.any(String) });
  expect(deliveries).toMatchObject([{ state: 'FAILED', statusCode: 500, dueAt: null }]);
  expect(deliveries[0].attempts).toHaveLength(10);
  expect(deliveries[0].attempts[9]).toMatchObject({ number: 10, statusCode: 500, responseStart: 'sorry' });
});

test.each([
  ['120', 120 * second],
  ['99999999', 24 * hour],
  ['Fri, 01 Jan 2100 00:00:00 GMT', 24 * hour],
  ['soon', 0],
])('the receiver can ask for a later attempt: Retry-After: %s', async (retryAfter, expected) => {
  const { id } = await hooks.create({ eventTypes: ['vehicle.created'] });
  hooks.receiver.answer = refuse(503, { 'retry-after': retryAfter });
  await change();
  await hooks.settled();
  const wait = await toNextAttempt(id);
  if (expected > 0) expect(wait).toBe(expected);
  else expect(wait).toBeLessThan(7 * second);
});

test.each<[string, RequestListener, object]>([
  ['a redirect', refuse(301, { location: '/elsewhere' }), { statusCode: 301 }],
  ['not found', refuse(404), { statusCode: 404 }],
  ['a reset', (request) => request.socket.destroy(), { lastError: 'The connection failed (ECONNRESET).' }],
  ['silence', () => {}, { lastError: 'There was no answer within 10 seconds.' }],
])('%s is tried again, and a success ends it', async (_what, answer, expected) => {
  const { id } = await hooks.create({ eventTypes: ['vehicle.created'] });
  hooks.receiver.answer = answer;
  await change();
  await hooks.settled();
  expect((await look(id)).deliveries).toMatchObject([{ state: 'QUEUED', ...expected }]);
  hooks.receiver.answer = accept;
  await toNextAttempt(id);
  expect(await look(id)).toMatchObject({
    failingSince: null,
    deliveries: [{ state: 'SENT', dueAt: null, statusCode: 204, lastError: null }],
  });
});

test('410 disables the endpoint at once, cancels what waits, and others hear of it', async () => {
  const { gateway, receiver } = hooks;
  const other = await hooks.create({ eventTypes: ['webhook_endpoint.disabled'] });
  const { id, path } = await hooks.create({ eventTypes: ['vehicle.created'] });
  receiver.answer = (request, response) => refuse(request.url === path ? 503 : 204)(request, response);
  await change();
  await hooks.settled();
  receiver.answer = (request, response) => refuse(request.url === path ? 410 : 204)(request, response);
  await change();
  await hooks.settled();
  expect(await look(id)).toMatchObject({
    state: 'DISABLED',
    disabledReason: 'The receiver asked for no more messages (410).',
    deliveries: [{ state: 'CANCELLED' }, { state: 'FAILED' }],
  });
  await expect
    .poll(() => receiver.at(other.path))
    .toMatchObject([
      {
        type: 'webhook_endpoint.disabled',
        data: { actor: { type: 'gateway' }, description: expect.stringContaining('410') },
      },
    ]);
  const post = await openPost(gateway);
  await post.send(gateway.clock.now.toISOString());
  const [mail] = post.sink.taken;
  expect(mail?.to).toEqual(['ada@example.com']);
  expect(mail?.mail.subject).toMatch(/^Webhook Endpoint \d+ was disabled$/);
  await post.close();
  receiver.answer = accept;
  const count = receiver.at(path).length;
  const again = (query: string, variables = {}) => gateway.graphql(query, { id, ...variables });
  const recover = 'mutation ($id: ID!, $since: DateTime!) { recoverWebhookEndpoint(id: $id, since: $since) }';
  const since = new Date(gateway.clock.now.getTime() - hour).toISOString();
  expect((await again(recover, { since })).errors[0].extensions.code).toBe('CONFLICT');
  await again('mutation ($id: ID!) { enableWebhookEndpoint(id: $id) { state } }');
  const longAgo = new Date(gateway.clock.now.getTime() - 15 * 24 * hour).toISOString();
  expect((await again(recover, { since: longAgo })).errors[0].extensions.code).toBe('BAD_REQUEST');
  expect((await again(recover, { since })).data.recoverWebhookEndpoint).toBe(2);
  expect((await again(recover, { since })).data.recoverWebhookEndpoint).toBe(0);
  hooks.later(second);
  await hooks.settled();
  expect(receiver.at(path).length).toBe(count + 2);
  expect(await look(id)).toMatchObject({
    state: 'ENABLED',
    deliveries: [{ state: 'SENT' }, { state: 'SENT' }],
  });
});

const drip: RequestListener = (_request, response) => {
  response.writeHead(200).write('thanks');
  const timer = setInterval(() => response.write('.'), 50);
  response.on('close', () => clearInterval(timer));
};
const flood: RequestListener = (_request, response) => {
  response.writeHead(200);
  const more = () => {
    while (response.write(Buffer.alloc(65_536, 'x')));
  };
  response.on('drain', more);
  more();
};
const breakOff: RequestListener = (request, response) => {
  response.writeHead(202, { 'content-length': 1_000 }).write('thanks', () => request.socket.destroy());
};
const early: RequestListener = (request, response) => {
  for (let at = 0; at < 100; at++) response.writeProcessing();
  accept(request, response);
};
const interim: RequestListener = (_request, response) => {
  const timer = setInterval(() => response.writeProcessing(), 20);
  response.on('close', () => clearInterval(timer));
};

test.each<[string, RequestListener, object, object]>([
  ['a body that never ends', drip, { state: 'SENT' }, { statusCode: 200, responseStart: /^thanks\.+$/ }],
  ['a body without end', flood, { state: 'SENT' }, { statusCode: 200, responseStart: /^x{1024}$/ }],
  ['a body that breaks off', breakOff, { state: 'SENT' }, { statusCode: 202, responseStart: /^thanks$/ }],
  ['interim answers', early, { state: 'SENT' }, { statusCode: 204, responseStart: /^$/ }],
  ['nothing but interim answers', interim, { state: 'QUEUED' }, { statusCode: null, responseStart: /^$/ }],
  [
    'endless header fields',
    refuse(200, { 'x-large': 'x'.repeat(100_000) }),
    { state: 'QUEUED', lastError: 'The connection failed (HPE_HEADER_OVERFLOW).' },
    { statusCode: null, responseStart: /^$/ },
  ],
])('an answer with %s is judged by its status', async (_what, answer, delivery, attempt) => {
  const { id, path } = await hooks.create({ eventTypes: ['vehicle.created'] });
  hooks.receiver.answer = (request, response) => (request.url === path ? answer : accept)(request, response);
  await change();
  await hooks.settled();
  const [found] = (await look(id)).deliveries;
  expect(found).toMatchObject(delivery);
  const { responseStart, ...expected } = attempt as { responseStart: RegExp };
  expect(found.attempts).toMatchObject([
    { ...expected, responseStart: expect.stringMatching(responseStart) },
  ]);
});

test('what is on its way or being made while an endpoint is disabled is settled, too', async () => {
  const { gateway, receiver } = hooks;
  const { database } = gateway;
  const { id, path } = await hooks.create({ eventTypes: ['vehicle.created'] });
  const held: ((status: number) => void)[] = [];
  receiver.answer = (request, response) => {
    if (request.url === path) held.push((status) => refuse(status)(request, response));
    else accept(request, response);
  };
  for (let at = 0; at < 5; at++) await change();
  await expect.poll(() => held.length).toBe(4);
  const isDisabled = async () => (await look(id)).state === 'DISABLED';
  await database.prisma.$transaction(async (tx) => {
    // Like a process that has read the endpoint, and has not yet committed its messages.
    await tx.$executeRaw`SELECT FROM webhook_endpoints WHERE id = ${id}::uuid FOR KEY SHARE`;
    held[0]?.(410);
    held[1]?.(410);
    await eventually(async () => expect((await waiters(gateway)).length).toBe(2));
    await tx.$executeRaw`
      INSERT INTO webhook_deliveries (id, organization_id, message_id, endpoint_id, due_at)
      SELECT gen_random_uuid(), organization_id, message_id, endpoint_id, created FROM webhook_deliveries
      WHERE endpoint_id = ${id}::uuid LIMIT 1`;
  });
  await expect.poll(isDisabled).toBe(true);
  held[2]?.(500);
  held[3]?.(204);
  const states = async () => (await look(id)).deliveries.map(({ state }: { state: string }) => state).sort();
  await expect.poll(states).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED', 'FAILED', 'FAILED', 'SENT']);
});

test('five days of nothing but failures disable an endpoint, and one success begins anew', async () => {
  const { receiver } = hooks;
  const { id, path } = await hooks.create({ eventTypes: ['vehicle.created'] });
  const fail = async (status: number) => {
    receiver.answer = (request, response) => refuse(request.url === path ? status : 204)(request, response);
    await change();
    await hooks.settled();
    return (await look(id)).state;
  };
  expect(await fail(500)).toBe('ENABLED');
  hooks.later(119 * hour);
  expect(await fail(500)).toBe('ENABLED');
  expect(await fail(200)).toBe('ENABLED');
  hooks.later(30 * hour);
  expect(await fail(500)).toBe('ENABLED');
  hooks.later(119 * hour);
  expect(await fail(500)).toBe('ENABLED');
  hooks.later(2 * hour);
  expect(await fail(500)).toBe('DISABLED');
  expect((await look(id)).disabledReason).toBe('All messages failed for five days.');
});

test('a message can be replayed, with the same id and body, to the endpoint that it was for', async () => {
  const { gateway, receiver } = hooks;
  const { id, path } = await hooks.create({ eventTypes: ['vehicle.created'] });
  const other = await hooks.create({ eventTypes: ['tag.created'] });
  await change();
  await hooks.settled();
  const [{ message }] = (await look(id)).deliveries;
  const replay = (endpointId: string, messageId = message.id) =>
    gateway.graphql(
      'mutation ($id: ID!, $endpointId: ID!) { replayWebhookMessage(id: $id, endpointId: $endpointId) { state } }',
      { id: messageId, endpointId },
    );
  expect((await replay(id)).data.replayWebhookMessage.state).toBe('QUEUED');
  await hooks.settled();
  const sent = receiver.received.filter((one) => one.path === path);
  expect(sent).toHaveLength(2);
  expect(sent[1]?.body).toBe(sent[0]?.body);
  expect(sent[1]?.headers['webhook-id']).toBe(sent[0]?.headers['webhook-id']);
  expect((await look(id)).deliveries[0].attempts.map(({ number }: { number: number }) => number)).toEqual([
    1, 2,
  ]);
  for (const wrong of [
    await replay(other.id),
    await replay(id, crypto.randomUUID()),
    await replay(crypto.randomUUID()),
  ])
    expect(wrong.errors[0].extensions.code).toBe('NOT_FOUND');
  // One that waits for its next attempt is sent now.
  receiver.answer = refuse(500);
  await replay(id);
  await hooks.settled();
  receiver.answer = accept;
  await replay(id);
  await hooks.settled();
  expect((await look(id)).deliveries[0]).toMatchObject({ state: 'SENT', attempts: { length: 4 } });
});

test('a paused endpoint gets its messages later, and a deleted one none', async () => {
  const { gateway, receiver } = hooks;
  const { id, path } = await hooks.create({ eventTypes: ['vehicle.created'] });
  const pause = (isPaused: boolean) =>
    ask(
      gateway,
      'mutation ($id: ID!, $isPaused: Boolean) { updateWebhookEndpoint(id: $id, input: { isPaused: $isPaused }) { state } }',
      { id, isPaused },
    );
  await pause(true);
  await change();
  await hooks.settled();
  expect(receiver.at(path)).toEqual([]);
  await pause(false);
  await hooks.settled();
  expect(receiver.at(path)).toHaveLength(1);
  await pause(true);
  await change();
  await hooks.settled();
  await ask(gateway, 'mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { id } }', { id });
  await hooks.settled();
  expect(receiver.at(path)).toHaveLength(1);
  expect(await gateway.database.sql(`SELECT FROM webhook_deliveries WHERE endpoint_id = '${id}'`)).toEqual(
    [],
  );
});

test('an endpoint that never answers takes four places, and is not in the way of others', async () => {
  const { gateway, receiver } = hooks;
  const slow = await hooks.create({ eventTypes: ['vehicle.created'] });
  const fast = await hooks.create({ eventTypes: ['tag.created'] });
  const open = new Set<string>();
  let most = 0;
  let openThen = 0;
  receiver.answer = (request, response) => {
    if (request.url !== slow.path) {
      openThen = open.size;
      return accept(request, response);
    }
    const key = `${Math.random()}`;
    open.add(key);
    most = Math.max(most, open.size);
    request.on('close', () => open.delete(key));
    response.on('close', () => open.delete(key));
  };
  for (let at = 0; at < 20; at++) await change();
  await expect.poll(() => open.size).toBe(4);
  await gateway.send('POST', '/v1/tags', { body: { name: 'Quick' } });
  await expect.poll(() => receiver.at(fast.path).length).toBe(1);
  // Counted as the message arrives, because those that wait are given up after two seconds.
  expect(openThen).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(4);
  await ask(gateway, 'mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { id } }', { id: slow.id });
});

test('an endpoint gets no more messages per second than its rate, and half after 429', async () => {
  const { gateway, receiver } = hooks;
  const { path } = await hooks.create({ eventTypes: ['vehicle.created'], ratePerSecond: 4 });
  const sent = async () => {
    // What is on its way counts against the four places.
    const onTheirWay = await gateway.database.sql(
      'SELECT event_id FROM webhook_outbox UNION ALL SELECT id FROM webhook_deliveries WHERE is_claimed',
    );
    return onTheirWay.length > 0 ? undefined : receiver.at(path).length;
  };
  for (let at = 0; at < 12; at++) await change();
  await expect.poll(sent).toBe(4);
  receiver.answer = (request, response) => refuse(request.url === path ? 429 : 204)(request, response);
  hooks.later(second);
  await expect.poll(sent).toBe(8);
  receiver.answer = accept;
  hooks.later(second);
  await expect.poll(sent).toBe(10);
});

test('slow endpoints share some of the places, and get half of their rates', async () => {
  const { database, clock } = hooks.gateway;
  const ids: string[] = [];
  for (const ratePerSecond of [100, 100, 100, 1])
    ids.push((await hooks.create({ eventTypes: ['vehicle.created'], ratePerSecond })).id);
  const all = `id IN (${ids.map((id) => `'${id}'`).join()})`;
  await database.sql(`UPDATE webhook_endpoints SET state = 'PAUSED'`);
  for (let at = 0; at < 6; at++) await change();
  await hooks.settled();
  await stop();
  const until = new Date(clock.now.getTime() + minute).toISOString();
  await database.sql(
    `UPDATE webhook_endpoints SET state = 'ENABLED', slowed_until = nullif('${until}', CASE WHEN id = '${ids[0]}' THEN '${until}' END)::timestamptz
     WHERE ${all}`,
  );
  const claim = async (count: number, slowCount: number) => {
    const times = { now: clock.now, leaseUntil: new Date(clock.now.getTime() + minute) };
    const claimed = await claimMessages(database, { count, ...times }, slowCount);
    return ids.map((id) => claimed.filter(({ endpointId }) => endpointId === id).length);
  };
  const [fast, ...slow] = await claim(8, 3);
  expect([fast, slow.reduce((sum, count) => sum + count)]).toEqual([4, 3]);
  expect(await claim(8, 0)).toEqual([0, 0, 0, 0]);
  await database.sql(`UPDATE webhook_deliveries SET due_at = NULL, is_claimed = FALSE WHERE is_claimed`);
  hooks.later(2 * second);
  await claim(8, 8);
  hooks.later(second);
  expect((await claim(16, 16))[3]).toBe(0);
  hooks.later(second);
  expect((await claim(16, 16))[3]).toBe(1);
  stop = hooks.start();
});

test('messages are gone after thirty days', async () => {
  const { gateway } = hooks;
  const count = async () =>
    (await gateway.database.sql<{ count: number }>('SELECT count(*)::int AS count FROM webhook_messages'))[0]
      ?.count;
  expect(await count()).toBeGreaterThan(0);
  hooks.later(31 * 24 * hour);
  hooks.start();
  await expect.poll(count, { timeout: 20_000 }).toBe(0);
});
