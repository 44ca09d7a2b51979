import type { Session } from '../db/connection/session.js';
import { type Caller, may, seesAllTeams } from '../domain/caller.js';
import { GatewayError } from '../domain/errors.js';
import type { EventHead } from '../domain/models.js';

/** Bounded queue of messages for one reader, in order. */
interface Mailbox<T> {
  /** @returns false if it is full or closed */
  put(item: T): boolean;
  /**
   * Waits for messages and takes them; undefined once the mailbox is closed. Only one reader at a time.
   * @throws the error that the mailbox was closed with
   */
  take(): Promise<readonly T[] | undefined>;
  /** Closes the queue and drops its messages. Closing it again has no effect. */
  close(error?: Error): void;
}

/**
 * Creates a mailbox.
 * @param capacity the most messages that may wait
 * @param most the most messages taken at once
 */
function createMailbox<T>(capacity: number, most: number): Mailbox<T> {
  let waiting: T[] = [];
  let closed: { readonly error: Error | undefined } | undefined;
  let wake: (() => void) | undefined;
  return {
    put(item) {
      if (closed || waiting.length >= capacity) return false;
      waiting.push(item);
      wake?.();
      return true;
    },
    async take() {
      if (waiting.length === 0 && !closed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (closed?.error) throw closed.error;
      return closed ? undefined : waiting.splice(0, most);
    },
    close(error) {
      closed ??= { error };
      waiting = [];
      wake?.();
    },
  };
}

/** Client at the other end of a stream's connection. */
export interface EventReader {
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /**
   * Closes the connection unless the client has read everything. A client that does not read would never see
   * its stream end.
   */
  cut(): void;
}

/**
 * One stream: the messages that it wants, for as long as its token is valid. Messages are announced events
 * unless stated otherwise.
 */
export interface Follower<Message = EventHead> {
  readonly caller: Caller;
  /**
   * Waits for the messages since the last call. It also renews what the caller may see. Returns undefined
   * once the stream has ended.
   * @throws GatewayError UNAUTHORIZED, FORBIDDEN or UNAVAILABLE if the server ended the stream
   */
  next(): Promise<readonly Message[] | undefined>;
  /** Returns whether the caller may see a workspace; false once the stream has ended. */
  sees(teamId: string): boolean;
  /** Opens a new session for one event, so that nothing stale is reused. */
  session(): Session;
  /** Ends the stream. It gets an error if the server ends it, and none if the client does. */
  end(error?: GatewayError): void;
  /** Delivers a message. */
  tell(message: Message): void;
  /** Renews the caller's rights, and ends the stream if the caller may no longer read. */
  refresh(): Promise<void>;
}

export interface FollowerOptions<Message> {
  readonly caller: Caller;
  readonly reader: EventReader;
  /** Returns whether the stream may need a message. */
  readonly wants: (message: Message) => boolean;
  readonly limits: {
    /** Messages that may wait for the client. */
    readonly capacity: number;
    /** Milliseconds in which a client must read the end of a stream. */
    readonly grace: number;
  };
  /** Looks up the caller's current rights; null if the token is no longer valid. */
  readonly lookUp: (caller: Caller) => Promise<Caller | null>;
  readonly open: (caller: Caller) => Session;
  /** Called once when the stream ends. */
  readonly onEnd: () => void;
}

/** Messages that are taken at once; one statement loads their events. */
const maxBatch = 20;

const tooSlow = new GatewayError(
  'UNAVAILABLE',
  'Events arrived faster than the stream was read. Subscribe again, and query the events that were missed.',
);
const unauthorized = new GatewayError('UNAUTHORIZED', 'The access token has expired or was revoked.');
const forbidden = new GatewayError('FORBIDDEN', 'The token may no longer read.');

/** Creates a stream. */
export function createFollower<Message>(options: FollowerOptions<Message>): Follower<Message> {
  const { reader, wants, limits, lookUp, open, onEnd } = options;
  const mailbox = createMailbox<Message>(limits.capacity, maxBatch);
  let { caller } = options;
  let ended = false;

  function cutLater(): void {
    const timer = setTimeout(reader.cut, limits.grace).unref();
    reader.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }
  const leave = () => follower.end();
  const follower: Follower<Message> = {
    get caller() {
      return caller;
    },
    async next() {
      const heads = await mailbox.take();
      if (!heads) return undefined;
      await follower.refresh();
      // If the stream has ended meanwhile, this returns or throws the reason.
      return ended ? mailbox.take() : heads;
    },
    sees: (teamId) => !ended && (seesAllTeams(caller) || caller.teamIds.includes(teamId)),
    session: () => open(caller),
    end(error) {
      if (ended) return;
      ended = true;
      reader.signal.removeEventListener('abort', leave);
      mailbox.close(error);
      if (error && !reader.signal.aborted) cutLater();
      onEnd();
    },
    tell(message) {
      if (!ended && wants(message) && !mailbox.put(message)) follower.end(tooSlow);
    },
    async refresh() {
      const found = await lookUp(caller);
      if (!found) return follower.end(unauthorized);
      caller = found;
      if (!may(caller.role, 'read')) follower.end(forbidden);
    },
  };
  reader.signal.addEventListener('abort', leave);
  return follower;
}
