import type { Database } from '../../src/db/connection/database.js';
import { newId } from '../../src/domain/rules.js';
import type { TestGateway } from './gateway.js';

/** Columns of a worker's row, by their names. */
type WorkerRow = Readonly<Record<string, string | boolean | Date | null>>;

/** Adds a worker, as it would report itself. */
export async function addWorker(database: Database, values: WorkerRow): Promise<void> {
  const row = { id: newId(), has_demo_mail: false, ...values };
  await database.sql('INSERT INTO workers SELECT * FROM json_populate_record(NULL::workers, $1)', [
    JSON.stringify(row),
  ]);
}

/** Lets one worker run, so that reminders are sent unless its values say otherwise. */
export async function setWorker({ database, clock }: TestGateway, values: WorkerRow = {}): Promise<void> {
  const { now } = clock;
  const nextAt = new Date(now.getTime() + 3_600_000);
  await database.sql('DELETE FROM workers');
  await database.prisma.reminderMark.updateMany({ data: { nextAt } });
  const times = { started_at: now, seen_at: now, decided_at: now, mail_tried_at: now };
  await addWorker(database, { ...times, has_mail: true, has_demo_mail: true, ...values });
}
