import { setTimeout as after } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { lastBackupOf } from '../../db/backup/last-backup.js';
import type { Database, Replica } from '../../db/connection/database.js';
import { failureReasons, storeOperations } from '../../db/files/store.js';
import { paths } from '../../domain/doors/paths.js';
import { type OnStage, type StagedDoor, stageNames } from '../../domain/doors/stages.js';
import { errorKinds } from '../../domain/errors.js';
import type { ClockProblem } from '../../domain/load/clocks.js';
import type { WorkersState } from '../../domain/reminders/reasons.js';
import { type OnTried, outcomes } from '../../domain/uploads/upload.js';
import { readWorkers } from '../../reminders/health.js';
import { isMailStored } from '../../reminders/mail-server.js';
import { deliveryOutcomes, type MailingEvents } from '../../reminders/reminder-worker.js';
import { type RemindersState, remindersState } from '../../reminders/send/queue.js';
import { type QueueState, queueState } from '../../uploads/queue.js';
import { version } from '../../version.js';
import { type MessageEvents, messageOutcomes } from '../../webhooks/send/sender.js';
import { type IssuerFailure, issuerFailures } from '../auth/issuer.js';
import { type LimitName, limitNames } from '../auth/rate-limit.js';
import type { ConnectionEvents, ConnectionTable } from '../connections/connections.js';
import type { Admission } from '../load/admission.js';
import { heldKinds, type MemoryBudget } from '../load/memory.js';
import type { Ended, EndedRequest, OnEnded, OnOperated } from '../responses/request-log.js';
import type { RequestedEndpoint } from '../routing/endpoint.js';
import type { Measured } from './exposition.js';
import { processMetrics } from './process-metrics.js';

/** Counts requests that a rate limit refuses (429), by limit. Returns the counter's listener. */
function measureLimits(registers: Registry[]): (limit: LimitName) => void {
  const limited = new Counter({
    name: 'gateway_rate_limited_total',
    help: 'Requests and operations refused with 429, by the limit that was exceeded.',
    labelNames: ['limit'],
    registers,
  });
  // A counter that first appears with the value 1 hides the first refusal from `rate`.
  for (const limit of limitNames) limited.inc({ limit }, 0);
  return (limit) => limited.inc({ limit });
}

/** Counts failures of the OpenID Connect issuer by kind. Returns the counter's listener. */
function measureIssuer(registers: Registry[]): (reason: IssuerFailure) => void {
  const failures = new Counter({
    name: 'gateway_issuer_failures_total',
    help: 'Failed attempts to fetch or use the keys of OIDC_ISSUER, by reason.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of issuerFailures) failures.inc({ reason }, 0);
  return (reason) => failures.inc({ reason });
}

/**
 * Measures admission control for Prometheus: running, waiting and shed requests. Counts are read at each
 * scrape, so that shedding a request costs nothing more.
 */
function measureAdmission(counts: Admission['counts'], memory: MemoryBudget, registers: Registry[]): void {
  const counted = { overload: 0, memory: 0 };
  new Counter({
    name: 'gateway_shed_requests_total',
    help: 'Requests refused with 503 because of overload, or because memory (MEMORY_BUDGET) ran out.',
    labelNames: ['reason'],
    registers,
    collect() {
      const shed = { overload: counts().shed, memory: memory.refused };
      for (const reason of ['overload', 'memory'] as const) {
        this.inc({ reason }, shed[reason] - counted[reason]);
        counted[reason] = shed[reason];
      }
    },
  });
  new Gauge({
    name: 'gateway_running_requests',
    help: 'Requests in progress.',
    registers,
    collect() {
      this.set(counts().running);
    },
  });
  new Gauge({
    name: 'gateway_waiting_requests',
    help: 'Requests waiting for their turn.',
    registers,
    collect() {
      this.set(counts().waiting);
    },
  });
}

/** Measures the memory that requests hold, for Prometheus. */
function measureMemory(memory: MemoryBudget, registers: Registry[]): void {
  new Gauge({
    name: 'gateway_memory_held_bytes',
    help: 'Memory held by requests, by kind: request bodies, responses, and unread events of streams.',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const kind of heldKinds) this.set({ kind }, memory.held[kind]);
    },
  });
  new Gauge({
    name: 'gateway_memory_budget_bytes',
    help: 'Memory that all requests together may hold (MEMORY_BUDGET).',
    registers,
  }).set(memory.limit);
}

/**
 * Histogram buckets in seconds. An upload takes milliseconds, a minute to fetch a file, ten seconds to read
 * it.
 */
const connectionBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Measures how uploads are filed. */
function measureFiling(registers: Registry[]): OnTried {
  const durations = new Histogram({
    name: 'gateway_upload_filing_duration_seconds',
    help: 'Duration of an attempt to file an upload, including its file, by outcome.',
    labelNames: ['outcome'],
    buckets: connectionBuckets,
    registers,
  });
  // A counter that first appears with the value 1 hides the first failure from `rate`.
  for (const outcome of outcomes) durations.zero({ outcome });
  return (outcome, ms) => durations.observe({ outcome }, ms / 1_000);
}

/** Measures the connections of clients: open, refused and evicted ones. */
function measureOpen(states: ConnectionTable['states'], registers: Registry[]): ConnectionEvents {
  new Gauge({
    name: 'gateway_connections_open',
    help: 'Open client connections, by state; the reserve for health checks is counted separately.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(states())) this.set({ state }, count);
    },
  });
  const refused = new Counter({
    name: 'gateway_connections_refused_total',
    help: 'New connections that were closed because all others of the address or process were busy, or because they sent too many requests ahead.',
    labelNames: ['reason'],
    registers,
  });
  const evicted = new Counter({
    name: 'gateway_connections_evicted_total',
    help: 'Connections without a request that were closed to make room for new ones, by limit and state.',
    labelNames: ['reason', 'state'],
    registers,
  });
  // A counter that first appears with the value 1 hides the first event from `rate`.
  for (const reason of ['address', 'process', 'pipelined']) refused.inc({ reason }, 0);
  for (const reason of ['address', 'process', 'reserve']) {
    for (const state of ['head', 'idle']) evicted.inc({ reason, state }, 0);
  }
  return {
    onRefused: (reason) => refused.inc({ reason }),
    onEvicted: (reason, _address, state) => evicted.inc({ reason, state }),
    onOverrun: () => refused.inc({ reason: 'pipelined' }),
  };
}

interface DatabaseMetricsOptions {
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
function sharedGauges<State>(ask: () => Promise<State>, registers: Registry[]) {
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
function measureQueue({ database, clock }: DatabaseMetricsOptions, registers: Registry[]): void {
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
function measureBackups({ database, clock }: DatabaseMetricsOptions, registers: Registry[]): void {
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
function measureReplica(replica: Pick<Replica, 'lag' | 'isUsed'>, registers: Registry[]): void {
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
function measureConnections({ database, poolSize }: DatabaseMetricsOptions, registers: Registry[]): void {
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

/** Counts files that could not be read, stored or removed. Counts are read at each scrape. */
function measureFiles({ files }: Pick<Database, 'files'>, registers: Registry[]): void {
  const counted = storeOperations.flatMap((operation) =>
    failureReasons.map((reason) => ({ operation, reason, count: 0 })),
  );
  new Counter({
    name: 'gateway_file_failures_total',
    help: 'Files that could not be read, stored or removed, by reason.',
    labelNames: ['operation', 'reason'],
    registers,
    collect() {
      for (const kind of counted) {
        const { operation, reason } = kind;
        const now = files.failures(operation, reason);
        this.inc({ operation, reason }, now - kind.count);
        kind.count = now;
      }
    },
  });
}

/** Measures the workers that run, and whether they have a mail server. These metrics do not need mail. */
function measureWorkers(
  { database, clock, hasMail }: Pick<DatabaseMetricsOptions, 'database' | 'clock' | 'hasMail'>,
  registers: Registry[],
): void {
  const { gauge } = sharedGauges<WorkersState>(() => readWorkers(database, clock()), registers);
  gauge(
    'gateway_workers_running',
    'Workers in all processes that have reported within the last minute. They file uploads and send reminders.',
    'min',
    (state) => state?.running,
  );
  gauge(
    'gateway_database_silent',
    'Whether the database was restored and nothing is sent, until somebody says that it is the real one.',
    'max',
    (state) => state && (state.isSilent ? 1 : 0),
  );
  gauge(
    'gateway_mail_configured',
    'Whether a running worker has a mail server (SMTP_URL); without one, no reminder is decided or sent.',
    'min',
    (state) => ((state?.hasMail ?? hasMail) ? 1 : 0),
  );
  gauge(
    'gateway_reminders_decided_age_seconds',
    'Time since a worker last looked for reminders that are due; no sample if none has.',
    'max',
    (state) => state?.decidedAt && Math.max(0, clock().getTime() - state.decidedAt.getTime()) / 1_000,
  );
}

/**
 * Measures the queue of mails, and whether reminders are decided on time. All processes read the same values.
 */
function measureReminders(
  { database, clock, hasMail }: Pick<DatabaseMetricsOptions, 'database' | 'clock' | 'hasMail'>,
  registers: Registry[],
): void {
  // Without a mail server nothing is decided or sent, and how late that is means nothing.
  const read = async () =>
    hasMail || (await isMailStored(database)) ? remindersState(database, clock()) : undefined;
  const { gauge } = sharedGauges<RemindersState | undefined>(read, registers);
  gauge(
    'gateway_deliveries_queue',
    'Mails waiting to be sent or being sent, including digests for later; counted up to 10,000.',
    'max',
    (state) => state?.queued,
  );
  gauge(
    'gateway_mails_refused',
    'Mails waiting because a mail server refused them: for good, or for more than an hour; counted up to 10,000.',
    'max',
    (state) => state?.refused,
  );
  gauge(
    'gateway_reminder_lag_seconds',
    'How late the decision on reminders is, for the workspace that has waited longest; 0 if none is late.',
    'max',
    (state) => state && Math.max(0, state.next ? clock().getTime() - state.next.getTime() : 0) / 1_000,
  );
  gauge(
    'gateway_delivery_oldest_age_seconds',
    'How late the oldest waiting mail is, including retries; 0 if none is late.',
    'max',
    (state) => state && Math.max(0, state.oldest ? clock().getTime() - state.oldest.getTime() : 0) / 1_000,
  );
}

/**
 * Histogram buckets in seconds. A mail server takes a mail within a second, and is given up after half a
 * minute.
 */
const reminderBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Measures a process's decisions about reminders, its mails and its webhook messages. */
function measureMailing(registers: Registry[]): Required<MailingEvents & MessageEvents> {
  const decided = new Counter({
    name: 'gateway_reminders_decided_total',
    help: 'Decided reminders: told (will be sent), skipped (only recorded), or without_recipient.',
    labelNames: ['outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'gateway_delivery_duration_seconds',
    help: 'Duration of an attempt to send a mail, chat or webhook message, by outcome.',
    labelNames: ['kind', 'outcome'],
    buckets: reminderBuckets,
    registers,
  });
  // A counter that first appears with the value 1 hides the first failure from `rate`.
  for (const outcome of ['told', 'skipped', 'without_recipient']) decided.inc({ outcome }, 0);
  for (const outcome of deliveryOutcomes) durations.zero({ kind: 'mail', outcome });
  for (const outcome of deliveryOutcomes) durations.zero({ kind: 'chat', outcome });
  for (const outcome of messageOutcomes) durations.zero({ kind: 'webhook', outcome });
  let isServerUp: boolean | undefined;
  new Gauge({
    name: 'gateway_mail_up',
    help: 'Whether the mail server answers, and has refused no mail since it last accepted one; no sample in a process that sends no mail.',
    registers,
    collect() {
      if (isServerUp === undefined) this.remove();
      else this.set(isServerUp ? 1 : 0);
    },
  });
  return {
    onDecided({ told, skipped, withoutRecipient }) {
      decided.inc({ outcome: 'told' }, told);
      decided.inc({ outcome: 'skipped' }, skipped);
      decided.inc({ outcome: 'without_recipient' }, withoutRecipient);
    },
    onDelivered: (outcome, ms) => durations.observe({ kind: 'mail', outcome }, ms / 1_000),
    onChat: (outcome, ms) => durations.observe({ kind: 'chat', outcome }, ms / 1_000),
    onSent: (outcome, ms) => durations.observe({ kind: 'webhook', outcome }, ms / 1_000),
    onServer(problem) {
      isServerUp = problem === undefined;
    },
  };
}

/** Upper bounds of the histogram's buckets, in seconds. Most stages take microseconds. */
const bounds = [
  0.00001, 0.000025, 0.0001, 0.00025, 0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 1, 2.5, 10,
] as const;

/** Histogram of one stage's durations. */
class Durations {
  /** Counts by the index of the bound; the last one counts everything beyond. */
  readonly counts = new Array<number>(bounds.length + 1).fill(0);
  sum = 0;

  add(seconds: number): void {
    let at = 0;
    while (at < bounds.length && seconds > (bounds[at] as number)) at++;
    this.counts[at] = (this.counts[at] as number) + 1;
    this.sum += seconds;
  }
}

const name = 'gateway_stage_duration_seconds';

/** Builds the histogram samples of one door and stage. Buckets are cumulative. */
function histogramSamples(durations: Durations, labels: { door: string; stage: string }) {
  let below = 0;
  const buckets = [...bounds, '+Inf'].map((le, at) => {
    below += durations.counts[at] as number;
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: below, exemplar: null };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: durations.sum },
    { metricName: `${name}_count`, labels, value: below },
  ];
}

/**
 * Measures how long the stages of requests take. It has counters of its own, because prom-client's histogram
 * takes microseconds to find a label set, and a request has up to ten stages.
 */
function measureStages(registers: readonly Registry[]): OnStage {
  const doors = Object.entries(stageNames).map(
    ([door, stages]) =>
      [door, new Map<string, Durations>(stages.map((stage) => [stage, new Durations()]))] as const,
  );
  const byDoor = Object.fromEntries(doors) as Record<StagedDoor, Map<string, Durations>>;
  const metric = {
    name,
    help: 'Time that each stage of a request took, by door; docs/inside/architecture.md lists the stages.',
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({
      ...head,
      values: doors.flatMap(([door, stages]) =>
        [...stages].flatMap(([stage, durations]) => histogramSamples(durations, { door, stage })),
      ),
    }),
    reset() {},
  };
  const { get: _, reset: __, ...head } = metric;
  // prom-client's types accept only its own classes, but it calls only these members.
  for (const register of registers) register.registerMetric(metric as never);
  return (door, stage, started, ended) => byDoor[door].get(stage)?.add((ended - started) / 1_000);
}

/** Listeners of a worker's work: attempts to file uploads, decisions about reminders, mails. */
export interface WorkerEvents extends MailingEvents, MessageEvents {
  readonly onTried: OnTried;
  /** Called with each difference between clocks, and with undefined when they agree. */
  readonly onClock: (problem: ClockProblem | undefined) => void;
  /** Called with the number of records whose kept compliance was wrong. */
  readonly onDiffering: (count: number) => void;
  /** Called for each record whose compliance could not be evaluated. */
  readonly onUnkept: () => void;
}

/** Metrics of a process that files uploads and sends mail. */
export interface WorkerMetrics {
  /** Counts what a worker does. */
  readonly workerEvents: WorkerEvents;
  /** Returns the difference between clocks for which the worker of this process waits. */
  clockProblem(): ClockProblem | undefined;
  /** Collects all current samples. It never rejects, whatever is unavailable. */
  measure(): Promise<Measured>;
}

/** Metrics of a gateway. */
interface Metrics extends WorkerMetrics, ConnectionEvents {
  /** Counts a request. */
  readonly onAnswered: OnEnded;
  /** Counts the time of a stage. */
  readonly onStage: OnStage;
  /** Counts an operation over a WebSocket. */
  readonly onOperated: OnOperated;
  /** Counts a request that a rate limit refuses. */
  readonly onLimited: (limit: LimitName) => void;
  /** Counts a failure of the issuer; undefined without one. */
  readonly onIssuerFailure: ((reason: IssuerFailure) => void) | undefined;
}

interface MetricsOptions extends DatabaseMetricsOptions {
  /** Returns the number of open streams of live events. */
  readonly streams: () => number;
  /** Its replica, if it has one. */
  readonly replica: Replica | undefined;
  /** True if it accepts tokens of an OpenID Connect issuer. */
  readonly hasIssuer: boolean;
  readonly connections: ConnectionTable['states'];
  readonly admission: Admission['counts'];
  /** The memory that requests hold. */
  readonly memory: MemoryBudget;
}

/**
 * Histogram buckets in seconds. A response takes milliseconds, and after ten seconds a request is given up.
 */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Methods that any endpoint supports; callers may send others. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

type Labels = Pick<RequestedEndpoint, 'door' | 'route'>;

/** Labels of operations over WebSockets. */
const overWebSocket = { door: 'graphql', route: paths.graphql, method: 'websocket' } as const;

function measureRequests(registers: Registry[]): Pick<Metrics, 'onAnswered' | 'onOperated'> {
  const durations = new Histogram({
    name: 'gateway_http_request_duration_seconds',
    help: 'Time from the head of a request, or the start of a WebSocket operation, to the end of its response.',
    labelNames: ['door', 'method', 'route', 'operation', 'status'],
    buckets,
    registers,
  });
  const errors = new Counter({
    name: 'gateway_errors_total',
    help: 'Requests and operations that returned an error, by code; several errors count separately.',
    labelNames: ['door', 'code'],
    registers,
  });
  // A counter that first appears with the value 1 hides the first error from `rate`.
  for (const door of ['rest', 'graphql']) for (const code in errorKinds) errors.inc({ door, code }, 0);
  function observe(labels: Labels & { method: string; status: number | undefined }, of: Ended) {
    const { exchange, ms } = of;
    const { door, method, route = 'none', status } = labels;
    const statusClass = status === undefined ? 'aborted' : `${Math.floor(status / 100)}xx`;
    durations.observe(
      { door, method, route, operation: exchange.operation ?? '', status: statusClass },
      ms / 1_000,
    );
    for (const code of exchange.errors ?? []) errors.inc({ door, code });
  }
  return {
    onAnswered(answered: EndedRequest) {
      const { method, response, exchange } = answered;
      const status = response.headersSent ? response.statusCode : undefined;
      observe({ ...exchange.place, method: methods.has(method) ? method : 'other', status }, answered);
    },
    onOperated(operated) {
      observe({ ...overWebSocket, status: operated.status }, operated);
    },
  };
}

/** Measures the filing of uploads, and the process that does it. */
function measureWorker(options: DatabaseMetricsOptions): WorkerMetrics & { own: Registry } {
  const [own, shared] = [new Registry(), new Registry()];
  measureConnections(options, [own]);
  measureQueue(options, [shared]);
  measureBackups(options, [shared]);
  measureFiles(options.database, [own]);
  const mailing = measureMailing([own]);
  measureWorkers(options, [shared]);
  measureReminders(options, [shared]);
  new Gauge({
    name: 'gateway_build_info',
    help: 'Version of the gateway; the value is always 1.',
    labelNames: ['version'],
    registers: [shared],
    aggregator: 'first',
  }).set({ version }, 1);
  let clockProblem: ClockProblem | undefined;
  new Gauge({
    name: 'gateway_clock_apart_seconds',
    help: 'By how much clocks differ, so that the worker of this process decides and sends nothing; otherwise 0.',
    registers: [own],
    collect() {
      this.set(Math.abs(clockProblem?.ms ?? 0) / 1_000);
    },
  });
  const onClock: WorkerEvents['onClock'] = (problem) => {
    clockProblem = problem;
  };
  const differing = new Counter({
    name: 'gateway_compliance_differing_total',
    help: 'Records whose kept compliance differed from the computed one, in samples. It was mended.',
    registers: [own],
  });
  const unkept = new Counter({
    name: 'gateway_compliance_failures_total',
    help: 'Evaluations of the compliance of a record that failed. Each is tried again a minute later.',
    registers: [own],
  });
  const process = processMetrics();
  return {
    own,
    clockProblem: () => clockProblem,
    workerEvents: {
      ...{ onTried: measureFiling([own]), onClock, ...mailing },
      onDiffering: (count) => differing.inc(count),
      onUnkept: () => unkept.inc(),
    },
    measure: async () => ({
      own: [...(await own.getMetricsAsJSON()), ...(await process.getMetricsAsJSON())],
      shared: await shared.getMetricsAsJSON(),
    }),
  };
}

/** Measures a process that only files uploads and sends mail, for Prometheus. */
export function createWorkerMetrics(options: DatabaseMetricsOptions): WorkerMetrics {
  const { own: _own, ...metrics } = measureWorker(options);
  return metrics;
}

/** Measures a gateway and its process, for Prometheus. */
export function createMetrics(options: MetricsOptions): Metrics {
  const { own, ...worker } = measureWorker(options);
  new Gauge({
    name: 'gateway_live_streams',
    help: 'Open streams of live events.',
    registers: [own],
    collect() {
      this.set(options.streams());
    },
  });
  measureAdmission(options.admission, options.memory, [own]);
  measureMemory(options.memory, [own]);
  if (options.replica) measureReplica(options.replica, [own]);
  return {
    ...measureRequests([own]),
    onStage: measureStages([own]),
    ...measureOpen(options.connections, [own]),
    onLimited: measureLimits([own]),
    onIssuerFailure: options.hasIssuer ? measureIssuer([own]) : undefined,
    ...worker,
  };
}
