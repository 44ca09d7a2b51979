import { type App, type AppOptions, createApp } from '../../app.js';
import { createWorker } from '../../worker.js';

/** Lifecycle of a running gateway. */
interface GatewayLifecycle {
  /** Makes the gateway reachable. */
  readonly open: (app: App) => Promise<void>;
  /** Resolves when it must report that it is not ready. */
  readonly retire: Promise<unknown>;
  /** Resolves when it must close. */
  readonly close: Promise<unknown>;
}

/**
 * Runs a gateway and its worker in this process, until it must close. It then finishes requests in flight.
 * @throws what `open` throws
 */
export async function runGateway(
  options: AppOptions,
  { open, retire, close }: GatewayLifecycle,
): Promise<void> {
  const app = createApp(options);
  const worker = options.config.worker ? createWorker(options, app.workerEvents) : undefined;
  try {
    await open(app);
    await Promise.race([retire, close]);
    app.retire();
    await close;
  } finally {
    await app.close();
    await worker?.stop();
  }
}
