import { FileError } from '../../domain/files.js';
import type { EnumOf } from '../sql/columns.js';

/** The time that a store has cost that does not answer. */
interface Waited {
  readonly ms: number;
  readonly error: FileError;
}

/** Milliseconds that work on many files waits for a store that does not answer. */
const defaultMostMs = 60_000;

/**
 * Limits how long work on many files waits for a store that is away. After that, its other files are taken for
 * unavailable without being tried, or each of them would wait as long.
 */
export class Patience {
  readonly #mostMs: number;
  readonly #waited = new Map<EnumOf<'StoreKind'>, Waited>();

  constructor(mostMs = defaultMostMs) {
    this.#mostMs = mostMs;
  }

  /** Returns whether a store has been away for too long. */
  isOver(store: EnumOf<'StoreKind'> | null): boolean {
    return store !== null && (this.#waited.get(store)?.ms ?? 0) >= this.#mostMs;
  }

  /**
   * Reads a file of a store, null being the database.
   * @throws what `read` throws; {FileError} the store's last one if it has been away for too long
   */
  async attempt<T>(store: EnumOf<'StoreKind'> | null, read: () => Promise<T>): Promise<T> {
    if (store === null) return read();
    const before = this.#waited.get(store);
    if (before && this.isOver(store)) throw before.error;
    const started = performance.now();
    try {
      const found = await read();
      this.#waited.delete(store);
      return found;
    } catch (error) {
      if (error instanceof FileError && error.problem === 'unavailable') {
        const ms = (this.#waited.get(store)?.ms ?? 0) + performance.now() - started;
        this.#waited.set(store, { ms, error });
      } else this.#waited.delete(store);
      throw error;
    }
  }
}
