import type { Logger } from 'pino';
import { purgeExpired } from '../../db/bin/purge.js';
import { forgetChanges } from '../../db/changes/epoch.js';
import type { Database } from '../../db/connection/database.js';
import { addUpCounts } from '../../db/sql/record-counts.js';

/**
 * Runs a chore at an interval; several processes may. It never overlaps with itself.
 * @returns a function that stops it, and waits for a run in progress
 */
function regularly(
  chore: () => Promise<unknown>,
  onError: (error: Error) => void,
  interval: number,
): () => Promise<void> {
  let underWay: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    underWay ??= chore()
      .catch(onError)
      .finally(() => {
        underWay = undefined;
      });
  }, interval);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}

/** Adds up the record counts at an interval; see `regularly`. */
export function addUpRegularly(database: Database, log: Logger, interval: number): () => Promise<void> {
  const onError = ({ message }: Error) =>
    log.warn({ reason: message }, 'the totals of records cannot be updated');
  return regularly(() => addUpCounts(database), onError, interval);
}

/** Deletes changes older than a number of days at an interval; see `regularly`. */
export function forgetRegularly(
  database: Database,
  log: Logger,
  interval: number,
  { clock, days }: { readonly clock: () => Date; readonly days: number },
): () => Promise<void> {
  const onError = ({ message }: Error) =>
    log.warn({ reason: message }, 'old changes of records cannot be deleted');
  const forget = () => forgetChanges(database, new Date(clock().getTime() - days * 86_400_000));
  return regularly(forget, onError, interval);
}

/** Deletes expired entries of the bin at an interval; see `regularly`. */
export function purgeRegularly(
  database: Database,
  clock: () => Date,
  log: Logger,
  interval: number,
): () => Promise<void> {
  const onError = ({ message }: Error) => log.warn({ reason: message }, 'the bin cannot be emptied');
  const purge = async () => {
    const entries = await purgeExpired(database, clock());
    if (entries > 0) log.info({ entries }, 'expired entries were deleted from the bin');
  };
  return regularly(purge, onError, interval);
}
