import { setTimeout as sleep } from 'node:timers/promises';
import { type App, type AppOptions, createApp } from '../../app.js';
import { createWorker } from '../../worker.js';
import { explainListening } from './listening.js';

/** Lifecycle of a running gateway. */
export interface GatewayLifecycle {
  /** Told where it listens. */
  readonly onReady: (url: string, app: App) => void;
  /** Resolves when it is to stop. */
  readonly stop: Promise<unknown>;
}

/**
 * Runs a gateway and its worker in this process, until it is to stop. Then it is not ready any more, goes
 * on for as long as the settings say, finishes what is in flight and closes.
 * @throws {Error} when it cannot listen
 */
export async function runGateway(options: AppOptions, { onReady, stop }: GatewayLifecycle): Promise<void> {
  const { host, port, shutdownDelay, worker: files } = options.config;
  const app = createApp(options);
  const worker = files ? createWorker(options, app.workerEvents) : undefined;
  try {
    const { url } = await app.listen(host, port).catch((error) => {
      throw explainListening(error, { host, port, setting: 'PORT' });
    });
    onReady(url, app);
    await stop;
    app.retire();
    // Whoever sends requests here looks at the readiness only now and then.
    await sleep(shutdownDelay * 1_000);
  } finally {
    await app.close();
    await worker?.stop();
  }
}
