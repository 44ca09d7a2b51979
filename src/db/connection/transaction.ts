import type { EventHead } from '../../domain/announcements.js';
import { Kept } from '../../domain/kept.js';
import { ownOf, type Session, scopedOf, type Transaction, transactionAround } from '../sql/scope.js';
import { beginWithin, isBegun } from './begin.js';
import type { Database } from './database.js';
import { isDeadlock } from './errors.js';

const news = new Kept<Transaction, EventHead[]>();

/**
 * Runs a transaction, and announces the events that were logged in it once they are committed: the only place
 * where a transaction is begun. Within another transaction it is a savepoint: its events wait for the outer one's end.
 * @param on the session whose work it is; a transaction around it; for what is no caller's work, the database
 * @throws what `work` throws, and then nothing is committed
 */
export async function inTransaction<T>(
  on: Session | Transaction | Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const heads: EventHead[] = [];
  const noted = (tx: Transaction) => {
    news.set(tx, heads);
    return work(tx);
  };
  const session = 'caller' in on ? on : undefined;
  const around = session ? transactionAround(session) : isBegun(on) ? on : undefined;
  if (around) {
    const result = await beginWithin(around, noted);
    news.get(around)?.push(...heads);
    return result;
  }
  // What is no session and not begun is a database.
  const database = session ? ownOf(session) : (on as Database);
  const client = () => (session ? scopedOf(session) : database.prisma);
  const result = await database.transaction(client, noted);
  database.announce(heads);
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
