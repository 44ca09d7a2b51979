import { AsyncLocalStorage } from 'node:async_hooks';
import { GatewayError } from '../../domain/errors.js';

const MiB = 1024 * 1024;

/** The most bytes that all statements of a request may read. It is twice what a GraphQL answer may have. */
export const defaultBound = 64 * MiB;

/**
 * The most bytes that one statement may read, and the only list of a request. V8 strings cannot have twice as
 * many.
 */
export const maxReadBytes = 256 * MiB;

/** Bytes for a statement that runs while another may read everything that is left. */
const besideBytes = MiB;

/** Thrown when a request would have to read more than it may. */
export class ReadTooLarge extends GatewayError {
  /** @param note what else to tell the caller */
  constructor(note = '') {
    super('BAD_REQUEST', `The response would be too large: ask for fewer rows, or for fewer fields.${note}`);
  }
}

/** Rows that a statement has read, and their size in bytes. */
interface Sized<T> {
  readonly bytes: number;
  readonly found: T;
}

/** Sends a statement that reads up to a number of bytes. Returns undefined if there are more. */
type Attempt<T> = (most: number) => Promise<Sized<T> | undefined>;

/**
 * Limits the bytes that the statements of one request read in total. The size is known only once PostgreSQL
 * has the rows, and statements run concurrently. So one statement may read everything that is left, while the
 * others get a little each. A statement that needs more is repeated when its turn comes.
 */
export class ReadBound {
  readonly #most: number;
  #left: number;
  /** Resolves when the statement with the full allowance has ended. */
  #whole: Promise<void> | undefined;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  /** Resets the limit, for the part of a request that follows an answer. */
  renew(): void {
    this.#left = this.#most;
  }

  /**
   * Runs a statement, and counts its bytes for the request.
   * @param attempt sends it; may be called twice, so it must change nothing
   * @throws GatewayError BAD_REQUEST if the request's statements read more than they may
   */
  async read<T>(attempt: Attempt<T>): Promise<T> {
    if (this.#whole) {
      const small = await this.#attempt(attempt, Math.min(besideBytes, this.#left));
      if (small) return small.found;
    }
    while (this.#whole) await this.#whole;
    const reading = this.#attempt(attempt, this.#left);
    this.#whole = reading.then(
      () => {},
      () => {},
    );
    try {
      const whole = await reading;
      if (whole) return whole.found;
      // The request is refused, so its waiting statements need not run.
      this.#left = 0;
      throw new ReadTooLarge();
    } finally {
      this.#whole = undefined;
    }
  }

  async #attempt<T>(attempt: Attempt<T>, most: number): Promise<Sized<T> | undefined> {
    if (this.#left <= 0) throw new ReadTooLarge();
    const sized = await attempt(most);
    if (sized) this.#left -= sized.bytes;
    return sized;
  }
}

/**
 * Bytes that a request may read or answer before its work is divided. 500 rows with all fields have four
 * times as many.
 */
const undividedBytes = 256 * 1024;

/**
 * Minimum and maximum length of a slice in milliseconds. Divided requests together block the event loop for
 * that long per turn.
 */
const minSliceMs = 0.5;
const maxSliceMs = 5;

/**
 * Share of the time that others took since the last slice. It keeps many small requests from starving large
 * ones.
 */
const fairShare = 0.25;

/**
 * Requests with work for later turns, oldest first. Each turn goes to the oldest (first come, first served):
 * if they took turns, none would finish soon and release its memory.
 */
const queue: TimeSlices[] = [];
let isRunning = false;
/** End of the last slice, or the time since when a request has been waiting. */
let lastEnd = 0;
/** Number of requests that have been divided so far. */
let divided = 0;

function runOldest(): void {
  const oldest = queue[0];
  const now = performance.now();
  const ms = (now - lastEnd) * fairShare;
  try {
    oldest?.run(now + Math.min(Math.max(ms, minSliceMs), maxSliceMs));
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

/** Runs work after all promises that resolve in this turn, like DataLoader does. */
const afterResolved = (work: () => void) => void Promise.resolve().then(() => process.nextTick(work));

/**
 * Divides the work of a large request into time slices (cooperative multitasking). Other requests get the
 * event loop in between: a page of 500 rows takes tens of milliseconds. Small requests are not divided,
 * because many half-done requests would fill the memory.
 */
export class TimeSlices {
  /** Position of the request among those that were divided. */
  number = 0;
  #isDivided = false;
  /** Bytes that the request's statements have read. */
  #read = 0;
  /** End of the slice, by `performance.now()`. */
  #until = 0;
  #looks = 0;
  #isOver = false;
  #work: (() => void)[] = [];
  /** Index of the next work. Finished work is removed in bulk, because `shift` copies long arrays. */
  #done = 0;
  #whenIdle: (() => void)[] = [];
  /** Restores the request's asynchronous context, because slices run in the context of others. */
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
   * True if the request has used up its slice. It must then continue with `later` or `next`. It is cheap
   * enough to check for every record, as it reads the clock only every eighth time.
   */
  get isOver(): boolean {
    if (this.#isDivided && !this.#isOver && (++this.#looks & 7) === 0) {
      this.#isOver = performance.now() > this.#until;
    }
    return this.#isOver;
  }

  /** Counts the bytes that a statement has read. */
  addRead(bytes: number): void {
    this.#read += bytes;
    this.weigh(this.#read);
  }

  /**
   * Starts dividing the request's work if it is large. @param bytes total bytes that it has read, or answers
   */
  weigh(bytes: number): void {
    if (bytes <= undividedBytes || this.#isDivided) return;
    this.#isDivided = true;
    this.#isOver = true;
  }

  /** Runs work in a later turn. @param work must not throw */
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
   * Runs work once nothing is left for later turns and resolved promises are handled. Until then, more keys
   * may be collected for a common lookup. Reading rows counts as such work, too.
   */
  whenIdle(work: () => void): void {
    afterResolved(() => {
      if (this.hasWork) this.#whenIdle.push(work);
      else work();
    });
  }

  /** Runs one slice. @param until its end, by `performance.now()` */
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
