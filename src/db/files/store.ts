import type { EnumOf } from '../sql/columns.js';
import {
  causeText,
  type FailureReason,
  reasonOf,
  type StoreFailure,
  type StoreOperation,
  storeUnavailable,
} from './failures.js';

/** A store outside the database that keeps files' bytes as objects, by key. */
export interface FileStore {
  readonly kind: EnumOf<'StoreKind'>;
  /** Its address, without secrets. */
  readonly address: string;
  /**
   * Writes an object. It is complete and durable, or not there.
   * @throws {FileError} `unavailable`
   */
  write(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /**
   * Reads a range of an object.
   * @returns fewer bytes if the object is shorter
   * @throws {FileError} `missing`, `damaged` or `unavailable`
   */
  read(key: string, first: number, length: number): Promise<Uint8Array>;
  /** Removes an object; does nothing if it is gone. */
  remove(key: string): Promise<void>;
  /**
   * Checks that objects can be written, read in part, and removed.
   * @throws {StoreProblem} with instructions
   */
  check(): Promise<void>;
}

/** Error for a store that cannot be used. The message says how to mend it. */
export class StoreProblem extends Error {
  override readonly name = 'StoreProblem';
}

/** Number of operations that a process has under way in a store. */
const mostAtOnce = 32;

/** Number of operations that may wait for their turn. */
const mostWaiting = 64;

/**
 * Limits the operations in a store, so that a slow one cannot fill the memory. Whatever finds too many ahead
 * of it gets a 503 at once.
 * @param onFailure called with each operation that fails, except for an object that is missing: it may only have
 *   been moved
 */
function limited(store: FileStore, onFailure: (failure: StoreFailure) => void): FileStore {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  async function told<T>(operation: StoreOperation, key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await inTurn(work);
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== 'missing')
        onFailure({ operation, reason, store: store.address, key, message: causeText(error) });
      throw error;
    }
  }
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (underWay >= mostAtOnce) {
      if (waiting.length >= mostWaiting)
        throw storeUnavailable(
          Object.assign(new Error('Too many operations are waiting.'), { code: 'SlowDown' }),
        );
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else underWay += 1;
    try {
      return await work();
    } finally {
      // The next one takes over the place.
      const next = waiting.shift();
      if (next) next();
      else underWay -= 1;
    }
  }
  return {
    kind: store.kind,
    address: store.address,
    write: (key, bytes) => told('write', key, () => store.write(key, bytes)),
    read: (key, first, length) => told('read', key, () => store.read(key, first, length)),
    remove: (key) => told('remove', key, () => store.remove(key)),
    check: () => store.check(),
  };
}

/** The stores of a process, and what is told about them. */
export interface FileStoresOptions {
  /** Store of new files; undefined for the database. */
  readonly target?: FileStore | undefined;
  /** Store that still has files that have not been moved yet. */
  readonly from?: FileStore | undefined;
  /** Called with each failure of an operation, and each file that is missing or damaged. */
  readonly onFailure?: ((failure: StoreFailure) => void) | undefined;
}

/** The stores of a process. Without any, all files are in the database. */
export class FileStores {
  readonly target: FileStore | undefined;
  readonly #onFailure: (failure: StoreFailure) => void;
  readonly #failures = new Map<string, number>();
  readonly #stores: ReadonlyMap<EnumOf<'StoreKind'>, FileStore>;

  constructor({ target, from, onFailure = () => {} }: FileStoresOptions = {}) {
    const told = (failure: StoreFailure) => this.report(failure);
    const stores = [from, target].flatMap((store) => (store ? [limited(store, told)] : []));
    this.#stores = new Map(stores.map((store) => [store.kind, store]));
    this.target = target && this.#stores.get(target.kind);
    this.#onFailure = onFailure;
  }

  /** Tells the log of a failure, and counts it. */
  report(failure: StoreFailure): void {
    const key = `${failure.operation} ${failure.reason}`;
    this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1);
    this.#onFailure(failure);
  }

  /** Returns how many operations have failed for a reason since the start. */
  failures(operation: StoreOperation, reason: FailureReason): number {
    return this.#failures.get(`${operation} ${reason}`) ?? 0;
  }

  /** All stores outside the database. */
  get all(): readonly FileStore[] {
    return [...this.#stores.values()];
  }

  /**
   * Finds the store of a kind.
   * @throws GatewayError UNAVAILABLE if the settings name none
   */
  find(kind: EnumOf<'StoreKind'>): FileStore {
    const store = this.#stores.get(kind);
    if (store) return store;
    const problem = new StoreProblem(`Neither FILES nor FILES_FROM names the store (${kind}) of a file.`);
    this.report({
      ...{ operation: 'read', reason: 'unavailable', store: undefined, key: kind },
      message: problem.message,
    });
    throw storeUnavailable(problem);
  }
}
