import type { FeedPosition } from '../db/changes/position.js';
import { readChanges, type StoredChange } from '../db/changes/read-changes.js';
import type { Database } from '../db/connection/database.js';
import { GatewayError } from '../domain/errors.js';
import type { Follower } from './follower.js';

/** Follows the end of an organization's feed of changes. It is read once for all streams of a process. */
export interface ChangeTail {
  readonly followers: Set<Follower<StoredChange>>;
  /** Resolves once it has a position. If it rejects with a database error, the tail cannot be used. */
  begun(): Promise<void>;
  /** Schedules reading new changes. */
  wake(): void;
}

/** Changes that are read at once. */
const pageSize = 500;

/** Milliseconds before looking again for changes held back by open transactions; doubled each time. */
const retryDelayMs = { first: 50, last: 1_000 };

const missed = new GatewayError(
  'UNAVAILABLE',
  'Changes may have been missed. Subscribe again with `after` set to the last cursor.',
);

/**
 * Creates the tail of an organization's feed. It reads while it has followers, and cannot be used afterwards.
 */
export function createChangeTail(
  database: Database,
  organizationId: string,
  onError: (error: Error) => void,
): ChangeTail {
  const followers = new Set<Follower<StoredChange>>();
  let position: FeedPosition | undefined;
  let beginning: Promise<void> | undefined;
  let isReading = false;
  let isWoken = false;
  let wait = retryDelayMs.first;
  let timer: NodeJS.Timeout | undefined;

  async function begin(): Promise<void> {
    position = (await readChanges(database, { organizationId, limit: 0, backward: true })).end;
  }
  /** Reads to the end of the feed, and passes on what it finds. */
  async function read(): Promise<void> {
    let isMore = true;
    while (isMore && followers.size > 0) {
      isWoken = false;
      const found = await readChanges(database, { organizationId, after: position, limit: pageSize });
      position = found.end;
      for (const change of found.changes) for (const follower of followers) follower.tell(change);
      if (found.changes.length > 0 || !found.pending) wait = retryDelayMs.first;
      isMore = found.more || isWoken;
      if (!isMore && found.pending) again();
    }
  }
  function again(): void {
    clearTimeout(timer);
    timer = setTimeout(wake, wait).unref();
    wait = Math.min(wait * 2, retryDelayMs.last);
  }
  function wake(): void {
    isWoken = true;
    // The read in progress also serves whoever wakes the tail meanwhile.
    if (isReading || !position || followers.size === 0) return;
    isReading = true;
    read()
      .catch((error: Error) => {
        onError(error);
        for (const follower of followers) follower.end(missed);
      })
      .finally(() => {
        isReading = false;
      });
  }
  return {
    followers,
    begun() {
      beginning ??= begin();
      return beginning;
    },
    wake,
  };
}
