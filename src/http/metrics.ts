import { createRequire } from 'node:module';
import { setTimeout as after } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../data/client.js';
import { type QueueState, queueState } from '../data/upload-queue.js';
import { errorKinds } from '../domain/errors.js';
import type { Answered, OnAnswered } from './answered.js';
import type { Measured } from './exposition.js';
import { placeOf } from './places.js';
import { processMetrics } from './process-metrics.js';

/** What a process measures. */
export interface Metrics {
  /** Counts a request. */
  readonly onAnswered: OnAnswered;
  /** All that is measured, as of now; it never rejects, whatever is away. */
  measure(): Promise<Measured>;
}

/** What is measured. */
export interface MetricsOptions {
  readonly database: Database;
  /** Connections at most. */
  readonly poolSize: number;
  readonly clock: () => Date;
  /** How many streams of live events are open. */
  readonly streams: () => number;
}

/** Milliseconds for which the queue's state is told again before it is read anew. */
const keptFor = 5_000;

/** Milliseconds that the database may take for it: whoever scrapes waits for seconds only. */
const patience = 1_000;

/** Seconds; answers take one to a few milliseconds, and what takes longer than ten seconds is given up. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

/** What `read` answers, or undefined when it fails or takes too long; several that ask share one answer. */
function kept<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let answer: Promise<T | undefined> | undefined;
  let until = 0;
  return () => {
    if (!answer || performance.now() >= until) {
      until = performance.now() + keptFor;
      const late = after(patience, undefined, { ref: false });
      answer = Promise.race([read(), late]).catch(() => undefined);
    }
    return answer;
  };
}

/** The methods that anything here answers; callers may send others. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function measureRequests(registers: Registry[]): OnAnswered {
  const durations = new Histogram({
    name: 'gateway_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer, by where it leads.',
    labelNames: ['door', 'method', 'route', 'operation', 'status'],
    buckets,
    registers,
  });
  const errors = new Counter({
    name: 'gateway_errors_total',
    help: 'Requests that were answered with an error, by its code; one with several codes counts for each.',
    labelNames: ['door', 'code'],
    registers,
  });
  // A counter that is not there until it is 1 hides the first error from `rate`.
  for (const door of ['rest', 'graphql']) for (const code in errorKinds) errors.inc({ door, code }, 0);
  return ({ exchange, method, path, response, ms }: Answered) => {
    const { door, route = 'none' } = placeOf(method, path);
    const labels = {
      door,
      method: methods.has(method) ? method : 'other',
      route,
      operation: exchange.operation ?? '',
      status: response.headersSent ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted',
    };
    durations.observe(labels, ms / 1_000);
    for (const code of exchange.errors ?? []) errors.inc({ door, code });
  };
}

function measureQueue({ database, clock }: MetricsOptions, registers: Registry[]): void {
  const read = kept<QueueState>(() => queueState(database));
  const gauge = (
    name: string,
    help: string,
    aggregator: 'min' | 'max',
    of: (state?: QueueState) => unknown,
  ) =>
    new Gauge({
      name,
      help,
      registers,
      // What all processes read of the one database; of several answers, the worse one.
      aggregator,
      async collect() {
        const value = of(await read());
        if (typeof value === 'number') this.set(value);
        else this.remove();
      },
    });
  gauge('gateway_database_up', 'Whether the database answered within a second.', 'min', (state) =>
    state ? 1 : 0,
  );
  gauge(
    'gateway_upload_queue_notifications',
    'Uploads that wait to be filed, or are being filed; counted up to 10,000.',
    'max',
    (state) => state?.waiting,
  );
  gauge(
    'gateway_upload_queue_oldest_age_seconds',
    'How long ago the oldest upload was received that waits to be filed; 0 when none does.',
    'max',
    (state) => state && Math.max(0, state.oldest ? clock().getTime() - state.oldest.getTime() : 0) / 1_000,
  );
}

function measureConnections({ database, poolSize }: MetricsOptions, registers: Registry[]): void {
  new Gauge({
    name: 'gateway_database_connections',
    help: 'Open connections of the pool, by whether they are in use.',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle } = database.connections();
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'busy' }, total - idle);
    },
  });
  new Gauge({
    name: 'gateway_database_connections_max',
    help: 'Connections that the pool may open.',
    registers,
  }).set(poolSize);
  new Gauge({
    name: 'gateway_database_waiting',
    help: 'Statements and transactions that wait for a connection of the pool.',
    registers,
    collect() {
      this.set(database.connections().waiting);
    },
  });
}

/** Measures a gateway, and the process that it is in, for Prometheus. */
export function createMetrics(options: MetricsOptions): Metrics {
  const [own, shared] = [new Registry(), new Registry()];
  const onAnswered = measureRequests([own]);
  measureConnections(options, [own]);
  measureQueue(options, [shared]);
  new Gauge({
    name: 'gateway_live_streams',
    help: 'Streams of live events that are open.',
    registers: [own],
    collect() {
      this.set(options.streams());
    },
  });
  new Gauge({
    name: 'gateway_build_info',
    help: 'Which version this is; always 1.',
    labelNames: ['version'],
    registers: [shared],
    aggregator: 'first',
  }).set({ version }, 1);
  const process = processMetrics();
  return {
    onAnswered,
    measure: async () => ({
      own: [...(await own.getMetricsAsJSON()), ...(await process.getMetricsAsJSON())],
      shared: await shared.getMetricsAsJSON(),
    }),
  };
}
