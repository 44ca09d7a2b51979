import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { parameterOf, types } from './values.js';

/** SQL and its values, such as `Prisma.sql` creates. */
export interface SqlText {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A SQL statement with the name that logs, traces and tests use. */
export interface Statement extends SqlText {
  /** The table or room that it is about, and its operation: `vehicles.search`. */
  readonly name: string;
}

/** Gives a SQL statement its name, `<table or room>.<operation>`. */
export function named(name: string, { text, values }: SqlText): Statement {
  return { name, text, values };
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
  readonly #seen = new LRUCache<string, true>({ max: maxSeen });

  /**
   * Returns the name under which a text is prepared. The text varies with the selection, so the name includes
   * its hash.
   */
  nameOf(statement: string, text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= maxPrepared) return '';
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
  prepare({ name, text, values }: Statement): SentQuery {
    return { name: this.nameOf(name, text), text, values: values.map(parameterOf), types, statement: name };
  }
}
