import { ReadTooLarge } from '../../db/connection/read-bound.js';
import type { TimeSlices } from '../../db/connection/time-slices.js';
import { GatewayError } from '../../domain/errors.js';
import { exactText } from '../../domain/text/exact-json.js';
import { bytesPerUnit } from './cost.js';
import { limitMessage, requestLimits } from './limits.js';

/** Estimates a field's JSON bytes without its text. They are name, quotes, colon, comma, and a short number or null. */
export const keyBytes = (key: string): number => key.length + 8;

/** An answer cannot be made, whatever is left of it. It ends the whole execution, not one field. */
export class AnswerRefused extends GatewayError {}

/** An answer, or a part of one, is larger than it may be. */
export class AnswerTooLarge extends AnswerRefused {
  /** @param note what else its caller is told */
  constructor(note = '') {
    super('BAD_REQUEST', `${limitMessage('answerBytes')}${note}`);
  }
}

/** An answer costs more than it may, with the files that it reads. */
export class AnswerTooCostly extends AnswerRefused {
  /** @param note what else its caller is told */
  constructor(note = '') {
    super('BAD_REQUEST', `${limitMessage('cost')}${note}`);
  }
}

/**
 * Notes on an error of size which changes of a mutation are made. A write that is done is not undone when its answer is
 * too large.
 * @param done the mutation that was done last; undefined where none is, or all are undone
 */
export function withDoneNote(error: unknown, done?: string): unknown {
  const note = done === undefined ? '' : ` The changes are made, up to those of \`${done}\`.`;
  if (error instanceof AnswerTooLarge) return new AnswerTooLarge(note);
  if (error instanceof AnswerTooCostly) return new AnswerTooCostly(note);
  return error instanceof ReadTooLarge ? new ReadTooLarge(note) : error;
}

/** The memory that answers are made in, which others need as well. */
export interface AnswerMemory {
  /** Takes bytes until the answer is sent. @throws GatewayError UNAVAILABLE when there are none */
  take(bytes: number): void;
  /** Gives bytes back. */
  release(bytes: number): void;
}

/** Bytes that an answer reserves at a time; most answers are smaller, and reserve none. */
const reservationBytes = 256 * 1024;

/** Bytes of memory that a byte of an answer takes. It is held as a value and as text. */
const memoryPerAnswerByte = 2;

/** Counts the bytes of an answer in JSON, roughly, while it is made. */
export class AnswerSize {
  /** Bytes that are in their places; texts are counted as often as they are answered. */
  bytes = 0;
  /** Bytes that there is room for; beyond them, `makeRoom` is to be called. */
  room: number;
  /** Cost of the document, and of the files that were read for it. Undefined until it is measured. */
  cost: number | undefined;
  /** Bytes beyond which nothing is answered. */
  readonly maxBytes: number;
  readonly #memory: AnswerMemory | undefined;
  #taken = 0;
  #expected = 0;
  #isRefused = false;

  /**
   * @param most bytes; Infinity where an answer has no bound
   * @param memory where answers share memory; it need not be asked for small ones
   */
  constructor(most: number, memory?: AnswerMemory) {
    this.maxBytes = most;
    this.#memory = memory;
    this.room = memory ? Math.min(reservationBytes, most) : most;
  }

  /**
   * Makes room for what has been counted.
   * @throws AnswerTooLarge beyond the bound; AnswerRefused when there is no memory
   */
  makeRoom(): void {
    if (this.bytes > this.maxBytes) throw new AnswerTooLarge();
    if (!this.#memory) return;
    const more = Math.max(reservationBytes, this.bytes - this.room);
    try {
      this.#memory.take(more * memoryPerAnswerByte);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      throw new AnswerRefused(error.code, error.message, { headers: error.headers });
    }
    this.#taken += more * memoryPerAnswerByte;
    this.room = Math.min(this.room + more, this.maxBytes);
  }

  /** Adds the weight of a file to the cost, once its size is known. */
  #charge(bytes: number): void {
    if (this.cost === undefined) return;
    this.cost += Math.ceil(bytes / bytesPerUnit);
    if (this.cost > requestLimits.cost) throw new AnswerTooCostly();
  }

  /** Begins to count the next answer of a stream. */
  next(): AnswerSize {
    if (this.#taken > 0) this.#memory?.release(this.#taken);
    this.#taken = 0;
    return new AnswerSize(this.maxBytes, this.#memory);
  }

  /**
   * Loads a value whose size is known before. All that is asked for until the work at hand is done is added up
   * first, so that nothing is loaded of what is too large together.
   * @throws AnswerTooLarge instead of loading it
   */
  async expect<T>(bytes: number, slices: TimeSlices, load: () => Promise<T>): Promise<T> {
    this.#expected += bytes;
    try {
      await new Promise<void>((resolve) => slices.whenIdle(resolve));
      // Who is refused expects nothing any more; the others of the same turn are refused all the same.
      this.#isRefused ||= this.bytes + this.#expected > this.maxBytes;
      if (this.#isRefused) throw new AnswerTooLarge();
      this.#charge(bytes);
      return await load();
    } finally {
      this.#expected -= bytes;
    }
  }
}

/** Estimates a value's JSON bytes beyond those of its key. It is exact for ASCII texts, which most are. */
export function valueBytes(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? exactText(value).length : 0;
}
