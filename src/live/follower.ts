import type { Session } from '../db/connection/session.js';
import type { EventHead } from '../domain/announcements.js';
import type { Caller } from '../domain/caller.js';
import { GatewayError } from '../domain/errors.js';
import { may } from '../domain/roles.js';
import { createMailbox } from './mailbox.js';

/** Client at the other end of a stream's connection. */
export interface EventReader {
  /** Aborted when nobody reads any more. */
  readonly signal: AbortSignal;
  /** Closes the connection, unless all is taken. A client that does not read would never see a stream end. */
  cut(): void;
}

/** One stream: the messages that it is for, while its token works. They are announced events, unless told otherwise. */
export interface Follower<Message = EventHead> {
  readonly caller: Caller;
  /**
   * Waits for the messages that came since the last call. With them, it looks up what the caller may see then;
   * undefined when the stream has ended.
   * @throws GatewayError UNAUTHORIZED, FORBIDDEN or UNAVAILABLE: why the stream was ended from this side
   */
  next(): Promise<readonly Message[] | undefined>;
  /** Tells whether the caller may see a workspace; false once the stream has ended. */
  sees(teamId: string): boolean;
  /** Opens a new session for one event. So nothing that was loaded for another is taken for true. */
  session(): Session;
  /** Ends the stream; with an error from this side, without from the reader's. */
  end(error?: GatewayError): void;
  /** Tells of a message. */
  tell(message: Message): void;
  /** Renews the caller's rights, and ends the stream of one who may not read. */
  refresh(): Promise<void>;
}

export interface FollowerOptions<Message> {
  readonly caller: Caller;
  readonly reader: EventReader;
  /** Filters messages that the stream may be about. */
  readonly wants: (message: Message) => boolean;
  readonly limits: {
    /** Messages that can wait for the reader. */
    readonly capacity: number;
    /** Milliseconds in which a reader has to take the end of a stream. */
    readonly grace: number;
  };
  /** Looks up the caller's present rights; null when the token does not work any more. */
  readonly lookUp: (caller: Caller) => Promise<Caller | null>;
  readonly open: (caller: Caller) => Session;
  /** Told once. */
  readonly onEnd: () => void;
}

/** Messages that are taken at once: events that are loaded by one statement. */
const most = 20;

const tooSlow = new GatewayError(
  'UNAVAILABLE',
  'The stream was not read as fast as events came. Subscribe again, and query what was missed.',
);
const unauthorized = new GatewayError('UNAUTHORIZED', 'The access token is expired or revoked.');
const forbidden = new GatewayError('FORBIDDEN', 'The token may not read any more.');

/** Makes a stream. */
export function createFollower<Message>(options: FollowerOptions<Message>): Follower<Message> {
  const { reader, wants, limits, lookUp, open, onEnd } = options;
  const mailbox = createMailbox<Message>(limits.capacity, most);
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
      // It may have been ended meanwhile: then this tells why.
      return ended ? mailbox.take() : heads;
    },
    sees: (teamId) => !ended && (caller.role === 'ADMIN' || caller.teamIds.includes(teamId)),
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
