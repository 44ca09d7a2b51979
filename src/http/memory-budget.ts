import { GatewayError } from '../domain/errors.js';

/** The bytes that a process may hold for requests, and how long a request waits for its part. */
export interface MemoryBudgetOptions {
  /** Bytes at most. */
  readonly limit: number;
  /** Milliseconds that a request waits for bytes that others hold. */
  readonly patience?: number;
}

/** The kinds of memory that requests hold, as the metrics tell them apart. */
export const heldKinds = ['body', 'answer', 'stream'] as const;
/** One of them. */
export type HeldKind = (typeof heldKinds)[number];

/** Milliseconds that a request waits by default: some thirty uploads of the largest size take as long. */
const usualPatience = 20_000;

/** The part of the budget that one caller may hold: others always find room. */
const share = 1 / 4;

/** Bytes that one caller may hold however small the budget is: one upload of the largest size, and what is around it. */
const leastShare = 72 * 1024 * 1024;

/** Requests that wait at most; who comes later is refused at once. */
const mostWaiting = 1_000;

/** A request that waits for its bytes. */
interface Waiting {
  readonly hold: MemoryHold;
  readonly bytes: number;
  readonly kind: HeldKind;
  readonly resolve: () => void;
}

/** The refusal of a request that there is no memory for now. */
function noRoom(): GatewayError {
  return new GatewayError('UNAVAILABLE', 'The service holds as much as it can; try again.', {
    headers: { 'Retry-After': '2' },
  });
}

/**
 * Bounds the memory that all requests of a process hold together: bodies, answers, unsent streams.
 *
 * One caller may hold a quarter of it. Who finds no room waits, in the order of coming, and is refused with 503 when
 * that takes too long. Sizes are counted, not measured: garbage that is not collected yet comes on top.
 */
export class MemoryBudget {
  readonly limit: number;
  /** Bytes that one caller may hold. */
  readonly ofCaller: number;
  readonly #patience: number;
  readonly #heldBy = new Map<string, number>();
  readonly #held: Record<HeldKind, number> = { body: 0, answer: 0, stream: 0 };
  readonly #waiting = new Set<Waiting>();
  #total = 0;
  #refused = 0;

  constructor({ limit, patience = usualPatience }: MemoryBudgetOptions) {
    this.limit = limit;
    this.#patience = patience;
    this.ofCaller = Math.max(limit * share, Math.min(limit, leastShare));
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

  /** Takes bytes, whatever the limits are. */
  take({ caller }: MemoryHold, bytes: number, kind: HeldKind): void {
    this.#total += bytes;
    this.#held[kind] += bytes;
    this.#heldBy.set(caller, (this.#heldBy.get(caller) ?? 0) + bytes);
  }

  /** Gives bytes back. */
  release({ caller }: MemoryHold, bytes: number, kind: HeldKind): void {
    this.#total -= bytes;
    this.#held[kind] -= bytes;
    const left = (this.#heldBy.get(caller) ?? 0) - bytes;
    if (left > 0) this.#heldBy.set(caller, left);
    else this.#heldBy.delete(caller);
    this.#serve();
  }

  /** Waits for bytes. @throws GatewayError UNAVAILABLE when they are not there in time */
  wait(hold: MemoryHold, bytes: number, kind: HeldKind): Promise<void> {
    if (bytes > this.ofCaller || this.#waiting.size >= mostWaiting) throw this.refusal();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { hold, bytes, kind, resolve: () => settle(resolve) };
      const settle = (how: () => void) => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        hold.cancel = undefined;
        how();
      };
      const giveUp = (error: () => GatewayError) => {
        settle(() => reject(error()));
        // Those behind it may need less.
        this.#serve();
      };
      const timer = setTimeout(() => giveUp(() => this.refusal()), this.#patience);
      hold.cancel = () => giveUp(noRoom);
      this.#waiting.add(waiting);
    });
  }

  /** Counts a refusal, and makes its error. */
  refusal(): GatewayError {
    this.#refused++;
    return noRoom();
  }

  #fits({ caller }: MemoryHold, bytes: number): boolean {
    return this.#total + bytes <= this.limit && (this.#heldBy.get(caller) ?? 0) + bytes <= this.ofCaller;
  }

  /** Serves those who wait, first come first served; who has as much as one caller may is passed over. */
  #serve(): void {
    for (const waiting of this.#waiting) {
      if (this.#total + waiting.bytes > this.limit) return;
      if (!this.#fits(waiting.hold, waiting.bytes)) continue;
      this.take(waiting.hold, waiting.bytes, waiting.kind);
      waiting.hold.add(waiting.bytes, waiting.kind);
      waiting.resolve();
    }
  }
}

/** The memory that one request holds. */
export class MemoryHold {
  /** Whose bytes they are: a token's id. Set once, before anything is held. */
  caller = '';
  /** Gives up waiting; present while it waits. */
  cancel: (() => void) | undefined;
  readonly #budget: MemoryBudget;
  readonly #held: Record<HeldKind, number> = { body: 0, answer: 0, stream: 0 };
  #isClosed = false;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  /** Bytes that one caller may hold, and so the most that a request may ask for. */
  get most(): number {
    return this.#budget.ofCaller;
  }

  /**
   * Holds more bytes, at once if there is room.
   * @returns undefined when they are held; else a promise of it, which rejects with GatewayError UNAVAILABLE
   * @throws GatewayError UNAVAILABLE when waiting has no end
   */
  grow(bytes: number, kind: HeldKind): Promise<void> | undefined {
    if (this.tryGrow(bytes, kind)) return undefined;
    return this.#budget.wait(this, bytes, kind);
  }

  /** Holds more bytes if there is room for them now. */
  tryGrow(bytes: number, kind: HeldKind): boolean {
    if (this.#isClosed) return true;
    if (!this.#budget.tryTake(this, bytes, kind)) return false;
    this.add(bytes, kind);
    return true;
  }

  /** Holds more bytes, room or not: for what is there already and must be sent. */
  force(bytes: number, kind: HeldKind): void {
    if (this.#isClosed) return;
    this.#budget.take(this, bytes, kind);
    this.add(bytes, kind);
  }

  /** Gives bytes back. */
  shrink(bytes: number, kind: HeldKind): void {
    if (this.#isClosed) return;
    this.#held[kind] -= bytes;
    this.#budget.release(this, bytes, kind);
  }

  /** Gives all bytes of a kind back. */
  drop(kind: HeldKind): void {
    if (this.#held[kind] > 0) this.shrink(this.#held[kind], kind);
  }

  /** Notes bytes that the budget has given. */
  add(bytes: number, kind: HeldKind): void {
    this.#held[kind] += bytes;
  }

  /** Gives all bytes back, for good. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.cancel?.();
    for (const kind of heldKinds) {
      if (this.#held[kind] > 0) this.#budget.release(this, this.#held[kind], kind);
    }
  }

  /** Counts a refusal for want of room, and makes its error. */
  refusal(): GatewayError {
    return this.#budget.refusal();
  }
}
