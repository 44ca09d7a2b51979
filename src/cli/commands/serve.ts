import { readConfig } from '../../config/config.js';
import type { ServerAddresses } from '../../db/server/addresses.js';
import { withFaults } from '../process/faults.js';
import { checkListening } from '../process/listening.js';
import { processNumberVariable } from '../process/process-messages.js';
import { withServer } from '../process/server.js';
import { untilSignal } from '../process/signals.js';
import type { Io } from '../terminal/io.js';
import { openConsole } from '../terminal/logger.js';
import { warnOfUnknown } from '../unknown.js';

/** Returns whether a primary process has started this one to serve. */
const isServingProcess = ({ env }: Io) =>
  process.send !== undefined && env[processNumberVariable] !== undefined;

/**
 * Runs the gateway until a signal (SIGTERM, SIGINT or SIGHUP), then drains and closes everything.
 * @throws {ConfigError} for invalid settings
 * @throws {Error} if it cannot start, or immediately at a second signal
 */
export async function serve(io: Io): Promise<void> {
  const config = readConfig(io.env);
  if (isServingProcess(io) && config.databaseUrl !== undefined) {
    const { runServingProcess: serveInCluster } = await import('../process/serving-process.js');
    return serveInCluster(io, config, config.databaseUrl);
  }
  const console = await openConsole(config, io.stdout);
  const { log } = console;
  const signals = io.signals ?? process;
  const faults = {
    log,
    shutdownDelay: config.shutdownDelay,
    stop: () => signals.emit('SIGTERM', 'exception'),
  };
  const start = { io, config, console };
  await withFaults(faults, () =>
    untilSignal(signals, async (stop) => {
      warnOfUnknown(io.env, log);
      await checkListening({ host: config.host, port: config.port, setting: 'PORT' });
      const load = () => import('../process/serving.js');
      const work = async (addresses: ServerAddresses) => (await load()).runServing(addresses, stop, start);
      // Load the serving code while PostgreSQL starts, not earlier, because loading keeps this process busy.
      await withServer(config, log, work, stop, () => void load().catch(() => {}));
      log.info('stopped');
    }),
  );
}
