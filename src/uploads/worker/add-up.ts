import type { Logger } from 'pino';
import type { Database } from '../../db/connection/database.js';
import { addUpCounts } from '../../db/sql/record-counts.js';

/**
 * Adds up the numbers of records every so many milliseconds; several processes may.
 * @returns ends that, and waits for what is under way
 */
export function addUpRegularly(database: Database, log: Logger, interval: number): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  const timer = setInterval(() => {
    underWay ??= addUpCounts(database)
      .catch((err: Error) => log.warn({ reason: err.message }, 'the numbers of records cannot be added up'))
      .finally(() => {
        underWay = undefined;
      });
  }, interval);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}
