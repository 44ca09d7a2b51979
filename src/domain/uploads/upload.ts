import * as z from 'zod';
import { parseDate } from '../dates.js';
import { dateInFileName, nameOfFile } from '../documents/file-names.js';
import { type ReadingProblem, trustedDate } from '../documents/finding.js';
import {
  badField,
  type ErrorCode,
  type FieldPath,
  type GatewayError,
  type ViolationRule,
} from '../errors.js';
import { check, rules } from '../rules.js';
import { parseExact, textOfNumber } from '../text/json.js';
import { isVisible } from '../text/names.js';
import { type Suggestion, suggestedDates } from './suggestions.js';

/**
 * Queues of uploads: filing, reading text, and recognizing words in pictures. Each has its own places, so that none
 * waits for another.
 */
export const uploadQueues = ['FILING', 'TEXT', 'PICTURES'] as const;

export type UploadQueue = (typeof uploadQueues)[number];

/**
 * Outcomes of an attempt at an upload. It is `filed`; its document was `read`; it has `failed` and waits for a person;
 * it is filed, but its document stays `unread`; it will be `retried`; or it was `released`, because it was settled meanwhile or is left to another worker.
 */
export const outcomes = ['filed', 'read', 'failed', 'unread', 'retried', 'released'] as const;

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

/** A record that the new item is a paper of, as an input names it. */
export interface DecidedHolder {
  readonly kind: 'vehicle' | 'contact' | 'company' | 'location';
  readonly id?: string | null;
}

/** A tag that names a record which the new item is a paper of. An id alone may be of any kind. */
export interface HolderTag {
  readonly name: string;
  readonly value: string;
  readonly kind: DecidedHolder['kind'] | null;
  /** Its natural key; undefined for its id. */
  readonly key?: 'vin' | 'licensePlate' | 'email' | 'taxId';
}

/** The tags that name what the new item is a paper of. */
const holderTags = {
  holder_id: { kind: null },
  vehicle_vin: { kind: 'vehicle', key: 'vin' },
  license_plate: { kind: 'vehicle', key: 'licensePlate' },
  holder_email: { kind: 'contact', key: 'email' },
  company_id: { kind: 'company' },
  company_tax_id: { kind: 'company', key: 'taxId' },
} as const satisfies Readonly<Record<string, Omit<HolderTag, 'name' | 'value'>>>;

/** Names of the tags that name what an item is a paper of. */
export const holderTagNames = Object.keys(holderTags) as readonly (keyof typeof holderTags)[];

/** Values of an item that is created for a file. */
interface Draft {
  readonly name: string;
  /** Midnight UTC; null if the item has no date yet. */
  readonly expirationDate: Date | null;
  /** The name of its document type. */
  readonly category: string | null;
  readonly contactEmail: string | null;
  readonly teamId: string | null;
  /** Records that the item is a paper of. A person chose them, or the sender's tags name them. */
  readonly holders: readonly DecidedHolder[] | { readonly tags: readonly HolderTag[] };
}

/** Destination of a file. It is an item and the path that names it, or the draft of a new one. */
export type Destination = { readonly itemId: string; readonly at: FieldPath } | { readonly draft: Draft };

/** Decision of a person that overrides the sender's tags. Missing members are taken from the sender. */
export interface UploadDecision extends Partial<Omit<Draft, 'name' | 'holders'>> {
  readonly itemId?: string | null;
  readonly name?: string | null;
  readonly holders?: readonly DecidedHolder[] | null | undefined;
  /** True to renew the item that the file belongs to. */
  readonly renew?: boolean | null | undefined;
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
 * @param said what the document says; empty if it cannot be read
 */
function labelledDate({ filename }: Upload, said: readonly Suggestion[], today: Date): string | null {
  const named = dateInFileName(filename ?? '', today);
  const dates = suggestedDates(said);
  const isDenied = dates.length > 0 && !dates.some(({ value }) => value === named?.date);
  return named?.isLabelled && !isDenied ? named.date : null;
}

/**
 * Finds the expiration date that may be used unseen if the sender states none. It is the date in the file's name if it
 * has a label, or else, with `trust_scan`, that of the document. Until the document is read, there is none: it may say
 * another than the name.
 * @param said what the document says; empty if it cannot be read, and null if it is still to be read
 */
export function unseenDate(upload: Upload, said: readonly Suggestion[] | null, today: Date): Date | null {
  if (said === null) return null;
  const trusted = trustsScan(upload) ? trustedDate(said) : null;
  const date = labelledDate(upload, said, today) ?? trusted;
  return date === null ? null : (parseDate(date) ?? null);
}

/**
 * Decides where a file goes (docs/use/uploads.md). A person's decision takes precedence, then the sender's tags,
 * then the file's name, then the document.
 * @param said what the document says; empty if it cannot be read, and null if it is still to be read
 * @throws GatewayError BAD_REQUEST naming the invalid tag
 */
export function chooseDestination(
  upload: Upload,
  said: readonly Suggestion[] | null,
  today: Date,
  decision: UploadDecision = {},
): Destination {
  const read = tagReader(upload);
  const { itemId, renew, ...decided } = decision;
  const chosen = check(rules.uuid, itemId, ['expirationItemId']);
  const wantsNew = Object.values(decided).some((value) => value !== undefined);
  if (chosen) return { itemId: chosen, at: ['expirationItemId'] };
  if (renew) throw badField(['expirationItemId'], 'is required to renew an item', 'required');
  const named = wantsNew ? null : read('expiration_item_id', id);
  if (named) return { itemId: named, at: ['upload_Tags', 'expiration_item_id'] };
  const or = <T>(value: T | undefined, other: () => T): T => (value === undefined ? other() : value);
  const tagged = (): HolderTag[] =>
    holderTagNames.flatMap((name) => {
      const tag: Pick<HolderTag, 'kind' | 'key'> = holderTags[name];
      const value = read(name, tag.key ? line : id);
      return value === null ? [] : [{ name, value, ...tag }];
    });
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
      holders: decided.holders ?? { tags: tagged() },
    },
  };
}

/**
 * Reasons for which an upload is not filed, by their codes. APIs tell the code beside the technical text, and the
 * console has a sentence for each.
 */
export const uploadReasons = {
  ITEM_NOT_FOUND: 'The item that the sender names does not exist, or the sender may not see it.',
  DATE_INVALID: 'The expiration date in the tags is not a date.',
  CONTACT_INVALID: 'The e-mail address of the contact in the tags is not valid.',
  WORKSPACE_INVALID: 'The workspace in the tags does not exist, or the sender may not write there.',
  NAME_INVALID: 'The name in the tags is too long, or has characters that cannot be stored.',
  TYPE_INVALID: 'The document type in the tags is too long, or has characters that cannot be stored.',
  HOLDER_INVALID: 'The tags name a vehicle, person, company or location that does not exist, or several.',
  TAG_INVALID: 'Another tag has a value that cannot be read.',
  TOO_MANY_FILES: 'The item already has the maximum number of files.',
  VALUE_INVALID: 'A value of the item breaks a rule.',
  NOT_ALLOWED: 'The sender may no longer change the item.',
  CHANGED_MEANWHILE: 'Others changed the item during every attempt to file the upload.',
  FILE_TOO_LARGE: 'The file is too large.',
  FILE_GONE: 'There is no file at the address.',
  FILE_LOCKED: 'The host does not allow the gateway to read the file.',
  FILE_UNREADABLE: 'The host sends the file in a way that does not show whether it is complete.',
  ADDRESS_INVALID: 'Files cannot be fetched from an address of this form.',
  HOST_NOT_ALLOWED: 'Files may not be fetched from this host.',
  HOST_NOT_FOUND: 'The name of the host could not be looked up.',
  HOST_UNREACHABLE: 'The connection to the host failed.',
  HOST_BUSY: 'The host asked the gateway to try again later.',
  HOST_REFUSED: 'The host did not return the file.',
  HOST_SLOW: 'The file did not arrive in time.',
  GATEWAY_BUSY: 'The database could not answer.',
  GATEWAY_FAILED: 'Something went wrong in the gateway; the details are in its log.',
  GATEWAY_STOPPED: 'The gateway was stopped while it was filing the upload.',
  NEVER_FINISHED: 'No attempt to file the upload was completed.',
} as const satisfies Record<string, string>;

/**
 * Reasons for which a document is not read as a whole, by their codes. The console has a sentence for each, which says
 * what to do.
 */
export const unreadReasons = {
  WAITING: 'It waits to be read. Its suggestions follow.',
  INTERRUPTED: 'Something ended the last attempt. Another one follows.',
  NEVER_FINISHED: 'No attempt to read it was completed.',
  NO_FILE: 'The gateway has the address of the file, but not its bytes.',
  EMPTY: 'The file contains neither text nor pictures.',
  DAMAGED: 'The file is damaged, or is not what it says.',
  PROTECTED: 'The file is encrypted and needs a password.',
  HEIC: 'The picture is HEIC or HEIF, which the gateway does not read.',
  UNSUPPORTED: 'The gateway does not read files of this kind.',
  PICTURES_OFF: 'It contains pictures, and this gateway does not read pictures.',
  NO_WORDS: 'No words could be recognized in its pictures.',
  TOO_LARGE: 'It has too many pages, pixels or attachments, and only a part was read.',
  TOO_COSTLY: 'Reading it takes more time or memory than a document may have.',
  TOO_MANY_DATES: 'It contains so many dates that none can be its end.',
} as const satisfies Record<
  ReadingProblem | 'WAITING' | 'INTERRUPTED' | 'NEVER_FINISHED' | 'NO_FILE',
  string
>;

/** Code of a reason for which a document is not read. */
export type UnreadReason = keyof typeof unreadReasons;

const isUnreadReason = (code: string | null): code is UnreadReason =>
  code !== null && Object.hasOwn(unreadReasons, code);

/** Returns why an upload's document is not read as a whole; null if it is. */
export function unreadReasonOf({
  unreadCode,
  dueAt,
  state,
}: {
  readonly unreadCode: string | null;
  readonly dueAt: Date | null;
  readonly state: string;
}): UnreadReason | null {
  if (isUnreadReason(unreadCode)) return unreadCode;
  return dueAt !== null && state !== 'RECEIVED' ? 'WAITING' : null;
}

/** Code of a reason for which an upload is not filed. */
export type UploadReason = keyof typeof uploadReasons;

/** Tells whether a text is the code of a reason. Another version of the gateway may have kept others. */
export const isUploadReason = (code: string | null): code is UploadReason =>
  code !== null && Object.hasOwn(uploadReasons, code);

/** Reasons of errors that name no value. */
const byCode: Partial<Record<ErrorCode, UploadReason>> = {
  UNAUTHORIZED: 'NOT_ALLOWED',
  FORBIDDEN: 'NOT_ALLOWED',
  NOT_FOUND: 'ITEM_NOT_FOUND',
  GONE: 'GATEWAY_FAILED',
  CONFLICT: 'CHANGED_MEANWHILE',
  PRECONDITION_FAILED: 'CHANGED_MEANWHILE',
  PAYLOAD_TOO_LARGE: 'FILE_TOO_LARGE',
  TOO_MANY_REQUESTS: 'GATEWAY_BUSY',
  UNAVAILABLE: 'GATEWAY_BUSY',
  INTERNAL_ERROR: 'GATEWAY_FAILED',
};

/** Reasons by the tag, or the member of the item, whose value is wrong. */
const byMember: Readonly<Record<string, UploadReason>> = {
  expiration_date: 'DATE_INVALID',
  expirationDate: 'DATE_INVALID',
  contact_email: 'CONTACT_INVALID',
  contacts: 'CONTACT_INVALID',
  team_id: 'WORKSPACE_INVALID',
  teamId: 'WORKSPACE_INVALID',
  name: 'NAME_INVALID',
  category: 'TYPE_INVALID',
  categoryName: 'TYPE_INVALID',
  holders: 'HOLDER_INVALID',
  ...Object.fromEntries(holderTagNames.map((name) => [name, 'HOLDER_INVALID' as const])),
};

function reasonOfValue([first, second]: FieldPath, rule: ViolationRule | undefined): UploadReason {
  const isTag = first === 'upload_Tags';
  const member = String(isTag ? second : first);
  if (member === 'expiration_item_id' && rule === 'reference') return 'ITEM_NOT_FOUND';
  if (member === 'attachments' && rule === 'entries') return 'TOO_MANY_FILES';
  return byMember[member] ?? (isTag ? 'TAG_INVALID' : 'VALUE_INVALID');
}

/** Finds the reason of an error for which an upload could not be filed. */
export function uploadReasonOf({ code, fieldPath, violations }: GatewayError): UploadReason {
  return byCode[code] ?? reasonOfValue(fieldPath, violations[0]?.rule);
}
