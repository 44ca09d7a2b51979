import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stageNames } from '../../src/domain/doors/stages.js';
import { version } from '../../src/version.js';
import { eventually } from '../support/eventually.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';
import { startCollector } from './collector.support.js';
import { type Running, start } from './support.js';

let test: TestDatabase;
let collector: Awaited<ReturnType<typeof startCollector>>;
const token = 'given-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq';
beforeEach(async () => {
  [test, collector] = await Promise.all([createDatabase(), startCollector()]);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all([test.drop(), collector.close()]);
});

function logOf({ stdout }: Running): Record<string, unknown>[] {
  return stdout()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
}

/** Runs a gateway while `work` uses it, to its end; answers its outcome and its log. */
async function serving(settings: Record<string, string>, work: (url: string) => Promise<unknown>) {
  // The SDK reads the environment itself.
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const running = start({ DATABASE_URL: test.url, PORT: '0', BOOTSTRAP_TOKEN: token, ...settings }, 'serve');
  const url = await eventually(() => {
    const line = logOf(running).find(({ msg }) => msg === 'ready');
    if (!line) throw new Error(`It is not ready: ${running.stdout()}`);
    return String(line.url);
  });
  await work(url);
  running.signals.emit('SIGTERM', 'SIGTERM');
  return { ...(await running.outcome), log: logOf(running) };
}

const traced = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'papers' });
const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
const parent = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const traceparent = `00-${parent.traceId}-${parent.spanId}-01`;

const named = (name: string) => collector.spans.filter((span) => span.name === name);

it('traces a request as part of its caller’s trace, with its statements but without their values', async () => {
  const { log, exitCode } = await serving(traced(), async (url) => {
    const path = '/v1/vehicles?term=secret-term';
    expect((await fetch(url + path, { headers: { ...headers, traceparent } })).status).toBe(200);
  });
  expect(exitCode).toBe(0);
  const [server, ...others] = named('GET /v1/vehicles');
  expect(others).toEqual([]);
  // A GET has no body to be read.
  const stages = stageNames.rest.filter((name) => name !== 'readBody');
  expect(server?.events.map(({ name }) => name)).toEqual(stages);
  expect(server).toMatchObject({
    traceId: parent.traceId,
    parentSpanId: parent.spanId,
    kind: 2,
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/v1/vehicles',
      'http.response.status_code': 200,
      'url.path': '/v1/vehicles',
      'url.scheme': 'http',
    },
  });
  const statements = collector.spans.filter(({ attributes }) => 'db.query.text' in attributes);
  expect(statements.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['access_tokens.authenticate', 'vehicles.search + users']),
  );
  for (const span of statements) {
    expect(span).toMatchObject({ traceId: parent.traceId, parentSpanId: server?.spanId, kind: 3 });
    expect(span.attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.operation.name': span.name,
    });
  }
  expect(collector.texts.every((text) => text.startsWith('POST /v1/traces '))).toBe(true);
  expect(collector.texts.join()).not.toMatch(/secret-term|given-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq/);
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'papers', 'service.version': version });
  expect(log).toContainEqual(expect.objectContaining({ path: '/v1/vehicles', traceId: parent.traceId }));
});

it('traces a GraphQL operation with its statements and transaction', async () => {
  await serving(traced(), async (url) => {
    const query = 'mutation Make { createVehicle(input: {name: "secret-name"}) { id } }';
    const body = JSON.stringify({ query });
    expect((await fetch(`${url}/graphql`, { method: 'POST', headers, body })).status).toBe(200);
  });
  const [server] = named('POST /graphql');
  const [operation] = named('graphql mutation');
  expect(server?.parentSpanId).toBeUndefined();
  expect(operation).toMatchObject({
    traceId: server?.traceId,
    parentSpanId: server?.spanId,
    attributes: { 'graphql.operation.type': 'mutation', 'graphql.operation.name': 'Make' },
  });
  for (const name of ['BEGIN', 'vehicles.insert', 'COMMIT']) {
    expect(named(name)).toEqual([expect.objectContaining({ parentSpanId: operation?.spanId })]);
  }
  expect(collector.texts.join()).not.toContain('secret-name');
});

it('records what went wrong, and whose fault it is', async () => {
  await serving(traced(), async (url) => {
    await fetch(`${url}/v1/vehicles`);
    await test.database.prisma.$executeRaw`ALTER TABLE vehicles RENAME COLUMN color TO colour`;
    expect((await fetch(`${url}/v1/vehicles`, { headers })).status).toBe(500);
  });
  const found = named('GET /v1/vehicles').map(({ status, attributes }) => [
    status.code ?? 0,
    attributes['error.type'],
    attributes['http.response.status_code'],
  ]);
  expect(found).toEqual([
    [0, 'UNAUTHORIZED', 401],
    [2, 'INTERNAL_ERROR', 500],
  ]);
  expect(
    collector.spans.filter(({ name, status }) => name.startsWith('vehicles.') && status.code === 2),
  ).toEqual([
    expect.objectContaining({
      status: { code: 2 },
      attributes: expect.objectContaining({ 'error.type': '42703' }),
    }),
  ]);
});

it('traces neither monitoring requests nor unsampled ones', async () => {
  await serving(traced(), async (url) => {
    for (const path of ['/health/ready', '/metrics']) expect((await fetch(url + path)).status).toBe(200);
    const unsampled = { ...headers, traceparent: traceparent.replace(/01$/, '00') };
    expect((await fetch(`${url}/v1/vehicles`, { headers: unsampled })).status).toBe(200);
  });
  expect(collector.spans).toEqual([]);
});

it('answers as ever, and stops, when nobody takes the traces', async () => {
  const gone = await startCollector();
  await gone.close();
  const begun = performance.now();
  const { exitCode, stderr, log } = await serving({ OTEL_EXPORTER_OTLP_ENDPOINT: gone.url }, async (url) => {
    for (let at = 0; at < 20; at++) {
      expect((await fetch(`${url}/v1/vehicles`, { headers })).status).toBe(200);
    }
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(log.at(-1)).toMatchObject({ msg: 'stopped' });
  expect(performance.now() - begun).toBeLessThan(25_000);
});

it('sends nothing without a configured receiver', async () => {
  const { log } = await serving({}, async (url) => {
    expect((await fetch(`${url}/v1/vehicles`, { headers: { ...headers, traceparent } })).status).toBe(200);
  });
  expect(collector.texts).toEqual([]);
  expect(log.filter((line) => 'traceId' in line)).toEqual([]);
});
