import type { GatewayError } from '../../domain/errors.js';
import type { Body, Receiving } from './receiving.js';

/** The kinds of memory that requests hold, as metrics distinguish them. */
export const heldKinds = ['body', 'answer', 'stream'] as const;
export type HeldKind = (typeof heldKinds)[number];

/**
 * Bytes of memory that each byte of a body takes until its request is answered. They are the byte itself, its
 * text, the parsed values, and what is sent to the database.
 */
export const memoryPerBodyByte = 4;

/** The shared budget from which requests take their bytes (memory-budget.ts). */
export interface SharedBudget {
  readonly receiving: Receiving;
  /** Bytes that one caller may hold. */
  readonly ofCaller: number;
  /** Takes bytes if there is room. */
  tryTake(hold: MemoryHold, bytes: number, kind: HeldKind): boolean;
  /** Takes bytes, whatever the limits are. */
  take(hold: MemoryHold, bytes: number, kind: HeldKind): void;
  /** Returns bytes to the budget. */
  release(hold: MemoryHold, bytes: number, kind: HeldKind): void;
  /** Waits for bytes. @throws GatewayError UNAVAILABLE if none become free in time */
  wait(hold: MemoryHold, bytes: number, kind: HeldKind): Promise<void>;
  /** Serves waiting requests for which there is room. */
  serve(): void;
  /** Counts a refusal and creates its error. */
  refusal(): GatewayError;
}

/** The memory that one request holds. */
export class MemoryHold {
  /** The id of the token that the bytes count for. It is set once, before anything is held. */
  caller = '';
  /** Stops waiting; undefined unless it waits. */
  cancel: (() => void) | undefined;
  /** The body while it arrives. */
  body: Body | undefined;
  readonly #budget: SharedBudget;
  readonly #held: Record<HeldKind, number> = { body: 0, answer: 0, stream: 0 };
  #isClosed = false;

  constructor(budget: SharedBudget) {
    this.#budget = budget;
  }

  /** Bodies in progress of all callers that share the budget. */
  get receiving(): Receiving {
    return this.#budget.receiving;
  }

  /**
   * Holds more bytes, at once if there is room.
   * @returns undefined if they are held already; else a promise, which rejects with GatewayError UNAVAILABLE
   * @throws GatewayError UNAVAILABLE if too many requests wait
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

  /** Holds more bytes even if there is no room. Use it for data that exists already and must be sent. */
  force(bytes: number, kind: HeldKind): void {
    if (this.#isClosed) return;
    this.#budget.take(this, bytes, kind);
    this.add(bytes, kind);
  }

  /** Returns bytes to the budget. */
  shrink(bytes: number, kind: HeldKind): void {
    if (this.#isClosed) return;
    this.#held[kind] -= bytes;
    this.#budget.release(this, bytes, kind);
  }

  /** Returns all bytes of one kind. */
  drop(kind: HeldKind): void {
    if (this.#held[kind] > 0) this.shrink(this.#held[kind], kind);
  }

  /** Records bytes that the budget has granted. */
  add(bytes: number, kind: HeldKind): void {
    this.#held[kind] += bytes;
    if (this.body && kind === 'body') this.#budget.receiving.add(this.body, bytes);
  }

  /**
   * Reserves memory for bytes of a body that have arrived. Even the largest body takes at most a caller's
   * share.
   * @param onLate called when the body is given up because it is late while others wait
   * @returns like `grow`: read on only once it has settled
   * @throws GatewayError UNAVAILABLE if too many requests wait
   */
  receive(bytes: number, onLate: () => void): Promise<void> | undefined {
    const { receiving } = this.#budget;
    if (this.#isClosed) return undefined;
    const body = this.body ?? receiving.begin(this.caller, () => this.#giveUp(onLate));
    this.body = body;
    receiving.arrived(body, bytes);
    const more = Math.min(bytes * memoryPerBodyByte, this.#budget.ofCaller - body.held);
    const wait = more > 0 ? this.grow(more, 'body') : undefined;
    if (!wait) return undefined;
    receiving.pause(body);
    return wait.then(() => receiving.resume(body));
  }

  /** Records that no more of the body will arrive. Its bytes stay held. */
  received(): void {
    if (!this.body) return;
    this.#budget.receiving.end(this.body);
    this.body = undefined;
    this.#budget.serve();
  }

  #giveUp(onLate: () => void): void {
    this.received();
    this.drop('body');
    onLate();
  }

  /** Returns all bytes for good. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.cancel?.();
    this.received();
    for (const kind of heldKinds) {
      if (this.#held[kind] > 0) this.#budget.release(this, this.#held[kind], kind);
    }
  }

  /** Counts a refusal for lack of memory, and creates its error. */
  refusal(): GatewayError {
    return this.#budget.refusal();
  }
}
