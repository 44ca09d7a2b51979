import type { Config } from '../../config/config.js';
import { createWorkerMetrics } from '../../http/metrics/metrics.js';
import { createWorkerServer } from '../../http/worker-server.js';
import { createWorker, type WorkerOptions } from '../../worker.js';
import { checkFileStores, type OpeningOptions, warnOfSilence, withDatabase } from '../database.js';
import { withFaults } from '../process/faults.js';
import { checkListening, explainListening } from '../process/listening.js';
import { untilSignal } from '../process/signals.js';
import { aroundStatements, withTracing } from '../process/tracing.js';
import { untilMigrated } from '../process/waiting.js';
import { readSettings, type SettingsOf } from '../settings.js';
import type { Io } from '../terminal/io.js';
import { openConsole } from '../terminal/logger.js';
import { warnOfUnknown } from '../unknown.js';

/**
 * Files uploads until SIGTERM, SIGINT or SIGHUP, then finishes those in progress.
 * @throws {ConfigError} for invalid settings
 * @throws {Error} if it cannot start, or immediately at a second signal
 */
export async function workerCommand(io: Io): Promise<void> {
  const config = readSettings(io.env, 'worker');
  const { log } = await openConsole(config, io.stdout);
  const signals = io.signals ?? process;
  const faults = { log, shutdownDelay: 0, stop: () => signals.emit('SIGTERM', 'exception') };
  await withFaults(faults, () =>
    untilSignal(signals, async (stop) => {
      warnOfUnknown(io.env, log);
      const place = config.metricsPort === undefined ? undefined : metricsAddress(config, config.metricsPort);
      if (place) await checkListening(place);
      const before: OpeningOptions['before'] = (addresses) =>
        untilMigrated(addresses, { config, log, stop, place });
      await withTracing(config, log, (tracing) =>
        withDatabase(
          config,
          log,
          ({ database }) => runWorker({ database, config, log, clock: () => new Date(), tracing }, stop),
          { aroundStatement: aroundStatements(config, log, tracing), stop, before },
        ),
      );
    }),
  );
  log.info('stopped');
}

interface Options extends WorkerOptions {
  readonly config: SettingsOf<'worker'>;
}

const metricsAddress = ({ host }: Pick<Config, 'host'>, port: number) => ({
  host,
  port,
  setting: 'METRICS_PORT' as const,
});

/**
 * Runs a worker in this process until it must stop. If configured, it has a server for health and metrics.
 * @throws {Error} if the server cannot listen
 */
async function runWorker(options: Options, stop: Promise<string>): Promise<void> {
  const { log } = options;
  await checkFileStores(options.database);
  await warnOfSilence(options.database, log);
  let isStopping = false;
  const server = await listen(options, () => isStopping);
  // With the embedded database, this process shares the data folder of `serve`, and so the key in it.
  const makesKey = options.config.databaseUrl === undefined;
  const worker = createWorker({ ...options, makesKey }, server?.events);
  try {
    log.info({ ...(server && { url: server.url }), ms: Math.round(performance.now()) }, 'ready');
    log.info({ signal: await stop }, 'stopping');
  } finally {
    isStopping = true;
    await worker.stop();
    await server?.close();
  }
}

/** Serves metrics and health, if a port is configured. */
async function listen({ database, config, log, clock }: Options, isStopping: () => boolean) {
  const { host, metricsPort, databasePool: poolSize } = config;
  if (metricsPort === undefined) return undefined;
  const {
    workerEvents: events,
    clockProblem,
    measure,
  } = createWorkerMetrics({
    database,
    poolSize,
    clock,
    hasMail: config.mail !== undefined,
  });
  const server = createWorkerServer({ database, config, log, measure, clockProblem, isStopping });
  const { url } = await server.listen(host, metricsPort).catch((error) => {
    throw explainListening(error, metricsAddress(config, metricsPort));
  });
  return { url, events, close: server.close };
}
