import { hash } from 'node:crypto';
import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import type { RowOf } from '../db/sql/columns.js';
import { rowsSql } from '../db/sql/conditions.js';
import type { Condition } from '../db/sql/query.js';
import { readRows } from '../db/sql/select.js';
import { raw, type Sql, sql } from '../db/sql/sql.js';
import { recordPage } from '../domain/doors/console-pages.js';
import { addDays, todayIn } from '../domain/status.js';
import { expirationItems } from '../items/expiration-items.js';
import { listCondition } from '../records/lists/filter.js';
import { filterOf } from './feeds.js';
import { beginCalendar, endCalendar, writeEvent } from './icalendar.js';

/** Days before and after today that a feed shows. */
const shownDays = { before: 90, after: 3 * 365 } as const;

/** The most events of a feed. */
const mostEvents = 5000;

/** Items that are read at a time. */
const batchSize = 500;

/** Version of the written text. Another one makes programs read their calendars again. */
const format = 1;

/** The gateway's addresses, for the ids and links of events. */
export interface FeedPlace {
  readonly origin: string;
  /** True if there is a console that links can lead to. */
  readonly hasConsole: boolean;
}

/** A feed that is about to be sent. */
export interface CalendarText {
  /** Identifies the text. It is found without reading items. */
  readonly tag: string;
  /** Time of the last change of what is shown. */
  readonly modified: Date;
  /** Yields the text in parts. */
  readonly parts: () => AsyncGenerator<string>;
}

interface EventRow {
  readonly id: string;
  readonly name: string;
  readonly date: Date;
  readonly details: string | null;
  readonly category: string;
  readonly modified: Date;
}

/** Returns the condition on the items of a feed. */
async function shownItems(session: Session, feed: RowOf<'CalendarFeed'>): Promise<Condition> {
  const today = todayIn('UTC', session.now);
  const expirationDate = { gte: addDays(today, -shownDays.before), lte: addDays(today, shownDays.after) };
  const wanted = await listCondition(expirationItems, filterOf(feed), session);
  return { AND: [{ isActive: true, isMissing: false, expirationDate }, wanted] };
}

const withCategory = sql`JOIN categories AS category ON category.id = record.category_id`;

/** Returns SQL for rows of items and their document types, ordered by date. */
const itemRowsSql = (session: Session, columns: Sql, where: Condition, most: number) => sql`
  SELECT ${columns} ${rowsSql(session, 'ExpirationItem', where, { joined: withCategory })}
  ORDER BY record.expiration_date, record.id LIMIT ${raw(String(most))}`;

/** Returns what identifies the items of a feed and their versions. */
async function readVersions(session: Session, where: Condition) {
  const columns = sql`record.id, record.modified, category.modified AS "categoryModified"`;
  const statement = sql`
    SELECT count(*)::int AS count, greatest(max(modified), max("categoryModified")) AS modified,
      coalesce(sum(hashtextextended(concat_ws(' ', id, modified, "categoryModified"), 0)), 0)::text AS sum
    FROM (${itemRowsSql(session, columns, where, mostEvents)}) AS shown`;
  const [found] = await session.read<{ count: number; modified: Date | null; sum: string }>(
    named('calendar.versions', statement),
  );
  if (!found) throw new Error('A count has no row.');
  return found;
}

async function* eventRows(session: Session, where: Condition): AsyncGenerator<EventRow[]> {
  const columns = sql`record.id, record.name, record.expiration_date AS date, record.details,
    record.modified, category.name AS category`;
  let after: Condition = {};
  for (let left = mostEvents; left > 0; left -= batchSize) {
    const statement = itemRowsSql(session, columns, { AND: [where, after] }, batchSize);
    const rows = await session.read<EventRow>(named('calendar.items', statement));
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = { keyset: { field: 'expirationDate', than: 'gt', value: last.date, id: last.id } };
  }
}

/** Finds the text of the caller's feed. @returns undefined if the feed is gone */
export async function readFeed(session: Session, place: FeedPlace): Promise<CalendarText | undefined> {
  const [feed] = await readRows(session, 'CalendarFeed', { where: { id: session.caller.tokenId } });
  if (!feed) return undefined;
  const { name, alarms, showDetails, created } = feed;
  const { origin, hasConsole } = place;
  const where = await shownItems(session, feed);
  const { count, sum, modified } = await readVersions(session, where);
  const { hostname } = new URL(origin);
  const own = [format, feed.id, name, alarms, showDetails, origin, hasConsole, count, sum];
  return {
    tag: `"${hash('sha1', JSON.stringify(own), 'base64url')}"`,
    modified: modified !== null && modified > created ? modified : created,
    async *parts() {
      yield beginCalendar(name);
      for await (const rows of eventRows(session, where)) {
        yield rows
          .map(({ id, name: summary, details, ...row }) =>
            writeEvent({
              ...{ ...row, summary, alarms, uid: `${id}@${hostname}` },
              ...(showDetails && { description: details }),
              ...(hasConsole && { url: recordPage(origin, 'expirationItem', id) }),
            }),
          )
          .join('');
      }
      yield endCalendar;
    },
  };
}
