import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { type AdmissionLimits, AdmissionQueue, type WorkKind } from '../../domain/load/admission.js';
import { ShedRecord } from '../../domain/load/shed-record.js';
import { onHangUp } from '../connections/hang-up.js';
import { Starts } from '../connections/starts.js';
import { answerShed, type PreparedRefusal, refusalFor } from './shed-answer.js';
import { QueuedVisit, unhindered, type Visit } from './visit.js';

/** The parts of a routed request that decide whether it is admitted. */
export interface Arriving {
  readonly incoming: { readonly method: string };
  readonly handler: { readonly work?: WorkKind | 'unhindered' } | undefined;
  readonly place: { readonly door: string };
}

/** Admission control of a process. It bounds how long requests wait, and sheds the rest (load shedding). */
export interface Admission {
  /** Admits a request, or sheds it with 503 and returns undefined. */
  request(request: IncomingMessage, response: ServerResponse, routed: Arriving): Visit | undefined;
  /**
   * Admits an operation that came over a WebSocket.
   * @throws GatewayError UNAVAILABLE
   */
  operation(): Visit;
  /** Records that a connection was accepted. */
  accept(): void;
  /**
   * Returns whether most requests of the last seconds met an overload. Load balancers should then stop
   * sending more.
   */
  isOverloaded(): boolean;
  /** Returns how many requests have been shed so far, are running, and are waiting. */
  counts(): { readonly shed: number; readonly running: number; readonly waiting: number };
  close(): void;
}

export interface AdmissionOptions {
  readonly log: Logger;
  /** Returns elapsed milliseconds of a monotonic clock. */
  readonly uptime: () => number;
  /** Number of database connections. At least as many requests run at once. */
  readonly poolSize: number;
  /** Lets pages of other origins read an answer (cors.ts); undefined if no origins are allowed. */
  readonly cors?: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  readonly limits?: Partial<AdmissionLimits> | undefined;
}

/** The default limits. Even with twice this patience and service time, no request takes five seconds. */
const defaultLimits = {
  patience: { ordinary: 750, upload: 2_000 },
  service: 250,
  lease: 30_000,
};

/**
 * The most requests that run at once. Running more would slow down each of them without gaining throughput.
 */
const maxRunningRequests = 64;

/** Milliseconds between sweeps of the queue, and between log lines. */
const intervals = { sweep: 100, log: 10_000 };

/** Classifies the work of a request; undefined for a request that is never shed. */
function classifyWork({ handler, incoming: { method } }: Arriving): WorkKind | undefined {
  // A CORS preflight costs no more than refusing it.
  if (method === 'OPTIONS') return undefined;
  const work = handler?.work ?? 'ordinary';
  return work === 'unhindered' ? undefined : work;
}

/** Creates the admission control of a process. */
export function createAdmission({ log, uptime, poolSize, cors, limits }: AdmissionOptions): Admission {
  const width = { least: Math.min(poolSize, maxRunningRequests), most: maxRunningRequests };
  const starts = new Starts(() => queue.serve());
  const queue = new AdmissionQueue({ width, ...defaultLimits, ...limits }, uptime, () => starts.begin());
  const record = new ShedRecord(uptime);
  let shedSoFar = 0;
  let logAgainAt = Number.NEGATIVE_INFINITY;
  const sweeping = setInterval(() => queue.sweep(), intervals.sweep).unref();

  /** Counts a shed request, and returns its refusal. */
  function nextRefusal(): PreparedRefusal {
    shedSoFar += 1;
    record.shed();
    if (uptime() >= logAgainAt) {
      logAgainAt = uptime() + intervals.log;
      log.warn({ shed: shedSoFar, waiting: queue.waiting }, 'Requests are shed: the gateway is overloaded');
    }
    return refusalFor(shedSoFar);
  }
  const noteShed = () => nextRefusal().error;

  return {
    request(request, response, routed) {
      const kind = classifyWork(routed);
      if (kind === undefined) return unhindered;
      if (queue.isTooLong(kind)) {
        // Without CORS headers, no page could read the refusal.
        cors?.(request, response);
        return void answerShed(request, response, routed.place.door, nextRefusal());
      }
      const visit = new QueuedVisit(queue, kind, noteShed);
      record.admit();
      response.once('close', () => visit.giveUp());
      onHangUp(response, () => visit.giveUp());
      return visit;
    },
    operation() {
      if (queue.isTooLong('ordinary')) throw noteShed();
      record.admit();
      return new QueuedVisit(queue, 'ordinary', noteShed);
    },
    accept: () => starts.noteConnection(),
    isOverloaded: () => record.isLasting,
    counts: () => ({ shed: shedSoFar, running: queue.running, waiting: queue.waiting }),
    close: () => clearInterval(sweeping),
  };
}
