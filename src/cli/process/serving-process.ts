import type { Socket } from 'node:net';
import type { App } from '../../app.js';
import type { Config } from '../../config/config.js';
import { openDatabase } from '../../db/connection/database.js';
import { findPooling } from '../../db/server/addresses.js';
import { unlessAborted } from '../../db/server/long-wait.js';
import type { Tracing } from '../../http/metrics/tracing.js';
import { createPasswordHasher, type KeyQueue, type KeyResult } from '../../sign-in/password-hasher.js';
import { databaseOptions } from '../database.js';
import type { Io } from '../terminal/io.js';
import { openConsole } from '../terminal/logger.js';
import { createQuestions } from '../terminal/questions.js';
import { withFaults } from './faults.js';
import { runGateway } from './gateway.js';
import { processNumberVariable, type ToPrimary, type ToServingProcess } from './process-messages.js';
import { abortedBy, stopSignals } from './signals.js';
import { aroundStatements, withTracing } from './tracing.js';

/** Sends a message to the primary. */
const sendToPrimary = (message: ToPrimary) => void process.send?.(message, undefined, undefined, () => {});

/** Creates a promise that a message resolves. */
function createOrder() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { give, given };
}

/**
 * Runs a gateway as one of several serving processes, until the primary stops it. The database has already
 * been migrated. The primary accepts the connections.
 * @throws {Error} if it cannot start
 */
export async function runServingProcess(io: Io, config: Config, databaseUrl: string): Promise<void> {
  const worker = io.env[processNumberVariable] ?? '';
  const texts = createQuestions<string>();
  const keys = createQuestions<KeyResult>();
  const [retire, stop] = [createOrder(), createOrder()];
  let app: App | undefined;
  // Set before the first await, because messages may come early.
  process.on('message', (message: ToServingProcess, socket?: Socket) => {
    if (message.kind === 'connection') take(socket);
    if (message.kind === 'ping') sendToPrimary({ kind: 'pong' });
    if (message.kind === 'retire') retire.give();
    if (message.kind === 'stop') stop.give();
    if (message.kind === 'metrics') texts.answer(message.id, message.text);
    if (message.kind === 'key') keys.answer(message.id, message.key);
    if (message.kind === 'measure') void measure(message.id);
  });
  // Without the primary, no connections come any more.
  process.once('disconnect', () => process.exit(1));
  function take(socket: Socket | undefined): void {
    // Sent before any of its bytes are read, so that no other process is given what this one has read from.
    sendToPrimary({ kind: 'taken' });
    if (!socket) return;
    if (app) app.take(socket);
    else socket.destroy();
  }
  async function measure(id: number): Promise<void> {
    if (app) sendToPrimary({ kind: 'measured', id, measured: { ...(await app.measure()), worker } });
  }
  // Terminals and some supervisors send signals to all processes at once; here only the primary's messages
  // count.
  for (const name of stopSignals) process.on(name, () => {});
  const { log } = await openConsole(config, io.stdout, { worker });
  const readMetrics = () => texts.ask((id) => sendToPrimary({ kind: 'metrics', id }));
  const leave = () => {
    retire.give();
    sendToPrimary({ kind: 'leaving' });
  };
  const serve = async (tracing: Tracing | undefined) => {
    const { databaseDirectUrl: directUrl = databaseUrl, databasePooling } = config;
    const stopped = abortedBy(
      stop.given.then(() => 'the primary process'),
      'before this process served',
    );
    const pooling = await unlessAborted(findPooling(databaseUrl, databasePooling), stopped);
    const addresses = { url: databaseUrl, directUrl, pooling };
    const aroundStatement = aroundStatements(config, log, tracing);
    const database = openDatabase(databaseOptions(addresses, { config, log, aroundStatement }));
    const open = async (ready: App) => {
      app = ready;
      sendToPrimary({ kind: 'ready' });
    };
    const queue: KeyQueue = (request) => keys.ask((id) => sendToPrimary({ kind: 'key', id, request }));
    const hasher = createPasswordHasher({}, queue);
    const options = { database, config, log, clock: () => new Date(), tracing, readMetrics, hasher };
    try {
      await runGateway(options, { open, retire: retire.given, close: stop.given });
    } finally {
      app = undefined;
      await database.close();
    }
  };
  await withFaults({ log, shutdownDelay: 0, stop: leave }, () => withTracing(config, log, serve));
}
