import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eventually } from '../support/eventually.js';
import { familiesOf, problemsOf } from '../support/exposition.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { receiveTagged, settled } from '../uploads/support.js';
import { startCollector } from './collector.support.js';
import { type Outcome, type Running, start } from './support.js';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  // The worker goes by the real time.
  gateway.clock.now = new Date();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await gateway.close();
});

const logOf = ({ stdout }: Running): Record<string, unknown>[] =>
  stdout()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));

/** Runs `worker` on the gateway's database while `work` goes on, to its end. */
async function working(
  settings: Record<string, string>,
  work: (url: string | undefined) => Promise<unknown>,
): Promise<Outcome> {
  // The SDK of OpenTelemetry reads the environment itself.
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const running = start({ DATABASE_URL: gateway.databaseUrl, ...settings }, 'worker');
  const ready = await eventually(() => {
    const line = logOf(running).find(({ msg }) => msg === 'ready');
    if (!line) throw new Error(`It is not ready: ${running.stdout()}`);
    return line;
  });
  try {
    await work(ready.url as string | undefined);
  } finally {
    running.signals.emit('SIGTERM', 'SIGTERM');
  }
  return running.outcome;
}

const unknownItem = { expiration_item_id: '01a1fbb9-12cc-7677-b0bc-13353b4cb527' };

it('tells at METRICS_PORT what it has filed, and what waits', async () => {
  const ids = [await receiveTagged(gateway, {}), await receiveTagged(gateway, {})];
  ids.push(await receiveTagged(gateway, unknownItem));
  const { exitCode, stderr } = await working({ METRICS_PORT: '0' }, async (url) => {
    await settled(gateway, ...ids);
    const tries = async () => {
      const response = await fetch(`${url}/metrics`);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/plain; version=0.0.4; charset=utf-8',
      ]);
      const text = await response.text();
      expect(problemsOf(text)).toEqual([]);
      const families = familiesOf(text);
      const only = (name: string) => families.get(name)?.samples.map(({ value }) => value);
      expect(only('gateway_database_up')).toEqual([1]);
      expect(only('gateway_upload_queue_notifications')).toHaveLength(1);
      expect(only('gateway_database_connections_max')).toEqual([10]);
      expect(families.has('process_cpu_seconds_total')).toBe(true);
      // It has no doors.
      expect(families.has('gateway_http_request_duration_seconds')).toBe(false);
      const filing = 'gateway_upload_filing_duration_seconds';
      const counts = families.get(filing)?.samples.filter(({ name }) => name === `${filing}_count`) ?? [];
      return Object.fromEntries(counts.map(({ labels, value }) => [labels.outcome, value]));
    };
    // A try is counted just after it is committed.
    await expect.poll(tries).toEqual({ filed: 2, read: 0, failed: 1, unread: 0, retried: 0, released: 0 });
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

it('listens only if it is configured', async () => {
  await working({}, async (url) => expect(url).toBeUndefined());
});

it('does not start where it cannot listen', async () => {
  const { port } = new URL(gateway.url);
  const running = start({ DATABASE_URL: gateway.databaseUrl, METRICS_PORT: port }, 'worker');
  expect(await running.outcome).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(port) });
});

it('traces each attempt with its statements, but neither its contents nor polls of the queue', async () => {
  const collector = await startCollector();
  const id = await receiveTagged(gateway, { name: 'secret-name' });
  const wrong = await receiveTagged(gateway, unknownItem);
  try {
    await working({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, () => settled(gateway, id, wrong));
  } finally {
    await collector.close();
  }
  const roots = collector.spans.filter(({ parentSpanId }) => !parentSpanId);
  expect(roots).toHaveLength(2);
  const attributes = {
    'gateway.upload.attempt': 1,
    'gateway.upload.id': id,
    'gateway.upload.outcome': 'filed',
  };
  const filed = roots.find(({ attributes: given }) => given['gateway.upload.id'] === id);
  expect(filed).toMatchObject({ name: 'file upload', kind: 5, status: { code: 0 }, attributes });
  const failed = roots.find((root) => root !== filed);
  expect(failed).toMatchObject({ status: { code: 2 }, attributes: { 'gateway.upload.outcome': 'failed' } });
  const below = collector.spans.filter(({ parentSpanId }) => parentSpanId === filed?.spanId);
  expect(below.every(({ traceId }) => traceId === filed?.traceId)).toBe(true);
  expect(below.map(({ name }) => name)).toEqual(expect.arrayContaining(['BEGIN', 'COMMIT']));
  expect(collector.texts.join()).not.toContain('secret-name');
});
