import type { Database } from '../../db/connection/database.js';
import type { Log } from '../../db/embedded/log.js';
import { readSilence, silentText } from '../../db/queue/silence.js';

/** Warns at the start if the database was restored and sends nothing. */
export async function warnOfSilence(database: Database, log: Log): Promise<void> {
  const backup = await readSilence(database);
  if (backup) log.warn({ backup: backup.madeAt, restored: backup.restoredAt }, silentText);
}
