import { type EventHead, encodeHeads } from '../../domain/announcements.js';

/** Tells all processes about committed events. */
export interface Announcer {
  /** Announces events soon, in batches. The caller does not wait. */
  announce(heads: readonly EventHead[]): void;
  /** Sends the remaining announcements and stops. */
  close(): Promise<void>;
}

/** The PostgreSQL channel on which events are announced. Each database has its own. */
export const channel = 'expiration_gateway_events';

/** Milliseconds in which events are gathered, to announce them with one statement. */
const gatherMs = 20;

/** Milliseconds from a failed announcement to the message that some were lost. */
const lossReportDelayMs = 1_000;

/** The most events that wait to be announced. Any further ones are lost. */
const capacity = 10_000;

/**
 * Creates an announcer of events. It sends NOTIFY outside the transactions that wrote them, because NOTIFY
 * holds a database-wide lock until its transaction ends, so that writers would have to commit one after the
 * other.
 * @param send sends payloads with one statement
 * @param onError is called when announcements fail; subscribers are told as soon as sending works again
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
    if (isLost || waiting.length > 0) schedule(isLost ? lossReportDelayMs : gatherMs);
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
      schedule(gatherMs);
    },
    async close() {
      await sending;
      clearTimeout(timer);
      if (waiting.length > 0) await flush();
      clearTimeout(timer);
    },
  };
}
