/** The kinds of work that wait: what is shed last has the most patience. */
export type WorkKind = 'ordinary' | 'upload';

/** The bounds of an admission queue; times in milliseconds. */
export interface AdmissionLimits {
  /** Requests that are worked on at once, at least and at most. */
  readonly width: { readonly least: number; readonly most: number };
  /** Longest expected wait of each kind; beyond it, a request is shed as it comes. */
  readonly patience: Readonly<Record<WorkKind, number>>;
  /** Target time of an admitted request: the width follows from it and the throughput. */
  readonly service: number;
  /** After which a place is given back, whether or not its work has ended. */
  readonly lease: number;
}

/** A place among those who are worked on. */
export interface AdmissionSlot {
  /** Gives it back; a second time does nothing. */
  leave(): void;
  /** Says that it was given, or taken, back. */
  readonly isLeft: boolean;
}

interface Waiting {
  readonly kind: WorkKind;
  readonly since: number;
  /** Called once: with a place, or without one when the wait was too long. */
  readonly onTurn: (place: AdmissionSlot | undefined) => void;
}

/** Milliseconds between completions that are assumed as long as nothing is known. */
const assumed = 5;

/** Milliseconds over which completions are counted, and after which what they told is forgotten. */
const counted = { least: 250, forgotten: 10_000 };

/**
 * Queue of an admission control with load shedding. It lets so many requests run at once, the next ones wait
 * in order, and those that would wait too long are shed as they come. How long one would wait follows from
 * Little's law: those before it, times the milliseconds between completions while somebody waits, which is
 * all that the server can do.
 */
export class AdmissionQueue {
  readonly #limits: AdmissionLimits;
  readonly #uptime: () => number;
  readonly #onRoom: () => void;
  readonly #running = new Map<AdmissionSlot, number>();
  /** In the order in which they came. */
  readonly #waiting = { ordinary: new Set<Waiting>(), upload: new Set<Waiting>() };
  /** The kind whose turn it was last. */
  #last: WorkKind = 'ordinary';
  /** Milliseconds between completions, as far as is known. */
  #interval = assumed;
  /** Since when completions are counted, and how many there were. */
  #window = { since: 0, completions: 0 };

  /**
   * @param uptime milliseconds that have passed, whatever clocks are set to
   * @param onRoom told that somebody who waits may have a turn: `serve` is to be called soon
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

  /** Number of requests that may be worked on at once now. */
  get width(): number {
    const { width, service } = this.#limits;
    return Math.min(width.most, Math.max(width.least, Math.round(service / this.#interval)));
  }

  /** Milliseconds that one of this kind who comes now would wait. */
  #expectedWait(kind: WorkKind): number {
    if (this.waiting === 0 && this.running < this.width) return 0;
    const [oldest] = this.#waiting[kind];
    const age = oldest ? this.#uptime() - oldest.since : 0;
    const { ordinary, upload } = this.#waiting;
    const before = kind === 'upload' ? upload.size + Math.min(upload.size, ordinary.size) : this.waiting;
    return Math.max(age, (before + 1) * this.#interval);
  }

  /** Takes a free place, if there is one and nobody waits for it. */
  take(): AdmissionSlot | undefined {
    this.#forget();
    return this.waiting === 0 && this.running < this.width ? this.#place() : undefined;
  }

  /** Takes a place even if none is free. It is for a request that had one, and gave it back for a while. */
  takeAgain(): AdmissionSlot {
    return this.#place();
  }

  /** Says that one of this kind would wait too long. */
  isTooLong(kind: WorkKind): boolean {
    return this.#expectedWait(kind) > this.#limits.patience[kind];
  }

  /**
   * Waits for a place.
   * @param onTurn called with it; without one when the wait has become twice as long as was bearable
   * @returns gives the waiting up
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
   * Gives the next one who waits a free place.
   * @returns whether another one who waits may have one, too
   */
  serve(): boolean {
    let next = this.#next();
    for (; next && this.#isOverdue(next); next = this.#next()) this.#turn(next, undefined);
    if (next && this.running < this.width) this.#turn(next, this.#place());
    return this.waiting > 0 && this.running < this.width;
  }

  /** Returns the next request of the queue. Both kinds take turns, so that neither keeps the other out. */
  #next(): Waiting | undefined {
    const [ordinary] = this.#waiting.ordinary;
    const [upload] = this.#waiting.upload;
    if (!ordinary || !upload) return ordinary ?? upload;
    return this.#last === 'ordinary' ? upload : ordinary;
  }

  /** Counts a completion while somebody waits: then the server does as much as it can. */
  #count(): void {
    this.#window.completions += 1;
    const { since, completions } = this.#window;
    const now = this.#uptime();
    if (now - since < counted.least) return;
    this.#interval = (this.#interval + (now - since) / completions) / 2;
    this.#window = { since: now, completions: 0 };
  }

  /**
   * Resets the measured interval after a long time without a queue. The server may be another one by then.
   */
  #forget(): void {
    if (this.waiting > 0 || this.#interval === assumed) return;
    if (this.#uptime() - this.#window.since > counted.forgotten) this.#interval = assumed;
  }
}
