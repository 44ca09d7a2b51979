import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDate } from '../../src/domain/dates.js';
import { ask } from '../graphql/support.js';
import { createTenant } from '../support/gateway.js';
import { checkMessage } from '../support/openapi.js';
import { openWebhooks, type Webhooks } from './support.js';

let hooks: Webhooks;
beforeAll(async () => {
  hooks = await openWebhooks();
  hooks.start();
});
afterAll(() => hooks?.close());

const send = async (method: string, path: string, body: object, token?: string) => {
  const answer = await hooks.gateway.send(method, path, { body, ...(token && { token }) });
  expect(answer.status).toBeLessThan(300);
  return answer.json;
};
const createVehicle = (body: object, token?: string) => send('POST', '/v1/vehicles', body, token);
const endpointOf = (id: string) =>
  ask(
    hooks.gateway,
    `query ($id: ID!) { webhookDeliveries(filter: { endpointId: $id }) { nodes {
      id state statusCode message { id type body team { id } } attempts { number statusCode } } } }`,
    { id },
  ).then(({ webhookDeliveries }) => webhookDeliveries.nodes);

test('a change reaches the endpoint with its fields and the record', async () => {
  const { gateway, receiver } = hooks;
  const { path, secret } = await hooks.create({
    eventTypes: ['vehicle.*'],
    headers: [{ name: 'X-Key', value: 'k1' }],
  });
  const vehicle = await createVehicle({ name: 'Van 7' });
  hooks.later(1_000);
  const given = { name: 'Van 8', make: 'Ford', model: 'Transit', color: 'red', trim: 'XLT' };
  await send('PUT', `/v1/vehicles/${vehicle.id}`, { ...vehicle, ...given });
  await hooks.settled();
  // Messages may arrive in another order than their events happened in.
  const sorted = receiver.at(path).sort((a, b) => a.type.localeCompare(b.type));
  const [created, updated, ...others] = sorted;
  expect(others).toEqual([]);
  expect(created).toMatchObject({ type: 'vehicle.created', data: { id: vehicle.id } });
  const { now } = gateway.clock;
  expect(updated).toEqual({
    type: 'vehicle.updated',
    timestamp: now.toISOString(),
    data: {
      ...{
        id: vehicle.id,
        kind: 'vehicle',
        workspace_id: gateway.teamId,
        version: now.getTime().toString(36),
      },
      description: expect.stringContaining('Vehicle "Van 8" was updated'),
      actor: { type: 'user', id: gateway.userId, name: 'Ada Admin' },
      related: [],
      link: `https://expiry.example.com/vehicles/${vehicle.id}`,
      changes: expect.arrayContaining(
        Object.entries(given).map(([field, after]) => ({ field, before: vehicle[field], after })),
      ),
      record: (await gateway.send('GET', `/v1/vehicles/${vehicle.id}`)).json,
    },
  });
  expect(updated.data.changes).toHaveLength(5);
  const message = receiver.received.find(({ body }) => body.includes('vehicle.updated'));
  expect(message?.headers['x-key']).toBe('k1');
  // The library has no clock of its own to set.
  const headers = { ...message?.headers } as Record<string, string>;
  const skew = Math.floor(Date.now() / 1_000) - Number(headers['webhook-timestamp']);
  expect(() => new Webhook(secret).verify(message?.body ?? '', headers)).toThrow(
    skew > 300 ? /too old/ : /./,
  );
  const [delivery] = await endpointOf((await hooks.create()).id);
  expect(delivery).toBeUndefined();
});

test('nothing is sent about what was refused, rolled back or changed nothing', async () => {
  const { gateway, receiver } = hooks;
  const { path } = await hooks.create({ eventTypes: ['vehicle.*'] });
  const vehicle = await createVehicle({ name: 'Quiet' });
  await hooks.settled();
  const operations = [{ op: 'replace', path: '/name', value: 'Quiet' }];
  const patched = await gateway.send('PATCH', `/v1/vehicles/${vehicle.id}`, { body: operations });
  expect(patched.status).toBe(304);
  expect((await gateway.send('POST', '/v1/vehicles', { body: { name: 'x'.repeat(5_000) } })).status).toBe(
    400,
  );
  const rolledBack = await gateway.graphql(
    `mutation ($id: ID!) { ok: updateVehicle(id: $id, input: { name: "Gone" }) { id }
      no: updateVehicle(id: "${crypto.randomUUID()}", input: { name: "No" }) { id } }`,
    { id: vehicle.id },
  );
  expect(rolledBack.errors).toHaveLength(1);
  await hooks.settled();
  const names = receiver.at(path).map(({ type }) => type);
  // Each root field of a mutation is a transaction of its own, so the first one is committed.
  expect(names).toEqual(['vehicle.created', 'vehicle.updated']);
});

test('endpoints choose by type, workspace, document type, tag and status', async () => {
  const { gateway, receiver } = hooks;
  const tag = await send('POST', '/v1/tags', { name: 'Fleet' });
  const day = (days: number) => formatDate(new Date(gateway.clock.now.getTime() + days * 86_400_000));
  const item = (name: string, more: object) => ({ name, expiration_date: day(900), ...more });
  const first = await send('POST', '/v1/expirationitems', item('First', { category: { name: 'Licence' } }));
  await hooks.settled();
  const paths = {
    licences: await hooks.create({ categoryIds: [first.category.id] }),
    tagged: await hooks.create({ tagIds: [tag.id] }),
    expired: await hooks.create({ statuses: ['EXPIRED'] }),
    elsewhere: await hooks.create({ teamIds: [gateway.otherTeamId] }),
    deletions: await hooks.create({
      eventTypes: ['expiration_item.deleted'],
      categoryIds: [first.category.id],
    }),
  };
  await send('POST', '/v1/expirationitems', item('Tagged', { tags: [{ id: tag.id }] }));
  await send('POST', '/v1/expirationitems', item('Old', { expiration_date: day(-3) }));
  await send('POST', '/v1/expirationitems', item('Other', { team_id: gateway.otherTeamId }));
  await gateway.send('DELETE', `/v1/expirationitems/${first.id}`);
  await hooks.settled();
  const about = Object.fromEntries(
    Object.entries(paths).map(([name, { path }]) => [
      name,
      receiver
        .at(path)
        .filter(({ data }) => data.kind === 'expirationItem')
        .map(({ type, data }) => `${type} ${data.record?.name ?? '-'}`),
    ]),
  );
  expect(about).toEqual({
    licences: ['expiration_item.deleted -'],
    tagged: ['expiration_item.created Tagged'],
    expired: ['expiration_item.created Old'],
    elsewhere: ['expiration_item.created Other'],
    deletions: ['expiration_item.deleted -'],
  });
});

test('an endpoint for one workspace sees no links to records of others', async () => {
  const { gateway, receiver } = hooks;
  const { teamId, otherTeamId } = gateway;
  const scoped = await hooks.create({ eventTypes: ['expiration_item.created'], teamIds: [teamId] });
  const whole = await hooks.create({ eventTypes: ['expiration_item.created'] });
  const { createContact: contact } = await ask(
    gateway,
    'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }',
    { input: { email: 'elsewhere@example.com', teamId: otherTeamId } },
  );
  await send('POST', '/v1/expirationitems', {
    ...{ name: 'Linked', expiration_date: '2030-01-01', contacts: [{ id: contact.id }] },
  });
  await hooks.settled();
  const recordAt = (path: string) =>
    receiver.at(path).find(({ data }) => data.record.name === 'Linked').data.record;
  expect(recordAt(whole.path).contacts).toHaveLength(1);
  expect(recordAt(scoped.path).contacts).toEqual([]);
  expect(JSON.stringify(recordAt(scoped.path))).not.toContain('elsewhere');
});

test('other organizations hear nothing', async () => {
  const { gateway, receiver } = hooks;
  const { path } = await hooks.create();
  const other = await createTenant(gateway.database, 'Other');
  const theirs = await hooks.create({}, other.admin);
  await createVehicle({ name: 'Theirs' }, other.admin);
  await hooks.settled();
  expect(receiver.at(path).filter(({ data }) => data.record?.name === 'Theirs')).toEqual([]);
  expect(receiver.at(theirs.path).map(({ data }) => data.record?.name)).toEqual(['Theirs']);
});

test('a large record is left out, and a thin message never has it', async () => {
  const { receiver } = hooks;
  const { path } = await hooks.create({ eventTypes: ['vehicle.*'] });
  const thin = await hooks.create({ eventTypes: ['vehicle.*'], payload: 'THIN' });
  const fields = (count: number, size: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `Field ${at}`, value: 'x'.repeat(size) }));
  await createVehicle({ name: 'Large', custom_fields: fields(5, 3_000) });
  await createVehicle({ name: 'Huge', custom_fields: fields(50, 3_000) });
  await hooks.settled();
  const [large, huge] = receiver.at(path).map(({ data }) => data);
  expect(large).toMatchObject({ truncated: true, changes: expect.any(Array) });
  expect(large).not.toHaveProperty('record');
  expect(huge.changes).toEqual(expect.arrayContaining([{ field: 'custom_fields' }]));
  expect(receiver.at(thin.path)[0].data).not.toHaveProperty('record');
  for (const { body } of receiver.received) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(64_000);
});

test('every message is as the OpenAPI document says', () => {
  const { received } = hooks.receiver;
  expect(received.length).toBeGreaterThan(10);
  for (const { body } of received) checkMessage(JSON.parse(body));
});

test('the message is kept byte for byte as it was sent', async () => {
  const { receiver } = hooks;
  const { id, path } = await hooks.create({ eventTypes: ['vehicle.created'] });
  await createVehicle({ name: 'Ünïcödé 😀 \u2028' });
  await hooks.settled();
  const [delivery] = await endpointOf(id);
  const sent = receiver.received.filter((one) => one.path === path);
  expect(sent.map(({ body }) => body)).toEqual([delivery.message.body]);
  expect(sent[0]?.headers['webhook-id']).toBe(`msg_${delivery.message.id}`);
  expect(delivery).toMatchObject({
    state: 'SENT',
    statusCode: 204,
    attempts: [{ number: 1, statusCode: 204 }],
  });
});

test('a change of 500 records makes 500 messages', async () => {
  const { gateway } = hooks;
  const ids: string[] = [];
  for (let at = 0; at < 500; at++) ids.push(crypto.randomUUID());
  await gateway.database.sql(
    `INSERT INTO vehicles (id, organization_id, team_id, name, custom_fields, modified, created)
     SELECT id, '${gateway.organizationId}', '${gateway.teamId}', 'Bulk ' || id, '[]', now(), now()
     FROM unnest('{${ids.join()}}'::uuid[]) AS id`,
  );
  const { id } = await hooks.create({ eventTypes: ['vehicle.updated'] });
  await ask(gateway, 'mutation ($ids: [ID!]!) { updateVehicles(ids: $ids, input: { make: "VW" }) { id } }', {
    ids,
  });
  const count = () =>
    gateway.database.sql<{ count: number }>(
      `SELECT count(DISTINCT event_id)::int AS count FROM webhook_messages WHERE id IN (
        SELECT message_id FROM webhook_deliveries WHERE endpoint_id = '${id}')`,
    );
  await expect.poll(async () => (await count())[0]?.count, { timeout: 30_000 }).toBe(500);
});
