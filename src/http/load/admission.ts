import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { type AdmissionLimits, AdmissionQueue, type WorkKind } from '../../domain/load/admission.js';
import { ShedRecord } from '../../domain/load/shed-record.js';
import { onHangUp } from '../connections/hang-up.js';
import { Starts } from '../connections/starts.js';
import { answerShed, type PreparedRefusal, refusalFor } from './shed-answer.js';
import { QueuedVisit, unhindered, type Visit } from './visit.js';

/** The part of a routed request that decides if it is let in. */
export interface Arriving {
  readonly incoming: { readonly method: string };
  readonly handler: { readonly work?: WorkKind | 'unhindered' } | undefined;
  readonly place: { readonly door: string };
}

/** Admission control of a process: bounds how long requests wait, and sheds the rest. */
export interface Admission {
  /** Admits a request, or sheds it with 503 and returns undefined. */
  request(request: IncomingMessage, response: ServerResponse, routed: Arriving): Visit | undefined;
  /**
   * Lets an operation over a WebSocket in.
   * @throws GatewayError UNAVAILABLE
   */
  operation(): Visit;
  /** Notes that a connection was accepted. */
  accept(): void;
  /** Returns whether most requests of the last seconds met an overload. Then load balancers should send no more. */
  isOverloaded(): boolean;
  /** Requests that were shed so far, that are worked on, and that wait. */
  counts(): { readonly shed: number; readonly running: number; readonly waiting: number };
  close(): void;
}

export interface AdmissionOptions {
  readonly log: Logger;
  /** Milliseconds that have passed, whatever clocks are set to. */
  readonly uptime: () => number;
  /** Connections to the database: as many requests are worked on at least. */
  readonly poolSize: number;
  /** Lets pages of other origins read an answer (cors.ts); absent when there are none. */
  readonly cors?: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  readonly limits?: Partial<AdmissionLimits> | undefined;
}

/** The usual bounds: with twice its patience and its work, no request takes five seconds. */
const defaultLimits = {
  patience: { ordinary: 750, upload: 2_000 },
  service: 250,
  lease: 30_000,
};

/** The most requests that are worked on at once. More do not make the server faster, but each slower. */
const maxRunningRequests = 64;

/** Milliseconds between sweeps of the queue, and between log lines. */
const intervals = { sweep: 100, log: 10_000 };

/** Classifies the work of a request; undefined for a request that is never shed. */
function classifyWork({ handler, incoming: { method } }: Arriving): WorkKind | undefined {
  // A browser's question whether it may ask; it costs no more than a refusal.
  if (method === 'OPTIONS') return undefined;
  const work = handler?.work ?? 'ordinary';
  return work === 'unhindered' ? undefined : work;
}

/** Makes the admission control of a process. */
export function createAdmission({ log, uptime, poolSize, cors, limits }: AdmissionOptions): Admission {
  const width = { least: Math.min(poolSize, maxRunningRequests), most: maxRunningRequests };
  const starts = new Starts(() => queue.serve());
  const queue = new AdmissionQueue({ width, ...defaultLimits, ...limits }, uptime, () => starts.begin());
  const record = new ShedRecord(uptime);
  let shedSoFar = 0;
  let logAgainAt = Number.NEGATIVE_INFINITY;
  const sweeping = setInterval(() => queue.sweep(), intervals.sweep).unref();

  /** Counts a request that is shed; gives how it is answered. */
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
        // No page could read the answer otherwise.
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
