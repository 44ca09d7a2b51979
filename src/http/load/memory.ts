import { GatewayError } from '../../domain/errors.js';

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
class Receiving {
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

/** The kinds of memory that requests hold, as metrics distinguish them. */
export const heldKinds = ['body', 'answer', 'stream'] as const;
type HeldKind = (typeof heldKinds)[number];

/**
 * Bytes of memory that each byte of a body takes until its request is answered. They are the byte itself, its
 * text, the parsed values, and what is sent to the database.
 */
export const memoryPerBodyByte = 4;

/** The shared budget from which requests take their bytes (memory-budget.ts). */
interface SharedBudget {
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
