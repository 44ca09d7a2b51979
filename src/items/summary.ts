import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import { conditionSql, recordsSql } from '../db/sql/conditions.js';
import type { Condition } from '../db/sql/query.js';
import { formatDate } from '../domain/dates.js';
import { lastDayInMonth, monthsFrom, type Status, statusIds, todayIn } from '../domain/status.js';
import { Prisma } from '../generated/prisma/client.js';
import { narrowed } from '../records/list.js';
import { expirationItems } from './expiration-items.js';
import type { ExpirationItemFilter } from './filter.js';
import { statusConditions, type WorkspaceDay, workspaceDays } from './status.js';

const { sql, join } = Prisma;

const statuses = Object.keys(statusIds) as Status[];
/** Statuses that depend on an item's date. */
const datedStatuses = ['current', 'notifying', 'expired'] as const;

/** Months in a summary, from the current one on. */
export const monthsAhead = 12;

/** Numbers of items by status, month and document type. */
export interface Summary {
  readonly total: number;
  readonly byStatus: readonly { readonly status: Status; readonly count: number }[];
  /** `YYYY-MM`, from the current month on. */
  readonly byMonth: readonly { readonly month: string; readonly count: number }[];
  /** The largest first. */
  readonly byCategory: readonly { readonly categoryId: string; readonly count: number }[];
}

interface Group {
  readonly status: Status | null;
  readonly month: string | null;
  readonly categoryId: string | null;
  readonly count: bigint;
}

/**
 * Returns the JOIN with the day of each workspace, as `days`. The status of each item is computed here, so no date range
 * could narrow the search.
 */
function joinDaysSql(days: readonly WorkspaceDay[]): Prisma.Sql {
  const dates = sql`${days.map(({ today }) => formatDate(today))}::date[]`;
  const teamIds = sql`${days.map(({ teamId }) => teamId)}::uuid[]`;
  return sql`
    JOIN unnest(${teamIds}, ${dates}) AS days (team_id, today)
    ON days.team_id = record.team_id`;
}

/** Returns the CASE expression for an item's status. */
function statusSql(): Prisma.Sql {
  const conditions = statusConditions((rangeOf, field = 'expirationDate') => ({
    [field]: rangeOf(sql`days.today`),
  }));
  const cases = statuses.map(
    (status) => sql`WHEN ${conditionSql('record', conditions[status])} THEN ${status}`,
  );
  return sql`CASE ${join(cases, ' ')} END`;
}

/**
 * Counts matching items by status, month and document type, in one scan. Few groups remain of many items; GROUPING
 * SETS then add them up three times.
 */
function countGroups(
  session: Session,
  where: Condition,
  days: readonly WorkspaceDay[],
  months: readonly string[],
): Promise<Group[]> {
  const ahead = {
    expirationDate: { gte: new Date(`${months[0]}-01`), lte: lastDayInMonth(months.at(-1) ?? '') },
  };
  // Few groups come out of the many items, and are then added up three times.
  const groups = sql`
    SELECT ${statusSql()} AS status, record.category_id, count(*) AS count,
      CASE WHEN ${conditionSql('record', ahead)} THEN to_char(record.expiration_date, 'YYYY-MM') END AS month
    ${recordsSql(session, 'expirationItem', where, joinDaysSql(days))}
    GROUP BY status, record.category_id, month`;
  const statement = sql`
    SELECT status, month, category_id AS "categoryId", sum(count)::bigint AS count
    FROM (
      SELECT status, category_id, count, CASE WHEN status = ANY(${[...datedStatuses]}) THEN month END AS month
      FROM (${groups}) AS counted
    ) AS counted
    GROUP BY GROUPING SETS ((status), (month), (category_id))`;
  return session.read<Group>(named('expiration_items.summary', statement));
}

/**
 * Summarizes the items that match a filter. It takes one statement, and one for the workspaces' days. By month, it
 * counts the items whose date counts: those in use that are not missing.
 * @throws GatewayError BAD_REQUEST naming the member at fault
 */
export async function summarize(session: Session, filter: ExpirationItemFilter): Promise<Summary> {
  const days = await workspaceDays(session);
  const home = filter.teamId?.toLowerCase() ?? session.caller.user.teamId;
  const today = days.find(({ teamId }) => teamId === home)?.today ?? todayIn('UTC', session.now);
  const months = monthsFrom(formatDate(today).slice(0, 7), monthsAhead);
  const groups = await countGroups(session, await narrowed(expirationItems, filter, session), days, months);
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
      .flatMap(({ categoryId, count }) => (categoryId === null ? [] : [{ categoryId, count: Number(count) }]))
      .sort((a, b) => b.count - a.count || a.categoryId.localeCompare(b.categoryId)),
  };
}
