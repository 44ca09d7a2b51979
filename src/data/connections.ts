import type { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import type { Prisma } from '../generated/prisma/client.js';

/** Not a statement, and never sent: it asks for the connection of the transaction that it is given to. */
export const handOver = '-- the connection of this transaction';

/** Connections that were asked for, by the number of the asking. */
const handed = new Map<number, pg.PoolClient>();
let asked = 0;

/** A transaction of Prisma's that answers `handOver`. */
function answering(transaction: Transaction): Transaction {
  const queryRaw = transaction.queryRaw.bind(transaction);
  transaction.queryRaw = async (query) => {
    if (query.sql !== handOver) return queryRaw(query);
    // Not public, but there is no other way to it.
    const { client } = transaction as unknown as { readonly client: pg.PoolClient };
    handed.set(Number(query.args[0]), client);
    return { columnNames: [], columnTypes: [], rows: [] };
  };
  return transaction;
}

/** Lets the connections of Prisma's transactions be had (`connectionOf`). */
export function withConnections(adapter: PrismaPg): SqlDriverAdapterFactory {
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

const connections = new WeakMap<Prisma.TransactionClient, Promise<pg.PoolClient>>();

/**
 * The connection of a transaction, for what is sent in it past Prisma's client, and awaited before the transaction
 * ends.
 */
export function connectionOf(tx: Prisma.TransactionClient): Promise<pg.PoolClient> {
  const known = connections.get(tx);
  if (known) return known;
  const connection = ask(tx);
  connections.set(tx, connection);
  return connection;
}

async function ask(tx: Prisma.TransactionClient): Promise<pg.PoolClient> {
  const number = ++asked;
  await tx.$queryRawUnsafe(handOver, number);
  const connection = handed.get(number);
  handed.delete(number);
  if (!connection) throw new Error('This is no transaction.');
  return connection;
}
