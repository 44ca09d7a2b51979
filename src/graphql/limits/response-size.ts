import { ReadTooLarge, type TimeSlices } from '../../db/connection/bounds.js';
import { GatewayError } from '../../domain/errors.js';
import { exactText } from '../../domain/text/json.js';
import { bytesPerUnit } from './cost.js';
import { limitMessage, requestLimits } from './limits.js';

/**
 * Estimates a field's JSON bytes without its text. They are name, quotes, colon, comma, and a short number or
 * null.
 */
export const keyBytes = (key: string): number => key.length + 8;

/**
 * Error for an answer that cannot be produced, whatever is left of it. It ends the whole execution, not one
 * field.
 */
export class ResponseRefused extends GatewayError {}

/** Error for an answer that is too large, or too costly with its files. */
class AnswerTooLarge extends ResponseRefused {
  readonly limit: 'answerBytes' | 'cost';

  /** @param note what else to tell the caller */
  constructor(limit: AnswerTooLarge['limit'], note = '') {
    super('BAD_REQUEST', `${limitMessage(limit)}${note}`);
    this.limit = limit;
  }
}

/**
 * Adds to a size error which of the mutations' changes were made. A completed write is not rolled back if its
 * answer is too large.
 * @param done the last completed mutation; undefined if there is none, or all are rolled back
 */
export function withDoneNote(error: unknown, done?: string): unknown {
  const note = done === undefined ? '' : ` The changes were made, up to and including those of \`${done}\`.`;
  if (error instanceof AnswerTooLarge) return new AnswerTooLarge(error.limit, note);
  return error instanceof ReadTooLarge ? new ReadTooLarge(note) : error;
}

/** The memory for creating answers, which is shared with others. */
export interface ResponseMemory {
  /** Takes bytes until the answer is sent. @throws GatewayError UNAVAILABLE if there are none */
  take(bytes: number): void;
  /** Returns bytes. */
  release(bytes: number): void;
}

/** Bytes that an answer reserves at a time. Most answers are smaller and reserve none. */
const reservationBytes = 256 * 1024;

/** Bytes of memory per byte of an answer. It is held as a value and as text. */
const memoryPerAnswerByte = 2;

/** Counts the JSON bytes of an answer, roughly, while it is being created. */
export class ResponseSize {
  /** Bytes of the values in place. Texts count as often as they occur. */
  bytes = 0;
  /** Bytes that there is room for. Beyond them, call `makeRoom`. */
  room: number;
  /** Cost of the document, and of the files read for it. Undefined until it is measured. */
  cost: number | undefined;
  /** Maximum size of the answer in bytes. */
  readonly maxBytes: number;
  readonly #memory: ResponseMemory | undefined;
  #taken = 0;
  #expected = 0;
  #isRefused = false;

  /**
   * @param most maximum bytes; Infinity for an unlimited answer
   * @param memory the shared memory, if answers share one; small answers do not use it
   */
  constructor(most: number, memory?: ResponseMemory) {
    this.maxBytes = most;
    this.#memory = memory;
    this.room = memory ? Math.min(reservationBytes, most) : most;
  }

  /**
   * Makes room for the bytes counted so far.
   * @throws AnswerTooLarge beyond the limit; AnswerRefused if there is no memory
   */
  makeRoom(): void {
    if (this.bytes > this.maxBytes) throw new AnswerTooLarge('answerBytes');
    if (!this.#memory) return;
    const more = Math.max(reservationBytes, this.bytes - this.room);
    try {
      this.#memory.take(more * memoryPerAnswerByte);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      throw new ResponseRefused(error.code, error.message, { headers: error.headers });
    }
    this.#taken += more * memoryPerAnswerByte;
    this.room = Math.min(this.room + more, this.maxBytes);
  }

  /** Adds the weight of a file to the cost once its size is known. */
  #charge(bytes: number): void {
    if (this.cost === undefined) return;
    this.cost += Math.ceil(bytes / bytesPerUnit);
    if (this.cost > requestLimits.cost) throw new AnswerTooLarge('cost');
  }

  /** Starts to count the next answer of a stream. */
  next(): ResponseSize {
    if (this.#taken > 0) this.#memory?.release(this.#taken);
    this.#taken = 0;
    return new ResponseSize(this.maxBytes, this.#memory);
  }

  /**
   * Loads a value whose size is known in advance. All requests of this turn are added up first, so that
   * nothing is loaded if they are too large together.
   * @throws AnswerTooLarge instead of loading it
   */
  async expect<T>(bytes: number, slices: TimeSlices, load: () => Promise<T>): Promise<T> {
    this.#expected += bytes;
    try {
      await new Promise<void>((resolve) => slices.whenIdle(resolve));
      // A refused request expects nothing more, but the others of the same turn must be refused as well.
      this.#isRefused ||= this.bytes + this.#expected > this.maxBytes;
      if (this.#isRefused) throw new AnswerTooLarge('answerBytes');
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
