import type { FeedPosition } from '../db/changes/position.js';
import { readChanges, type StoredChange } from '../db/changes/read-changes.js';
import type { Database } from '../db/connection/database.js';
import { GatewayError } from '../domain/errors.js';
import type { Follower } from './follower.js';

/** The end of an organization's feed of changes. It is read once for all of a process's streams. */
export interface ChangeTail {
  readonly followers: Set<Follower<StoredChange>>;
  /** Resolves once it has a position. It rejects with what the database throws, and is of no use then. */
  begun(): Promise<void>;
  /** Reads what is new, soon. */
  wake(): void;
}

/** Changes that are read at once. */
const page = 500;

/** Milliseconds until held back changes are looked for again; each time twice as long. */
const patience = { first: 50, last: 1_000 };

const missed = new GatewayError(
  'UNAVAILABLE',
  'Changes may have been missed. Subscribe again, `after` the last cursor.',
);

/** Makes the tail of an organization's feed. It reads as long as it has followers, and is of no use afterwards. */
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
  let wait = patience.first;
  let timer: NodeJS.Timeout | undefined;

  async function begin(): Promise<void> {
    position = (await readChanges(database, { organizationId, limit: 0, backward: true })).end;
  }
  /** Reads to the end, and tells of what it finds. */
  async function read(): Promise<void> {
    let isMore = true;
    while (isMore && followers.size > 0) {
      isWoken = false;
      const found = await readChanges(database, { organizationId, after: position, limit: page });
      position = found.end;
      for (const change of found.changes) for (const follower of followers) follower.tell(change);
      if (found.changes.length > 0 || !found.pending) wait = patience.first;
      isMore = found.more || isWoken;
      if (!isMore && found.pending) again();
    }
  }
  function again(): void {
    clearTimeout(timer);
    timer = setTimeout(wake, wait).unref();
    wait = Math.min(wait * 2, patience.last);
  }
  function wake(): void {
    isWoken = true;
    // Who asks meanwhile is heard by the read that is under way.
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
