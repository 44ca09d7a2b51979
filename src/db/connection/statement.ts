import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pg from 'pg';

const { builtins, getTypeParser } = pg.types;

const readAsPg = (oid: number, text: string) => getTypeParser(oid, 'text')(text);

/** Parses `2026-11-20` as midnight UTC, as Prisma does. */
const readDate = (text: string) => new Date(text);

/** Parses `2026-11-20 09:30:00.12+00`. Database sessions are in UTC (database.ts). */
function readMoment(text: string): unknown {
  // Years with more than four digits, or BC, are written differently.
  if (text[10] !== ' ' || !text.endsWith('+00')) return readAsPg(builtins.TIMESTAMPTZ, text);
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

function readBytes(text: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = readAsPg(builtins.BYTEA, text) as Buffer;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

const readers = new Map<number, (text: string) => unknown>([
  [builtins.DATE, readDate],
  [builtins.TIMESTAMPTZ, readMoment],
  [builtins.INT8, BigInt],
  [builtins.BYTEA, readBytes],
]);

/** Parsers of PostgreSQL's text format. Where `pg` parses differently, they follow Prisma. */
const types: pg.CustomTypesConfig = {
  // The overloads also cover the binary format, which is never requested.
  getTypeParser: ((oid: number) => readers.get(oid) ?? getTypeParser(oid, 'text')) as typeof getTypeParser,
};

/** Converts a value for sending. Timestamps are in UTC, also in lists, where `pg` would use the local time zone. */
function parameterOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(parameterOf);
  return value instanceof Date ? value.toISOString() : value;
}

/** SQL and its values, such as `Prisma.sql` creates. */
interface SqlText {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A SQL statement with the name that logs, traces and tests use. */
export interface Statement extends SqlText {
  /** The table or room that it is about, and its operation: `vehicles.search`. */
  readonly name: string;
  /** True if the best plan depends on the values. It is planned with them each time, and no plan is kept. */
  readonly isPlannedAnew?: boolean;
}

/** A statement, or a command of a transaction, such as COMMIT, which has no values. */
export type SentText = Pick<Statement, 'name' | 'text'> & Partial<Statement>;

/**
 * Gives a SQL statement its name, `<table or room>.<operation>`.
 * @param isPlannedAnew true if the best plan depends on the values
 */
export function prepared(name: string, { text, values }: SqlText, isPlannedAnew = false): Statement {
  return { name, text, values, isPlannedAnew };
}

/** A query with a time limit, which the types of `pg` omit. */
export interface LimitedQuery extends pg.QueryConfig {
  /** Milliseconds. */
  readonly query_timeout?: number;
}

/** A statement as `pg` sends it. It has our name besides that of the prepared statement. */
export interface SentQuery extends LimitedQuery {
  readonly statement: string;
}

/** The most statements that are prepared on each connection. Others are parsed every time. */
const maxPrepared = 500;

/** Number of statements that are remembered after being sent once. */
const maxSeen = 2_000;

/** Most characters of our name in a prepared statement's name. PostgreSQL allows 63 in total. */
const maxNameLength = 48;

/** Names prepared statements. `pg` sends a statement named '' unprepared. */
export class PreparedNames {
  readonly #names = new Map<string, string>();
  /** False if statements cannot be prepared, because of a connection pooler. */
  readonly isUsed: boolean;
  readonly #seen = new LRUCache<string, true>({ max: maxSeen });

  constructor(isUsed = true) {
    this.isUsed = isUsed;
  }

  /**
   * Returns the name under which a text is prepared. The text varies with the selection, so the name includes
   * its hash.
   */
  nameOf(statement: string, text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (!this.isUsed || this.#names.size >= maxPrepared) return '';
    const hash = createHash('sha1').update(text).digest('base64url').slice(0, 12);
    const name = `${statement.slice(0, maxNameLength)} ${hash}`;
    // Prepare a statement only when it comes again: generated documents may use one only once.
    if (!this.#seen.delete(name)) {
      this.#seen.set(name, true);
      return '';
    }
    this.#names.set(text, name);
    return name;
  }

  /** Prepares a statement for sending, with values of the same classes as Prisma's. */
  prepare({ name, text, values, isPlannedAnew }: Statement): SentQuery {
    const known = isPlannedAnew ? '' : this.nameOf(name, text);
    return { name: known, text, values: values.map(parameterOf), types, statement: name };
  }
}
