/** A database of this browser: its version, and how its tables are made. */
export interface Database {
  readonly name: string;
  readonly version: number;
  /** Makes the tables that an earlier version lacks. */
  readonly upgrade: (database: IDBDatabase) => void;
}

/** Milliseconds after which a browser without an answer is taken to keep nothing. */
const patience = 5_000;

function open({ name, version, upgrade }: Database): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => upgrade(request.result);
    const timer = setTimeout(() => {
      reject(new Error('The browser does not open its database.'));
      request.onsuccess = () => request.result.close();
    }, patience);
    request.onsuccess = () => {
      clearTimeout(timer);
      resolve(request.result);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error);
    };
  });
}

/** Runs something on tables of a database. @returns its result, once the change is stored */
export async function within<Result>(
  database: Database,
  mode: IDBTransactionMode,
  tables: readonly string[],
  run: (transaction: IDBTransaction) => IDBRequest<Result> | undefined,
): Promise<Result | undefined> {
  const opened = await open(database);
  try {
    return await new Promise((resolve, reject) => {
      const transaction = opened.transaction(tables, mode);
      const request = run(transaction);
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    opened.close();
  }
}
