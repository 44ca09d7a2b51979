import { formatDate } from '../domain/dates.js';
import { addDays } from '../domain/status.js';

/** One day of a calendar (RFC 5545), with what happens on it. */
export interface CalendarEvent {
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
}

/** The most bytes of a line, without its end (RFC 5545 section 3.1). */
const longestLine = 75;

/** Folds a line into lines of at most 75 bytes, and ends it. No character is split. */
export function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= longestLine) return `${line}\r\n`;
  let [folded, length] = ['', 0];
  for (const character of line) {
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
export function beginCalendar(name: string): string {
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

/** Writes an event of a whole day, during which nobody is busy. Its times depend only on its last change. */
export function writeEvent(event: CalendarEvent): string {
  const { uid, date, modified, summary, category, description, url, alarms } = event;
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
      `TRIGGER:-P${days}D`,
      'END:VALARM',
    ]),
    'END:VEVENT',
  ]);
}

/** The end of a calendar. */
export const endCalendar = write(['END:VCALENDAR']);
