import { randomUUID } from 'node:crypto';
import { type FileContent, FileError } from '../../domain/files.js';
import { atMost } from '../../domain/load/at-most.js';
import type { EnumOf } from '../sql/conditions.js';

/** Reasons for which operations in stores fail, as metrics count them. */
export const failureReasons = [
  'missing',
  'damaged',
  'full',
  'denied',
  'busy',
  'timeout',
  'unavailable',
] as const;
type FailureReason = (typeof failureReasons)[number];

/** Operations with objects of a store. */
export const storeOperations = ['read', 'write', 'remove'] as const;
export type StoreOperation = (typeof storeOperations)[number];

/** A failure, as the log and metrics tell it. */
export interface StoreFailure {
  readonly operation: StoreOperation;
  readonly reason: FailureReason;
  /** Address of the store; undefined for the database. */
  readonly store: string | undefined;
  /** Key of the object, or id of the row that has the bytes. */
  readonly key: string;
  /** Message of the store or the system. */
  readonly message: string;
}

/** Creates the 410 for an object that a store does not have. */
export const missingObject = ({ address }: { readonly address: string }, key: string): FileError =>
  new FileError('missing', new Error(`The file ${key} is not in ${address}.`));

/** Creates the 410 for bytes that are not those that were stored. */
export const damagedFile = (why: string): FileError => new FileError('damaged', new Error(why));

/** Creates the 503 for a store that does not answer. */
export const storeUnavailable = (cause: unknown): FileError => new FileError('unavailable', cause);

/** Codes of Node.js and of S3 by reason. Services write errors without a code as `HTTP <status>`. */
const reasonsByCode: Readonly<Record<string, FailureReason>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  QuotaExceeded: 'full',
  'HTTP 507': 'full',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  AccessDenied: 'denied',
  InvalidAccessKeyId: 'denied',
  SignatureDoesNotMatch: 'denied',
  'HTTP 401': 'denied',
  'HTTP 403': 'denied',
  SlowDown: 'busy',
  'HTTP 429': 'busy',
  EMFILE: 'busy',
  ENFILE: 'busy',
  ETIMEDOUT: 'timeout',
  TimeoutError: 'timeout',
  ABORT_ERR: 'timeout',
};

/** Returns why an operation failed. Codes that are not known count as `unavailable`, so that there are few reasons. */
function reasonOf(error: unknown): FailureReason {
  if (error instanceof FileError && error.problem !== 'unavailable') return error.problem;
  const { code, name } = (causeOf(error) ?? {}) as { code?: unknown; name?: string };
  const known = typeof code === 'string' && Object.hasOwn(reasonsByCode, code) ? code : (name ?? '');
  return Object.hasOwn(reasonsByCode, known) ? (reasonsByCode[known] as FailureReason) : 'unavailable';
}

const causeOf = (error: unknown): unknown => (error as { cause?: unknown }).cause ?? error;

/** Returns what the store or the system said about a failure. */
export function causeText(error: unknown): string {
  const cause = causeOf(error);
  return cause instanceof Error ? cause.message : String(cause);
}

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
const maxAtOnce = 32;

/** Number of operations that may wait for their turn. */
const maxWaiting = 64;

/**
 * Limits the operations in a store, so that a slow one cannot fill the memory. Whatever finds too many ahead
 * of it gets a 503 at once.
 * @param onFailure called with each operation that fails, except for an object that is missing: it may only have
 *   been moved
 */
function limited(store: FileStore, onFailure: (failure: StoreFailure) => void): FileStore {
  const inTurn = atMost(maxAtOnce, {
    most: maxWaiting,
    refuse: () =>
      storeUnavailable(Object.assign(new Error('Too many operations are waiting.'), { code: 'SlowDown' })),
  });
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

/** A step of the check of a store, as messages name it. */
export type CheckStep = 'write' | 'read' | 'remove';

/**
 * Checks a store by writing an object, reading a part, and removing it.
 * @param explain says in one sentence what is wrong with a step, and how to mend it
 * @throws {StoreProblem}
 */
export async function checkStore(
  store: FileStore,
  explain: (cause: unknown, step: CheckStep) => string,
): Promise<void> {
  const key = `check/${randomUUID()}`;
  const attempt = <T>(step: CheckStep, work: Promise<T>) =>
    work.catch((error: Error) => {
      const cause = error.cause ?? error;
      throw new StoreProblem(explain(cause, step), { cause });
    });
  await attempt('write', store.write(key, Buffer.from('0123456789')));
  try {
    const part = await attempt('read', store.read(key, 2, 3));
    if (Buffer.from(part).toString() !== '234') {
      throw new StoreProblem(`${store.address} of FILES does not support ranges: use another store.`);
    }
  } catch (error) {
    await store.remove(key).catch(() => {});
    throw error;
  }
  await attempt('remove', store.remove(key));
}

/** An object that was written for a file that is not committed yet. */
export interface StagedFile {
  readonly store: FileStore['kind'];
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** Thrown instead of a commit whose new files are not in their store yet. */
export class FilesNeeded extends Error {
  override readonly name = 'FilesNeeded';
  readonly contents: readonly FileContent[];

  constructor(contents: readonly FileContent[]) {
    super('New files are not in their store yet.');
    this.contents = contents;
  }
}

/** The new files of a transaction. */
export class TransactionFiles {
  /** The store that they go to; undefined for the database. */
  readonly target: FileStore | undefined;
  readonly #free: StagedFile[];
  readonly #needed: FileContent[] = [];

  constructor(target: FileStore | undefined, staged: readonly StagedFile[]) {
    this.target = target;
    this.#free = [...staged];
  }

  /** Takes the object that was written for a file. Without one, the transaction cannot be committed. */
  take(content: FileContent): StagedFile | undefined {
    // Repeated work decodes its input again, so only the bytes are the same.
    const at = this.#free.findIndex(({ bytes }) => Buffer.compare(bytes, content.bytes) === 0);
    if (at >= 0) return this.#free.splice(at, 1)[0];
    this.#needed.push(content);
    return undefined;
  }

  /** @throws {FilesNeeded} if files are not in their store yet */
  checkStored(): void {
    if (this.#needed.length > 0) throw new FilesNeeded(this.#needed);
  }
}

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
