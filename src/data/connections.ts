import type { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import type { Prisma } from '../generated/prisma/client.js';

/** Sends a statement on the connection of a transaction, when those before it are done. */
type Sender = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

/** Not a statement, and never sent: it asks the transaction that it is given to for its sender. */
export const handOver = '-- the connection of this transaction';

/** Senders that were asked for, by the number of the asking. */
const handed = new Map<number, Sender>();
let asked = 0;

/** Lets work begin when the work before it has ended. */
function inTurn() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

/** A transaction of Prisma's that answers `handOver`. */
function answering(transaction: Transaction): Transaction {
  const turn = inTurn();
  // Not public, but there is no other way to it.
  const { client } = transaction as unknown as { readonly client: pg.PoolClient };
  const queryRaw = transaction.queryRaw.bind(transaction);
  const executeRaw = transaction.executeRaw.bind(transaction);
  transaction.executeRaw = (query) => turn(() => executeRaw(query));
  transaction.queryRaw = async (query) => {
    if (query.sql !== handOver) return turn(() => queryRaw(query));
    handed.set(Number(query.args[0]), (statement) => turn(() => client.query(statement)));
    return { columnNames: [], columnTypes: [], rows: [] };
  };
  return transaction;
}

/** Lets what is sent past Prisma's client be sent in its transactions, too (`senderOf`). */
export function withSenders(adapter: PrismaPg): SqlDriverAdapterFactory {
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    connect: async () => {
      const connected = await adapter.connect();
      const start = connected.startTransaction.bind(connected);
      connected.startTransaction = async (level) => answering(await start(level));
      return connected;
    },
  };
}

const senders = new WeakMap<Prisma.TransactionClient, Promise<Sender>>();

/** What sends statements in a transaction past Prisma's client; they must be awaited before the transaction ends. */
export function senderOf(tx: Prisma.TransactionClient): Promise<Sender> {
  const known = senders.get(tx);
  if (known) return known;
  const sender = ask(tx);
  senders.set(tx, sender);
  return sender;
}

async function ask(tx: Prisma.TransactionClient): Promise<Sender> {
  const number = ++asked;
  await tx.$queryRawUnsafe(handOver, number);
  const sender = handed.get(number);
  handed.delete(number);
  if (!sender) throw new Error('This is no transaction.');
  return sender;
}
