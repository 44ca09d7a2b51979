import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

/** Sends a statement, and can observe its start and end. */
export type AroundStatement = <T>(statement: OutgoingStatement, send: () => Promise<T>) => Promise<T>;

/** A statement about to be sent: its name and SQL. */
export interface OutgoingStatement {
  readonly name: string;
  readonly text: string;
}

type Query = (...args: unknown[]) => unknown;

/** Finds a statement's name. Without one of ours it is Prisma's, or a command to the connection. */
function sendingOf(query: unknown): OutgoingStatement {
  if (typeof query === 'string') return { name: 'connection', text: query };
  const { statement = 'prisma', text } = query as { statement?: string; text?: unknown };
  return { name: statement, text: String(text) };
}

/** Wraps a sender so that its statements pass through `around`, unless they have a callback. */
function watched(query: Query, around: AroundStatement): Query {
  return (...args) =>
    // Only the pool passes a callback, for a statement that has already passed through `around`.
    typeof args.at(-1) === 'function'
      ? query(...args)
      : around(sendingOf(args[0]), async () => query(...args));
}

/**
 * Passes every statement of a pool through `around`. For statements sent by the pool, this includes the wait
 * for a connection; transactions use their own connection.
 */
export function watchStatements(pool: pg.Pool, around: AroundStatement): void {
  const watch = (one: { query: unknown }) => {
    // `query` has overloads, which an assignment cannot keep; its results stay the same.
    one.query = watched((one.query as Query).bind(one), around);
  };
  watch(pool);
  pool.on('connect', watch);
}

/** The id of the request that statements belong to, for logs and traces. */
const requests = new AsyncLocalStorage<string>();

/** Makes a request's id available to everything that is done for it. */
export const forRequest = <T>(id: string, work: () => T): T => requests.run(id, work);

/**
 * Logs every statement by name with its duration, but never its text or values. Statements that several
 * requests send together are logged with the id of one of them.
 * @param around another wrapper of the statements
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

/** The part of a pino logger that is used to trace statements. */
interface TraceLog {
  trace(details: object, message: string): void;
}
