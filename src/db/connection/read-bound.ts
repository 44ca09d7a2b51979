import { GatewayError } from '../../domain/errors.js';

const MiB = 1024 * 1024;

/** Most bytes that all statements of a request read. It is twice what a GraphQL answer may have. */
export const usualBound = 64 * MiB;

/** Most bytes that one statement reads, and a request's only list. V8 has no text of twice as many. */
export const largestRead = 256 * MiB;

/** Most bytes of a statement beside another one that may read all that is left. */
const beside = MiB;

/** More would have to be read than may be. */
export class ReadTooLarge extends GatewayError {
  /** @param note what else its caller is told */
  constructor(note = '') {
    super(
      'BAD_REQUEST',
      `More would have to be read than fits into an answer: ask for fewer rows, or for less of each.${note}`,
    );
  }
}

/** Rows that a statement has read, and their size in bytes. */
export interface Sized<T> {
  readonly bytes: number;
  readonly found: T;
}

/** Sends a statement that reads so many bytes at most; undefined where there are more. */
type Attempt<T> = (most: number) => Promise<Sized<T> | undefined>;

/**
 * Bounds the bytes that the statements of one request read together. The size is known only when PostgreSQL has the
 * rows, and statements run side by side: so one may read all that is left, and others meanwhile a little each. What is
 * larger is read again when its turn comes.
 */
export class ReadBound {
  readonly #most: number;
  #left: number;
  /** Fulfilled when the one that may read all has ended. */
  #whole: Promise<void> | undefined;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  /** Resets the bound, for the part of a request after an answer. */
  renew(): void {
    this.#left = this.#most;
  }

  /**
   * Reads with a statement whose size counts for its request.
   * @param attempt sends it; may be called twice, so it must change nothing
   * @throws GatewayError BAD_REQUEST when the request's statements read more than they may
   */
  async read<T>(attempt: Attempt<T>): Promise<T> {
    if (this.#whole) {
      const small = await this.#attempt(attempt, Math.min(beside, this.#left));
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
      // The request is refused: what it still waits for is not read.
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
