import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { type Config, readConfig } from '../config.js';
import { type Bootstrapped, bootstrap } from '../data/bootstrap.js';
import { checkConnections, type OpenDatabase, withDatabase } from './database.js';
import { runGateway } from './gateway.js';
import { type Io, print } from './io.js';
import { createLog } from './logger.js';
import { untilSignal } from './signals.js';

/**
 * Runs the gateway until SIGTERM or SIGINT, then finishes what is in flight and closes everything.
 * @throws {ConfigError} for wrong settings
 * @throws {Error} when it cannot start, or at once at a second signal
 */
export async function serve(io: Io): Promise<void> {
  const config = readConfig(io.env);
  if (cluster.isWorker && config.databaseUrl !== undefined) {
    const { serveInCluster } = await import('./cluster-worker.js');
    return serveInCluster(io, config, config.databaseUrl);
  }
  await untilSignal(io.signals ?? process, (stop) => serveUntil(stop, io, config));
}

async function serveUntil(stop: Promise<string>, io: Io, config: Config): Promise<void> {
  const log = createLog(config.logLevel, io.stdout);
  await withDatabase(config, log, async (open) => {
    const { bootstrapToken: token, demoData: demo } = config;
    const done = await bootstrap(open.database, { token, demo, now: new Date() });
    await announce(io, done, (text) => log.warn(text));
    await checkConnections(open.database, config, log);
    const run = config.workers === 1 ? serveAlone : serveAsPrimary;
    await run(stop, open, config, log);
  });
  log.info('stopped');
}

type Serve = (stop: Promise<string>, open: OpenDatabase, config: Config, log: Logger) => Promise<void>;

const milliseconds = () => Math.round(performance.now());

const serveAlone: Serve = async (stop, { database }, config, log) => {
  const onReady = (url: string) => log.info({ url, ms: milliseconds() }, 'ready');
  const told = stop.then((signal) => log.info({ signal }, 'stopping'));
  await runGateway({ database, config, log, clock: () => new Date() }, { onReady, stop: told });
};

/** The database is this process's; the requests are the workers'. */
const serveAsPrimary: Serve = async (stop, { url: databaseUrl }, { workers }, log) => {
  const { createCluster } = await import('./cluster.js');
  const all = createCluster({ workers, env: { DATABASE_URL: databaseUrl }, log });
  try {
    const url = await all.start();
    log.info({ url, workers: all.pids(), ms: milliseconds() }, 'ready');
    log.info({ signal: await stop }, 'stopping');
  } catch (error) {
    await all.stop('SIGTERM');
    throw error;
  }
  if (!(await all.stop('SIGTERM'))) throw new Error('A worker did not stop in good order.');
};

/** The token goes to the person who looks at the console, not into the log, which is kept and shipped. */
async function announce(io: Io, done: Bootstrapped, warn: (text: string) => void): Promise<void> {
  if (done.token !== undefined) await print(io.stdout, `Admin token, shown only this once: ${done.token}`);
  if (done.warning !== undefined) warn(done.warning);
}
