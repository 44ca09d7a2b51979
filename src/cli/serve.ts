import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, createWorker } from '../app.js';
import { type Config, readConfig } from '../config.js';
import { type Bootstrapped, bootstrap } from '../data/bootstrap.js';
import { withDatabase } from './database.js';
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
  await untilSignal(io.signals ?? process, (stop) => serveUntil(stop, io, config));
}

async function serveUntil(stop: Promise<string>, io: Io, config: Config): Promise<void> {
  const log = createLog(config.logLevel, io.stdout);
  const clock = () => new Date();
  await withDatabase(config, log, async ({ database }) => {
    const { bootstrapToken: token, demoData: demo } = config;
    await announce(io, await bootstrap(database, { token, demo, now: clock() }), (text) => log.warn(text));
    const app = createApp({ database, config, log, clock });
    const worker = config.worker ? createWorker({ database, config, log, clock }) : undefined;
    try {
      const { url } = await app.listen(config.host, config.port);
      log.info({ url, ms: Math.round(performance.now()) }, 'ready');
      log.info({ signal: await stop }, 'stopping');
      app.retire();
      // Whoever sends requests here looks at the readiness only now and then.
      await sleep(config.shutdownDelay * 1_000);
    } finally {
      await app.close();
      await worker?.stop();
    }
  });
  log.info('stopped');
}

/** The token goes to the person who looks at the console, not into the log, which is kept and shipped. */
async function announce(io: Io, done: Bootstrapped, warn: (text: string) => void): Promise<void> {
  if (done.token !== undefined) await print(io.stdout, `Admin token, shown only this once: ${done.token}`);
  if (done.warning !== undefined) warn(done.warning);
}
