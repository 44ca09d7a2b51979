import { GatewayError } from '../domain/errors.js';
import { tellBeyond } from './limits.js';

/** Bytes of a field in JSON beyond its value's text: its name, quotes, colon, comma, and a short number or null. */
export const sizeOfKey = (key: string): number => key.length + 8;

/** An answer, or a part of one, is larger than it may be. It ends the whole execution, not one field. */
export class AnswerTooLarge extends GatewayError {
  /** @param done the mutation of which the answer is too large */
  constructor(done?: string) {
    const note = done === undefined ? '' : ` The changes are made, up to those of \`${done}\`.`;
    super('BAD_REQUEST', `${tellBeyond('answerBytes')}${note}`);
  }
}

/** Counts the bytes of one answer as JSON has them, roughly, while the answer is made. */
export class AnswerSize {
  /** Bytes that are in their places; texts are counted as often as they are answered. */
  bytes = 0;
  /** Bytes beyond which nothing is answered. */
  readonly most: number;
  #expected = 0;
  #isRefused = false;

  /** @param most bytes; Infinity where an answer has no bound */
  constructor(most: number) {
    this.most = most;
  }

  /**
   * Loads a value whose size is known before. All that is asked for in the same turn is added up first, so that
   * nothing is loaded of what is too large together.
   * @throws AnswerTooLarge instead of loading it
   */
  async expect<T>(bytes: number, load: () => Promise<T>): Promise<T> {
    this.#expected += bytes;
    try {
      await null;
      // Who is refused expects nothing any more; the others of the same turn are refused all the same.
      this.#isRefused ||= this.bytes + this.#expected > this.most;
      if (this.#isRefused) throw new AnswerTooLarge();
      return await load();
    } finally {
      this.#expected -= bytes;
    }
  }
}

/** Bytes of a value in JSON beyond what its place has: exact of ASCII texts, which most are. */
export function sizeOfValue(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 0;
}
