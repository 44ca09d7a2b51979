import { AsyncLocalStorage } from 'node:async_hooks';

/** Bytes that a request may read or answer before its work is divided. 500 rows with all fields have four times as many. */
const undividedBytes = 256 * 1024;

/** Milliseconds of a slice at least and at most. Divided requests may hold the event loop so long in one turn of it. */
const leastMs = 0.5;
const mostMs = 5;

/** Part of the time that others took since the last slice. So many small requests do not starve large ones. */
const fairShare = 0.25;

/**
 * Requests with work for later turns, by when they first had some. Each turn is that of the oldest (first come, first
 * served): were they to go on side by side, none would end, and give its memory back.
 */
const queue: TimeSlices[] = [];
let isRunning = false;
/** The end of the last slice, or the time since when somebody waits for one. */
let lastEnd = 0;
/** Requests that have been divided so far. */
let divided = 0;

function runOldest(): void {
  const oldest = queue[0];
  const now = performance.now();
  const ms = (now - lastEnd) * fairShare;
  try {
    oldest?.run(now + Math.min(Math.max(ms, leastMs), mostMs));
  } finally {
    lastEnd = performance.now();
    if (oldest && !oldest.hasWork) queue.splice(queue.indexOf(oldest), 1);
    isRunning = queue.length > 0;
    if (isRunning) setImmediate(runOldest);
  }
}

function enqueue(slices: TimeSlices): void {
  const younger = queue.findIndex(({ number }) => number > slices.number);
  queue.splice(younger === -1 ? queue.length : younger, 0, slices);
  if (isRunning) return;
  isRunning = true;
  lastEnd = performance.now();
  setImmediate(runOldest);
}

/** Does work after all promises that are resolved in this turn, as DataLoader does. */
const afterResolved = (work: () => void) => void Promise.resolve().then(() => process.nextTick(work));

/**
 * Divides the work of a large request into time slices (cooperative multitasking). Other requests have the event loop
 * between them: a page of 500 rows takes tens of milliseconds. What is small is done in one go, as many at once, half
 * done, would fill the memory.
 */
export class TimeSlices {
  /** The number of the request among those that were divided. */
  number = 0;
  #isDivided = false;
  /** Bytes that the request's statements have read. */
  #read = 0;
  /** The end of the slice, by `performance.now()`. */
  #until = 0;
  #looks = 0;
  #isOver = false;
  #work: (() => void)[] = [];
  /** Place of the next work. What is done is taken out together, as `shift` copies long arrays. */
  #done = 0;
  #whenIdle: (() => void)[] = [];
  /** Runs something as for the request: the turns of others are not its asynchronous context. */
  #within: (<T>(work: () => T) => T) | undefined;

  /** True if the request is so large that its work is divided. */
  get isDivided(): boolean {
    return this.#isDivided;
  }

  /** True if there is work for a later turn. */
  get hasWork(): boolean {
    return this.#work.length > 0;
  }

  /**
   * True if the request has used up its slice. It is to go on by `later` or `next` then. Made to be asked for
   * every record: only every eighth time it looks at the clock.
   */
  get isOver(): boolean {
    if (this.#isDivided && !this.#isOver && (++this.#looks & 7) === 0) {
      this.#isOver = performance.now() > this.#until;
    }
    return this.#isOver;
  }

  /** Counts what a statement has read. */
  addRead(bytes: number): void {
    this.#read += bytes;
    this.weigh(this.#read);
  }

  /** Has the request's work divided from now on if it is large. @param bytes all that it has read, or answers */
  weigh(bytes: number): void {
    if (bytes <= undividedBytes || this.#isDivided) return;
    this.#isDivided = true;
    this.#isOver = true;
  }

  /** Does work in a later turn. @param work must not throw */
  later(work: () => void): void {
    this.#within ??= AsyncLocalStorage.snapshot();
    this.number ||= ++divided;
    if (this.#work.push(work) === 1) enqueue(this);
  }

  /** Waits for a later turn. */
  next(): Promise<void> {
    return new Promise((resolve) => this.later(resolve));
  }

  /**
   * Does work once none is left for later turns, and resolved promises are heard. Until then, more may be
   * collected of what is to be loaded together. Rows that are being read are such work as well.
   */
  whenIdle(work: () => void): void {
    afterResolved(() => {
      if (this.hasWork) this.#whenIdle.push(work);
      else work();
    });
  }

  /** Works through a slice. @param until its end, by `performance.now()` */
  run(until: number): void {
    this.#until = until;
    this.#isOver = false;
    this.#within?.(() => {
      do {
        this.#work[this.#done++]?.();
      } while (this.#done < this.#work.length && performance.now() <= this.#until);
    });
    if (this.#done < this.#work.length) return;
    this.#work = [];
    this.#done = 0;
    const idle = this.#whenIdle;
    this.#whenIdle = [];
    for (const work of idle) this.#within?.(() => this.whenIdle(work));
  }
}
