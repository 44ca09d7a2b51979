import type { EventHead } from '../domain/announcements.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { announce } from './announcer.js';
import type { Transaction } from './scope.js';

const news = new WeakMap<Transaction, EventHead[]>();

/**
 * Runs a transaction, and announces the events that were logged in it once they are committed: the only place
 * where a transaction is begun.
 * @param client the database's client, or a session's
 * @throws what `work` throws, and then nothing is committed
 */
export async function inTransaction<T>(
  client: PrismaClient,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const heads: EventHead[] = [];
  const result = await client.$transaction((tx) => {
    news.set(tx, heads);
    return work(tx);
  });
  announce(client, heads);
  return result;
}

/** Keeps events that were logged in a transaction until it is committed. */
export function announceLater(tx: Transaction, heads: readonly EventHead[]): void {
  news.get(tx)?.push(...heads);
}
