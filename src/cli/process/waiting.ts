import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { pendingMigrations, unlessAborted } from '../../db/migrations/migrate.js';
import { isPassing, type ServerAddresses } from '../../db/server/addresses.js';
import { createWaitingServer, type SmallServerConfig } from '../../http/worker-server.js';
import { describePendingMigrations } from '../database.js';
import { abortedBy } from './signals.js';

/** An address to listen on, and the setting of its port. */
export interface ListeningAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly setting: 'PORT' | 'METRICS_PORT';
}

/** Explains an error of listening by the setting to change. Other errors stay as they are. */
export function explainListening(error: unknown, { host, port, setting }: ListeningAddress): unknown {
  const sentences: Record<string, string> = {
    EADDRINUSE: `${setting} ${port} is taken on ${host}: set ${setting} to another port, or stop what listens there.`,
    EACCES: `This user may not use ${setting} ${port}: set ${setting} to 1024 or more.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine: set HOST to one, or to 0.0.0.0 for all.`,
    ENOTFOUND: `This machine cannot resolve HOST ${host}: set HOST to an address.`,
    EAI_AGAIN: `This machine cannot resolve HOST ${host}: set HOST to an address.`,
  };
  const { code = '' } = error as NodeJS.ErrnoException;
  const sentence = sentences[code];
  return sentence ? new Error(`${sentence} (${code})`, { cause: error }) : error;
}

/**
 * Checks that a port is free, before anything is started for it.
 * @throws {Error} naming the setting, with instructions
 */
export async function checkListening(place: ListeningAddress): Promise<void> {
  if (place.port === 0) return;
  const server = createServer((socket) => socket.destroy());
  server.listen({ host: place.host, port: place.port, exclusive: true });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw explainListening(error, place);
  }
  server.close();
  await once(server, 'close');
}

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
