import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import {
  type Condition,
  columnSql,
  conditionSql,
  linkedId,
  rowsSql,
  visibleSql,
} from '../db/sql/conditions.js';
import { tables } from '../db/sql/models.js';
import { empty, raw, sql } from '../db/sql/sql.js';
import { hasManyRows } from '../db/sql/statistics.js';
import type { JoinTable } from '../db/sql/tree.js';
import { formatDate, lastDayInMonth, monthsFrom, type Status, todayIn } from '../domain/dates.js';
import { badField } from '../domain/errors.js';
import { maxPageSize } from '../domain/paging.js';
import { listCondition } from '../records/lists/filter.js';
import { expirationItems } from './expiration-items.js';
import { itemJoins } from './item-rows.js';
import { joinDaysSql, statuses, statusSql, type WorkspaceDay, workspaceDays } from './status.js';

/** Statuses that depend on an item's date. */
const datedStatuses = ['current', 'notifying', 'expired'] as const;

/** Months in a summary, starting with the current one. */
export const monthsAhead = 12;

/** Numbers of items by status, month and document type. */
export interface Summary {
  readonly total: number;
  readonly byStatus: readonly { readonly status: Status; readonly count: number }[];
  /** `YYYY-MM`, starting with the current month. */
  readonly byMonth: readonly { readonly month: string; readonly count: number }[];
  /** Largest first. Types that the caller does not see count together, without an id. */
  readonly byCategory: readonly { readonly categoryId: string | null; readonly count: number }[];
  /** Condition of the items that are counted. */
  readonly where: Condition;
}

/**
 * Counts a summary's items by the month of their last day to give notice. Like months of expiration
 * dates, they count only items in use that are not missing.
 */
export async function countNotices(
  session: Session,
  { where, byMonth }: Summary,
): Promise<Summary['byMonth']> {
  const months = byMonth.map(({ month }) => month);
  const noticeDate = { gte: new Date(`${months[0]}-01`), lte: lastDayInMonth(months.at(-1) ?? '') };
  const counted = { AND: [where, { isActive: true, isMissing: false, noticeDate }] };
  const statement = sql`
    SELECT to_char(record.notice_date, 'YYYY-MM') AS month, count(*)::int AS count
    ${rowsSql(session, 'ExpirationItem', counted, { isList: true })} GROUP BY 1`;
  const rows = await session.read<Summary['byMonth'][number]>(
    prepared('expiration_items.summary + notices', statement, await hasManyRows(session, 'ExpirationItem')),
  );
  const counts = new Map(rows.map(({ month, count }) => [month, count]));
  return months.map((month) => ({ month, count: counts.get(month) ?? 0 }));
}

/** Returns a query for the records that a join table links to the row `record`. */
const joinedTo = ({ table, own, their }: JoinTable) =>
  sql`SELECT ${raw(their)} FROM ${raw(table)} WHERE ${raw(own)} = record.id`;

/** Columns with what items are counted by, or queries for those of the row `record`. */
const countedLinks = {
  contact: sql`${joinedTo(itemJoins.contact)} UNION SELECT record.contact_id`,
  location: joinedTo(itemJoins.location),
  tag: joinedTo(itemJoins.tag),
  user: 'assignedToId',
  team: 'teamId',
} as const;

/** Kind of records that items are counted by. */
export type CountedKind = keyof typeof countedLinks;

/** Number of items that are linked to a record. */
export interface LinkedCount {
  readonly linkedId: string;
  readonly count: number;
}

interface Group {
  readonly status: Status | null;
  readonly month: string | null;
  readonly categoryId: string | null;
  readonly isOfCategory: boolean;
  readonly count: bigint;
}

/** Counts matching items by status, month and document type in one scan. */
async function countGroups(
  session: Session,
  where: Condition,
  days: readonly WorkspaceDay[],
  months: readonly string[],
): Promise<Group[]> {
  const ahead = {
    expirationDate: { gte: new Date(`${months[0]}-01`), lte: lastDayInMonth(months.at(-1) ?? '') },
  };
  // Many items make only few groups, which GROUPING SETS then adds up three times.
  const groups = sql`
    SELECT ${statusSql((status) => sql`${status}`)} AS status, record.category_id, count(*) AS count,
      CASE WHEN ${conditionSql('record', ahead)} THEN to_char(record.expiration_date, 'YYYY-MM') END AS month
    ${rowsSql(session, 'ExpirationItem', where, { joined: joinDaysSql(days), isList: true })}
    GROUP BY status, record.category_id, month`;
  const category = linkedId(session, 'category', 'categoryId', 'counted');
  const statement = sql`
    SELECT status, month, category_id AS "categoryId", GROUPING(category_id) = 0 AS "isOfCategory",
      sum(count)::bigint AS count
    FROM (
      SELECT status, ${category.value} AS category_id, count, CASE WHEN status = ANY(${[...datedStatuses]}) THEN month END AS month
      FROM (${groups}) AS counted
    ) AS counted
    GROUP BY GROUPING SETS ((status), (month), (category_id))`;
  const isPlannedAnew = await hasManyRows(session, 'ExpirationItem');
  return session.read<Group>(prepared('expiration_items.summary', statement, isPlannedAnew));
}

/**
 * Summarizes the items that match a filter. This takes one statement, and one for the workspaces' days.
 * Counts by month include only items whose date matters: items in use that are not missing.
 * @throws GatewayError BAD_REQUEST naming the invalid member
 */
export async function summarize(
  session: Session,
  filter: { readonly teamId?: string | null },
): Promise<Summary> {
  const days = await workspaceDays(session);
  const home = filter.teamId?.toLowerCase() ?? session.caller.user.teamId;
  const today = days.find(({ teamId }) => teamId === home)?.today ?? todayIn('UTC', session.now);
  const months = monthsFrom(formatDate(today).slice(0, 7), monthsAhead);
  const where = await listCondition(expirationItems, filter, session);
  const groups = await countGroups(session, where, days, months);
  const countWhere = (isIt: (group: Group) => boolean) => Number(groups.find(isIt)?.count ?? 0);
  const byStatus = statuses.map((status) => ({
    status,
    count: countWhere((group) => group.status === status),
  }));
  return {
    total: byStatus.reduce((total, { count }) => total + count, 0),
    byStatus,
    byMonth: months.map((month) => ({ month, count: countWhere((group) => group.month === month) })),
    byCategory: groups
      .filter(({ isOfCategory }) => isOfCategory)
      .map(({ categoryId, count }) => ({ categoryId, count: Number(count) }))
      .sort((a, b) => b.count - a.count || String(a.categoryId).localeCompare(String(b.categoryId))),
    where,
  };
}

/**
 * Counts a summary's items by linked record, with one statement. An item counts for each of its records.
 * Records that the caller does not see are left out.
 * @param first the most records to return, those with the largest counts
 * @throws GatewayError BAD_REQUEST for a number that is out of range
 */
export async function countByLinked(
  session: Session,
  { where }: Summary,
  kind: CountedKind,
  first: number,
): Promise<LinkedCount[]> {
  if (first < 0 || first > maxPageSize)
    throw badField(['first'], `must be from 0 to ${maxPageSize}, not ${first}`, 'range');
  const link = countedLinks[kind];
  // With `OFFSET 0`, they are looked up for each row; otherwise PostgreSQL may read those of all organizations first.
  const [pairs, linkedId] =
    typeof link === 'string'
      ? [empty, columnSql('record', link)]
      : [
          sql`CROSS JOIN LATERAL (SELECT * FROM (${link}) AS linked OFFSET 0) AS pair (parent)`,
          sql`pair.parent`,
        ];
  const joined = sql`${pairs} JOIN ${raw(tables[kind])} AS linked
    ON linked.id = ${linkedId} AND ${visibleSql(session, kind, 'linked')}`;
  const statement = sql`
    SELECT linked.id AS "linkedId", count(*) AS count ${rowsSql(session, 'ExpirationItem', where, { joined, isList: true })}
    GROUP BY linked.id ORDER BY count(*) DESC, linked.id LIMIT ${first}`;
  const rows = await session.read<{ linkedId: string; count: bigint }>(
    prepared(
      `expiration_items.summary + ${tables[kind]}`,
      statement,
      await hasManyRows(session, 'ExpirationItem'),
    ),
  );
  return rows.map(({ linkedId, count }) => ({ linkedId, count: Number(count) }));
}
