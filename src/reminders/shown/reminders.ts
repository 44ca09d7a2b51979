import * as z from 'zod';
import type { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import { columnsSql } from '../../db/sql/columns.js';
import { visibleRowSql } from '../../db/sql/conditions.js';
import { defineRows } from '../../db/sql/select.js';
import { dayKeys } from '../../domain/reminders/due.js';
import type { Ending } from '../../domain/reminders/reasons.js';
import { rules } from '../../domain/rules.js';
import { Prisma, type Reminder, ReminderState, type ReminderTarget } from '../../generated/prisma/client.js';
import { type Link, linkCondition } from '../../records/links.js';
import { filterCondition } from '../../records/lists/filter.js';
import { inColumn } from '../../records/lists/links.js';
import { linkedNames } from '../../records/lists/order.js';
import type { Readable } from '../../records/lists/readable.js';
import { type BatchLoader, groupByKey } from '../../records/loaders.js';
import { seenAddressSql } from './addresses.js';

const { sql } = Prisma;

/** Reminders in a delivery. */
export const remindersOfDelivery: Link = {
  pairs: sql`SELECT delivery_id, reminder_id FROM reminder_targets WHERE delivery_id IS NOT NULL`,
};

const reminderFilter = z.object({
  term: rules.line,
  state: z.enum(ReminderState).nullish(),
  since: rules.date,
  isWithoutRecipient: rules.choice,
  expirationItemId: rules.uuid,
  deliveryId: rules.uuid,
  teamId: rules.uuid,
});

/** Filter of the list of reminders. */
export type ReminderFilter = z.input<typeof reminderFilter>;

/** Reason of reminders that reached none of their own recipients. */
export const withoutRecipient: Ending = 'without recipient';

/** Keys of entries in the ledger that are not reminders. They record what the calendar has done. */
export const noReminders: readonly string[] = Object.values(dayKeys);

/** Reminders as a readable resource: the ledger of decisions. */
export const reminders: Readable<Reminder> = {
  noun: 'reminder',
  sortable: new Map<string, z.ZodType>([
    ['id', z.guid()],
    ['itemName', z.string()],
    ['expirationDate', z.date()],
    ['slot', z.date()],
    ['decidedAt', z.date()],
    ['modified', z.date()],
  ]),
  indexed: ['slot'],
  orderKeys: linkedNames({ team: ['teamId', 'team'] }),
  ranges: { slot: 'DateTime', expirationDate: 'Date' },
  manyOf: { teamIds: inColumn('teamId'), expirationItemIds: inColumn('itemId') },
  where: (filter) => ({
    AND: [
      { stepKey: { notIn: noReminders } },
      filterCondition(reminderFilter, filter, ['itemName'], {
        since: (moment) => ({ slot: { gte: moment } }),
        expirationItemId: (itemId) => ({ itemId }),
        deliveryId: (id) => linkCondition(remindersOfDelivery, id),
        isWithoutRecipient: (is) =>
          is ? { reason: withoutRecipient } : { EXCEPT: { reason: withoutRecipient } },
      }),
    ],
  }),
  rows: defineRows('Reminder'),
};

/** The most recipients shown for a reminder. */
export const mostTargets = 100;

/** A recipient of a reminder. */
export type Target = ReminderTarget;

/** Loads the recipients of reminders, in the order of their addresses. */
export const targetsByReminder: BatchLoader<Target[]> = async (session: Session, ids) => {
  const statement = sql`
    SELECT record.* FROM unnest(${[...ids]}::uuid[]) AS own (id)
    CROSS JOIN LATERAL (
      SELECT ${columnsSql('ReminderTarget')} FROM reminder_targets AS record
      WHERE ${visibleRowSql(session, 'ReminderTarget', { reminderId: sql`own.id` })}
      ORDER BY ${seenAddressSql(session)} IS NULL, record.recipient_key LIMIT ${mostTargets}
    ) AS record`;
  const rows = await session.lookUp<Target>(named('reminder_targets.of_reminders', statement));
  return groupByKey(ids, rows, ({ reminderId }) => reminderId);
};
