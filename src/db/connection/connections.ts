import type { PrismaPg } from '@prisma/adapter-pg';
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.js';

/** Sends a statement on the connection of a transaction; it is executed when those before it are done. */
export type Sender = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

/** Not a statement, and never sent: as the first of a transaction of Prisma's, it makes it a part of one of ours. */
const join = '-- a part of another transaction';

/** Our transactions that one of Prisma's is about to become a part of, by the number of the asking. */
const joinable = new Map<number, Sender>();
let asked = 0;

/**
 * A transaction of Prisma's that begins with its first statement, if it is one of its own: as a part of another it
 * sends on that one's connection, and leaves beginning and ending to it.
 */
function begunLater(adapter: SqlDriverAdapter, start: () => Promise<Transaction>): Transaction {
  let outer: SqlQueryable | undefined;
  let own: Promise<Transaction> | undefined;
  const target = async () => {
    if (outer) return outer;
    own ??= start();
    return own;
  };
  const end = async (sql: string, release: (transaction: Transaction) => Promise<void>) => {
    if (!own) return;
    const transaction = await own;
    try {
      await transaction.executeRaw({ sql, args: [], argTypes: [] });
    } finally {
      await release(transaction);
    }
  };
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    // Prisma leaves sending COMMIT and ROLLBACK to `commit` and `rollback`.
    options: { usePhantomQuery: true },
    executeRaw: async (query) => (await target()).executeRaw(query),
    queryRaw: async (query) => {
      if (query.sql !== join) return (await target()).queryRaw(query);
      const send = joinable.get(Number(query.args[0]));
      if (!send) throw new Error('There is no such transaction.');
      // That the adapter sends through `client` is not public, but there is no other way to its conversions.
      outer = Object.create(adapter, { client: { value: { query: send } } }) as SqlQueryable;
      return { columnNames: [], columnTypes: [], rows: [] };
    },
    commit: () => end('COMMIT', (transaction) => transaction.commit()),
    rollback: () => end('ROLLBACK', (transaction) => transaction.rollback()),
  };
}

/** Lets transactions of Prisma's be parts of ours (`joined`). */
export function joining(adapter: PrismaPg): SqlDriverAdapterFactory {
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    connect: async () => {
      const connected = await adapter.connect();
      const start = connected.startTransaction.bind(connected);
      connected.startTransaction = async (level) => begunLater(connected, () => start(level));
      return connected;
    },
  };
}

/** Prisma's part of a transaction. */
export interface Joined {
  readonly tx: Promise<Prisma.TransactionClient>;
  /** Ends it, before the transaction itself ends; rejects when Prisma has given it up. */
  end(): Promise<void>;
}

/** Has a client of Prisma's work in a transaction that is not of its making. */
export function joined(prisma: PrismaClient, send: Sender): Joined {
  const number = ++asked;
  const { promise: over, resolve: end } = deferred<void>();
  const { promise: tx, resolve, reject } = deferred<Prisma.TransactionClient>();
  joinable.set(number, send);
  const ended = prisma.$transaction(async (inner) => {
    await inner.$queryRawUnsafe(join, number);
    resolve(inner);
    await over;
  });
  ended.catch(reject).finally(() => joinable.delete(number));
  return {
    tx,
    end: () => {
      end();
      return ended;
    },
  };
}

/** A promise, and what settles it. */
function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((onFulfilled, onRejected) => {
    resolve = onFulfilled;
    reject = onRejected;
  });
  // Whoever asks for it is told; nobody may.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** Whether a statement that Prisma logs is one of its own, of which nothing is sent. */
export function isSent(statement: string): boolean {
  return !statement.startsWith('--');
}

/** The operations of a model of Prisma's. */
export type Operations = Record<string, (args: unknown) => Promise<unknown>>;
/** A client of Prisma's, by the names that it has its models under. */
export type Models = Record<string, Operations>;

/** The name under which Prisma's clients have a model. */
export const clientNameOf = (model: string) => `${model[0]?.toLowerCase()}${model.slice(1)}`;

/** The names under which they have all. */
export const modelNames: ReadonlySet<string> = new Set(Object.values(Prisma.ModelName).map(clientNameOf));

/**
 * A client of which each operation is a transaction by itself, and that has nothing but models and transactions.
 * @param transaction does work in a transaction, in which it sees the models of `client`
 */
export function eachBegun(
  client: PrismaClient,
  transaction: <T>(
    client: () => PrismaClient,
    work: (tx: Prisma.TransactionClient) => Promise<T>,
  ) => Promise<T>,
): PrismaClient {
  const operationsOf = (name: string): Operations =>
    new Proxy({} as Operations, {
      get: (_, operation: string) => (args: unknown) =>
        // By names that are known only when it runs.
        transaction(
          () => client,
          async (tx) => (tx as unknown as Models)[name]?.[operation]?.(args),
        ),
    });
  return new Proxy(client, {
    get(_, name) {
      if (typeof name === 'string' && modelNames.has(name)) return operationsOf(name);
      return name === '$transaction' ? client.$transaction.bind(client) : undefined;
    },
  });
}
