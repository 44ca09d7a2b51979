import { setTimeout as sleep } from 'node:timers/promises';
import { type App, type AppOptions, createApp } from '../../app.js';
import { createWorker } from '../../worker.js';
import { explainListening } from './listening.js';

/** Lifecycle of a running gateway. */
export interface GatewayLifecycle {
  /** Called when the gateway listens. */
  readonly onReady: (url: string, app: App) => void;
  /** Resolves when it must stop. */
  readonly stop: Promise<unknown>;
}

/**
 * Runs a gateway and its worker in this process, until it must stop. It then reports not ready, keeps serving
 * for the configured delay, finishes requests in flight and closes.
 * @throws {Error} if it cannot listen
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
    // Load balancers check the readiness only now and then.
    await sleep(shutdownDelay * 1_000);
  } finally {
    await app.close();
    await worker?.stop();
  }
}
