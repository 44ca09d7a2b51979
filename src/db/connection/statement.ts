import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { parameterOf, types } from './values.js';

/** SQL and its values, such as `Prisma.sql` makes. */
export interface SqlText {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A SQL statement under the name by which logs, traces and tests know it. */
export interface Statement extends SqlText {
  /** The table or room that it is about, and what it does: `vehicles.search`. */
  readonly name: string;
}

/** Gives a SQL statement its name, `<table or room>.<operation>`. */
export function named(name: string, { text, values }: SqlText): Statement {
  return { name, text, values };
}

/** Statement as `pg` sends it: with the name of the prepared statement, and our own. */
export interface SentQuery extends pg.QueryConfig {
  readonly statement: string;
}

/** Most statements that are prepared by name on each connection. Others are parsed each time. */
const maxPrepared = 500;

/** Statements of which is known that they were sent once. */
const maxSeen = 2_000;

/** Most characters of ours in a prepared statement's name. PostgreSQL has 63 for all of it. */
const longestName = 48;

/** Names prepared statements; '' is one that `pg` sends unprepared. */
export class PreparedNames {
  readonly #names = new Map<string, string>();
  readonly #seen = new LRUCache<string, true>({ max: maxSeen });

  /** Returns the name under which a text is prepared. Texts vary with what is selected, so each has its hash. */
  nameOf(statement: string, text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= maxPrepared) return '';
    const hash = createHash('sha1').update(text).digest('base64url').slice(0, 12);
    const name = `${statement.slice(0, longestName)} ${hash}`;
    // What is asked for once only, as by documents that a program makes, keeps nobody's place.
    if (!this.#seen.delete(name)) {
      this.#seen.set(name, true);
      return '';
    }
    this.#names.set(text, name);
    return name;
  }

  /** Prepares a statement for sending, with values of the classes that Prisma's are of. */
  prepare({ name, text, values }: Statement): SentQuery {
    return { name: this.nameOf(name, text), text, values: values.map(parameterOf), types, statement: name };
  }
}
