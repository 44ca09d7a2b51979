/** A document on this device that the gateway has not acknowledged. */
export interface KeptDocument {
  readonly id: string;
  /** The user and the workspace that the document belongs to. */
  readonly owner: string;
  readonly name: string;
  readonly pdf: Blob;
  /** The item to attach the document to; none for the inbox. */
  readonly itemId?: string;
  /** The id of the upload at the gateway, once it has begun. */
  readonly uploadId?: string;
  /** True if all bytes have arrived, so that only the acknowledgement is missing. */
  readonly isSent?: boolean;
  readonly created: number;
}

const table = 'documents';

/** Turns a request to the browser's database into a promise. */
const answerOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('camera', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(table, { keyPath: 'id' }).createIndex('owner', 'owner');
  };
  return answerOf(request);
}

/** Runs something on the table. @returns its result, once the change is stored */
async function within<Result>(
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open();
  try {
    const transaction = database.transaction(table, mode);
    const isStored = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const [result] = await Promise.all([answerOf(run(transaction.objectStore(table))), isStored]);
    return result;
  } finally {
    database.close();
  }
}

/** Keeps a document, in place of an earlier state of it. */
export const keep = (document: KeptDocument): Promise<unknown> =>
  within('readwrite', (store) => store.put(document));

/** Removes a document. */
export const forget = (id: string): Promise<unknown> => within('readwrite', (store) => store.delete(id));

/** Lists the documents of a user in a workspace, oldest first. */
export async function findKept(owner: string): Promise<readonly KeptDocument[]> {
  const kept = await within<KeptDocument[]>('readonly', (store) => store.index('owner').getAll(owner));
  return kept.sort((one, other) => one.created - other.created);
}
