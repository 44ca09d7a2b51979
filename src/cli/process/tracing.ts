import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';
import { type AroundStatement, tracedStatements } from '../../db/connection/pool.js';
import type { Log } from '../../domain/log.js';
import type { Tracing } from '../../http/metrics/tracing.js';

/** Runs `work` with tracing, if it is configured. The last traces are sent afterwards. */
export async function withTracing<T>(
  { tracing: wanted }: Pick<Config, 'tracing'>,
  log: Log,
  work: (tracing?: Tracing) => Promise<T>,
): Promise<T> {
  if (!wanted) return work();
  // Loading it takes time and memory, so it is loaded only if it is used.
  const { createTracing } = await import('../../http/metrics/tracing.js');
  const tracing = createTracing(log);
  try {
    return await work(tracing);
  } finally {
    await tracing.close();
  }
}

/** Wraps statements in spans, and logs them at the level `trace`. Undefined if neither is on. */
export function aroundStatements(
  { logLevel }: Pick<Config, 'logLevel'>,
  log: Logger,
  tracing: Tracing | undefined,
): AroundStatement | undefined {
  return logLevel === 'trace' ? tracedStatements(log, tracing?.statement) : tracing?.statement;
}
