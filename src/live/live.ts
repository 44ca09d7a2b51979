import DataLoader from 'dataloader';
import { renewCallers } from '../access/renew.js';
import type { Database } from '../db/connection/database.js';
import { Session } from '../db/connection/session.js';
import { decodeHeads, type EventHead } from '../domain/announcements.js';
import type { Caller } from '../domain/caller.js';
import { GatewayError } from '../domain/errors.js';
import { createFollower, type EventReader, type Follower } from './follower.js';
import { createNotificationListener } from './notification-listener.js';

/** The bounds of live events; times in milliseconds. */
export interface LiveLimits {
  /** Interval of checks: of quiet streams' tokens, and of the LISTEN connection. */
  readonly recheck: number;
  /** Events that can wait for the reader of a stream. */
  readonly capacity: number;
  /** Deadline of a reader to take a stream's end. Then the connection is cut. */
  readonly grace: number;
  /** Streams that one token may have at once in a process. */
  readonly perToken: number;
  /** Interval of WebSocket pings. A socket that has not answered by the next is dead, or is not read. */
  readonly heartbeat: number;
}

/** The usual bounds. Together with what a check may take, the streams of a revoked token end within ten seconds. */
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
   * @throws GatewayError TOO_MANY_REQUESTS; UNAVAILABLE when nothing can be heard, or the process is stopping
   */
  follow(session: Session, reader: EventReader, wants: (head: EventHead) => boolean): Promise<Follower>;
  streams(): number;
  close(): Promise<void>;
}

const again = 'Subscribe again, and query what was missed.';
const stopping = new GatewayError('UNAVAILABLE', `The gateway is stopping. ${again}`);
const missed = new GatewayError('UNAVAILABLE', `Events may have been missed. ${again}`);

/**
 * Makes the live events of a process. As long as nobody subscribes, nothing happens.
 * @param onError told why all streams had to be ended
 */
export function createLive(
  database: Database,
  clock: () => Date,
  onError: (error: Error) => void,
  limits: LiveLimits,
): Live {
  const byOrganization = new Map<string, Set<Follower>>();
  let closed = false;
  const all = () => [...byOrganization.values()].flatMap((followers) => [...followers]);

  function endAll(error: GatewayError): void {
    for (const follower of all()) follower.end(error);
  }
  const listener = createNotificationListener({
    database,
    interval: limits.recheck,
    onPayload(payload) {
      const heads = decodeHeads(payload);
      if (!heads) endAll(missed);
      for (const head of heads ?? []) {
        for (const follower of byOrganization.get(head.organizationId) ?? []) follower.tell(head);
      }
    },
    onLost(error) {
      if (all().length > 0) onError(error);
      endAll(missed);
    },
    isNeeded: () => byOrganization.size > 0,
    check: () => Promise.all(all().map((follower) => follower.refresh())),
  });
  /** All that are asked for in one turn are looked up by one statement. */
  const callers = new DataLoader<Caller, Caller | null>((those) => renewCallers(database, those, clock()), {
    cache: false,
  });
  function add(follower: Follower, { organizationId }: Caller): void {
    const others = byOrganization.get(organizationId) ?? new Set();
    byOrganization.set(organizationId, others.add(follower));
  }
  function remove(follower: Follower, { organizationId }: Caller): void {
    const others = byOrganization.get(organizationId);
    others?.delete(follower);
    if (others?.size === 0) byOrganization.delete(organizationId);
  }
  return {
    async follow(session, reader, wants) {
      const { tokenId } = session.caller;
      if (closed) throw stopping;
      await listener.open();
      if (all().filter(({ caller }) => caller.tokenId === tokenId).length >= limits.perToken) {
        const message = `A token can have ${limits.perToken} subscriptions at once; end some.`;
        throw new GatewayError('TOO_MANY_REQUESTS', message);
      }
      const follower = createFollower({
        caller: session.caller,
        reader,
        wants,
        limits,
        lookUp: (caller) => callers.load(caller),
        open: (caller) => new Session(database, { caller, now: clock() }),
        onEnd: () => remove(follower, session.caller),
      });
      add(follower, session.caller);
      if (reader.signal.aborted) follower.end();
      return follower;
    },
    streams: () => all().length,
    async close() {
      closed = true;
      endAll(stopping);
      await listener.close();
    },
  };
}
