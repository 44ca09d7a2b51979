import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endFirstToken } from '../../access/administrators.js';
import type { App } from '../../app.js';
import { type Config, hasEditor } from '../../config/config.js';
import { createSecrets } from '../../db/secrets/secrets.js';
import type { ServerAddresses } from '../../db/server/addresses.js';
import { bootstrap } from '../../setup/bootstrap.js';
import { setupSecret } from '../../setup/first-visit.js';
import { endOtherWays } from '../../sign-in/sessions.js';
import { version } from '../../version.js';
import {
  checkConnections,
  type OpenDatabase,
  startingStep,
  warnOfSilence,
  withAddresses,
} from '../database.js';
import { checkFileStores } from '../file-stores.js';
import { formatBanner } from '../terminal/banner.js';
import type { Io } from '../terminal/io.js';
import type { ProcessOutput } from '../terminal/logger.js';
import { type FirstSecrets, removeFirstStart, writeFirstStart } from './first-start.js';
import { runGateway } from './gateway.js';
import { explainListening } from './listening.js';
import { aroundStatements, withTracing } from './tracing.js';
import { untilMigrated } from './waiting.js';

export interface Start {
  readonly io: Io;
  readonly config: Config;
  readonly console: ProcessOutput;
}

/**
 * Serves a database until it must stop. One or several processes share the port.
 * @param addresses of the database
 * @throws {Error} if it cannot start
 */
export async function runServing(
  addresses: ServerAddresses,
  stop: Promise<string>,
  start: Start,
): Promise<void> {
  const { config, console } = start;
  await untilMigrated(addresses, { config, log: console.log, stop, place: placeOf(config) });
  const serve = config.workers === 1 ? serveAlone : serveAsPrimary;
  return serve(addresses, stop, start);
}

const placeOf = ({ host, port }: Config) => ({ host, port, setting: 'PORT' as const });

/** Waits while load balancers learn that this gateway is stopping. They check its readiness only now and then. */
const untilNoticed = ({ shutdownDelay }: Config) => sleep(shutdownDelay * 1_000);

const milliseconds = () => Math.round(performance.now());

async function serveAlone(addresses: ServerAddresses, stop: Promise<string>, start: Start): Promise<void> {
  const { config, console } = start;
  const { log } = console;
  const told = stop.then((signal) => log.info({ signal }, 'stopping'));
  await withTracing(config, log, (tracing) => {
    const aroundStatement = aroundStatements(config, log, tracing);
    return withAddresses(addresses, { config, log, aroundStatement, stop }, async (opened) => {
      const prepared = await prepare(opened, start, stop);
      const place = placeOf(config);
      const open = async (app: App) => {
        const { url } = await app.listen(place.host, place.port).catch((error) => {
          throw explainListening(error, place);
        });
        await greet({ url }, prepared, start);
      };
      const options = { database: opened.database, config, log, clock: () => new Date(), tracing };
      await runGateway(options, { open, retire: told, close: told.then(() => untilNoticed(config)) });
    });
  });
}

/** Opens the database in this process, and serves requests in others. */
async function serveAsPrimary(
  addresses: ServerAddresses,
  stop: Promise<string>,
  start: Start,
): Promise<void> {
  const { config, console } = start;
  const { log } = console;
  const { workers } = config;
  const { createServingProcesses } = await import('./serving-processes.js');
  await withAddresses(addresses, { config, log, aroundStatement: undefined, stop }, async (open) => {
    const prepared = await prepare(open, start, stop);
    const all = createServingProcesses({
      workers,
      place: placeOf(config),
      env: { DATABASE_URL: open.url },
      log,
    });
    try {
      const url = await startingStep(() => all.start(), {
        log,
        stop,
        doing: 'worker processes are being started',
      });
      await greet({ url, workers: all.pids() }, prepared, start);
      log.info({ signal: await stop }, 'stopping');
      all.retire();
      await untilNoticed(config);
    } catch (error) {
      await all.stop();
      throw error;
    }
    if (!(await all.stop())) throw new Error('A worker process did not stop cleanly.');
  });
}

/**
 * Returns the secret of the setup link. There is none for a gateway that is set up already, that programs
 * start (`BOOTSTRAP_TOKEN`), or that has no console.
 */
async function readSetup(
  { database }: OpenDatabase,
  { config, console }: Start,
): Promise<string | undefined> {
  const hasPage = config.console && config.signIn.includes('PASSWORD');
  if (!hasPage || config.bootstrapToken !== undefined) return undefined;
  try {
    return await setupSecret(database, createSecrets(config), new Date());
  } catch (error) {
    console.log.warn({ reason: (error as Error).message }, 'There is no setup link');
    return undefined;
  }
}

/** Prepares the start, unless the gateway must stop before. */
const prepare = (open: OpenDatabase, start: Start, stop: Promise<string>): Promise<FirstSecrets> =>
  startingStep(() => prepareStart(open, start), {
    log: start.console.log,
    stop,
    doing: 'the database is being prepared',
  });

/** Prepares the first start. Without a terminal, a new token is in a file at once, in case the start fails. */
async function prepareStart(open: OpenDatabase, start: Start): Promise<FirstSecrets> {
  const { database, applied } = open;
  const { config, console } = start;
  const { bootstrapToken, demoData: demo } = config;
  await checkFileStores(database);
  await warnOfSilence(database, console.log);
  const done = await bootstrap(database, { token: bootstrapToken, demo, now: new Date() });
  if (done.token !== undefined && !console.isTerminal) {
    await keepSecrets(start, { token: done.token, hasToken: true, setup: undefined });
  }
  if (config.databaseUrl === undefined && applied.length > 0) {
    // Write the migrations' changes to disk now; otherwise the server would have to when it is stopped.
    void database.sql('CHECKPOINT', []).catch(() => {});
  }
  if (done.warning !== undefined) console.log.warn(done.warning);
  await checkConnections(database, config, console.log);
  const sessions = await endOtherWays(database, config.signIn, new Date());
  if (sessions > 0) console.log.info({ sessions }, 'Ended sessions of ways that SIGN_IN turns off');
  const hasToken = await endFirstToken(database, new Date());
  const setup = await readSetup(open, start);
  if (!hasToken && setup === undefined) await removeFirstStart(config.dataDir).catch(() => {});
  return { token: done.token, hasToken, setup };
}

/** Writes the secrets of the first start to a file, and logs where they are. */
async function keepSecrets(
  { config, console: { log } }: Start,
  secrets: FirstSecrets,
  origin?: string,
): Promise<void> {
  try {
    const file = await writeFirstStart(config.dataDir, secrets, origin);
    const link = secrets.setup ? 'the setup link' : 'a link that signs in';
    if (origin)
      log.info({ file }, `The admin token and ${link} are in a file, until an administrator is set up`);
  } catch (error) {
    const { message: reason } = error as Error;
    const todo = 'create a token with `token create --name me --role admin`';
    log.warn({ reason }, `The secrets of the first start cannot be kept in DATA_DIR: ${todo}`);
  }
}

/** A gateway that can be reached. */
interface Reachable {
  readonly url: string;
  /** Ids of the serving processes, if there are several. */
  readonly workers?: readonly (number | undefined)[];
}

/**
 * Logs that the gateway is ready, and tells how to sign in. It greets people at a terminal; else there is a file by
 * then.
 */
async function greet(reachable: Reachable, secrets: FirstSecrets, start: Start): Promise<void> {
  const { config, console } = start;
  const { token, setup } = secrets;
  const { url } = reachable;
  if (!console.isTerminal && (token ?? setup)) await keepSecrets(start, secrets, config.publicUrl ?? url);
  console.log.info({ ...reachable, ms: milliseconds() }, 'ready');
  if (!console.isTerminal) return;
  const program = `node ${relative(process.cwd(), process.argv[1] ?? '')}`;
  console.say(formatBanner({ url, version, token, setup, program, editor: hasEditor(config) }));
}
