/** The kinds of work that wait. The kind with the most patience is shed last. */
export type WorkKind = 'ordinary' | 'upload';

/** Limits of an admission queue; times in milliseconds. */
export interface AdmissionLimits {
  /** Minimum and maximum number of requests that run at once. */
  readonly width: { readonly least: number; readonly most: number };
  /** Longest acceptable wait of each kind. A request that would wait longer is shed at once. */
  readonly patience: Readonly<Record<WorkKind, number>>;
  /** Target time of an admitted request. The width follows from it and the throughput. */
  readonly service: number;
  /** Time after which a slot is taken back, whether or not its work has ended. */
  readonly lease: number;
}

/** A slot for a running request. */
export interface AdmissionSlot {
  /** Releases the slot. Repeated calls have no effect. */
  leave(): void;
  /** True if the slot was released or taken back. */
  readonly isLeft: boolean;
}

interface Waiting {
  readonly kind: WorkKind;
  readonly since: number;
  /** Called once: with a slot, or without one if the wait was too long. */
  readonly onTurn: (place: AdmissionSlot | undefined) => void;
}

/** Assumed milliseconds between completions until they have been measured. */
const assumed = 5;

/** Milliseconds over which completions are counted, and after which the measurement expires. */
const counted = { least: 250, forgotten: 10_000 };

/**
 * Queue of an admission control with load shedding. It lets a number of requests run at once. The next ones
 * wait in order, and those that would wait too long are shed on arrival. The expected wait follows from
 * Little's law: the number of requests ahead times the interval between completions under load.
 */
export class AdmissionQueue {
  readonly #limits: AdmissionLimits;
  readonly #uptime: () => number;
  readonly #onRoom: () => void;
  readonly #running = new Map<AdmissionSlot, number>();
  /** Waiting requests, in the order in which they arrived. */
  readonly #waiting = { ordinary: new Set<Waiting>(), upload: new Set<Waiting>() };
  /** The kind that had the last turn. */
  #last: WorkKind = 'ordinary';
  /** Measured milliseconds between completions. */
  #interval = assumed;
  /** Start of the current measurement, and the completions since then. */
  #window = { since: 0, completions: 0 };

  /**
   * @param uptime milliseconds of a monotonic clock
   * @param onRoom called when a waiting request may get a slot: call `serve` soon
   */
  constructor(limits: AdmissionLimits, uptime: () => number, onRoom: () => void) {
    this.#limits = limits;
    this.#uptime = uptime;
    this.#onRoom = onRoom;
  }

  get running(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#waiting.ordinary.size + this.#waiting.upload.size;
  }

  /** Number of requests that may run at once now. */
  get width(): number {
    const { width, service } = this.#limits;
    return Math.min(width.most, Math.max(width.least, Math.round(service / this.#interval)));
  }

  /** Returns the expected wait in milliseconds of a request of this kind. */
  #expectedWait(kind: WorkKind): number {
    if (this.waiting === 0 && this.running < this.width) return 0;
    const [oldest] = this.#waiting[kind];
    const age = oldest ? this.#uptime() - oldest.since : 0;
    const { ordinary, upload } = this.#waiting;
    const before = kind === 'upload' ? upload.size + Math.min(upload.size, ordinary.size) : this.waiting;
    return Math.max(age, (before + 1) * this.#interval);
  }

  /** Takes a free slot, if there is one and nobody waits for it. */
  take(): AdmissionSlot | undefined {
    this.#forget();
    return this.waiting === 0 && this.running < this.width ? this.#place() : undefined;
  }

  /** Takes a slot even if none is free. It is for a request that had one, and released it for a while. */
  takeAgain(): AdmissionSlot {
    return this.#place();
  }

  /** Returns whether a request of this kind would wait too long. */
  isTooLong(kind: WorkKind): boolean {
    return this.#expectedWait(kind) > this.#limits.patience[kind];
  }

  /**
   * Waits for a slot.
   * @param onTurn called with it, or without one if the wait exceeds twice the patience
   * @returns a function that stops waiting
   */
  wait(kind: WorkKind, onTurn: Waiting['onTurn']): () => void {
    if (this.waiting === 0) this.#window = { since: this.#uptime(), completions: 0 };
    const entry = { kind, since: this.#uptime(), onTurn };
    this.#waiting[kind].add(entry);
    return () => void this.#waiting[kind].delete(entry);
  }

  /** Takes back expired leases and ends waits that are too long. Call it at regular intervals. */
  sweep(): void {
    const overdue = this.#uptime() - this.#limits.lease;
    for (const [place, since] of this.#running) {
      if (since > overdue) break;
      place.leave();
    }
    for (const kind of ['ordinary', 'upload'] as const) {
      for (const entry of this.#waiting[kind]) if (this.#isOverdue(entry)) this.#turn(entry, undefined);
    }
  }

  #isOverdue({ kind, since }: Waiting): boolean {
    return this.#uptime() - since > 2 * this.#limits.patience[kind];
  }

  #place(): AdmissionSlot {
    const running = this.#running;
    const place: AdmissionSlot = {
      leave: () => this.#leave(place),
      get isLeft() {
        return !running.has(place);
      },
    };
    running.set(place, this.#uptime());
    return place;
  }

  #turn(entry: Waiting, place: AdmissionSlot | undefined): void {
    this.#waiting[entry.kind].delete(entry);
    this.#last = entry.kind;
    entry.onTurn(place);
  }

  #leave(place: AdmissionSlot): void {
    if (!this.#running.delete(place)) return;
    if (this.waiting === 0) return;
    this.#count();
    this.#onRoom();
  }

  /**
   * Gives the next waiting request a free slot.
   * @returns whether another waiting request may get one, too
   */
  serve(): boolean {
    let next = this.#next();
    for (; next && this.#isOverdue(next); next = this.#next()) this.#turn(next, undefined);
    if (next && this.running < this.width) this.#turn(next, this.#place());
    return this.waiting > 0 && this.running < this.width;
  }

  /** Returns the next request of the queue. Both kinds take turns, so that neither starves the other. */
  #next(): Waiting | undefined {
    const [ordinary] = this.#waiting.ordinary;
    const [upload] = this.#waiting.upload;
    if (!ordinary || !upload) return ordinary ?? upload;
    return this.#last === 'ordinary' ? upload : ordinary;
  }

  /** Counts a completion while requests wait, when the server works at capacity. */
  #count(): void {
    this.#window.completions += 1;
    const { since, completions } = this.#window;
    const now = this.#uptime();
    if (now - since < counted.least) return;
    this.#interval = (this.#interval + (now - since) / completions) / 2;
    this.#window = { since: now, completions: 0 };
  }

  /**
   * Resets the measured interval after a long time without a queue. The server's capacity may have changed.
   */
  #forget(): void {
    if (this.waiting > 0 || this.#interval === assumed) return;
    if (this.#uptime() - this.#window.since > counted.forgotten) this.#interval = assumed;
  }
}

/** Window in seconds, and how many of them must be overloaded for a lasting overload. */
const lookBack = { seconds: 10, shedding: 6 };

/** Share of shed requests from which a second counts as overloaded. */
const share = 0.1;

interface Second {
  readonly at: number;
  admitted: number;
  shed: number;
}

/** Record of shed requests of the last ten seconds. It distinguishes a burst from a lasting overload. */
export class ShedRecord {
  readonly #uptime: () => number;
  #seconds: Second[] = [];

  /** @param uptime milliseconds of a monotonic clock */
  constructor(uptime: () => number) {
    this.#uptime = uptime;
  }

  admit(): void {
    this.#now().admitted += 1;
  }

  shed(): void {
    this.#now().shed += 1;
  }

  /** True if a tenth of the requests were shed in most of the last seconds. */
  get isLasting(): boolean {
    const oldest = Math.floor(this.#uptime() / 1000) - lookBack.seconds;
    const shedding = this.#seconds.filter(
      ({ at, admitted, shed }) => at >= oldest && shed > 0 && shed >= share * (admitted + shed),
    );
    return shedding.length >= lookBack.shedding;
  }

  #now(): Second {
    const at = Math.floor(this.#uptime() / 1000);
    const last = this.#seconds.at(-1);
    if (last?.at === at) return last;
    const second = { at, admitted: 0, shed: 0 };
    this.#seconds = [...this.#seconds.slice(-lookBack.seconds), second];
    return second;
  }
}
