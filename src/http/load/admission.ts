import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { GatewayError } from '../../domain/errors.js';
import {
  type AdmissionLimits,
  AdmissionQueue,
  type AdmissionSlot,
  ShedRecord,
  type WorkKind,
} from '../../domain/load/admission.js';
import { errorResponse, graphqlErrorResponse } from '../../web/errors.js';
import { alwaysSent, prefersProblem, problemMediaType, type TextResponse } from '../../web/response.js';
import { lingerOn, onHangUp } from '../connections/connections.js';

/** Milliseconds that a body may pause before its request gives up its slot. */
const slowCallerMs = 250;

/** One request or WebSocket operation on its way through admission control. */
export interface Permit {
  /**
   * Waits for its turn.
   * @throws GatewayError UNAVAILABLE if that takes too long
   */
  turn(): Promise<void>;
  /** Waits for a part of the body. A client that is slow to send it gives up its slot meanwhile. */
  whileReceiving<T>(received: Promise<T>): Promise<T>;
  /** Ends the visit: its work is done, or nobody waits for it any more. */
  end(): void;
}

/** A visit that may have to wait. */
class QueuedVisit implements Permit {
  readonly #queue: AdmissionQueue;
  readonly #kind: WorkKind;
  /** Counts that the request has waited for too long, and returns its error. */
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
    if (place === 'gone') throw new GatewayError('BAD_REQUEST', 'The caller did not wait for the response.');
    this.#place = place;
  }

  async whileReceiving<T>(received: Promise<T>): Promise<T> {
    let late: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // Check only after received data has been read, because on a busy process the timer fires first.
      late = setImmediate(() => this.#place?.leave());
    }, slowCallerMs);
    try {
      return await received;
    } finally {
      clearTimeout(timer);
      clearImmediate(late);
      if (!this.#ended && this.#place?.isLeft) this.#place = this.#queue.takeAgain();
    }
  }

  /** Stops waiting. Work that has begun keeps its slot until its end. */
  giveUp(): void {
    this.#leaveQueue?.();
  }

  end(): void {
    this.#ended = true;
    this.#place?.leave();
  }
}

/** The visit of requests that are always admitted. */
export const unlimited: Permit = {
  turn: async () => {},
  whileReceiving: (received) => received,
  end: () => {},
};

/** Bytes of a refused body that are read and dropped to keep the connection open. */
const maxDrainedBytes = 64 * 1024;

/** An answer that is prepared in advance. */
interface PreparedAnswer {
  readonly head: readonly string[];
  readonly body: Buffer;
}

function prepareAnswer({ headers, body }: TextResponse): PreparedAnswer {
  const bytes = Buffer.from(body ?? '');
  const head = { ...alwaysSent, ...headers, 'Content-Length': String(bytes.length) };
  return { head: Object.entries(head).flat(), body: bytes };
}

/** A refusal, prepared in the formats of both APIs. */
interface PreparedRefusal {
  readonly error: GatewayError;
  readonly rest: PreparedAnswer;
  readonly problem: PreparedAnswer;
  readonly graphql: PreparedAnswer;
}

function prepareRefusal(seconds: number): PreparedRefusal {
  const headers = { 'Retry-After': String(seconds) };
  const error = new GatewayError('UNAVAILABLE', 'The gateway is overloaded; try again.', { headers });
  const graphql = graphqlErrorResponse(error, 'application/json');
  return {
    error,
    rest: prepareAnswer(errorResponse(error)),
    problem: prepareAnswer(errorResponse(error, { accept: problemMediaType })),
    graphql: prepareAnswer(graphql),
  };
}

/** Callers get different retry times, so that they do not all come back at once. */
const firstRefusal = prepareRefusal(1);
const refusals = [firstRefusal, prepareRefusal(2), prepareRefusal(3)];

/**
 * Picks the prepared 503 of the n-th shed request. They alternate, so that callers wait for different times.
 */
const refusalFor = (shed: number): PreparedRefusal => refusals[shed % refusals.length] ?? firstRefusal;

/** Answers a shed request with 503. Only its head is read, which keeps this cheap. */
function answerShed(
  request: IncomingMessage,
  response: ServerResponse,
  door: string,
  { rest, problem, graphql }: PreparedRefusal,
): void {
  // Node builds `headers` on first access, which takes longer than all the rest.
  const accept = request.rawHeaders.find((_, at, raw) => at % 2 === 1 && /^accept$/i.test(raw[at - 1] ?? ''));
  const formatted = prefersProblem(accept ?? null) ? problem : rest;
  const { head, body } = door === 'graphql' ? graphql : formatted;
  // Skip GET, for the same reason.
  const closing = request.method !== 'GET' && hasLargeBody(request) ? ['Connection', 'close'] : [];
  if (closing.length > 0) lingerOn(request.socket);
  response.writeHead(503, [...head, 'X-Request-Id', randomUUID(), ...closing]).end(body);
}

/** Recognizes a large body, or one whose caller waits for `100 Continue`. */
function hasLargeBody({ headers }: IncomingMessage): boolean {
  if (headers.expect !== undefined) return true;
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxDrainedBytes
  );
}

/** Turns of the event loop between two requests while new connections arrive. */
const turnsToAccept = 4;

/**
 * Starts waiting requests, at most one per turn of the event loop. Node.js 20 accepts one connection per turn
 * (libuv 1.46), so turns must be short: a connection still in the system's queue can be neither seen nor
 * refused.
 */
export class StartScheduler {
  readonly #next: () => boolean;
  #isUnderWay = false;
  #accepted = false;
  #turnsLeft = turnsToAccept;

  /** @param next starts one request; returns whether another one is waiting */
  constructor(next: () => boolean) {
    this.#next = next;
  }

  /** Notes that a connection was accepted in this turn, so more may be waiting. */
  noteConnection(): void {
    this.#accepted = true;
  }

  /** Begins to start waiting requests with the next turn. */
  begin(): void {
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    this.#accepted = false;
    this.#turnsLeft = turnsToAccept;
    setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    if (this.#accepted && this.#turnsLeft > 0) {
      this.#accepted = false;
      this.#turnsLeft -= 1;
      setImmediate(this.#turn);
      return;
    }
    this.#isUnderWay = false;
    if (this.#next()) this.begin();
  };
}

/** The parts of a routed request that decide whether it is admitted. */
interface Arriving {
  readonly incoming: { readonly method: string };
  readonly handler: { readonly work?: WorkKind | 'unhindered' } | undefined;
  readonly place: { readonly door: string };
}

/** Admission control of a process. It bounds how long requests wait, and sheds the rest (load shedding). */
export interface Admission {
  /** Admits a request, or sheds it with 503 and returns undefined. */
  request(request: IncomingMessage, response: ServerResponse, routed: Arriving): Permit | undefined;
  /**
   * Admits an operation that came over a WebSocket.
   * @throws GatewayError UNAVAILABLE
   */
  operation(): Permit;
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

interface AdmissionOptions {
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
  const starts = new StartScheduler(() => queue.serve());
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
      if (kind === undefined) return unlimited;
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
