/** Bytes of memory that a body of the largest size takes, as `memoryPerBodyByte` counts them. */
const largestBodyMemory = 65 * 1024 * 1024;

/** Milliseconds that a body may lag behind the slowest rate. */
const slack = 5_000;
const slowest = 64 * 1024;

/** A body under way. */
export interface Body {
  /** The id of its caller's token. */
  readonly caller: string;
  /** Bytes of memory that it holds. */
  held: number;
  /** Time at which the body counts as late, by the budget's clock. Each byte moves it on. */
  lateAt: number;
  /** Ends it with 408, and gives its memory back at once. */
  readonly giveUp: () => void;
}

/** The bodies of one caller, or of all, in the order of their first bytes. */
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
 * Decides which bodies under way may take more memory, without deadlock.
 *
 * Memory is taken as bytes arrive: an announced length holds nothing. Half-read bodies could thereby hold all of it, each
 * waiting for the rest (a deadlock). So all but the eldest leave the room that the largest body takes: the eldest can
 * always be completed, and then the next is the eldest. One that is late is no obstacle: it is given up.
 */
export class Receiving {
  readonly #uptime: () => number;
  readonly #all: BodyGroup;
  readonly #ofCaller: number;
  readonly #byCaller = new Map<string, BodyGroup>();
  readonly #messages = new Set<Body>();

  /** @param sizes bytes that all may hold, and one caller; @param uptime a clock in milliseconds */
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

  /** Notes a body whose first byte has come. */
  begin(caller: string, giveUp: () => void): Body {
    const body: Body = { caller, held: 0, lateAt: this.#uptime() + slack, giveUp };
    for (const group of this.#groupsOf(body)) group.bodies.add(body);
    return body;
  }

  /** Notes a message of a WebSocket that is not whole. It is small, and never waits: it only may be late. */
  beginMessage(caller: string, giveUp: () => void): Body {
    const message: Body = { caller, held: 0, lateAt: this.#uptime() + slack, giveUp };
    this.#messages.add(message);
    return message;
  }

  /** Forgets a message, which is whole or will not be. */
  endMessage(message: Body): void {
    this.#messages.delete(message);
  }

  /** Checks that a body which takes these bytes leaves enough for other bodies. */
  leavesEnough(body: Body, bytes: number): { readonly own: boolean; readonly all: boolean } {
    const [all, own] = this.#groupsOf(body);
    return { own: own.mayGrow(body, bytes), all: all.mayGrow(body, bytes) };
  }

  /** Notes memory that a body was given. */
  add(body: Body, bytes: number): void {
    body.held += bytes;
    for (const group of this.#groupsOf(body)) group.held += bytes;
  }

  /** Notes bytes of a body that have come. */
  arrived(body: Body, bytes: number): void {
    const inTime = this.#uptime() + slack;
    body.lateAt = Math.min(inTime, body.lateAt + (bytes * 1_000) / slowest);
  }

  /** Notes that a body waits for memory: it is not late by its own fault. */
  pause(body: Body): void {
    body.lateAt = Number.POSITIVE_INFINITY;
  }

  /** Notes that a body waits no longer. */
  resume(body: Body): void {
    body.lateAt = this.#uptime() + slack;
  }

  /** Forgets a body, which has come or will not come. */
  end(body: Body): void {
    const [all, own] = this.#groupsOf(body);
    for (const group of [all, own]) {
      if (group.bodies.delete(body)) group.held -= body.held;
    }
    if (own.bodies.size === 0) this.#byCaller.delete(body.caller);
  }

  /** Returns the bodies and messages that are late, the latest first. */
  late(): Body[] {
    const now = this.#uptime();
    const all = [...this.#all.bodies, ...this.#messages];
    return all.filter(({ lateAt }) => lateAt < now).sort((a, b) => a.lateAt - b.lateAt);
  }
}
