import type { Logger } from 'pino';
import { forgetChanges } from '../../db/changes/epoch.js';
import type { Database } from '../../db/connection/database.js';
import { addUpCounts } from '../../db/sql/record-counts.js';

/**
 * Does a work every so many milliseconds, one at a time; several processes may.
 * @param failure what is logged when it fails
 * @returns ends that, and waits for what is under way
 */
function regularly(
  log: Logger,
  failure: string,
  interval: number,
  work: () => Promise<void>,
): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  const timer = setInterval(() => {
    underWay ??= work()
      .catch((err: Error) => log.warn({ reason: err.message }, failure))
      .finally(() => {
        underWay = undefined;
      });
  }, interval);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}

/** Adds up the numbers of records every so many milliseconds. @returns ends that */
export function addUpRegularly(database: Database, log: Logger, interval: number): () => Promise<void> {
  const failure = 'the numbers of records cannot be added up';
  return regularly(log, failure, interval, () => addUpCounts(database));
}

/** Deletes changes older than so many days every so many milliseconds. @returns ends that */
export function forgetRegularly(
  database: Database,
  log: Logger,
  interval: number,
  { clock, days }: { readonly clock: () => Date; readonly days: number },
): () => Promise<void> {
  const failure = 'old changes of records cannot be deleted';
  return regularly(log, failure, interval, () =>
    forgetChanges(database, new Date(clock().getTime() - days * 86_400_000)),
  );
}
