import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

/** Sends a statement, and can tell when it begins and ends. */
export type AroundStatement = <T>(statement: OutgoingStatement, send: () => Promise<T>) => Promise<T>;

/** A statement on its way: what it is called, and its SQL. */
export interface OutgoingStatement {
  readonly name: string;
  readonly text: string;
}

type Query = (...args: unknown[]) => unknown;

/** Finds a statement's name. Without one of ours it is Prisma's, or steers a connection. */
function sendingOf(query: unknown): OutgoingStatement {
  if (typeof query === 'string') return { name: 'connection', text: query };
  const { statement = 'prisma', text } = query as { statement?: string; text?: unknown };
  return { name: statement, text: String(text) };
}

/** Wraps a sender so that its statements pass through `around`, unless they have a callback. */
function watched(query: Query, around: AroundStatement): Query {
  return (...args) =>
    // It is the pool that does so, for a statement that was given to it, and has passed already.
    typeof args.at(-1) === 'function'
      ? query(...args)
      : around(sendingOf(args[0]), async () => query(...args));
}

/**
 * Lets every statement of a pool pass through `around`. So does what is given to the pool, with the time that it waits
 * for a connection, and what a transaction sends on its own connection.
 */
export function watchStatements(pool: pg.Pool, around: AroundStatement): void {
  const watch = (one: { query: unknown }) => {
    // `query` has overloads, which an assignment cannot keep; what it answers stays the same.
    one.query = watched((one.query as Query).bind(one), around);
  };
  watch(pool);
  pool.on('connect', watch);
}

/** The request that statements are sent for, where somebody asks. */
const requests = new AsyncLocalStorage<string>();

/** Lets what is done for a request know its id. */
export const forRequest = <T>(id: string, work: () => T): T => requests.run(id, work);

/**
 * Logs every statement by name, with its milliseconds, never its text or values. Statements that are sent together for several requests have the id of one of them.
 * @param around what statements pass through besides
 */
export function tracedStatements(log: TraceLog, around?: AroundStatement): AroundStatement {
  return async (statement, send) => {
    const begun = performance.now();
    let failed: boolean | undefined = true;
    try {
      const result = await (around ? around(statement, send) : send());
      failed = undefined;
      return result;
    } finally {
      const ms = Math.round((performance.now() - begun) * 1000) / 1000;
      log.trace({ statement: statement.name, ms, failed, id: requests.getStore() }, 'A statement was sent');
    }
  };
}

/** The part of a pino logger that statements are traced with. */
interface TraceLog {
  trace(details: object, message: string): void;
}
