import type { Database } from '../db/connection/database.js';
import { named } from '../db/connection/statement.js';

/** Milliseconds for which ended sessions and used links are kept. */
const kept = 30 * 86_400_000;

/**
 * Deletes sessions, links and challenges that ended long ago. Sessions are kept for a while, because a device
 * that somebody has signed in with is recognized by them.
 */
export async function forgetSignIns(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - kept);
  const statements = [
    named('sessions.forget', { text: 'DELETE FROM sessions WHERE expires_at < $1', values: [before] }),
    named('sign_in_links.forget', {
      text: 'DELETE FROM sign_in_links WHERE expires_at < $1',
      values: [before],
    }),
    named('sign_in_challenges.forget', {
      text: 'DELETE FROM sign_in_challenges WHERE expires_at < $1',
      values: [now],
    }),
  ];
  for (const statement of statements) await database.query(statement);
}
