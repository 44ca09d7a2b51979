import type { EventHead } from '../domain/announcements.js';
import { announce } from './announcer.js';
import { beginWithin, isBegun } from './begin.js';
import { databaseOf } from './client.js';
import { isDeadlock } from './errors.js';
import type { ScopedClient, Transaction } from './scope.js';

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
  const noted = (tx: Transaction) => {
    news.set(tx, heads);
    return work(tx);
  };
  const result = isBegun(client)
    ? await beginWithin(client, noted)
    : await databaseOf(client as ScopedClient).transaction(client as ScopedClient, noted);
  const around = news.get(client);
  if (around) around.push(...heads);
  else announce(client, heads);
  return result;
}

/** How often work is begun before giving up, when others' locks stand in its way. */
const attempts = 3;

/**
 * Does work that is a transaction, anew when it failed by a deadlock.
 * @param work may run several times; what it did before is undone
 */
export async function despiteDeadlocks<T>(work: () => Promise<T>, attempt = 1): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDeadlock(error) && attempt < attempts) return despiteDeadlocks(work, attempt + 1);
    throw error;
  }
}

/** Keeps events that were logged in a transaction until it is committed. */
export function announceLater(tx: Transaction, heads: readonly EventHead[]): void {
  news.get(tx)?.push(...heads);
}
