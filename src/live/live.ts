import DataLoader from 'dataloader';
import { renewCallers } from '../access/callers.js';
import { type FeedPosition, readChanges, type StoredChange } from '../db/changes/changes.js';
import type { Database, Listener } from '../db/connection/database.js';
import { Session } from '../db/connection/session.js';
import { findFrozen } from '../db/queue/queue.js';
import { type Caller, may } from '../domain/caller.js';
import { GatewayError } from '../domain/errors.js';
import { decodeHeads, type EventHead, eventTypes } from '../domain/models.js';
import { createFollower, type EventReader, type Follower, type FollowerOptions } from './follower.js';

/** Follows the end of an organization's feed of changes. It is read once for all streams of a process. */
interface ChangeTail {
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

const missedChanges = new GatewayError(
  'UNAVAILABLE',
  'Changes may have been missed. Subscribe again with `after` set to the last cursor.',
);

/**
 * Creates the tail of an organization's feed. It reads while it has followers, and cannot be used afterwards.
 */
function createChangeTail(
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
        for (const follower of followers) follower.end(missedChanges);
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

/** Keeps the LISTEN connection open while there are subscribers. */
interface NotificationListener {
  /**
   * Resolves once announcements are received.
   * @throws GatewayError UNAVAILABLE
   */
  open(): Promise<void>;
  close(): Promise<void>;
}

interface NotificationListenerOptions {
  readonly database: Database;
  readonly onPayload: (payload: string) => void;
  /** Called when announcements may have been missed. The listener can be opened again afterwards. */
  readonly onLost: (error: Error) => void;
  /** Milliseconds between checks. */
  readonly interval: number;
  /** Returns whether there are subscribers. If not, the next check closes the connection. */
  readonly isNeeded: () => boolean;
  /** Runs with each check of the connection. If it fails, the connection counts as lost. */
  readonly check: () => Promise<unknown>;
}

/** Timeout of a check in milliseconds. */
const CHECK_TIMEOUT = 4_000;

/** Waits for work with a timeout; rejects if it takes longer. */
async function withTimeout(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It takes too long.')), milliseconds);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Creates a notification listener. It connects when it is first opened. */
function createNotificationListener({
  database,
  onPayload,
  onLost,
  interval,
  isNeeded,
  check,
}: NotificationListenerOptions): NotificationListener {
  let listening: Promise<Listener> | undefined;

  async function close(): Promise<void> {
    const closing = listening;
    listening = undefined;
    await closing?.then(
      (listener) => listener.close(),
      () => {},
    );
  }
  function lose(error: Error): void {
    void close();
    onLost(error);
  }
  async function tick(mine: Promise<Listener>): Promise<void> {
    if (listening !== mine) return;
    if (!isNeeded()) return close();
    try {
      await withTimeout(CHECK_TIMEOUT, Promise.all([(await mine).check(), check()]));
      watch(mine);
    } catch (error) {
      if (listening === mine) lose(error as Error);
    }
  }
  function watch(mine: Promise<Listener>): void {
    setTimeout(() => void tick(mine), interval).unref();
  }
  function connect(): Promise<Listener> {
    const mine = database.listen(onPayload, lose);
    listening = mine;
    mine.then(
      () => watch(mine),
      () => {
        if (listening === mine) listening = undefined;
      },
    );
    return mine;
  }
  return {
    async open() {
      const mine = listening ?? connect();
      const unavailable = 'Live events are not available now; try again.';
      await mine.catch((cause) => {
        throw new GatewayError('UNAVAILABLE', unavailable, { cause });
      });
      if (listening !== mine) throw new GatewayError('UNAVAILABLE', unavailable);
    },
    close,
  };
}

/**
 * Returns a key for what a caller sees. Callers with the same scope have the same key. Only administrators
 * see the sign-ins of others.
 */
const sightOf = ({ organizationId, role, teamIds, user }: Caller) =>
  `${organizationId} ${role} ${teamIds.join(' ')} ${may(role, 'administer') ? '' : user.id}`;

/**
 * Shares DataLoaders among streams that handle an event at the same moment. Of all streams with the same
 * scope, one reads each record for the others. The loaders are dropped in the next turn of the event loop, so
 * that later events are read anew.
 */
class SharedLoaders {
  readonly #bySight = new Map<string, Session['loaders']>();

  /** Returns this moment's DataLoaders for all callers with the same scope. */
  for(caller: Caller): Session['loaders'] {
    if (this.#bySight.size === 0) setImmediate(() => this.#bySight.clear());
    const sight = sightOf(caller);
    const loaders = this.#bySight.get(sight) ?? new Map();
    this.#bySight.set(sight, loaders);
    return loaders;
  }
}

/** Limits of live events; times in milliseconds. */
export interface LiveLimits {
  /** Interval of checks, both of quiet streams' tokens and of the LISTEN connection. */
  readonly recheck: number;
  /** Events that may wait for the client of a stream. */
  readonly capacity: number;
  /** Time in which a client must read a stream's end. Then the connection is cut. */
  readonly grace: number;
  /** Streams that one token may have open at once in a process. */
  readonly perToken: number;
  /**
   * Interval of WebSocket pings. A socket that has not answered by the next ping is dead, or is not being
   * read.
   */
  readonly heartbeat: number;
}

/** The default limits. With the duration of a check, streams of a revoked token end within ten seconds. */
export const liveLimits: LiveLimits = {
  recheck: 4_000,
  capacity: 5_000,
  grace: 5_000,
  perToken: 100,
  heartbeat: 12_000,
};

/** Live events of one process: its streams, and its LISTEN connection. */
export interface Live {
  /**
   * Opens a stream of announced events of the caller's organization.
   * @throws GatewayError TOO_MANY_REQUESTS; UNAVAILABLE if announcements cannot be received, or the process
   *   is stopping
   */
  follow(session: Session, reader: EventReader, wants: (head: EventHead) => boolean): Promise<Follower>;
  /**
   * Opens a stream of record changes in the caller's organization, from now on.
   * @throws GatewayError like `follow`
   */
  followChanges(
    session: Session,
    reader: EventReader,
    wants: (change: StoredChange) => boolean,
  ): Promise<Follower<StoredChange>>;
  streams(): number;
  close(): Promise<void>;
}

/** Streams of one organization. */
interface Streams {
  readonly events: Set<Follower>;
  /** Tail of the feed of changes, once somebody has subscribed to it. */
  changes?: ChangeTail;
}

/** Types of events that may end somebody's right to read. */
const endingTypes: ReadonlySet<number> = new Set([
  eventTypes['token revoked'],
  eventTypes['user deactivated'],
  eventTypes['user changed'],
  eventTypes['signed out'],
  // It may require a second factor.
  eventTypes['organization changed'],
]);

const again = 'Subscribe again, and query the events that were missed.';
const stopping = new GatewayError('UNAVAILABLE', `The gateway is stopping. ${again}`);
const moving = new GatewayError(
  'UNAVAILABLE',
  `The organization is being moved to another database. ${again}`,
);
const missed = new GatewayError('UNAVAILABLE', `Events may have been missed. ${again}`);

/**
 * Creates the live events of a process. It does nothing as long as nobody subscribes.
 * @param onError is called with the reason when all streams had to be ended
 */
export function createLive(
  database: Database,
  clock: () => Date,
  onError: (error: Error) => void,
  limits: LiveLimits,
): Live {
  const organizations = new Map<string, Streams>();
  let closed = false;
  const followers = () =>
    [...organizations.values()].flatMap(({ events, changes }) => [...events, ...(changes?.followers ?? [])]);

  function endAll(error: GatewayError): void {
    for (const follower of followers()) follower.end(error);
  }
  /** Renews the rights of streams at once when somebody's may have ended. */
  async function renewAfter(heads: readonly EventHead[]): Promise<void> {
    const ended = heads.filter(({ typeId }) => endingTypes.has(typeId));
    const concerned = new Set(ended.map(({ organizationId }) => organizationId));
    const streams = followers().filter(({ caller }) => concerned.has(caller.organizationId));
    // If this fails, the next check repeats it.
    await Promise.allSettled(streams.map((stream) => stream.refresh()));
  }
  /** Ends the streams of frozen organizations. Their next events come from another database. */
  async function endFrozen(): Promise<void> {
    if (followers().length === 0) return;
    const frozen = await findFrozen(database, [...organizations.keys()]);
    for (const follower of followers())
      if (frozen.includes(follower.caller.organizationId)) follower.end(moving);
  }
  const listener = createNotificationListener({
    database,
    interval: limits.recheck,
    onPayload(payload) {
      const heads = decodeHeads(payload);
      if (!heads) endAll(missed);
      for (const head of heads ?? []) {
        for (const follower of organizations.get(head.organizationId)?.events ?? []) follower.tell(head);
      }
      for (const id of new Set(heads?.map(({ organizationId }) => organizationId)))
        organizations.get(id)?.changes?.wake();
      void renewAfter(heads ?? []);
    },
    onLost(error) {
      if (followers().length > 0) onError(error);
      endAll(missed);
    },
    isNeeded: () => followers().length > 0,
    check() {
      // Not all changes are announced: the command line announces nothing.
      for (const { changes } of organizations.values()) changes?.wake();
      return Promise.all([endFrozen(), ...followers().map((follower) => follower.refresh())]);
    },
  });
  /** All callers requested in one turn are looked up with one statement. */
  const callers = new DataLoader<Caller, Caller | null>((those) => renewCallers(database, those, clock()), {
    cache: false,
  });
  const shared = new SharedLoaders();
  function streamsOf({ organizationId }: Caller): Streams {
    const streams = organizations.get(organizationId) ?? { events: new Set() };
    organizations.set(organizationId, streams);
    return streams;
  }
  /** Drops tails and streams without followers. The next follower gets a new tail. */
  function tidy({ organizationId }: Caller): void {
    const streams = organizations.get(organizationId);
    if (streams?.changes?.followers.size === 0) delete streams.changes;
    if (streams?.events.size === 0 && !streams.changes) organizations.delete(organizationId);
  }
  /**
   * Returns the tail of an organization's feed, once announcements are received. Listening starts last: a
   * periodic check would close a LISTEN connection that has no stream yet.
   */
  async function tailOf(caller: Caller): Promise<ChangeTail> {
    const streams = streamsOf(caller);
    streams.changes ??= createChangeTail(database, caller.organizationId, onError);
    const { changes } = streams;
    try {
      await changes.begun();
      await listener.open();
    } catch (error) {
      tidy(caller);
      throw error;
    }
    // Its last follower may have left meanwhile, and the tail may have been dropped.
    return streamsOf(caller).changes === changes ? changes : tailOf(caller);
  }
  /** Creates a stream, once events are received. `among` are the streams of its kind. */
  function open<Message>(
    session: Session,
    reader: EventReader,
    wants: FollowerOptions<Message>['wants'],
    among: Set<Follower<Message>>,
  ): Follower<Message> {
    const { caller, secrets } = session;
    if (followers().filter((other) => other.caller.tokenId === caller.tokenId).length >= limits.perToken) {
      tidy(caller);
      const message = `A token can have at most ${limits.perToken} subscriptions at once; end some of them.`;
      throw new GatewayError('TOO_MANY_REQUESTS', message);
    }
    const follower = createFollower<Message>({
      caller,
      reader,
      wants,
      limits,
      lookUp: (those) => callers.load(those),
      open: (those) =>
        new Session(database, {
          ...{ caller: those, now: clock(), loaders: shared.for(those) },
          ...(secrets && { secrets }),
        }),
      onEnd: () => {
        among.delete(follower);
        tidy(caller);
      },
    });
    among.add(follower);
    if (reader.signal.aborted) follower.end();
    return follower;
  }
  return {
    async follow(session, reader, wants) {
      if (closed) throw stopping;
      await listener.open();
      return open(session, reader, wants, streamsOf(session.caller).events);
    },
    async followChanges(session, reader, wants) {
      if (closed) throw stopping;
      const changes = await tailOf(session.caller);
      const follower = open(session, reader, wants, changes.followers);
      // Read changes from before announcements were received.
      changes.wake();
      return follower;
    },
    streams: () => followers().length,
    async close() {
      closed = true;
      endAll(stopping);
      await listener.close();
    },
  };
}
