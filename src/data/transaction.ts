import type { EventHead } from '../domain/announcements.js';
import { announce } from './announcer.js';
import type { Transaction } from './scope.js';

const news = new WeakMap<Transaction, EventHead[]>();

/**
 * Runs a transaction, and announces the events that were logged in it once they are committed: the only place
 * where a transaction is begun. Within another transaction it is a savepoint: its events wait for the outer one's end.
 * @param client the database's client, or a session's
 * @throws what `work` throws, and then nothing is committed
 */
export async function inTransaction<T>(
  client: Transaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const heads: EventHead[] = [];
  const result = await client.$transaction((tx) => {
    news.set(tx, heads);
    return work(tx);
  });
  const around = news.get(client);
  if (around) around.push(...heads);
  else announce(client, heads);
  return result;
}

/** Keeps events that were logged in a transaction until it is committed. */
export function announceLater(tx: Transaction, heads: readonly EventHead[]): void {
  news.get(tx)?.push(...heads);
}
