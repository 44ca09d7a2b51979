import type { Database } from '../../src/db/connection/database.js';
import { newId } from '../../src/domain/rules.js';

/** Adds a worker as one reports itself: columns of its row by name. */
export async function addWorker(
  database: Database,
  values: Readonly<Record<string, string | boolean | Date | null>>,
): Promise<void> {
  const row = { id: newId(), has_demo_mail: false, ...values };
  await database.sql('INSERT INTO workers SELECT * FROM json_populate_record(NULL::workers, $1)', [
    JSON.stringify(row),
  ]);
}
