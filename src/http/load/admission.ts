import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { GatewayError } from '../../domain/errors.js';
import {
  type AdmissionLimits,
  AdmissionQueue,
  type AdmissionSlot,
  type WorkKind,
} from '../../domain/load/admission.js';
import { ShedRecord } from '../../domain/load/shed-record.js';
import type { TextAnswer } from '../../web/answer.js';
import { errorAnswer, graphqlErrorAnswer } from '../../web/errors.js';
import { alwaysSent } from '../../web/headers.js';
import { onHangUp } from '../connections/hang-up.js';
import { lingerOn } from '../connections/linger.js';
import { Starts } from '../connections/starts.js';

/** The part of a routed request that decides if it is let in. */
export interface Arriving {
  readonly incoming: { readonly method: string };
  readonly operation: { readonly work?: WorkKind | 'unhindered' } | undefined;
  readonly place: { readonly door: string };
}

/** One request, or one operation over a WebSocket, on its way through the admission control. */
export interface Visit {
  /**
   * Waits for its turn.
   * @throws GatewayError UNAVAILABLE when that has taken too long
   */
  turn(): Promise<void>;
  /** Waits for a part of the body. A client that is slow to send it gives its place up meanwhile. */
  whileReceiving<T>(received: Promise<T>): Promise<T>;
  /** Ends it: its work is done, or nobody waits for it any more. */
  end(): void;
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

/** Options of the admission control. */
export interface AdmissionOptions {
  readonly log: Logger;
  /** Milliseconds that have passed, whatever clocks are set to. */
  readonly uptime: () => number;
  /** Connections to the database: as many requests are worked on at least. */
  readonly poolSize: number;
  /** Lets pages of other origins read an answer (cors.ts); absent when there are none. */
  readonly cors?: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  /** Other bounds than the usual ones. */
  readonly limits?: Partial<AdmissionLimits> | undefined;
}

/** The usual bounds: with twice its patience and its work, no request takes five seconds. */
const usualLimits = {
  patience: { ordinary: 750, upload: 2_000 },
  service: 250,
  lease: 30_000,
};

/** The most requests that are worked on at once. More do not make the server faster, but each slower. */
const mostAtOnce = 64;

/** Milliseconds between sweeps, until a slow caller gives its place back, between log lines. */
const intervals = { sweep: 100, slowCaller: 250, log: 10_000 };

/** Bytes of a refused body that are read and dropped, to keep the connection. */
const smallBody = 64 * 1024;

/** An answer that is made before anybody needs it. */
interface Prepared {
  readonly head: readonly string[];
  readonly body: Buffer;
}

function prepared({ headers, body }: TextAnswer): Prepared {
  const bytes = Buffer.from(body ?? '');
  const head = { ...alwaysSent, ...headers, 'Content-Length': String(bytes.length) };
  return { head: Object.entries(head).flat(), body: bytes };
}

/** A refusal, prepared in the words of both doors. */
interface Refusal {
  readonly error: GatewayError;
  readonly rest: Prepared;
  readonly graphql: Prepared;
}

function refusalWith(seconds: number): Refusal {
  const headers = { 'Retry-After': String(seconds) };
  const error = new GatewayError('UNAVAILABLE', 'The gateway is overloaded; try again.', { headers });
  const graphql = graphqlErrorAnswer(error, 'application/json');
  return { error, rest: prepared(errorAnswer(error)), graphql: prepared(graphql) };
}

/** Callers are told different times, so that they do not all come back at once. */
const firstRefusal = refusalWith(1);
const refusals = [firstRefusal, refusalWith(2), refusalWith(3)];

/** Answers a shed request with 503. Only its head is read, which keeps this cheap. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { place }: Arriving,
  { rest, graphql }: Refusal,
): void {
  const { head, body } = place.door === 'graphql' ? graphql : rest;
  // Node makes the headers when they are first asked for, which takes longer than all the rest.
  const closing = request.method !== 'GET' && hasLargeBody(request) ? ['Connection', 'close'] : [];
  if (closing.length > 0) lingerOn(request.socket);
  response.writeHead(503, [...head, 'X-Request-Id', randomUUID(), ...closing]).end(body);
}

/** Classifies the work of a request; undefined for a request that is never shed. */
function kindOf({ operation, incoming: { method } }: Arriving): WorkKind | undefined {
  // A browser's question whether it may ask; it costs no more than a refusal.
  if (method === 'OPTIONS') return undefined;
  const work = operation?.work ?? 'ordinary';
  return work === 'unhindered' ? undefined : work;
}

/** Recognizes a large body, or one whose caller waits for `100 Continue`. */
function hasLargeBody({ headers }: IncomingMessage): boolean {
  if (headers.expect !== undefined) return true;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBody;
}

/** A visit that may have to wait. */
class QueuedVisit implements Visit {
  readonly #queue: AdmissionQueue;
  readonly #kind: WorkKind;
  /** Counts that it has waited for too long; gives the error. */
  readonly #onOverdue: () => GatewayError;
  #place: AdmissionSlot | undefined;
  #leaveQueue: (() => void) | undefined;
  #ended = false;

  constructor(queue: AdmissionQueue, kind: WorkKind, onOverdue: () => GatewayError) {
    this.#queue = queue;
    this.#kind = kind;
    this.#onOverdue = onOverdue;
    this.#place = queue.take();
  }

  async turn(): Promise<void> {
    if (this.#place) return;
    const place = await new Promise<AdmissionSlot | 'overdue' | 'gone'>((resolve) => {
      const leave = this.#queue.wait(this.#kind, (given) => resolve(given ?? 'overdue'));
      this.#leaveQueue = () => {
        leave();
        resolve('gone');
      };
    });
    this.#leaveQueue = undefined;
    if (place === 'overdue') throw this.#onOverdue();
    if (place === 'gone') throw new GatewayError('BAD_REQUEST', 'The caller did not wait for the answer.');
    this.#place = place;
  }

  async whileReceiving<T>(received: Promise<T>): Promise<T> {
    let late: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // Not before what has come is read: on a busy process a timer goes off first.
      late = setImmediate(() => this.#place?.leave());
    }, intervals.slowCaller);
    try {
      return await received;
    } finally {
      clearTimeout(timer);
      clearImmediate(late);
      if (!this.#ended && this.#place?.isLeft) this.#place = this.#queue.takeAgain();
    }
  }

  /** Waits no longer; work that has begun holds its place until its end. */
  giveUp(): void {
    this.#leaveQueue?.();
  }

  end(): void {
    this.#ended = true;
    this.#place?.leave();
  }
}

/** The visit of what is let in at any time. */
export const unhindered: Visit = {
  turn: async () => {},
  whileReceiving: (received) => received,
  end: () => {},
};

/** Makes the admission control of a process. */
export function createAdmission({ log, uptime, poolSize, cors, limits }: AdmissionOptions): Admission {
  const width = { least: Math.min(poolSize, mostAtOnce), most: mostAtOnce };
  const starts = new Starts(() => queue.serve());
  const queue = new AdmissionQueue({ width, ...usualLimits, ...limits }, uptime, () => starts.begin());
  const record = new ShedRecord(uptime);
  let shedSoFar = 0;
  let logAgainAt = Number.NEGATIVE_INFINITY;
  const sweeping = setInterval(() => queue.sweep(), intervals.sweep).unref();

  /** Counts a request that is shed; gives how it is answered. */
  function nextRefusal(): Refusal {
    shedSoFar += 1;
    record.shed();
    if (uptime() >= logAgainAt) {
      logAgainAt = uptime() + intervals.log;
      log.warn({ shed: shedSoFar, waiting: queue.waiting }, 'Requests are shed: the gateway is overloaded');
    }
    return refusals[shedSoFar % refusals.length] ?? firstRefusal;
  }
  const noteShed = () => nextRefusal().error;

  return {
    request(request, response, routed) {
      const kind = kindOf(routed);
      if (kind === undefined) return unhindered;
      if (queue.isTooLong(kind)) {
        // No page could read the answer otherwise.
        cors?.(request, response);
        return void refuse(request, response, routed, nextRefusal());
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
