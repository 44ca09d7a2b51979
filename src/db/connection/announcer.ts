import { type EventHead, encodeHeads } from '../../domain/announcements.js';

/** Tells all processes of events that are committed. */
export interface Announcer {
  /** Announces events soon, many at once. No one waits for it. */
  announce(heads: readonly EventHead[]): void;
  /** Sends what waits, and nothing more afterwards. */
  close(): Promise<void>;
}

/** The channel of PostgreSQL on which events are announced; every database has its own. */
export const channel = 'expiration_gateway_events';

/** Milliseconds in which events gather, to be announced by one statement. */
const gathering = 20;

/** Milliseconds from a failed announcement to the news that some were lost. */
const pause = 1_000;

/** Events that wait to be announced; beyond, they are lost. */
const capacity = 10_000;

/**
 * Makes an announcer of events, which sends NOTIFY outside of the transactions that wrote them. A NOTIFY holds a lock
 * of the whole database until its transaction ends, so that inside of them writers would commit one after the other.
 * @param send sends payloads by one statement
 * @param onError told of announcements that could not be made; subscribers are told as soon as it works again
 */
export function createAnnouncer(
  send: (payloads: readonly string[]) => Promise<unknown>,
  onError: (error: Error) => void,
): Announcer {
  let waiting: EventHead[] = [];
  let isLost = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  const schedule = (delay: number) => {
    timer ??= setTimeout(() => {
      sending = flush();
    }, delay);
  };
  async function flush(): Promise<void> {
    const payloads = encodeHeads(waiting, isLost);
    waiting = [];
    isLost = false;
    try {
      await send(payloads);
    } catch (error) {
      isLost = true;
      onError(error as Error);
    }
    timer = undefined;
    if (isLost || waiting.length > 0) schedule(isLost ? pause : gathering);
  }
  return {
    announce(heads) {
      if (heads.length === 0) return;
      if (waiting.length + heads.length > capacity) {
        waiting = [];
        isLost = true;
      } else {
        waiting.push(...heads);
      }
      schedule(gathering);
    },
    async close() {
      await sending;
      clearTimeout(timer);
      if (waiting.length > 0) await flush();
      clearTimeout(timer);
    },
  };
}
