import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { type Config, readConfig } from '../config.js';
import { type Bootstrapped, bootstrap } from '../data/bootstrap.js';
import { checkConnections, type OpenDatabase, withDatabase } from './database.js';
import { withFaults } from './faults.js';
import { runGateway } from './gateway.js';
import { type Io, print } from './io.js';
import { createLog } from './logger.js';
import { untilSignal } from './signals.js';
import { aroundStatements, withTracing } from './tracing.js';

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
  const log = createLog(config.logLevel, io.stdout);
  const run = config.workers === 1 ? serveAlone : serveAsPrimary;
  const signals = io.signals ?? process;
  const faults = {
    log,
    shutdownDelay: config.shutdownDelay,
    stop: () => signals.emit('SIGTERM', 'exception'),
  };
  await withFaults(faults, () =>
    untilSignal(signals, async (stop) => {
      await run(stop, { io, config, log });
      log.info('stopped');
    }),
  );
}

/** What a gateway is started with. */
interface Start {
  readonly io: Io;
  readonly config: Config;
  readonly log: Logger;
}

const milliseconds = () => Math.round(performance.now());

async function serveAlone(stop: Promise<string>, start: Start): Promise<void> {
  const { config, log } = start;
  const onReady = (url: string) => log.info({ url, ms: milliseconds() }, 'ready');
  const told = stop.then((signal) => log.info({ signal }, 'stopping'));
  await withTracing(config, log, (tracing) =>
    withDatabase(
      config,
      log,
      async (open) => {
        await prepare(open, start);
        const options = { database: open.database, config, log, clock: () => new Date(), tracing };
        await runGateway(options, { onReady, stop: told });
      },
      aroundStatements(config, log, tracing),
    ),
  );
}

/** The database is this process's; the requests are the workers'. */
async function serveAsPrimary(stop: Promise<string>, start: Start): Promise<void> {
  const { config, log } = start;
  const { workers } = config;
  const { createCluster } = await import('./cluster.js');
  await withDatabase(config, log, async (open) => {
    await prepare(open, start);
    const all = createCluster({ workers, env: { DATABASE_URL: open.url }, log });
    try {
      const url = await all.start();
      log.info({ url, workers: all.pids(), ms: milliseconds() }, 'ready');
      log.info({ signal: await stop }, 'stopping');
    } catch (error) {
      await all.stop();
      throw error;
    }
    if (!(await all.stop())) throw new Error('A worker did not stop in good order.');
  });
}

/** What the first start needs. */
async function prepare({ database }: OpenDatabase, { io, config, log }: Start): Promise<void> {
  const { bootstrapToken: token, demoData: demo } = config;
  const done = await bootstrap(database, { token, demo, now: new Date() });
  await announce(io, done, (text) => log.warn(text));
  await checkConnections(database, config, log);
}

/** The token goes to the person who looks at the console, not into the log, which is kept and shipped. */
async function announce(io: Io, done: Bootstrapped, warn: (text: string) => void): Promise<void> {
  if (done.token !== undefined) await print(io.stdout, `Admin token, shown only this once: ${done.token}`);
  if (done.warning !== undefined) warn(done.warning);
}
