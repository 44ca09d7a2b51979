import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Milliseconds between two tries, and for one of them. */
const [pauseMs, attemptTimeoutMs] = [500, 10_000];

/**
 * Error codes that pass as servers and networks come up. They are Node's, and PostgreSQL's for one that
 * starts, stops or is full. A wrong password, or a database that is not there, stays so.
 */
const passing = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOENT', '57P01', '57P02', '57P03', '53300'],
]);

/** Tells whether a connection may be had a little later. */
export function isPassing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  return passing.has(code ?? '') || /terminated unexpectedly|timeout expired/.test(message);
}

/** Explains why there is no connection. Node's errors of several addresses have no message of their own. */
export function connectionFailure(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return connectionFailure(error.errors[0]);
  return (error as Error).message;
}

export interface Reaching {
  /** Milliseconds in which it is tried again; 0 for one try. */
  readonly timeout: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** Told of the first failure that is followed by another try. */
  readonly onWait: (reason: string) => void;
}

/**
 * Waits until a PostgreSQL server takes a connection.
 * @throws {Error} of `pg` or Node, when it does not in time, refuses for good, or `signal` aborts.
 */
export async function untilReachable(url: string, { timeout, signal, onWait }: Reaching): Promise<void> {
  const until = performance.now() + timeout;
  for (let tries = 1; ; tries++) {
    try {
      return await tryConnection(url);
    } catch (error) {
      if (!isPassing(error) || performance.now() + pauseMs > until || signal?.aborted) throw error;
      if (tries === 1) onWait(connectionFailure(error));
    }
    await sleep(pauseMs, undefined, { signal });
  }
}

async function tryConnection(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: attemptTimeoutMs });
  client.on('error', () => {}); // the connection is not used
  await client.connect();
  await client.end();
}
