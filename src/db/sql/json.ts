import type { ModelName } from '../../domain/models.js';
import type { RowOf } from './columns.js';
import { raw, type Sql } from './sql.js';

type Model = ModelName;
type FieldsWith<M extends Model, T> = {
  [Field in keyof RowOf<M>]: NonNullable<RowOf<M>[Field]> extends T ? Field : never;
}[keyof RowOf<M>];
/** The fields of all models with the type T. */
type Fields<T> = { [M in Model]: FieldsWith<M, T> }[Model];

const moment = (text: string) => new Date(text);

/** Lengths of dates, and of moments with milliseconds, as PostgreSQL writes them in JSON. */
const dateLength = '2026-11-20'.length;
const momentLength = '2026-11-20T09:30:00.000+00:00'.length;

/** Writes a date or moment as answers show it. PostgreSQL omits zeros at the end of a fraction. */
export function shownMoment(text: string): string {
  if (text.length === dateLength) return text;
  return text.length === momentLength && text[19] === '.'
    ? `${text.slice(0, 23)}Z`
    : moment(text).toISOString();
}

const bytes = (text: string) => Uint8Array.from(Buffer.from(text.slice(2), 'hex'));

/**
 * Parsers for fields whose values have no JSON type. A new field of such a type does not compile until it is
 * added here. 64-bit integers are written as text, because JSON numbers would lose digits.
 */
const readers: Record<Fields<Date>, typeof moment> &
  Record<Fields<bigint>, typeof BigInt> &
  Record<Fields<Uint8Array>, typeof bytes> = {
  created: moment,
  modified: moment,
  expirationDate: moment,
  previousDate: moment,
  receivedAt: moment,
  filedAt: moment,
  suggestedExpirationDate: moment,
  dueAt: moment,
  expiresAt: moment,
  lastUsedAt: moment,
  revokedAt: moment,
  notifyOn: moment,
  slot: moment,
  decidedAt: moment,
  snoozeUntil: moment,
  mutedUntil: moment,
  until: moment,
  firstTriedAt: moment,
  settledAt: moment,
  through: moment,
  nextAt: moment,
  pageUntil: moment,
  dayThrough: moment,
  dayNextAt: moment,
  failingSince: moment,
  requestedAt: moment,
  deletedAt: moment,
  usedAt: moment,
  secondFactorAt: moment,
  confirmedAt: moment,
  changedAt: moment,
  pacedUntil: moment,
  lastOkAt: moment,
  slowedUntil: moment,
  occurredAt: moment,
  frozenAt: moment,
  at: moment,
  contentLength: BigInt,
  notificationId: BigInt,
  timestamp: BigInt,
  size: BigInt,
  counter: BigInt,
  lastStep: BigInt,
  content: bytes,
  hash: bytes,
  digest: bytes,
  sealed: bytes,
  deviceHash: bytes,
  credentialId: bytes,
  publicKey: bytes,
  signingSecret: bytes,
  sealedHeaders: bytes,
  sealedUrl: bytes,
  sealedToken: bytes,
};

type Reader = (text: string) => unknown;

const readerFor = (field: string): Reader | undefined => (readers as Partial<Record<string, Reader>>)[field];

/** Returns the expression that puts a field into JSON without loss. */
export function jsonSql(row: string, field: string): Sql {
  return raw(`${row}."${field}"${readerFor(field) === BigInt ? '::text' : ''}`);
}

/** Builds a row from the JSON values of its fields. Its values have the same classes as Prisma's. */
export type ReadRow = (values: readonly unknown[]) => Record<string, unknown>;

/**
 * Creates the function that builds rows with the given fields.
 * @param shown fields that no code reads. Their dates are texts: a `Date` that is only written again takes ten
 *   times as long.
 */
export function rowReader(fields: readonly string[], shown?: ReadonlySet<string>): ReadRow {
  const converted = fields.flatMap((field) => {
    const read = readerFor(field);
    return read ? [{ field, read: read === moment && shown?.has(field) ? shownMoment : read }] : [];
  });
  // Copying this is cheaper than building up each row, and saves a third of a list's garbage.
  const blank: Record<string, unknown> = Object.fromEntries(fields.map((field) => [field, null]));
  return (values) => {
    const row = { ...blank };
    for (let index = 0; index < fields.length; index++) row[fields[index] as string] = values[index];
    for (const { field, read } of converted) {
      const value = row[field];
      if (value !== null) row[field] = read(value as string);
    }
    return row;
  };
}
