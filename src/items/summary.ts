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
import { seesOneTeam, tables } from '../db/sql/models.js';
import { empty, join, raw, type Sql, sql } from '../db/sql/sql.js';
import { mayHaveManyRows } from '../db/sql/statistics.js';
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

/** The most items that a summary counts. Reading more would take seconds. */
export const mostSummarized = 1_000_000;

/** Numbers of items by status, month and document type. */
export interface Counts {
  readonly total: number;
  /** False if there may be more items than are counted. */
  readonly isComplete: boolean;
  readonly byStatus: readonly { readonly status: Status; readonly count: number }[];
  /** `YYYY-MM`, starting with the current month. */
  readonly byMonth: readonly { readonly month: string; readonly count: number }[];
  /** Largest first. Types that the caller does not see count together, without an id. */
  readonly byCategory: readonly { readonly categoryId: string | null; readonly count: number }[];
}

/** Items that are counted in several ways. */
export interface Summary {
  /** Counts them by status, month and document type, once. Whoever asks for other numbers alone does not pay for it. */
  counts(): Promise<Counts>;
  /** The months in which they are counted, `YYYY-MM`. */
  readonly months: readonly string[];
  /** Condition of the items that are counted. */
  readonly where: Condition;
  /** The most items that are counted. */
  readonly most: number;
}

/**
 * Returns SQL for columns of the items that a summary counts. The planner does not see through LIMIT, so it reads the items
 * by the filter alone, and never workspace by workspace.
 */
const itemsSql = (session: Session, columns: Sql, where: Condition, most: number) =>
  sql`SELECT ${columns} ${rowsSql(session, 'ExpirationItem', where, { isList: true })} LIMIT ${raw(String(most))}`;

/**
 * Counts a summary's items by the month of their last day to give notice. Like months of expiration
 * dates, they count only items in use that are not missing.
 */
export async function countNotices(
  session: Session,
  { where, most, months }: Summary,
): Promise<Counts['byMonth']> {
  const noticeDate = { gte: new Date(`${months[0]}-01`), lte: lastDayInMonth(months.at(-1) ?? '') };
  const counted = { AND: [where, { isActive: true, isMissing: false, noticeDate }] };
  const statement = sql`
    SELECT to_char(notice_date, 'YYYY-MM') AS month, count(*)::int AS count
    FROM (${itemsSql(session, sql`record.notice_date`, counted, most)}) AS counted GROUP BY 1`;
  const isPlannedAnew = await mayHaveManyRows(session, 'ExpirationItem');
  const rows = await session.read<Counts['byMonth'][number]>(
    prepared('expiration_items.summary + notices', statement, isPlannedAnew),
  );
  const counts = new Map(rows.map(({ month, count }) => [month, count]));
  return months.map((month) => ({ month, count: counts.get(month) ?? 0 }));
}

/** The place of an item's linked ids: a join table, a column, or both. */
interface CountedLink {
  readonly joined?: JoinTable;
  readonly column?: string;
}

const countedLinks = {
  contact: { joined: itemJoins.contact, column: 'contactId' },
  location: { joined: itemJoins.location },
  tag: { joined: itemJoins.tag },
  user: { column: 'assignedToId' },
  team: { column: 'teamId' },
} as const satisfies Record<string, CountedLink>;

/**
 * Returns queries for the linked ids of the items `counted`, each once for an item.
 * @param isLarge true if PostgreSQL plans with the actual number of items. Otherwise the links are looked up for each
 *   item, because it might read those of all organizations first.
 */
function parentsSql({ joined, column }: CountedLink, isLarge: boolean): Sql[] {
  const own = column && columnSql('counted', column);
  if (!joined) return [sql`SELECT ${own ?? empty} AS parent FROM counted`];
  const { table, own: item, their } = joined;
  const links = sql`SELECT ${raw(their)} AS parent FROM ${raw(table)} WHERE ${raw(item)} = counted.id`;
  const through = isLarge
    ? sql`SELECT pair.${raw(their)} AS parent FROM counted JOIN ${raw(table)} AS pair ON pair.${raw(item)} = counted.id`
    : sql`SELECT pair.parent FROM counted CROSS JOIN LATERAL (${links} OFFSET 0) AS pair`;
  if (!own) return [through];
  const isSame = sql`pair.${raw(item)} = counted.id AND pair.${raw(their)} = ${own}`;
  const once = sql`
    SELECT ${own} AS parent FROM counted
    WHERE ${own} IS NOT NULL AND NOT EXISTS (SELECT FROM ${raw(table)} AS pair WHERE ${isSame} ${isLarge ? empty : raw('OFFSET 0')})`;
  return [through, once];
}

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
  most: number,
): Promise<Group[]> {
  const ahead = {
    expirationDate: { gte: new Date(`${months[0]}-01`), lte: lastDayInMonth(months.at(-1) ?? '') },
  };
  // Many items make only few groups, which GROUPING SETS then adds up three times.
  const groups = sql`
    SELECT ${statusSql((status) => sql`${status}`)} AS status, record.category_id, count(*) AS count,
      CASE WHEN ${conditionSql('record', ahead)} THEN to_char(record.expiration_date, 'YYYY-MM') END AS month
    FROM (${itemsSql(session, sql`record.*`, where, most)}) AS record ${joinDaysSql(days)}
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
  const isPlannedAnew = await mayHaveManyRows(session, 'ExpirationItem');
  return session.read<Group>(prepared('expiration_items.summary', statement, isPlannedAnew));
}

/**
 * Counts items by status, month and document type. Counts by month include only items whose date matters: items in use that
 * are not missing.
 */
async function countAll(
  session: Session,
  days: readonly WorkspaceDay[],
  { where, most, months }: Omit<Summary, 'counts'>,
): Promise<Counts> {
  const groups = await countGroups(session, where, days, months, most);
  const countWhere = (isIt: (group: Group) => boolean) => Number(groups.find(isIt)?.count ?? 0);
  const byStatus = statuses.map((status) => ({
    status,
    count: countWhere((group) => group.status === status),
  }));
  const total = byStatus.reduce((sum, { count }) => sum + count, 0);
  return {
    ...{ total, isComplete: total < most },
    byStatus,
    byMonth: months.map((month) => ({ month, count: countWhere((group) => group.month === month) })),
    byCategory: groups
      .filter(({ isOfCategory }) => isOfCategory)
      .map(({ categoryId, count }) => ({ categoryId, count: Number(count) }))
      .sort((a, b) => b.count - a.count || String(a.categoryId).localeCompare(String(b.categoryId))),
  };
}

/**
 * Prepares the summary of the items that match a filter. Each kind of numbers takes one statement.
 * @param most the most items to count
 * @throws GatewayError BAD_REQUEST naming the invalid member
 */
export async function summarize(
  session: Session,
  filter: { readonly teamId?: string | null },
  most = mostSummarized,
): Promise<Summary> {
  const days = await workspaceDays(session);
  const home = filter.teamId?.toLowerCase() ?? session.caller.user.teamId;
  const today = days.find(({ teamId }) => teamId === home)?.today ?? todayIn('UTC', session.now);
  const months = monthsFrom(formatDate(today).slice(0, 7), monthsAhead);
  const counted = { where: await listCondition(expirationItems, filter, session), most, months };
  let counts: Promise<Counts> | undefined;
  return {
    ...counted,
    counts: () => {
      counts ??= countAll(session, days, counted);
      return counts;
    },
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
  { where, most }: Summary,
  kind: CountedKind,
  first: number,
): Promise<LinkedCount[]> {
  if (first < 0 || first > maxPageSize)
    throw badField(['first'], `must be from 0 to ${maxPageSize}, not ${first}`, 'range');
  const link: CountedLink = countedLinks[kind];
  // A workspace alone has its own plan.
  const isLarge = !seesOneTeam(session.caller) && (await mayHaveManyRows(session, 'ExpirationItem'));
  const columns = sql`record.id${link.column ? sql`, ${columnSql('record', link.column)}` : empty}`;
  // The records are looked up in the order of their numbers, until there are enough.
  const statement = sql`
    WITH counted AS MATERIALIZED (${itemsSql(session, columns, where, most)}), grouped AS (
      SELECT parent, count(*) AS count FROM (${join(parentsSql(link, isLarge), ' UNION ALL ')}) AS pair
      WHERE parent IS NOT NULL GROUP BY parent
    )
    SELECT most.parent AS "linkedId", most.count
    FROM (SELECT * FROM grouped ORDER BY count DESC, parent) AS most CROSS JOIN LATERAL (
      SELECT FROM ${raw(tables[kind])} AS linked
      WHERE linked.id = most.parent AND ${visibleSql(session, kind, 'linked')} OFFSET 0
    ) AS linked
    ORDER BY most.count DESC, most.parent LIMIT ${first}`;
  const rows = await session.read<{ linkedId: string; count: bigint }>(
    prepared(`expiration_items.summary + ${tables[kind]}`, statement, isLarge),
  );
  return rows.map(({ linkedId, count }) => ({ linkedId, count: Number(count) }));
}
