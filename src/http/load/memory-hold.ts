import type { GatewayError } from '../../domain/errors.js';
import type { Body, Receiving } from './receiving.js';

/** The kinds of memory that requests hold, as the metrics tell them apart. */
export const heldKinds = ['body', 'answer', 'stream'] as const;
export type HeldKind = (typeof heldKinds)[number];

/**
 * Bytes of memory that each byte of a body takes until its request is answered. They are the byte itself, its text, the
 * values parsed of it, and what is sent to the database.
 */
export const memoryPerBodyByte = 4;

/** The shared budget that holds take their bytes from (memory-budget.ts). */
export interface SharedBudget {
  readonly receiving: Receiving;
  /** Bytes that one caller may hold. */
  readonly ofCaller: number;
  /** Takes bytes if there is room. */
  tryTake(hold: MemoryHold, bytes: number, kind: HeldKind): boolean;
  /** Takes bytes, whatever the limits are. */
  take(hold: MemoryHold, bytes: number, kind: HeldKind): void;
  /** Gives bytes back. */
  release(hold: MemoryHold, bytes: number, kind: HeldKind): void;
  /** Waits for bytes. @throws GatewayError UNAVAILABLE when they are not there in time */
  wait(hold: MemoryHold, bytes: number, kind: HeldKind): Promise<void>;
  /** Serves those who wait and for whom there is room. */
  serve(): void;
  /** Counts a refusal, and makes its error. */
  refusal(): GatewayError;
}

/** The memory that one request holds. */
export class MemoryHold {
  /** The id of the token that the bytes are counted for. Set once, before anything is held. */
  caller = '';
  /** Gives up waiting; present while it waits. */
  cancel: (() => void) | undefined;
  /** Its body, from the first byte to the last. */
  body: Body | undefined;
  readonly #budget: SharedBudget;
  readonly #held: Record<HeldKind, number> = { body: 0, answer: 0, stream: 0 };
  #isClosed = false;

  constructor(budget: SharedBudget) {
    this.#budget = budget;
  }

  /** Bodies under way, of all callers who share the memory. */
  get receiving(): Receiving {
    return this.#budget.receiving;
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
    if (this.body && kind === 'body') this.#budget.receiving.add(this.body, bytes);
  }

  /**
   * Reserves memory for bytes of a body that have come. The largest body takes what a caller may hold, and no more.
   * @param onLate told that the body is given up, as it is late and others wait
   * @returns as `grow`: the next bytes are to be read when that is settled
   * @throws GatewayError UNAVAILABLE when waiting has no end
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

  /** Notes that its body has come, or will not come; what it holds stays held. */
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

  /** Gives all bytes back, for good. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.cancel?.();
    this.received();
    for (const kind of heldKinds) {
      if (this.#held[kind] > 0) this.#budget.release(this, this.#held[kind], kind);
    }
  }

  /** Counts a refusal for want of room, and makes its error. */
  refusal(): GatewayError {
    return this.#budget.refusal();
  }
}
