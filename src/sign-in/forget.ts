import { endFirstToken } from '../access/administrators.js';
import type { Database } from '../db/connection/database.js';
import { sweep } from '../db/queue/sweep.js';
import { sql } from '../db/sql/sql.js';
import { addDays } from '../domain/status.js';

/** Days for which ended sessions and used links are kept. */
const keptDays = 30;

/**
 * Deletes sessions, links and challenges that ended long ago. Sessions are kept for a while, because a device
 * that somebody has signed in with is recognized by them. The first token ends if an administrator can sign in.
 */
export async function forgetSignIns(database: Database, now: Date): Promise<void> {
  const ended = (at: Date) => ({ where: sql`expires_at < ${at}::timestamptz`, order: 'expires_at' });
  const before = addDays(now, -keptDays);
  await endFirstToken(database, now);
  await sweep(database, { table: 'sessions', ...ended(before) });
  await sweep(database, { table: 'sign_in_links', key: 'hash', ...ended(before) });
  await sweep(database, { table: 'sign_in_challenges', key: 'hash', ...ended(now) });
}
