import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { pendingMigrations } from '../../db/migrations/migrate.js';
import { isPassing, type ServerAddresses } from '../../db/server/addresses.js';
import { unlessAborted } from '../../db/server/long-wait.js';
import { createWaitingServer, type SmallServerConfig } from '../../http/worker-server.js';
import { describePendingMigrations } from '../database.js';
import type { ListeningAddress } from './listening.js';
import { explainListening } from './listening.js';
import { abortedBy } from './signals.js';

/** Milliseconds between two looks at the database. */
const pause = 1_000;

interface Waiting {
  readonly config: SmallServerConfig & { readonly migrate: boolean };
  readonly log: Logger;
  /** Ends the waiting. */
  readonly stop: Promise<string>;
  /** The address at which health checks are answered meanwhile, if there is one. */
  readonly place: ListeningAddress | undefined;
}

/** Returns the reason to wait. A lost connection is one, because the server may be restarting. */
async function reasonToWait(url: string): Promise<string | undefined> {
  try {
    const pending = await pendingMigrations(url);
    return pending.length === 0
      ? undefined
      : `${describePendingMigrations(pending)}; waiting for the command \`migrate\`.`;
  } catch (error) {
    if (!isPassing(error)) throw error;
    return 'The database is away.';
  }
}

/**
 * Waits until another process has migrated the database, if this one must not (`MIGRATE`). Meanwhile health
 * checks are answered: it lives, and is not ready.
 * @throws {Error} if the database is too new for this version, if it must stop, or if it cannot listen
 */
export async function untilMigrated(
  { directUrl: url }: ServerAddresses,
  { config, log, stop, place }: Waiting,
): Promise<void> {
  if (config.migrate) return;
  let reason = await reasonToWait(url);
  if (reason === undefined) return;
  const signal = abortedBy(stop, 'before the database was migrated');
  const server = createWaitingServer({ config, log, unready: () => reason });
  const listening =
    place &&
    (await server.listen(place.host, place.port).catch((error) => {
      throw explainListening(error, place);
    }));
  log.warn({ reason, ...listening }, 'Waiting for migrations');
  try {
    while (reason !== undefined) {
      await sleep(pause, undefined, { signal });
      reason = await unlessAborted(reasonToWait(url), signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    if (place) await server.close();
  }
}
