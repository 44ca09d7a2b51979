import { purgeExpired } from '../../src/db/bin/bin.js';
import type { Database } from '../../src/db/connection/database.js';
import { deleteOldDeliveries } from '../../src/db/retention/retention.js';
import { forgetExports } from '../../src/exports/exports.js';
import { forgetImports } from '../../src/imports/queue.js';
import { dropChecks } from '../../src/reminders/evaluate/turns.js';
import { forgetSignIns } from '../../src/sign-in/sessions.js';
import { forgetResumable } from '../../src/uploads/resumable.js';

/** Deletes what has expired of all organizations, as workers do. */
export async function deleteExpired(database: Database, now: Date): Promise<void> {
  await purgeExpired(database, now);
  await deleteOldDeliveries(database, now, 1);
  await forgetImports(database, now);
  await forgetExports(database, now);
  await forgetResumable(database, now);
  await forgetSignIns(database, now);
  await dropChecks(database);
}
