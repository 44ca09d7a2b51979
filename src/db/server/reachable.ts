import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseClient } from '../hosts/client.js';
import { unlessAborted } from './long-wait.js';

/** Milliseconds between two attempts, and the timeout of one. */
const [pauseMs, attemptTimeoutMs] = [500, 10_000];

/**
 * Temporary error codes, while servers and networks come up. They are Node's, and PostgreSQL's for a server
 * that starts, stops or is full, or of several servers of which none is the primary yet. A wrong password or a
 * missing database is not temporary.
 */
const passing = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOENT', '57P01', '57P02', '57P03', '53300', '08001'],
]);

/** Returns whether a connection may succeed a little later. */
export function isPassing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  return (
    passing.has(code ?? '') ||
    /terminated unexpectedly|timeout expired|Query read timeout|query_wait_timeout|server login has been failing/.test(
      message,
    )
  );
}

/** Explains why there is no connection. Node's errors for several addresses have no message of their own. */
export function connectionFailure(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return connectionFailure(error.errors[0]);
  return (error as Error).message;
}

export interface Reaching {
  /** Milliseconds for which to retry; 0 for a single attempt. */
  readonly timeout: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the first failure that is followed by another attempt. */
  readonly onWait: (reason: string) => void;
}

/**
 * Waits until a PostgreSQL server answers, also behind a pooler.
 * @throws {Error} of `pg` or Node if it does not in time, refuses permanently, or `signal` aborts
 */
export async function untilReachable(url: string, { timeout, signal, onWait }: Reaching): Promise<void> {
  const until = performance.now() + timeout;
  for (let tries = 1; ; tries++) {
    try {
      return await unlessAborted(tryConnection(url), signal);
    } catch (error) {
      if (!isPassing(error) || performance.now() + pauseMs > until || signal?.aborted) throw error;
      if (tries === 1) onWait(connectionFailure(error));
    }
    await sleep(pauseMs, undefined, { signal });
  }
}

async function tryConnection(url: string): Promise<void> {
  const client = new DatabaseClient({
    connectionString: url,
    connectionTimeoutMillis: attemptTimeoutMs,
    query_timeout: attemptTimeoutMs,
  });
  client.on('error', () => {}); // the query fails as well
  try {
    await client.connect();
    // A pooler lets clients in even while the server behind it is away.
    await client.query('SELECT 1');
  } finally {
    await client.end();
  }
}
