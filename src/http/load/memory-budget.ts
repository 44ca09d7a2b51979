import { GatewayError } from '../../domain/errors.js';
import { type HeldKind, MemoryHold, type SharedBudget } from './memory-hold.js';
import { Receiving } from './receiving.js';

export interface MemoryBudgetOptions {
  /** Maximum bytes in total. */
  readonly limit: number;
  /** Milliseconds that a request waits for bytes that others hold. */
  readonly maxWaitMs?: number;
  /** Returns the milliseconds by which late bodies are recognized. */
  readonly uptime?: () => number;
}

/** Default milliseconds that a request waits for memory. Thirty of the largest uploads take about as long. */
const defaultMaxWaitMs = 20_000;

/** Share of the budget that one caller may hold, so that others always find room. */
const callerShare = 1 / 4;

/**
 * Bytes that one caller may hold at least, whatever the budget. It fits one largest upload with its overhead.
 */
const minCallerShareBytes = 72 * 1024 * 1024;

/** The most requests that may wait. Any further request is refused at once. */
const maxWaitingRequests = 1_000;

/** Milliseconds between checks for late bodies while a request waits. */
const lateCheckIntervalMs = 250;

interface Waiting {
  readonly hold: MemoryHold;
  readonly bytes: number;
  readonly kind: HeldKind;
  readonly resolve: () => void;
}

/** Creates the 503 for a request that finds no memory. */
function outOfMemory(): GatewayError {
  return new GatewayError('UNAVAILABLE', 'The service has no memory left for this request; try again.', {
    headers: { 'Retry-After': '2' },
  });
}

/**
 * Bounds the memory that all requests of a process hold together: bodies, answers, unsent streams.
 *
 * One caller may hold a quarter of it. A request that finds no room waits its turn, first come, first served,
 * and is refused with 503 if that takes too long. Late bodies (receiving.ts) are given up for it. Sizes are
 * counted, not measured: garbage that has not been collected yet comes on top.
 */
export class MemoryBudget implements SharedBudget {
  readonly limit: number;
  readonly ofCaller: number;
  readonly #maxWaitMs: number;
  readonly #heldBy = new Map<string, number>();
  readonly #held: Record<HeldKind, number> = { body: 0, answer: 0, stream: 0 };
  readonly #waiting = new Set<Waiting>();
  readonly receiving: Receiving;
  #looking: NodeJS.Timeout | undefined;
  #total = 0;
  #refused = 0;

  constructor({
    limit,
    maxWaitMs = defaultMaxWaitMs,
    uptime = () => performance.now(),
  }: MemoryBudgetOptions) {
    this.limit = limit;
    this.#maxWaitMs = maxWaitMs;
    this.ofCaller = Math.max(limit * callerShare, Math.min(limit, minCallerShareBytes));
    this.receiving = new Receiving({ all: limit, ofCaller: this.ofCaller }, uptime);
  }

  /** Bytes held now, by kind. */
  get held(): Readonly<Record<HeldKind, number>> {
    return this.#held;
  }

  /** Requests refused for lack of memory since the start. */
  get refused(): number {
    return this.#refused;
  }

  /** Opens the account of one request, which holds nothing at first. */
  open(): MemoryHold {
    return new MemoryHold(this);
  }

  /** Takes bytes if there is room. Small requests may overtake large ones that are waiting. */
  tryTake(hold: MemoryHold, bytes: number, kind: HeldKind): boolean {
    if (!this.#fits(hold, bytes)) return false;
    this.take(hold, bytes, kind);
    return true;
  }

  take({ caller }: MemoryHold, bytes: number, kind: HeldKind): void {
    this.#total += bytes;
    this.#held[kind] += bytes;
    this.#heldBy.set(caller, (this.#heldBy.get(caller) ?? 0) + bytes);
  }

  release({ caller }: MemoryHold, bytes: number, kind: HeldKind): void {
    this.#total -= bytes;
    this.#held[kind] -= bytes;
    const left = (this.#heldBy.get(caller) ?? 0) - bytes;
    if (left > 0) this.#heldBy.set(caller, left);
    else this.#heldBy.delete(caller);
    this.serve();
  }

  wait(hold: MemoryHold, bytes: number, kind: HeldKind): Promise<void> {
    if (bytes > this.ofCaller || this.#waiting.size >= maxWaitingRequests) throw this.refusal();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { hold, bytes, kind, resolve: () => settle(resolve) };
      const settle = (how: () => void) => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        hold.cancel = undefined;
        if (this.#waiting.size === 0) this.#stopLooking();
        how();
      };
      const giveUp = (error: () => GatewayError) => settle(() => reject(error()));
      const timer = setTimeout(() => giveUp(() => this.refusal()), this.#maxWaitMs);
      hold.cancel = () => giveUp(outOfMemory);
      this.#waiting.add(waiting);
      // Check only after received data has been read, because on a busy process the timer fires first.
      this.#looking ??= setInterval(
        () => setImmediate(() => this.#giveUpLate()),
        lateCheckIntervalMs,
      ).unref();
    });
  }

  refusal(): GatewayError {
    this.#refused++;
    return outOfMemory();
  }

  /** Returns whether the caller's share and the whole budget have room for the bytes. */
  #roomFor({ caller, body }: MemoryHold, bytes: number): { readonly own: boolean; readonly all: boolean } {
    const leaves = body ? this.receiving.leavesEnough(body, bytes) : { own: true, all: true };
    return {
      own: leaves.own && (this.#heldBy.get(caller) ?? 0) + bytes <= this.ofCaller,
      all: leaves.all && this.#total + bytes <= this.limit,
    };
  }

  #fits(hold: MemoryHold, bytes: number): boolean {
    const { own, all } = this.#roomFor(hold, bytes);
    return own && all;
  }

  /** Serves waiting requests for which there is room, first come, first served. */
  serve(): void {
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting.hold, waiting.bytes)) continue;
      this.take(waiting.hold, waiting.bytes, waiting.kind);
      waiting.hold.add(waiting.bytes, waiting.kind);
      waiting.resolve();
    }
  }

  /** Gives up late bodies until nobody waits for their memory. */
  #giveUpLate(): void {
    const waiting = [...this.#waiting].map(({ hold, bytes }) => ({ hold, room: this.#roomFor(hold, bytes) }));
    const callers = new Set(waiting.filter(({ room }) => !room.own).map(({ hold }) => hold.caller));
    const isTight = waiting.some(({ room }) => !room.all);
    for (const body of this.receiving.late()) {
      if (this.#waiting.size === 0) return;
      if (isTight || callers.has(body.caller)) body.giveUp();
    }
  }

  #stopLooking(): void {
    clearInterval(this.#looking);
    this.#looking = undefined;
  }
}
