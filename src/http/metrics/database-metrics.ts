import { setTimeout as after } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import { lastBackupOf } from '../../db/backup/last-backup.js';
import type { Database } from '../../db/connection/database.js';
import type { Replica } from '../../db/connection/read-source.js';
import { type QueueState, queueState } from '../../uploads/queue.js';

export interface DatabaseMetricsOptions {
  readonly database: Database;
  /** Maximum connections. */
  readonly poolSize: number;
  readonly clock: () => Date;
  /** True if this process has a mail server. Without one, reminders are not decided, which is no fault. */
  readonly hasMail: boolean;
}

/** Milliseconds for which the queue's state is cached. */
const cacheMs = 5_000;

/** Milliseconds that the database may take. Prometheus waits only for seconds. */
const readTimeoutMs = 1_000;

/** Creates a reader whose callers share one answer. The answer is undefined if it fails or is late. */
function shareAnswer<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let answer: Promise<T | undefined> | undefined;
  let until = 0;
  return () => {
    if (!answer || performance.now() >= until) {
      until = performance.now() + cacheMs;
      const timeout = after(readTimeoutMs, undefined, { ref: false });
      answer = Promise.race([read(), timeout]).catch(() => undefined);
    }
    return answer;
  };
}

/**
 * Returns a reader of a database state, and a function that creates gauges of it. All processes read the same
 * values.
 */
export function sharedGauges<State>(ask: () => Promise<State>, registers: Registry[]) {
  const read = shareAnswer(ask);
  const gauge = (name: string, help: string, aggregator: 'min' | 'max', of: (state?: State) => unknown) =>
    new Gauge({
      name,
      help,
      registers,
      // All processes read the same database; of several answers, show the worse one.
      aggregator,
      async collect() {
        const value = of(await read());
        if (typeof value === 'number') this.set(value);
        else this.remove();
      },
    });
  return { read, gauge };
}

/** Measures whether the database answers, and its queue of uploads. */
export function measureQueue({ database, clock }: DatabaseMetricsOptions, registers: Registry[]): void {
  const { read, gauge } = sharedGauges<QueueState>(() => queueState(database), registers);
  gauge('gateway_database_up', 'Whether the database answered within a second.', 'min', (state) =>
    state ? 1 : 0,
  );
  gauge(
    'gateway_upload_queue_notifications',
    'Uploads that are waiting to be filed or being filed; counted up to 10,000.',
    'max',
    (state) => state?.queued,
  );
  gauge(
    'gateway_upload_queue_oldest_age_seconds',
    'Age of the oldest upload that is waiting to be filed; 0 if there is none.',
    'max',
    (state) => state && Math.max(0, state.oldest ? clock().getTime() - state.oldest.getTime() : 0) / 1_000,
  );
  new Gauge({
    name: 'gateway_uploads',
    help: 'Uploads that are not filed, by state (waiting, retrying or failed); each counted up to 10,000.',
    labelNames: ['state'],
    registers,
    aggregator: 'max',
    async collect() {
      const state = await read();
      this.reset();
      if (!state) return;
      const { queued, retrying, failed } = state;
      this.set({ state: 'waiting' }, queued - retrying);
      this.set({ state: 'retrying' }, retrying);
      this.set({ state: 'failed' }, failed);
    },
  });
}

/** Measures the last backup that the command `backup` has made. Those of other tools are not known. */
export function measureBackups({ database, clock }: DatabaseMetricsOptions, registers: Registry[]): void {
  const { gauge } = sharedGauges(() => lastBackupOf(database), registers);
  gauge(
    'gateway_backup_age_seconds',
    'Time since the last backup was made with `backup`; no sample if none was.',
    'max',
    (last) => last && (clock().getTime() - last.finishedAt.getTime()) / 1_000,
  );
  gauge('gateway_backup_bytes', 'Size of the last backup that was made with `backup`.', 'max', (last) =>
    last ? Number(last.bytes) : undefined,
  );
}

/**
 * Measures the replica: its lag, and whether this process reads from it. Each process decides that by itself.
 */
export function measureReplica(replica: Pick<Replica, 'lag' | 'isUsed'>, registers: Registry[]): void {
  new Gauge({
    name: 'gateway_replica_lag_seconds',
    help: 'Upper bound for how many seconds of commits the replica lacks; no sample while it is away.',
    registers,
    collect() {
      const lag = replica.lag();
      if (lag === undefined) this.remove();
      else this.set(lag / 1_000);
    },
  });
  new Gauge({
    name: 'gateway_replica_used',
    help: '1 while reads use the replica, 0 while it is away or too far behind.',
    registers,
    collect() {
      this.set(replica.isUsed() ? 1 : 0);
    },
  });
}

/** Measures a process's connections. */
export function measureConnections(
  { database, poolSize }: DatabaseMetricsOptions,
  registers: Registry[],
): void {
  new Gauge({
    name: 'gateway_database_connections',
    help: 'Open connections of the pool, by state (idle or busy).',
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
    help: 'Maximum number of connections of the pool.',
    registers,
  }).set(poolSize);
  new Gauge({
    name: 'gateway_database_waiting',
    help: 'Statements and transactions waiting for a connection of the pool.',
    registers,
    collect() {
      this.set(database.connections().waiting);
    },
  });
}
