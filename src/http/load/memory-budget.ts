import { GatewayError } from '../../domain/errors.js';
import { type HeldKind, MemoryHold, type SharedBudget } from './memory-hold.js';
import { Receiving } from './receiving.js';

export interface MemoryBudgetOptions {
  /** Bytes at most. */
  readonly limit: number;
  /** Milliseconds that a request waits for bytes that others hold. */
  readonly maxWaitMs?: number;
  /** A clock in milliseconds, by which bodies are late. */
  readonly uptime?: () => number;
}

/** Milliseconds that a request waits for memory by default. Thirty of the largest uploads take as long. */
const defaultMaxWaitMs = 20_000;

/** The part of the budget that one caller may hold: others always find room. */
const callerShare = 1 / 4;

/** The least bytes that one caller may hold, whatever the budget. One largest upload fits, and what is around it. */
const minCallerShareBytes = 72 * 1024 * 1024;

/** Requests that wait at most; who comes later is refused at once. */
const maxWaitingRequests = 1_000;

/** Milliseconds between looks for bodies that are late, while somebody waits. */
const lateCheckIntervalMs = 250;

interface Waiting {
  readonly hold: MemoryHold;
  readonly bytes: number;
  readonly kind: HeldKind;
  readonly resolve: () => void;
}

/** Creates the 503 of a request that there is no memory for now. */
function outOfMemory(): GatewayError {
  return new GatewayError('UNAVAILABLE', 'The service holds as much as it can; try again.', {
    headers: { 'Retry-After': '2' },
  });
}

/**
 * Bounds the memory that all requests of a process hold together: bodies, answers, unsent streams.
 *
 * One caller may hold a quarter of it. Who finds no room waits, in the order of coming, and is refused with 503 when
 * that takes too long; bodies that are late (receiving.ts) are given up for it. Sizes are counted, not measured: garbage
 * that is not collected yet comes on top.
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

  /** Bytes that are held now, by kind. */
  get held(): Readonly<Record<HeldKind, number>> {
    return this.#held;
  }

  /** Requests that were refused for want of room since the start. */
  get refused(): number {
    return this.#refused;
  }

  /** Opens the account of one request; nothing is held yet. */
  open(): MemoryHold {
    return new MemoryHold(this);
  }

  /** Takes bytes if there is room. Small requests need not wait for large ones that do. */
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
      // Not before what has come is read: on a busy process a timer goes off first.
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

  /** Says who has room for so many bytes: the request's caller, and all together. */
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

  /** Serves those who wait and for whom there is room, first come first served. */
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
