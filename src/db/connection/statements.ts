import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

/** Sends a statement, and can tell when it begins and ends. */
export type AroundStatement = <T>(sql: string, send: () => Promise<T>) => Promise<T>;

type Query = (...args: unknown[]) => unknown;

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text);

/** What sends statements, so that each passes through `around`, unless its sender wants to be called back. */
function watched(query: Query, around: AroundStatement): Query {
  return (...args) =>
    // It is the pool that does so, for a statement that was given to it, and has passed already.
    typeof args.at(-1) === 'function' ? query(...args) : around(textOf(args[0]), async () => query(...args));
}

/**
 * Lets every statement pass through `around`: what is given to the pool, with the time that it waits for a
 * connection, and what a transaction sends on its own connection.
 */
export function watchStatements(pool: pg.Pool, around: AroundStatement): void {
  const watch = (one: { query: unknown }) => {
    // `query` has overloads, which an assignment cannot keep; what it answers stays the same.
    one.query = watched((one.query as Query).bind(one), around);
  };
  watch(pool);
  pool.on('connect', watch);
}

const beforeTable = /\b(?:FROM|INTO|UPDATE)\s+(?:"?public"?\.)?"?([a-z_]+)"?/gi;
const beforeQuery = /\b(\w+) AS (?:MATERIALIZED )?\(/gi;

/** A statement without what stands in parentheses, subqueries above all. */
function outerOf(sql: string): string {
  const outer = sql.replace(/\([^()]*\)/g, '…');
  return outer === sql ? sql : outerOf(outer);
}

/** Summarizes a SQL statement: its verb and its table, as far as they are easy to tell, never its values. */
export function summaryOf(sql: string): string {
  const [, verb = 'SQL'] = /^\s*(\w+)/.exec(sql) ?? [];
  const queries = new Set([...sql.matchAll(beforeQuery)].map(([, name]) => name));
  const named = [outerOf(sql), sql].flatMap((text) =>
    [...text.matchAll(beforeTable)].map(([, name]) => name),
  );
  const table = named.find((name) => !queries.has(name));
  return [verb.toUpperCase(), table].filter(Boolean).join(' ');
}

/** The request that statements are sent for, where somebody asks. */
const requests = new AsyncLocalStorage<string>();

/** Lets what is done for a request know its id. */
export const forRequest = <T>(id: string, work: () => T): T => requests.run(id, work);

/**
 * Logs every statement by what it does, never its text or values, with the milliseconds that it took. Statements that
 * are sent together for several requests have the id of one of them.
 * @param around what statements pass through besides
 */
export function tracedStatements(log: TraceLog, around?: AroundStatement): AroundStatement {
  return async (sql, send) => {
    const begun = performance.now();
    let failed: boolean | undefined = true;
    try {
      const result = await (around ? around(sql, send) : send());
      failed = undefined;
      return result;
    } finally {
      const ms = Math.round((performance.now() - begun) * 1000) / 1000;
      log.trace({ statement: summaryOf(sql), ms, failed, id: requests.getStore() }, 'A statement was sent');
    }
  };
}

/** The part of a pino logger that statements are traced with. */
interface TraceLog {
  trace(details: object, message: string): void;
}
