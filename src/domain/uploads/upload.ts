import * as z from 'zod';
import { parseDate } from '../dates.js';
import { dateInFileName, nameOfFile } from '../documents/file-dates.js';
import { trustedDate } from '../documents/finding.js';
import type { FieldPath } from '../errors.js';
import { check, rules } from '../rules.js';
import { parseExact, textOfNumber } from '../text/exact-json.js';
import { isVisible } from '../text/names.js';
import { type Suggestion, suggestedDates } from './suggestions.js';

/**
 * Outcomes of an attempt to file an upload. It is `filed`; it has `failed` and waits for a person; it will be
 * `retried`; or it was `released`, because it was settled meanwhile or is left to another worker.
 */
export const outcomes = ['filed', 'failed', 'retried', 'released'] as const;

export type Outcome = (typeof outcomes)[number];

/** Callback at the end of each attempt, with its milliseconds; it must not throw. */
export type OnTried = (outcome: Outcome, ms: number) => void;

/** Properties of a notification that decide where its file goes. */
export interface Upload {
  readonly filename: string | null;
  readonly key: string | null;
  /** The sender's tags: any JSON object, with numbers as most JSON parsers read them. */
  readonly uploadTags: unknown;
  /** The sender's tags as JSON text, with numbers as they were sent. */
  readonly uploadTagsText?: string | null;
}

/** Values of an item that is created for a file. */
export interface Draft {
  readonly name: string;
  /** Midnight UTC; null if the item has no date yet. */
  readonly expirationDate: Date | null;
  /** The name of its document type. */
  readonly category: string | null;
  readonly contactEmail: string | null;
  readonly teamId: string | null;
}

/** Destination of a file. It is an item and the path that names it, or the draft of a new one. */
export type Destination = { readonly itemId: string; readonly at: FieldPath } | { readonly draft: Draft };

/** Decision of a person that overrides the sender's tags. Missing members are taken from the sender. */
export interface UploadDecision extends Partial<Omit<Draft, 'name'>> {
  readonly itemId?: string | null;
  readonly name?: string | null;
}

const date = z.preprocess(
  (value) => (typeof value === 'string' ? parseDate(value) : value),
  z.date('must be a date, YYYY-MM-DD').nullable(),
);
const text = z.string('must be a string').nullish();
const line = text.pipe(rules.line);
const id = text.pipe(rules.uuid);
const email = text.pipe(rules.email.nullish().default(null));
const choice = z.stringbool({ error: 'must be true or false' }).nullable();

/** Converts a tag's value to text, and text without a visible character to null. Senders write everything as text. */
function tagText(value: unknown): unknown {
  const text = textOfNumber(value) ?? (typeof value === 'boolean' ? String(value) : value);
  if (typeof text !== 'string') return text;
  return isVisible(text) ? text.trim() : null;
}

/** Returns the sender's tags with their numbers as they were sent, or null. */
export function sentTags({
  uploadTags,
  uploadTagsText,
}: Pick<Upload, 'uploadTags' | 'uploadTagsText'>): unknown {
  // An older version stored no text, only JSON.
  return uploadTagsText == null ? uploadTags : parseExact(uploadTagsText);
}

/**
 * Returns a reader of the sender's tags. Only the tags that are read can be invalid. Names match in any case.
 */
function tagReader(upload: Pick<Upload, 'uploadTags' | 'uploadTagsText'>) {
  const entries = Object.entries((sentTags(upload) ?? {}) as Record<string, unknown>);
  const tags = new Map(entries.map(([name, value]) => [name.toLowerCase(), tagText(value)]));
  return <T>(name: string, rule: z.ZodType<T>): T =>
    check(rule, tags.get(name) ?? null, ['upload_Tags', name]);
}

/** Checks that the sender accepts a date found in the document as the item's. */
export function trustsScan(upload: Upload): boolean {
  return tagReader(upload)('trust_scan', choice) ?? false;
}

/** Checks that the sender states the expiry date. Then the document need not be read. */
export function tellsDate(upload: Upload): boolean {
  return tagReader(upload)('expiration_date', z.unknown()) !== null;
}

const noTags = { uploadTags: null, uploadTagsText: null };

/** Returns the title of an item without a name. */
function defaultTitle({ filename, key }: Upload): string {
  const name = nameOfFile(filename ?? key ?? '');
  return isVisible(name) ? name : 'Upload';
}

/**
 * Returns the date with a label in a file's name, unless its document says another.
 * @param said what the document says, if it has been read
 */
function labelledDate({ filename }: Upload, said: readonly Suggestion[], today: Date): string | null {
  const named = dateInFileName(filename ?? '', today);
  const dates = suggestedDates(said);
  const isDenied = dates.length > 0 && !dates.some(({ value }) => value === named?.date);
  return named?.isLabelled && !isDenied ? named.date : null;
}

/**
 * Finds the expiration date that may be used unseen if the sender states none. It is the date in the file's name if it
 * has a label, or else, with `trust_scan`, that of the document.
 * @param said what the document says, if it has been read
 */
export function unseenDate(upload: Upload, said: readonly Suggestion[], today: Date): Date | null {
  const trusted = trustsScan(upload) ? trustedDate(said) : null;
  const date = labelledDate(upload, said, today) ?? trusted;
  return date === null ? null : (parseDate(date) ?? null);
}

/**
 * Decides where a file goes (docs/use/uploads.md). A person's decision takes precedence, then the sender's tags,
 * then the file's name, then the document.
 * @param said what the document says, if it has been read
 * @throws GatewayError BAD_REQUEST naming the invalid tag
 */
export function chooseDestination(
  upload: Upload,
  said: readonly Suggestion[],
  today: Date,
  decision: UploadDecision = {},
): Destination {
  const read = tagReader(upload);
  const { itemId, ...decided } = decision;
  const chosen = check(rules.uuid, itemId, ['expirationItemId']);
  const wantsNew = Object.values(decided).some((value) => value !== undefined);
  if (chosen) return { itemId: chosen, at: ['expirationItemId'] };
  const named = wantsNew ? null : read('expiration_item_id', id);
  if (named) return { itemId: named, at: ['upload_Tags', 'expiration_item_id'] };
  const or = <T>(value: T | undefined, other: () => T): T => (value === undefined ? other() : value);
  // A person who decides has seen the document's date, so an invalid tag does not matter unless the decision
  // needs it.
  const found = () => unseenDate(wantsNew ? { ...upload, ...noTags } : upload, said, today);
  return {
    draft: {
      name: decided.name ?? read('name', line) ?? defaultTitle(upload),
      expirationDate: or(decided.expirationDate, () => read('expiration_date', date) ?? found()),
      category: or(decided.category, () => read('category', line)),
      contactEmail: or(decided.contactEmail, () => read('contact_email', email)),
      teamId: or(decided.teamId, () => read('team_id', id)),
    },
  };
}
