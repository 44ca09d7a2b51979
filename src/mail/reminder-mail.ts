import { isVisible } from '../domain/text/names.js';
import { htmlMail } from './html-mail.js';
import type { Language } from './languages.js';
import type { MailView } from './mail-view.js';
import type { MailContent } from './message.js';
import { shownName } from './names.js';
import { type ReminderTexts, reminderTexts } from './reminder-texts.js';
import { fillTemplate, isolate, oneLine } from './template.js';
import { textMail } from './text-mail.js';

/** Links of one item in a mail. Missing links are not shown. */
export interface EntryLinks {
  readonly open?: string | undefined;
  readonly acknowledge?: string | undefined;
  readonly snooze?: string | undefined;
}

/** The current state of an item in a mail. */
export interface ReminderEntry {
  readonly name: string;
  /** `YYYY-MM-DD` */
  readonly expirationDate: string;
  /** Days until the date, in the workspace's time zone; negative after it. */
  readonly daysLeft: number;
  readonly documentType?: string | null | undefined;
  readonly assignee?: string | null | undefined;
  readonly details?: string | null | undefined;
  readonly links: EntryLinks;
}

/** A reminder to one recipient: of one item, or of several as a digest. */
export interface MailedReminder {
  readonly language: Language;
  readonly workspace: string;
  /** Most urgent first; at least one. */
  readonly entries: readonly ReminderEntry[];
  /** Number of all items, if a digest lists fewer. */
  readonly total?: number | undefined;
  readonly isDigest: boolean;
  readonly unsubscribe?: string | undefined;
}

/** Characters of an item's details that a mail shows. */
const detailsShown = 500;

/** Formats the days until a date: "in 7 days", "tomorrow", "3 days ago". */
export function wordDays(language: Language, daysLeft: number): string {
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(daysLeft, 'day');
}

/** Formats a date in words: "31 March 2027". */
export function wordDate(language: Language, date: string): string {
  // English has two orders of day and month; this one is understood everywhere.
  const locale = language === 'en' ? 'en-GB' : language;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${date}T00:00:00Z`));
}

function entryTitle(texts: ReminderTexts, language: Language, entry: ReminderEntry): string {
  const when = wordDays(language, entry.daysLeft);
  return fillTemplate(entry.daysLeft < 0 ? texts.expired : texts.expires, {
    name: isolate(shownName(language, entry.name)),
    when,
  });
}

function shorten(text: string): string {
  const characters = [...text.trim()];
  return characters.length > detailsShown ? `${characters.slice(0, detailsShown).join('')}…` : text.trim();
}

/** Lists the facts about one item in a mail: label and value. */
function factsOf(texts: ReminderTexts, { language, workspace }: MailedReminder, entry: ReminderEntry) {
  const facts: (readonly [string, string | null | undefined])[] = [
    [texts.fields.date, `${wordDate(language, entry.expirationDate)} (${entry.expirationDate})`],
    [texts.fields.type, entry.documentType],
    [texts.fields.workspace, workspace],
    [texts.fields.assignee, entry.assignee],
    [texts.fields.details, entry.details && shorten(entry.details)],
  ];
  return facts.flatMap(([label, value]) =>
    value && isVisible(value) ? [{ label, value: oneLine(value) }] : [],
  );
}

/** Lists the links of one item: label and address. */
function linksOf(texts: ReminderTexts, links: EntryLinks) {
  const order = ['open', 'acknowledge', 'snooze'] as const;
  return order.flatMap((kind) => (links[kind] ? [{ label: texts.links[kind], url: links[kind] }] : []));
}

/**
 * Writes a reminder as a title and lines, for messages without a layout.
 * @param total number of all items, if fewer are given
 */
export function reminderLines(
  language: Language,
  workspace: string,
  entries: readonly ReminderEntry[],
  total: number,
): { readonly title: string; readonly lines: readonly string[] } {
  const texts = reminderTexts[language];
  const [first] = entries;
  if (!first) throw new Error('A reminder tells of at least one item.');
  const named = shownName(language, workspace);
  if (total === 1) {
    const facts = factsOf(texts, { language, workspace, entries, isDigest: false }, first);
    const lines = facts.map(({ label, value }) => `${label}: ${value}`);
    return { title: entryTitle(texts, language, first), lines };
  }
  const plural = new Intl.PluralRules(language).select(total) === 'one' ? 'one' : 'other';
  const count = (number: number) => new Intl.NumberFormat(language).format(number);
  const left = total - entries.length;
  const more = left > 0 ? [fillTemplate(texts.more, { count: count(left) })] : [];
  const lines = entries.map((entry) => `${entryTitle(texts, language, entry)} (${entry.expirationDate})`);
  const title = fillTemplate(texts.digest[plural], { count: count(total) });
  return { title: `${title} · ${named}`, lines: [...lines, ...more] };
}

/**
 * Writes a reminder as a mail's subject, text and HTML.
 * @returns the content, whose text reads well in a terminal and whose HTML loads nothing
 */
export function reminderMail(reminder: MailedReminder): MailContent {
  const { language, entries, workspace, isDigest } = reminder;
  const texts = reminderTexts[language];
  const [first] = entries;
  if (!first) throw new Error('A reminder tells of at least one item.');
  const count = reminder.total ?? entries.length;
  const plural = new Intl.PluralRules(language).select(count) === 'one' ? 'one' : 'other';
  const number = new Intl.NumberFormat(language).format(count);
  const title = isDigest
    ? fillTemplate(texts.digest[plural], { count: number })
    : entryTitle(texts, language, first);
  const left = count - entries.length;
  const view: MailView = {
    language,
    title,
    entries: entries.map((entry) => ({
      title: entryTitle(texts, language, entry),
      isExpired: entry.daysLeft < 0,
      facts: factsOf(texts, reminder, entry),
      links: linksOf(texts, entry.links),
    })),
    more:
      left > 0
        ? fillTemplate(texts.more, { count: new Intl.NumberFormat(language).format(left) })
        : undefined,
    reason: fillTemplate(texts.reason, { workspace: shownName(language, workspace) }),
    unsubscribe: reminder.unsubscribe
      ? { label: texts.links.unsubscribe, url: reminder.unsubscribe }
      : undefined,
  };
  const subject = isDigest ? title : `${title} (${first.expirationDate})`;
  return { subject, text: textMail(view), html: htmlMail(view) };
}
