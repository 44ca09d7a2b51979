import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Replica } from '../../db/connection/read-source.js';
import { paths } from '../../domain/doors/paths.js';
import { type OnStage, type StagedDoor, stageNames } from '../../domain/doors/stages.js';
import { errorKinds } from '../../domain/errors.js';
import type { ClockProblem } from '../../domain/load/clocks.js';
import type { OnTried } from '../../domain/uploads/upload.js';
import type { MailingEvents } from '../../reminders/mailing.js';
import { version } from '../../version.js';
import type { MessageEvents } from '../../webhooks/send/sending.js';
import type { Answered, Ended, OnAnswered, OnOperated } from '../answers/answered.js';
import type { IssuerFailure } from '../auth/issuer-keys.js';
import type { LimitName } from '../auth/rate-limit.js';
import type { ConnectionEvents, ConnectionTable } from '../connections/connections.js';
import type { Admission } from '../load/admission.js';
import type { MemoryBudget } from '../load/memory-budget.js';
import type { RequestedEndpoint } from '../routing/exchange.js';
import {
  measureAdmission,
  measureFiling,
  measureIssuer,
  measureLimits,
  measureMemory,
  measureOpen,
} from './connection-metrics.js';
import {
  type DatabaseMetricsOptions,
  measureBackups,
  measureConnections,
  measureQueue,
  measureReplica,
} from './database-metrics.js';
import type { Measured } from './exposition.js';
import { measureFiles } from './file-metrics.js';
import { processMetrics } from './process-metrics.js';
import { measureMailing, measureReminders, measureWorkers } from './reminder-metrics.js';

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
  readonly onAnswered: OnAnswered;
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
    onAnswered(answered: Answered) {
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
  const process = processMetrics();
  return {
    own,
    clockProblem: () => clockProblem,
    workerEvents: { onTried: measureFiling([own]), onClock, ...mailing },
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
