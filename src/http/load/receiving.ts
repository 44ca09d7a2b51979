/** Memory that the largest body takes in bytes, by `memoryPerBodyByte`. */
const largestBodyMemory = 65 * 1024 * 1024;

/** Milliseconds that a body may lag behind the minimum rate. */
const graceMs = 5_000;
const minBytesPerSecond = 64 * 1024;

/** A body that is arriving. */
export interface Body {
  /** Id of the caller's token. */
  readonly caller: string;
  /** Bytes of memory that the body holds. */
  held: number;
  /** Time at which the body counts as late, by the budget's clock. Each byte postpones it. */
  lateAt: number;
  /** Ends the body with 408, and returns its memory at once. */
  readonly giveUp: () => void;
}

/** Bodies of one caller, or of all, in the order of their first bytes. */
class BodyGroup {
  readonly size: number;
  readonly bodies = new Set<Body>();
  held = 0;

  constructor(size: number) {
    this.size = size;
  }

  mayGrow(body: Body, bytes: number): boolean {
    const [eldest] = this.bodies;
    if (eldest === body || !eldest) return true;
    return this.held - eldest.held + bytes <= this.size - Math.min(largestBodyMemory, this.size);
  }
}

/**
 * Decides which arriving bodies may take more memory. It prevents deadlock.
 *
 * Memory is taken as bytes arrive, since an announced length holds nothing. Half-read bodies could therefore
 * hold all of it, each waiting for the rest: a deadlock. So every body but the oldest leaves enough room for
 * a largest body. The oldest can always be completed, and then the next one becomes the oldest. A late body
 * does not block the others, because it is given up.
 */
export class Receiving {
  readonly #uptime: () => number;
  readonly #all: BodyGroup;
  readonly #ofCaller: number;
  readonly #byCaller = new Map<string, BodyGroup>();
  readonly #messages = new Set<Body>();

  /** @param sizes bytes that all callers and one caller may hold @param uptime a clock in milliseconds */
  constructor(sizes: { readonly all: number; readonly ofCaller: number }, uptime: () => number) {
    this.#uptime = uptime;
    this.#all = new BodyGroup(sizes.all);
    this.#ofCaller = sizes.ofCaller;
  }

  #groupsOf({ caller }: Body): readonly [BodyGroup, BodyGroup] {
    let own = this.#byCaller.get(caller);
    if (!own) {
      own = new BodyGroup(this.#ofCaller);
      this.#byCaller.set(caller, own);
    }
    return [this.#all, own];
  }

  /** Registers a body whose first byte has arrived. */
  begin(caller: string, giveUp: () => void): Body {
    const body: Body = { caller, held: 0, lateAt: this.#uptime() + graceMs, giveUp };
    for (const group of this.#groupsOf(body)) group.bodies.add(body);
    return body;
  }

  /**
   * Registers an incomplete WebSocket message. It is small and never waits for memory, but it may be late.
   */
  beginMessage(caller: string, giveUp: () => void): Body {
    const message: Body = { caller, held: 0, lateAt: this.#uptime() + graceMs, giveUp };
    this.#messages.add(message);
    return message;
  }

  /** Removes a message that is complete or was given up. */
  endMessage(message: Body): void {
    this.#messages.delete(message);
  }

  /** Returns whether a body that takes these bytes leaves enough for other bodies. */
  leavesEnough(body: Body, bytes: number): { readonly own: boolean; readonly all: boolean } {
    const [all, own] = this.#groupsOf(body);
    return { own: own.mayGrow(body, bytes), all: all.mayGrow(body, bytes) };
  }

  /** Records memory that a body was granted. */
  add(body: Body, bytes: number): void {
    body.held += bytes;
    for (const group of this.#groupsOf(body)) group.held += bytes;
  }

  /** Records bytes of a body that have arrived. */
  arrived(body: Body, bytes: number): void {
    const inTime = this.#uptime() + graceMs;
    body.lateAt = Math.min(inTime, body.lateAt + (bytes * 1_000) / minBytesPerSecond);
  }

  /** Records that a body waits for memory, so any lateness is not its own fault. */
  pause(body: Body): void {
    body.lateAt = Number.POSITIVE_INFINITY;
  }

  /** Records that a body no longer waits. */
  resume(body: Body): void {
    body.lateAt = this.#uptime() + graceMs;
  }

  /** Removes a body that has arrived or was given up. */
  end(body: Body): void {
    const [all, own] = this.#groupsOf(body);
    for (const group of [all, own]) {
      if (group.bodies.delete(body)) group.held -= body.held;
    }
    if (own.bodies.size === 0) this.#byCaller.delete(body.caller);
  }

  /** Returns the late bodies and messages, the latest first. */
  late(): Body[] {
    const now = this.#uptime();
    const all = [...this.#all.bodies, ...this.#messages];
    return all.filter(({ lateAt }) => lateAt < now).sort((a, b) => a.lateAt - b.lateAt);
  }
}
