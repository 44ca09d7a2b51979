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
export interface Sized<T> {
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
