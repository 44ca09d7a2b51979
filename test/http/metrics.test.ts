import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { eventually } from '../support/eventually.js';
import { type Family, familiesOf, problemsOf } from '../support/exposition.js';
import { startGateway, testTime, useGateway } from '../support/gateway.js';
import { metricLabels } from '../support/gateway-metrics.js';

const gateway = useGateway();

/** Scrapes as Prometheus does. */
async function scrape(of = gateway): Promise<string> {
  const { status, text, headers } = await of.send('GET', '/metrics', { token: null });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return text;
}

async function family(name: string, of = gateway): Promise<Family> {
  const found = familiesOf(await scrape(of)).get(name);
  if (!found) throw new Error(`There is no metric ${name}.`);
  return found;
}

/** Returns the value of the sample with these labels; undefined when there is none. */
async function sampleOf(name: string, labels: Record<string, string> = {}, of = gateway) {
  const base = name.replace(/_(count|sum|bucket)$/, '');
  const { samples } = familiesOf(await scrape(of)).get(base) ?? (await family(name, of));
  const wanted = JSON.stringify(Object.entries(labels).sort());
  return samples.find(
    (sample) => sample.name === name && JSON.stringify(Object.entries(sample.labels).sort()) === wanted,
  )?.value;
}

const durations = 'gateway_http_request_duration_seconds_count';
const rest = (method: string, route: string, status: string) => ({
  door: 'rest',
  method,
  route,
  operation: '',
  status,
});

test('the text is as Prometheus wants it', async () => {
  await gateway.send('GET', '/v1/vehicles');
  await gateway.graphql('{ me { name } }');
  const text = await scrape();
  expect(problemsOf(text)).toEqual([]);
  const { status, error, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text });
  // Where Prometheus is installed, its own word counts as well.
  if (!error) expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
});

test('docs/run/monitoring.md has them all, with their labels', async () => {
  const shown = [...(await metricLabels())].filter(([name]) => name.startsWith('gateway_'));
  const page = readFileSync(new URL('../../docs/run/monitoring.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(gateway_\w+)` \| (.*?) ?\|/gm)].map(([, name = '', cell = '']) => [
    name,
    [...cell.matchAll(/`(\w+)`/g)].map(([, label = '']) => label).sort(),
  ]);
  expect(rows.sort()).toEqual(shown.sort());
});

test.each([
  ['GET', '/v1/vehicles', '/v1/vehicles', '2xx'],
  ['HEAD', '/v1/vehicles', '/v1/vehicles', '2xx'],
  ['GET', '/v1/vehicles?page=x', '/v1/vehicles', '4xx'],
  ['GET', '/v1/companies/01a1fbb9-12cc-7677-b0bc-13353b4cb527', '/v1/companies/{id}', '4xx'],
  ['DELETE', '/v1/companies', 'none', '4xx'],
  ['GET', '/v1/anything/that/callers/make/up', 'none', '4xx'],
])('%s %s counts for the route %s', async (method, path, route, status) => {
  const labels = rest(method, route, status);
  const before = (await sampleOf(durations, labels)) ?? 0;
  await gateway.send(method, path);
  expect(await sampleOf(durations, labels)).toBe(before + 1);
});

test.each([
  ['/', 'page', '/', '2xx'],
  ['/docs', 'page', '/docs', '2xx'],
  ['/v1/openapi.json', 'page', '/v1/openapi.json', '2xx'],
  ['/health/live', 'health', '/health/live', '2xx'],
  ['/attachments/some-id', 'attachment', '/attachments/{id}', '4xx'],
  ['/wp-login.php', 'none', 'none', '4xx'],
])('GET %s counts for the door %s', async (path, door, route, status) => {
  await gateway.send('GET', path);
  expect(await sampleOf(durations, { door, method: 'GET', route, operation: '', status })).toBe(1);
});

test('a GraphQL request counts for the kind of its operation, and not for its name', async () => {
  const labels = (operation: string, status = '2xx') => ({
    door: 'graphql',
    method: 'POST',
    route: '/graphql',
    operation,
    status,
  });
  const before = (await sampleOf(durations, labels('query'))) ?? 0;
  await gateway.graphql('query SomeNameOfTheirs { me { name } }');
  await gateway.graphql('mutation { createVehicle(input: {name: "Van"}) { id } }');
  await gateway.send('POST', '/graphql', { raw: '{', headers: { 'Content-Type': 'application/json' } });
  expect(await sampleOf(durations, labels('query'))).toBe(before + 1);
  expect(await sampleOf(durations, labels('mutation'))).toBe(1);
  expect(await sampleOf(durations, labels('', '4xx'))).toBe(1);
  expect(await scrape()).not.toContain('SomeNameOfTheirs');
});

test('a method that nobody answers cannot make a series of its own', async () => {
  await gateway.send('PROPFIND', '/somewhere');
  const labels = { door: 'none', method: 'other', route: 'none', operation: '', status: '5xx' };
  expect(await sampleOf(durations, labels)).toBe(1);
});

test.each([
  ['rest', 'UNAUTHORIZED', () => gateway.send('GET', '/v1/vehicles', { token: null })],
  ['rest', 'BAD_REQUEST', () => gateway.send('GET', '/v1/vehicles?page=x')],
  ['rest', 'METHOD_NOT_ALLOWED', () => gateway.send('DELETE', '/v1/vehicles')],
  ['graphql', 'UNAUTHORIZED', () => gateway.send('POST', '/graphql', { token: null })],
  ['graphql', 'BAD_REQUEST', () => gateway.graphql('{ nothing }')],
  [
    'graphql',
    'NOT_FOUND',
    () => gateway.graphql('mutation { a: deleteTag(id: "x") { id } b: deleteTag(id: "y") { id } }'),
  ],
  ['none', 'NOT_FOUND', () => gateway.send('GET', '/nothing')],
  ['attachment', 'NOT_FOUND', () => gateway.send('GET', '/attachments/nothing')],
] as const)('at the door %s, %s is counted once for a request', async (door, code, send) => {
  const before = (await sampleOf('gateway_errors_total', { door, code })) ?? 0;
  await send();
  expect(await sampleOf('gateway_errors_total', { door, code })).toBe(before + 1);
});

test('an error that has not happened yet is present with a count of 0', async () => {
  expect(await sampleOf('gateway_errors_total', { door: 'rest', code: 'INTERNAL_ERROR' })).toBe(0);
});

test('the pool, the process and the build are described', async () => {
  // Of those that nobody uses, one may be closed between a scrape and a look.
  await eventually(async () => {
    const { samples } = await family('gateway_database_connections');
    expect(samples.map(({ labels }) => labels.state)).toEqual(['idle', 'busy']);
    const told = samples.reduce((sum, { value }) => sum + value, 0);
    expect(told).toBe(gateway.database.connections().total);
  });
  expect(await sampleOf('gateway_database_connections_max')).toBe(10);
  expect(await sampleOf('gateway_database_waiting')).toBe(0);
  expect(await sampleOf('gateway_live_streams')).toBe(0);
  expect(await sampleOf('gateway_database_up')).toBe(1);
  expect((await family('gateway_build_info')).samples).toEqual([
    { name: 'gateway_build_info', labels: { version: expect.stringMatching(/^\d+\.\d+\.\d+/) }, value: 1 },
  ]);
  expect((await family('process_cpu_seconds_total')).samples[0]?.value).toBeGreaterThan(0);
  expect((await family('process_start_time_seconds')).samples[0]?.value).toBeGreaterThan(1e9);
  expect((await family('nodejs_eventloop_lag_p99_seconds')).samples).toHaveLength(1);
  expect((await family('nodejs_gc_duration_seconds')).type).toBe('histogram');
});

test('waiting for a connection is counted', async () => {
  const { prisma } = gateway.database;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = 0;
  const all = new Promise<void>((resolve) => {
    for (let at = 0; at < 10; at++) {
      void prisma.$transaction(async (tx) => {
        await tx.$queryRaw`SELECT 1 AS one`;
        if (++begun === 10) resolve();
        await held;
      });
    }
  });
  await all;
  const more = gateway.database.ping();
  // The queue's state is not to be had in time either, and keeps nobody waiting.
  const text = await scrape();
  release();
  await more;
  expect(familiesOf(text).get('gateway_database_waiting')?.samples[0]?.value).toBeGreaterThanOrEqual(1);
  expect(familiesOf(text).get('gateway_database_connections')?.samples).toEqual([
    expect.objectContaining({ labels: { state: 'idle' }, value: 0 }),
    expect.objectContaining({ labels: { state: 'busy' }, value: 10 }),
  ]);
});

test('the queue of uploads: how many, and how old the oldest is; read once for scrapes that follow each other', async () => {
  const fresh = await startGateway({ WORKER: 'off' });
  try {
    for (const id of [1, 2])
      await fresh.send('POST', '/v1/bulkscan/receive', { body: { id, action: 'fp.upload' } });
    fresh.clock.now = new Date(fresh.clock.now.getTime() + 90_000);
    // As a worker leaves what it could not file: one is tried again, another waits for a person.
    const left = [
      { dedupeKey: 'retried', error: 'The file is not there yet', dueAt: fresh.clock.now, attempts: 1 },
      { dedupeKey: 'failed', error: 'The item is gone', state: 'FAILED', attempts: 10 },
      { dedupeKey: 'filed', state: 'FILED' },
      { dedupeKey: 'ignored', state: 'IGNORED' },
    ] as const;
    const { organizationId, teamId } = fresh;
    await fresh.database.prisma.uploadNotification.createMany({
      data: left.map((upload) => ({ id: newId(), organizationId, teamId, receivedAt: testTime, ...upload })),
    });
    const all = await fresh.statements(async () => {
      const families = familiesOf(await scrape(fresh));
      expect(families.get('gateway_upload_queue_notifications')?.samples[0]?.value).toBe(3);
      expect(
        families.get('gateway_uploads')?.samples.map(({ labels, value }) => [labels.state, value]),
      ).toEqual([
        ['waiting', 2],
        ['retrying', 1],
        ['failed', 1],
      ]);
      expect(families.get('gateway_upload_queue_oldest_age_seconds')?.samples[0]?.value).toBe(90);
      await scrape(fresh);
    });
    const sent = all.filter((text) => text.includes('upload_notifications'));
    expect(sent).toHaveLength(1);
    const plan = await fresh.database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
      return tx.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${sent[0]?.replaceAll('$1', '10')}`);
    });
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toMatch(/upload_notifications_(due_at|queues)_idx/);
    expect(text).toContain('upload_notifications_failed_idx');
    expect(text).not.toContain('Seq Scan');
  } finally {
    await fresh.close();
  }
});

test('without its database the gateway tells everything else', async () => {
  const alone = await startGateway();
  try {
    await alone.database.close();
    const text = await scrape(alone);
    expect(problemsOf(text)).toEqual([]);
    const families = familiesOf(text);
    expect(families.get('gateway_database_up')?.samples[0]?.value).toBe(0);
    expect(families.get('gateway_upload_queue_notifications')?.samples).toEqual([]);
    expect(families.get('gateway_uploads')?.samples).toEqual([]);
    expect(families.get('process_resident_memory_bytes')?.samples).toHaveLength(1);
  } finally {
    await alone.close();
  }
});
