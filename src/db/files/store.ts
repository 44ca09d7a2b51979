import { GatewayError } from '../../domain/errors.js';
import type { StoreKind } from '../../generated/prisma/client.js';

/** A store outside the database that keeps files' bytes as objects, by key. */
export interface FileStore {
  readonly kind: StoreKind;
  /** Its address, without secrets. */
  readonly address: string;
  /** Writes an object. It is complete and durable, or not there. */
  write(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /**
   * Reads a range of an object.
   * @throws {MissingObject} if there is no such object
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

/** Error for an object that a store does not have. */
export class MissingObject extends Error {
  override readonly name = 'MissingObject';

  constructor({ address }: Pick<FileStore, 'address'>, key: string) {
    super(`The file ${key} is not in ${address}.`);
  }
}

/** Creates the 503 for a store that does not answer. */
export const storeUnavailable = (cause: unknown): GatewayError =>
  new GatewayError('UNAVAILABLE', 'Files cannot be read or stored now; try again.', {
    cause,
    headers: { 'Retry-After': '5' },
  });

/** Number of operations that a process has under way in a store. */
const mostAtOnce = 32;

/** Number of operations that may wait for their turn. */
const mostWaiting = 64;

/**
 * Limits the operations in a store, so that a slow one cannot fill the memory. Whatever finds too many ahead
 * of it gets a 503 at once.
 */
export function limited(store: FileStore): FileStore {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (underWay >= mostAtOnce) {
      if (waiting.length >= mostWaiting)
        throw storeUnavailable(new Error('Too many operations are waiting.'));
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
    write: (key, bytes) => inTurn(() => store.write(key, bytes)),
    read: (key, first, length) => inTurn(() => store.read(key, first, length)),
    remove: (key) => inTurn(() => store.remove(key)),
    check: () => store.check(),
  };
}

/** The stores of a process, and what is told about them. */
export interface FileStoresOptions {
  /** Store of new files; undefined for the database. */
  readonly target?: FileStore | undefined;
  /** Store that still has files that have not been moved yet. */
  readonly from?: FileStore | undefined;
  /** Called with a file that its store has lost. */
  readonly onLost?: ((error: MissingObject) => void) | undefined;
}

/** The stores of a process. Without any, all files are in the database. */
export class FileStores {
  readonly target: FileStore | undefined;
  readonly onLost: (error: MissingObject) => void;
  readonly #stores: ReadonlyMap<StoreKind, FileStore>;

  constructor({ target, from, onLost = () => {} }: FileStoresOptions = {}) {
    const stores = [from, target].flatMap((store) => (store ? [limited(store)] : []));
    this.#stores = new Map(stores.map((store) => [store.kind, store]));
    this.target = target && this.#stores.get(target.kind);
    this.onLost = onLost;
  }

  /** All stores outside the database. */
  get all(): readonly FileStore[] {
    return [...this.#stores.values()];
  }

  /**
   * Finds the store of a kind.
   * @throws GatewayError UNAVAILABLE if the settings name none
   */
  find(kind: StoreKind): FileStore {
    const store = this.#stores.get(kind);
    if (store) return store;
    throw storeUnavailable(
      new StoreProblem(`Neither FILES nor FILES_FROM names the store (${kind}) of a file.`),
    );
  }
}
