import { hash } from 'node:crypto';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { type Condition, columnSql, type RowOf, rowsSql } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { raw, type Sql, sql } from '../db/sql/sql.js';
import { addDays, formatDate, todayIn } from '../domain/dates.js';
import { recordPage } from '../domain/doors/paths.js';
import { expirationItems } from '../items/expiration-items.js';
import { pickLanguage } from '../mail/mail.js';
import { reminderTexts } from '../mail/reminder-mail.js';
import { listCondition } from '../records/lists/filter.js';
import { load } from '../records/loaders.js';
import { filterOf } from './feeds.js';

/** One day of a calendar (RFC 5545), with what happens on it. */
interface CalendarEvent {
  /** Identifies the event in all versions of the calendar. */
  readonly uid: string;
  readonly date: Date;
  /** Time of the last change. */
  readonly modified: Date;
  readonly summary: string;
  readonly category: string;
  readonly description?: string | null;
  readonly url?: string | undefined;
  /** Days before the event at which an alarm rings. */
  readonly alarms: readonly number[];
  /** Time of the day at which an alarm rings, `HH:mm`. */
  readonly alarmTime: string;
}

/** The most bytes of a line, without its end (RFC 5545 section 3.1). */
const longestLine = 75;

/** Folds a line into lines of at most 75 bytes, and ends it. No character and no escape is split. */
export function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= longestLine) return `${line}\r\n`;
  let [folded, length] = ['', 0];
  // Programs show what they find between a backslash and the character that it escapes.
  for (const character of line.match(/\\?[\s\S]/gu) ?? []) {
    const bytes = Buffer.byteLength(character);
    if (length + bytes > longestLine) {
      folded += '\r\n ';
      length = 1;
    }
    folded += character;
    length += bytes;
  }
  return `${folded}\r\n`;
}

/** Matches what parsers take for the end of a line. */
const lineEnds = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/**
 * Escapes a value of the type TEXT (RFC 5545 section 3.3.11). Control characters, which it must not contain, are
 * left out, so that no value can begin a line of its own.
 */
export function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(lineEnds, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');
}

const write = (lines: readonly string[]) => lines.map(foldLine).join('');

const dayOf = (date: Date) => formatDate(date).replaceAll('-', '');
const momentOf = (time: Date) => `${time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

const firstSequence = Date.UTC(2025, 0, 1);

/** Returns the number of an event's version, which grows with each change. It fits into 31 bits until 2093. */
const sequenceOf = (modified: Date) => Math.max(0, Math.floor((modified.getTime() - firstSequence) / 1000));

/** Writes the beginning of a calendar. Programs are asked to read it again every hour. */
function beginCalendar(name: string): string {
  return write([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Expiration Gateway//Calendar//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    'COLOR:teal',
  ]);
}

/**
 * Writes when an alarm rings, from the midnight with which a day begins.
 * @param time `HH:mm`
 */
function triggerOf(days: number, time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const after = hours * 60 + minutes - days * 1_440;
  const left = Math.abs(after);
  const [day, hour, minute] = [Math.floor(left / 1_440), Math.floor((left % 1_440) / 60), left % 60];
  const parts = [hour > 0 ? `${hour}H` : '', minute > 0 ? `${minute}M` : ''].join('');
  const span = `${day > 0 ? `${day}D` : ''}${parts ? `T${parts}` : ''}` || 'T0M';
  return `TRIGGER:${after < 0 ? '-' : ''}P${span}`;
}

/** Writes an event of a whole day, during which nobody is busy. Its times depend only on its last change. */
export function writeEvent(event: CalendarEvent): string {
  const { uid, date, modified, summary, category, description, url, alarms, alarmTime } = event;
  const changed = momentOf(modified);
  return write([
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${changed}`,
    `LAST-MODIFIED:${changed}`,
    `SEQUENCE:${sequenceOf(modified)}`,
    `DTSTART;VALUE=DATE:${dayOf(date)}`,
    `DTEND;VALUE=DATE:${dayOf(addDays(date, 1))}`,
    `SUMMARY:${escapeText(summary)}`,
    `CATEGORIES:${escapeText(category)}`,
    ...(description ? [`DESCRIPTION:${escapeText(description)}`] : []),
    ...(url === undefined ? [] : [`URL:${url}`]),
    'STATUS:CONFIRMED',
    'TRANSP:TRANSPARENT',
    ...alarms.flatMap((days) => [
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      `DESCRIPTION:${escapeText(summary)}`,
      triggerOf(days, alarmTime),
      'END:VALARM',
    ]),
    'END:VEVENT',
  ]);
}

/** The end of a calendar. */
const endCalendar = write(['END:VCALENDAR']);

/** Days before today, and years after it, that a feed shows. */
const shown = { daysBefore: 90, yearsAfter: 3 } as const;

/** Returns the same day some years later; for a leap day, the last of February. */
function addYears(day: Date, years: number): Date {
  const [year, month] = [day.getUTCFullYear() + years, day.getUTCMonth()];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(day.getUTCDate(), last)));
}

/** The most events of a feed about each date of its items. */
const maxEvents = 5000;

/** Items that are read at a time. */
const batchSize = 500;

/** Version of the written text. Another one makes programs read their calendars again. */
const format = 3;

/** Dates of an item that have events, with what their ids end with. */
const datesShown = [
  { field: 'expirationDate', suffix: '' },
  { field: 'noticeDate', suffix: '.notice' },
] as const;

type DateField = (typeof datesShown)[number]['field'];

/** The gateway's addresses, for the ids and links of events. */
export interface GatewayAddress {
  readonly origin: string;
  /** True if there is a console that links can lead to. */
  readonly hasConsole: boolean;
}

/** A feed that is about to be sent. */
interface CalendarText {
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
  readonly alarmTime: string;
}

/** Returns the condition on the items of a feed with a date that it shows. */
async function shownItems(session: Session, feed: RowOf<'CalendarFeed'>) {
  const today = todayIn('UTC', session.now);
  const days = { gte: addDays(today, -shown.daysBefore), lte: addYears(today, shown.yearsAfter) };
  const wanted = await listCondition(expirationItems, filterOf(feed), session);
  return (field: DateField): Condition => ({
    AND: [{ isActive: true, isMissing: false, [field]: days }, wanted],
  });
}

/** Returns the word for a last day to give notice, in the caller’s language. */
async function noticeWord(session: Session): Promise<string> {
  const { user, organizationId } = session.caller;
  const [person, [organization]] = await Promise.all([
    load(session, 'user', user.id),
    readRows(session, 'Organization', { where: { id: organizationId } }, ['locale']),
  ]);
  return reminderTexts[pickLanguage(person?.language, organization?.locale)].fields.notice;
}

const withCategory = sql`
  JOIN categories AS category ON category.id = record.category_id
  JOIN teams AS team ON team.id = record.team_id
  LEFT JOIN reminder_policies AS policy
    ON policy.id = coalesce(record.reminder_policy_id, category.reminder_policy_id, team.reminder_policy_id)`;

/** SQL for the time of an item's reminders. */
const alarmTimeSql = sql`coalesce(record.time_of_day, policy.time_of_day, '08:00')`;

/** Returns SQL for rows of items and their document types, ordered by date. */
const itemRowsSql = (session: Session, columns: Sql, field: DateField, where: Condition, most: number) => sql`
  SELECT ${columns} ${rowsSql(session, 'ExpirationItem', where, { joined: withCategory })}
  ORDER BY ${columnSql('record', field)}, record.id LIMIT ${raw(String(most))}`;

/** Returns what identifies the items with a date in a feed, and their versions. */
async function readVersions(session: Session, field: DateField, where: Condition) {
  const columns = sql`record.id, record.modified, category.modified AS "categoryModified", ${alarmTimeSql} AS "alarmTime"`;
  const statement = sql`
    SELECT count(*)::int AS count, greatest(max(modified), max("categoryModified")) AS modified,
      coalesce(sum(hashtextextended(concat_ws(' ', id, modified, "categoryModified", "alarmTime"), 0)), 0)::text AS sum
    FROM (${itemRowsSql(session, columns, field, where, maxEvents)}) AS shown`;
  const [found] = await session.read<{ count: number; modified: Date | null; sum: string }>(
    prepared('calendar.versions', statement),
  );
  if (!found) throw new Error('A count has no row.');
  return found;
}

async function* eventRows(session: Session, field: DateField, where: Condition): AsyncGenerator<EventRow[]> {
  const columns = sql`record.id, record.name, ${columnSql('record', field)} AS date, record.details,
    record.modified, category.name AS category, ${alarmTimeSql} AS "alarmTime"`;
  let after: Condition = {};
  for (let left = maxEvents; left > 0; left -= batchSize) {
    const statement = itemRowsSql(session, columns, field, { AND: [where, after] }, batchSize);
    const rows = await session.read<EventRow>(prepared('calendar.items', statement));
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = { keyset: { field, than: 'gt', value: last.date, id: last.id } };
  }
}

/** Finds the text of the caller's feed. @returns undefined if the feed is gone */
export async function readFeed(session: Session, place: GatewayAddress): Promise<CalendarText | undefined> {
  const [feed] = await readRows(session, 'CalendarFeed', { where: { id: session.caller.tokenId } });
  if (!feed) return undefined;
  const { name, alarms, showDetails, created } = feed;
  const { origin, hasConsole } = place;
  const whereOf = await shownItems(session, feed);
  const notice = await noticeWord(session);
  const versions = await Promise.all(
    datesShown.map(({ field }) => readVersions(session, field, whereOf(field))),
  );
  const times = versions.flatMap((one) => one.modified ?? []).map(Number);
  const modified = new Date(Math.max(Number(created), ...times));
  const { hostname } = new URL(origin);
  const counted = versions.map(({ count, sum }) => [count, sum]);
  const own = [format, feed.id, name, alarms, showDetails, origin, hasConsole, notice, counted];
  return {
    tag: `"${hash('sha1', JSON.stringify(own), 'base64url')}"`,
    modified,
    async *parts() {
      yield beginCalendar(name);
      for (const { field, suffix } of datesShown) {
        for await (const rows of eventRows(session, field, whereOf(field))) {
          yield rows
            .map(({ id, name: item, details, ...row }) =>
              writeEvent({
                ...{ ...row, alarms, uid: `${id}${suffix}@${hostname}` },
                summary: field === 'noticeDate' ? `${item}: ${notice}` : item,
                ...(showDetails && { description: details }),
                ...(hasConsole && { url: recordPage(origin, 'expirationItem', id) }),
              }),
            )
            .join('');
        }
      }
      yield endCalendar;
    },
  };
}
