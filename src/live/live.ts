import DataLoader from 'dataloader';
import { renewCallers } from '../access/renew.js';
import type { StoredChange } from '../db/changes/read-changes.js';
import type { Database } from '../db/connection/database.js';
import { Session } from '../db/connection/session.js';
import { findFrozen } from '../db/queue/frozen.js';
import { decodeHeads, type EventHead } from '../domain/announcements.js';
import type { Caller } from '../domain/caller.js';
import { GatewayError } from '../domain/errors.js';
import { eventTypes } from '../domain/events.js';
import { type ChangeTail, createChangeTail } from './change-tail.js';
import { createFollower, type EventReader, type Follower, type FollowerOptions } from './follower.js';
import { createNotificationListener } from './notification-listener.js';
import { SharedLoaders } from './shared-loaders.js';

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
