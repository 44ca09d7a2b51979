import type { Database } from '../../db/connection/database.js';
import { isLockTimeout, isOutage } from '../../db/connection/errors.js';
import { Session } from '../../db/connection/session.js';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { notFrozen, takeTurns } from '../../db/queue/queue.js';
import { raw, type Sql, sql } from '../../db/sql/sql.js';
import { gatewayCaller } from '../../domain/caller.js';
import { addDays, formatDate, todayIn } from '../../domain/dates.js';
import { GatewayError } from '../../domain/errors.js';
import { dayKeys } from '../../domain/reminders/decide.js';
import {
  type AutoRenew,
  endOfRenewals,
  type RenewalEnd,
  renewedDate,
} from '../../domain/reminders/renewal.js';
import { instantOf } from '../../domain/reminders/slots.js';
import { earlierDatesByItem } from '../../items/item-rows.js';
import { archiveAtEnd, autoRenewItem } from '../../items/renewals.js';
import { type Event, logEvents } from '../../records/event-logs.js';
import { loadBatched } from '../../records/loaders.js';
import type { DecisionOptions } from '../evaluate/decide-items.js';
import { furthestBack, patience, retryDelayMs, workspacesAtOnce } from '../evaluate/turns.js';
import { queueAllIsWell } from '../send/all-is-well.js';

/** A workspace in which a new day has begun. */
interface Day {
  readonly organizationId: string;
  readonly teamId: string;
  /** The last finished day. */
  readonly through: Date;
  /** The current day. */
  readonly today: Date;
  /** The time at which it began. */
  readonly begin: Date;
}

/** An item whose date has passed, and whose document type renews it. */
interface Renewable {
  readonly id: string;
  readonly name: string;
  readonly expirationDate: Date;
  readonly rule: AutoRenew;
}

/**
 * Finds the items of a workspace to be renewed automatically. Their date has passed since the last finished
 * day or, if the document type requires it, the passed date was acknowledged since.
 */
function findRenewable(
  tx: Transaction,
  { teamId, through, today }: Day,
  count: number,
): Promise<Renewable[]> {
  const statement = sql`
    SELECT found.* FROM (
      SELECT id FROM expiration_items
      WHERE team_id = ${teamId}::uuid AND is_active
        AND expiration_date >= ${through}::date AND expiration_date < ${today}::date
      UNION SELECT item_id FROM acknowledgements
      WHERE team_id = ${teamId}::uuid AND created >= ${through}::date - 1
    ) AS passed CROSS JOIN LATERAL (
      SELECT item.id, item.name, item.expiration_date AS "expirationDate", category.auto_renew AS rule
      FROM (SELECT * FROM expiration_items WHERE id = passed.id OFFSET 0) AS item
      JOIN categories AS category ON category.id = item.category_id
      LEFT JOIN acknowledgements AS ack ON ack.item_id = item.id AND ack.about = 'EXPIRATION'
        AND ack.expiration_date = item.expiration_date AND ack.snooze_until IS NULL
      WHERE item.team_id = ${teamId}::uuid AND item.is_active AND NOT item.is_missing
        AND item.expiration_date < ${today}::date AND category.auto_renew IS NOT NULL
        AND ((category.auto_renew->>'byPeople')::boolean IS NOT TRUE OR ack.id IS NOT NULL AND ${pastEnd})
        AND (ack.id IS NOT NULL OR NOT (category.auto_renew->>'requireAcknowledgement')::boolean
          AND item.expiration_date >= ${through}::date)
        AND NOT EXISTS (
          SELECT FROM reminders AS known
          WHERE known.item_id = item.id AND known.step_key = ${dayKeys.autoRenewed}::uuid
            AND known.expiration_date = item.expiration_date)
    ) AS found
    ORDER BY found.id LIMIT ${count}`;
  return tx.run<Renewable>(prepared('reminders.renewable', statement));
}

/**
 * SQL condition that the renewals of an item have ended. A day that a month does not have may come earlier here than
 * in `renewedDate`, so this is true of fewer items.
 */
const pastEnd = raw(`(item.renewals_left = 0 OR item.renew_until <
  item.expiration_date + (category.auto_renew->>'every' || ' ' || (category.auto_renew->>'unit'))::interval)`);

/** Claims a renewal, once per item and date. @returns whether nobody had claimed it */
async function takeUp(
  tx: Transaction,
  { organizationId, teamId, begin }: Day,
  { id, name, expirationDate }: Renewable,
  reason: string | null,
  now: Date,
): Promise<boolean> {
  const statement = sql`
    INSERT INTO reminders (organization_id, team_id, item_id, item_name, step_key, expiration_date, slot, state, reason,
      decided_at)
    VALUES (${organizationId}::uuid, ${teamId}::uuid, ${id}::uuid, ${name}, ${dayKeys.autoRenewed}::uuid,
      ${expirationDate}::date, ${begin}::timestamptz, ${reason === null ? 'TOLD' : 'SKIPPED'}::reminder_state, ${reason},
      ${now}::timestamptz)
    ON CONFLICT DO NOTHING RETURNING id`;
  return (await tx.run(prepared('reminders.renew', statement))).length > 0;
}

/**
 * Renews an item as its document type specifies, with the event. If its renewals have ended, it is archived. If it
 * cannot be renewed because its values violate the rules by now, the reason is recorded and it expires.
 */
async function renewByItself(database: Database, day: Day, item: Renewable, now: Date): Promise<void> {
  const caller = gatewayCaller(day.organizationId, day.teamId);
  const { id, expirationDate, rule } = item;
  const session = new Session(database, { caller, now });
  try {
    await session.inTransaction((tx) =>
      session.within(tx, async () => {
        const lock = sql`
          SELECT renew_until AS "renewUntil", renewals_left AS "renewalsLeft" FROM expiration_items
        WHERE id = ${id}::uuid AND expiration_date = ${expirationDate}::date AND is_active
          FOR NO KEY UPDATE`;
        // Somebody may have renewed or archived it since.
        const [own] = await tx.run<RenewalEnd>(prepared('reminders.lock_item', lock));
        if (!own || !(await takeUp(tx, day, item, null, now))) return;
        const before = await loadBatched(session, earlierDatesByItem, id);
        const next = renewedDate(expirationDate, before, day.today, rule);
        const end = endOfRenewals(own, next);
        await (end === undefined ? autoRenewItem(session, id, next) : archiveAtEnd(session, id, end));
      }),
    );
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code === 'UNAVAILABLE') throw error;
    await session.inTransaction((tx) => takeUp(tx, day, item, error.message, now));
  }
}

interface Noted {
  readonly itemId: string;
  readonly name: string;
  readonly date: Date;
}

/** A status that items reach merely by time. */
interface Status {
  readonly key: string;
  readonly event: 'became due' | 'expired';
  /** Condition on items that reached it after `day.through` and up to `day.today`. */
  readonly reached: Sql;
  describe(name: string, date: string): string;
}

const statuses: readonly Status[] = [
  {
    key: dayKeys.becameDue,
    event: 'became due',
    // The day after the date stands for never.
    reached: raw(`item.notify_on > day.through AND item.notify_on <= day.today
      AND item.notify_on <= item.expiration_date`),
    describe: (name, date) => `Expiration item "${name}" became due: it expires on ${date}`,
  },
  {
    key: dayKeys.expired,
    event: 'expired',
    reached: raw('item.expiration_date >= day.through AND item.expiration_date < day.today'),
    describe: (name, date) => `Expiration item "${name}" expired on ${date}`,
  },
];

/**
 * Records in the event log which items became due or expired, once per date.
 * @param count the most items of each kind
 * @returns whether there may be more
 */
async function noteStatuses(tx: Transaction, day: Day, count: number, now: Date): Promise<boolean> {
  let isMore = false;
  for (const status of statuses) {
    const noted = await note(tx, day, status, count, now);
    isMore ||= noted === count;
  }
  return isMore;
}

async function note(
  tx: Transaction,
  { organizationId, teamId, through, today, begin }: Day,
  { key, event, reached, describe }: Status,
  count: number,
  now: Date,
): Promise<number> {
  const statement = sql`
    WITH reached AS (
      SELECT item.id, item.name, item.expiration_date
      FROM expiration_items AS item, (SELECT ${through}::date AS through, ${today}::date AS today) AS day
      WHERE item.team_id = ${teamId}::uuid AND item.is_active AND NOT item.is_missing AND ${reached}
        AND NOT EXISTS (
          SELECT FROM reminders AS known
          WHERE known.item_id = item.id AND known.step_key = ${key}::uuid
            AND known.expiration_date = item.expiration_date)
      ORDER BY item.id LIMIT ${count}
    )
    INSERT INTO reminders (organization_id, team_id, item_id, item_name, step_key, expiration_date, slot, state,
      decided_at)
    SELECT ${organizationId}::uuid, ${teamId}::uuid, id, name, ${key}::uuid, expiration_date, ${begin}::timestamptz,
      'TOLD', ${now}::timestamptz
    FROM reached ON CONFLICT DO NOTHING
    RETURNING item_id AS "itemId", item_name AS name, expiration_date AS date`;
  const noted = await tx.run<Noted>(prepared('reminders.note_statuses', statement));
  const events = noted.map(
    ({ itemId, name, date }): Event => ({
      type: event,
      teamId,
      description: describe(name, formatDate(date)),
      details: null,
      entities: [{ kind: 'expirationItem', id: itemId }],
    }),
  );
  const author = { organizationId, teamIds: [teamId], user: { id: null, name: null } };
  await logEvents(tx, { caller: author, now }, events);
  return noted.length;
}

/** The most items that are renewed or recorded before other workspaces get their turn. */
const atOnce = { renewed: 100, noted: 1_000 } as const;

interface Mark {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
  readonly timezone: string;
  readonly isActive: boolean;
  readonly dayThrough: Date | null;
  readonly wellAfter: string | null;
}

/** Returns SQL that claims the marks of workspaces whose next day has come. */
const claimSql = (now: Date, count: number) => sql`
  SELECT mark.id, mark.organization_id AS "organizationId", mark.team_id AS "teamId", team.timezone,
    team.is_active AS "isActive", mark.day_through AS "dayThrough", mark.well_after AS "wellAfter"
  FROM reminder_marks AS mark JOIN teams AS team ON team.id = mark.team_id
  WHERE mark.day_next_at <= ${now}::timestamptz AND ${notFrozen('mark')}
  ORDER BY mark.day_next_at LIMIT ${count} FOR UPDATE OF mark SKIP LOCKED`;

function dayOf({ organizationId, teamId, timezone, dayThrough }: Mark, now: Date): Day | undefined {
  const today = todayIn(timezone, now);
  if (dayThrough === null || dayThrough >= today) return undefined;
  const oldest = addDays(today, -furthestBack);
  const through = dayThrough > oldest ? dayThrough : oldest;
  return { organizationId, teamId, through, today, begin: instantOf(today, '00:00', timezone) };
}

/**
 * Records that workspaces have finished the current day. A mark never moves back, even if the time zone was
 * changed.
 */
async function moveMarks(tx: Transaction, marks: readonly Mark[], now: Date): Promise<void> {
  if (marks.length === 0) return;
  const days = marks.map(({ timezone }) => todayIn(timezone, now));
  const next = marks.map(({ timezone }, place) =>
    instantOf(addDays(days[place] ?? now, 1), '00:00', timezone),
  );
  const statement = sql`
    UPDATE reminder_marks AS mark SET day_through = greatest(mark.day_through, moved.day), day_next_at = moved.next_at,
      well_after = NULL
    FROM unnest(${marks.map(({ id }) => id)}::uuid[], ${days}::date[], ${next}::timestamptz[]) AS moved (id, day, next_at)
    WHERE mark.id = moved.id`;
  await tx.run(prepared('reminder_marks.day_done', statement));
}

/** Items to renew before a day can go on. */
interface Renewals {
  readonly mark: Mark;
  readonly day: Day;
  readonly items: readonly Renewable[];
}

/**
 * Does the work of a new day in some workspaces. Items whose date has passed are renewed if their document type
 * says so; the others are recorded as expired, and those whose first reminder has come as due. This does not
 * need mail. The ledger keeps each of these unique, even if processes are killed.
 * @returns whether there was anything to do; there may be more then
 */
export async function beginDays(
  database: Database,
  now: Date,
  { onFault }: Pick<DecisionOptions, 'onFault'> = {},
): Promise<boolean> {
  const again = ({ id }: Mark) => {
    const at = new Date(now.getTime() + retryDelayMs);
    const statement = sql`UPDATE reminder_marks SET day_next_at = ${at}::timestamptz WHERE id = ${id}::uuid`;
    return prepared('reminder_marks.day_again', statement);
  };
  // Each renewal is a transaction of its own, like a person's, so the turn has ended before.
  const renew = async (renewals: readonly Renewals[] | null) => {
    for (const { mark, day, items } of renewals ?? []) {
      try {
        for (const item of items) await renewByItself(database, day, item, now);
      } catch (error) {
        if (isOutage(error)) throw error;
        await database.query(again(mark));
        onFault?.(error as Error, mark.teamId);
        // What waits for one lock may wait for each: the others have their turns in the next look.
        if (isLockTimeout(error)) throw error;
      }
    }
  };
  return takeTurns<Mark, readonly Renewals[] | null>(
    database,
    workspacesAtOnce,
    (count) => ({
      claim: prepared('reminder_marks.day', claimSql(now, count)),
      work: (tx, marks) => workOnDays(tx, marks, now),
      putBack: ([mark]) => again(mark),
      ...{ onFault, idle: null, failed: [] },
    }),
    renew,
  );
}

/** A mark, and the day that has begun in its workspace. */
interface Begun {
  readonly mark: Mark;
  readonly day: Day;
}

/**
 * Finds those of some workspaces in which a new day may change something. The date of an item has passed, or its first
 * reminder has come; somebody has acknowledged a date, or wants weekly mails. Most have nothing, and cost a look into each
 * index.
 */
async function findBusy(tx: Transaction, begun: readonly Begun[]): Promise<ReadonlySet<string>> {
  const of = <T>(value: (day: Day) => T) => begun.map(({ day }) => value(day));
  const statement = sql`
    SELECT own.id FROM unnest(${of(({ teamId }) => teamId)}::uuid[], ${of(({ organizationId }) => organizationId)}::uuid[],
      ${of(({ through }) => through)}::date[], ${of(({ today }) => today)}::date[]) AS own (id, organization_id, through, today)
    WHERE EXISTS (
        SELECT FROM expiration_items WHERE team_id = own.id AND is_active
          AND expiration_date >= own.through AND expiration_date < own.today OFFSET 0)
      OR EXISTS (
        SELECT FROM expiration_items WHERE team_id = own.id AND is_active
          AND notify_on > own.through AND notify_on <= own.today OFFSET 0)
      OR EXISTS (SELECT FROM acknowledgements WHERE team_id = own.id AND created >= own.through - 1 OFFSET 0)
      OR EXISTS (
        SELECT FROM recipient_settings WHERE organization_id = own.organization_id AND (all_is_well OR what_is_missing)
        OFFSET 0)`;
  const found = await tx.run<{ id: string }>(prepared('reminders.days_due', statement));
  return new Set(found.map(({ id }) => id));
}

/**
 * Works on the days of workspaces. Those in which nothing changes end together; the others have their turns one by one.
 * @returns the items to renew
 */
async function workOnDays(tx: Transaction, marks: readonly Mark[], now: Date): Promise<Renewals[]> {
  const isLong = patience();
  const begun = marks.flatMap((mark): Begun[] => {
    const day = mark.isActive ? dayOf(mark, now) : undefined;
    return day ? [{ mark, day }] : [];
  });
  const busy = await findBusy(tx, begun);
  await moveMarks(
    tx,
    marks.filter(({ teamId }) => !busy.has(teamId)),
    now,
  );
  const renewals: Renewals[] = [];
  let toRenew = 0;
  for (const { mark, day } of begun) {
    if (!busy.has(mark.teamId)) continue;
    const items = await workOnDay(tx, mark, day, now);
    if (items.length > 0) renewals.push({ mark, day, items });
    toRenew += items.length;
    if (isLong() || toRenew >= atOnce.renewed) break;
  }
  return renewals;
}

/**
 * Finds items to renew. If there are none, it records what is due or expired, queues the mails of those who want one even
 * if nothing is due, and ends the day.
 */
async function workOnDay(tx: Transaction, mark: Mark, day: Day, now: Date): Promise<readonly Renewable[]> {
  const items = await findRenewable(tx, day, atOnce.renewed);
  if (items.length > 0 || (await noteStatuses(tx, day, atOnce.noted, now))) return items;
  const next = await queueAllIsWell(tx, mark, now, mark.wellAfter);
  if (next === undefined) {
    await moveMarks(tx, [mark], now);
  } else {
    const page = sql`UPDATE reminder_marks SET well_after = ${next}::uuid WHERE id = ${mark.id}::uuid`;
    await tx.run(prepared('reminder_marks.well_page', page));
  }
  return [];
}
