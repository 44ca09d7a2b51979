import type { Database } from '../db/connection/database.js';
import type { Listener } from '../db/connection/listener.js';
import { GatewayError } from '../domain/errors.js';

/** Keeps the LISTEN connection open while there are subscribers. */
export interface NotificationListener {
  /**
   * Resolves once announcements are received.
   * @throws GatewayError UNAVAILABLE
   */
  open(): Promise<void>;
  close(): Promise<void>;
}

export interface NotificationListenerOptions {
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
export function createNotificationListener({
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
