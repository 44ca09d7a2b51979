import { addEventPartitions } from '../../db/retention/event-partitions.js';
import { deleteOldDeliveries, deleteOldEvents } from '../../db/retention/old-rows.js';
import { withDatabase } from '../database.js';
import { readSettings } from '../settings.js';
import { type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';

export interface MaintainOptions extends ReportOptions {
  /** Months for which partitions are made ahead of time. */
  readonly months: number;
}

/** Makes partitions of the event log, and deletes old ones. Only the owner of the tables may. */
export async function maintainCommand(io: Io, { months, ...options }: MaintainOptions): Promise<void> {
  const config = readSettings(io.env, 'maintain');
  const { eventLogDays, deliveryDays } = config;
  await withDatabase(config, quietLog(io, options), async ({ database }) => {
    const now = new Date();
    const made = await addEventPartitions(database, now, eventLogDays, months);
    const events = await deleteOldEvents(database, now, eventLogDays);
    const deliveries = await deleteOldDeliveries(database, now, deliveryDays);
    const text = `Made ${made} partitions of the event log. Deleted ${events} events and ${deliveries} deliveries.`;
    await report(io, options, { made, events, deliveries }, text);
  });
}
