import type { App } from '../../app.js';
import type { Config } from '../../config/config.js';
import { openDatabase } from '../../db/connection/database.js';
import { findPooling } from '../../db/server/addresses.js';
import type { Tracing } from '../../http/metrics/tracing.js';
import type { KeyQueue, KeyResult } from '../../sign-in/key-queue.js';
import { createPasswordHasher } from '../../sign-in/password-hasher.js';
import { databaseOptions } from '../database.js';
import type { Io } from '../terminal/io.js';
import { openConsole } from '../terminal/logger.js';
import { createQuestions } from '../terminal/questions.js';
import { withFaults } from './faults.js';
import { runGateway } from './gateway.js';
import { processNumberVariable, type ToPrimary, type ToServingProcess } from './process-messages.js';
import { stopSignals } from './signals.js';
import { aroundStatements, withTracing } from './tracing.js';

/** Sends a message to the primary. Without the primary, Node ends this process. */
const sendToPrimary = (message: ToPrimary) => void process.send?.(message, undefined, undefined, () => {});

/**
 * Runs a gateway as one of several serving processes, until the primary stops it. The database has already
 * been migrated.
 * @throws {Error} if it cannot listen
 */
export async function runServingProcess(io: Io, config: Config, databaseUrl: string): Promise<void> {
  const worker = io.env[processNumberVariable] ?? '';
  const texts = createQuestions<string>();
  const keys = createQuestions<KeyResult>();
  // Set before the first await, because the message may come early.
  let onStop = () => {};
  const stop = new Promise<void>((resolve) => {
    onStop = resolve;
  });
  let app: App | undefined;
  process.on('message', (message: ToServingProcess) => {
    if (message.kind === 'stop') onStop();
    if (message.kind === 'metrics') texts.answer(message.id, message.text);
    if (message.kind === 'key') keys.answer(message.id, message.key);
    if (message.kind === 'measure') void measure(message.id);
  });
  async function measure(id: number): Promise<void> {
    if (app) sendToPrimary({ kind: 'measured', id, measured: { ...(await app.measure()), worker } });
  }
  // Terminals and some supervisors send signals to all processes at once; here only the primary's message
  // counts.
  for (const name of stopSignals) process.on(name, () => {});
  const { log } = await openConsole(config, io.stdout, { worker });
  const readMetrics = () => texts.ask((id) => sendToPrimary({ kind: 'metrics', id }));
  const faults = { log, shutdownDelay: config.shutdownDelay, stop: () => onStop() };
  const serve = async (tracing: Tracing | undefined) => {
    const { databaseDirectUrl: directUrl = databaseUrl, databasePooling } = config;
    const pooling = await findPooling(databaseUrl, databasePooling);
    const addresses = { url: databaseUrl, directUrl, pooling };
    const aroundStatement = aroundStatements(config, log, tracing);
    const database = openDatabase(databaseOptions(addresses, { config, log, aroundStatement }));
    const onReady = (url: string, ready: App) => {
      app = ready;
      sendToPrimary({ kind: 'ready', url });
    };
    const queue: KeyQueue = (request) => keys.ask((id) => sendToPrimary({ kind: 'key', id, request }));
    const hasher = createPasswordHasher({}, queue);
    const options = { database, config, log, clock: () => new Date(), tracing, readMetrics, hasher };
    try {
      await runGateway(options, { onReady, stop });
    } finally {
      await database.close();
    }
  };
  await withFaults(faults, () => withTracing(config, log, serve));
}
