import type { Session } from '../../db/connection/session.js';
import { prepared } from '../../db/connection/statement.js';
import { type Condition, columnsSql, type RowOf, visibleRowSql } from '../../db/sql/conditions.js';
import { sql } from '../../db/sql/sql.js';
import { dayKeys } from '../../domain/reminders/decide.js';
import { type Ending, reasonCode, reasonText, somebodyElse } from '../../domain/reminders/reasons.js';
import { declareList } from '../../records/declare/declare.js';
import { computed, exposedInGraphql, link, unexposed } from '../../records/declare/fields.js';
import type { Link } from '../../records/links.js';
import { type BatchLoader, groupByKey, loadBatched } from '../../records/loaders.js';

/** Address that got a reminder, with its contact's workspace if that is another one. */
interface Addressed {
  readonly address: string;
  readonly homeTeamId: string | null;
}

/** Returns whether a caller sees whose address it is. */
export const seesAddress = ({ caller }: Session, { homeTeamId }: Pick<Addressed, 'homeTeamId'>): boolean =>
  homeTeamId === null || caller.teamIds.includes(homeTeamId);

/** Returns an address as a caller sees it. Addresses of invisible contacts are replaced. */
export const shownAddress = (session: Session, addressed: Addressed): string =>
  seesAddress(session, addressed) ? addressed.address : somebodyElse;

/** Returns the condition that a caller sees a row's address. Searches only find visible addresses. */
export const addressSeen = ({ caller }: Session): Condition => ({
  OR: [{ homeTeamId: null }, { homeTeamId: { in: [...caller.teamIds] } }],
});

/**
 * Returns SQL for a row's address if the caller sees it, else null. So orders reveal nothing about invisible
 * ones.
 */
export const seenAddressSql = ({ caller }: Session) => sql`CASE
  WHEN record.home_team_id IS NULL OR record.home_team_id = ANY(${[...caller.teamIds]}::uuid[]) THEN record.address
END`;

/** Reminders in a delivery. */
export const remindersOfDelivery: Link = {
  pairs: sql`SELECT delivery_id, reminder_id FROM reminder_targets WHERE delivery_id IS NOT NULL`,
};

/** Reason of reminders that reached none of their own recipients. */
export const withoutRecipient: Ending = 'without recipient';

/** Keys of entries in the ledger that are not reminders. They record what the calendar has done. */
export const noReminders: readonly string[] = Object.values(dayKeys);

/** The most recipients shown for a reminder. */
export const maxTargets = 100;

/** A recipient of a reminder. */
export type Target = RowOf<'ReminderTarget'>;

/** Loads the recipients of reminders, in the order of their addresses. */
const targetsByReminder: BatchLoader<Target[]> = async (session: Session, ids) => {
  const statement = sql`
    SELECT record.* FROM unnest(${[...ids]}::uuid[]) AS own (id)
    CROSS JOIN LATERAL (
      SELECT ${columnsSql('ReminderTarget')} FROM reminder_targets AS record
      WHERE ${visibleRowSql(session, 'ReminderTarget', { reminderId: sql`own.id` })}
      ORDER BY ${seenAddressSql(session)} IS NULL, record.recipient_key LIMIT ${maxTargets}
    ) AS record`;
  const rows = await session.lookUp<Target>(prepared('reminder_targets.of_reminders', statement));
  return groupByKey(ids, rows, ({ reminderId }) => reminderId);
};

/** Reminders: the ledger of decisions. */
export const reminders = declareList('Reminder', {
  fields: {
    id: exposedInGraphql(),
    itemId: unexposed(undefined, { to: 'expirationItem' }),
    expirationItem: link('itemId', 'The item. Null if it no longer exists.', {
      ordered: false,
      hasNone: false,
      list: 'The reminders that were decided for the item.',
    }),
    itemName: exposedInGraphql(),
    about: computed(
      'ItemDate!',
      ['about'],
      'Which date of the item it is about.',
      ({ about }: RowOf<'Reminder'>) => about,
    ),
    expirationDate: exposedInGraphql(),
    occurrence: exposedInGraphql(),
    slot: exposedInGraphql(undefined, { deprecated: { shown: 'Ask for `slotAt`. It goes in version 1.0.' } }),
    slotAt: computed('DateTime!', ['slot'], 'When it was due.', ({ slot }: RowOf<'Reminder'>) => slot),
    state: exposedInGraphql(undefined, {
      enum: {
        about: 'The state of a reminder.',
        values: {
          PENDING: 'It was decided and is being sent.',
          TOLD: 'Somebody was notified.',
          SKIPPED: 'It passed without being sent.',
          CANCELLED: 'It no longer applied when it was due to be sent.',
        },
      },
    }),
    reason: computed(
      'String',
      ['reason'],
      'Why it was skipped or cancelled, or who was not reached, in plain words.',
      ({ reason }: RowOf<'Reminder'>) => reasonText(reason),
    ),
    reasonCode: computed(
      'NotToldReason',
      ['reason'],
      'The code for why it was skipped or cancelled, or for who was not reached.',
      ({ reason }: RowOf<'Reminder'>) => reasonCode(reason),
    ),
    targets: computed(
      '[ReminderTarget]!',
      [],
      `The recipients, at most the first ${maxTargets}.`,
      ({ id }: RowOf<'Reminder'>, session) => loadBatched(session, targetsByReminder, id),
    ),
    decidedAt: exposedInGraphql(),
    modified: exposedInGraphql(),
    teamId: exposedInGraphql(),
    team: link('teamId', 'The workspace of its item.'),
    stepKey: unexposed(),
    stepId: unexposed(),
    recipientKey: unexposed(),
  },
  filter: {
    term: { in: ['itemName'], description: "Part of the item's name, ignoring case." },
    state: 'Reminders in this state.',
    since: {
      type: 'DateTime',
      description: 'Reminders due at or after this time.',
      where: (moment) => ({ slot: { gte: moment } }),
    },
    isWithoutRecipient: {
      type: 'Boolean',
      description:
        'If true, only reminders that reached none of their own recipients. If false, only the others.',
      where: (is) => (is ? { reason: withoutRecipient } : { EXCEPT: { reason: withoutRecipient } }),
    },
    expirationItemId: { column: 'itemId', description: 'Reminders of this item.' },
    deliveryId: {
      type: 'ID',
      description: 'Reminders in this delivery.',
      by: ['delivery', remindersOfDelivery],
    },
    teamId: 'Reminders in this workspace.',
  },
  only: () => ({ stepKey: { notIn: noReminders } }),
  sortable: ['id', 'itemName', 'expirationDate', 'slot', 'decidedAt', 'modified'],
  order: { field: 'slot', direction: 'desc' },
  indexed: ['slot'],
  ranges: ['slot', 'expirationDate'],
});
