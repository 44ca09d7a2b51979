import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endFirstToken } from '../../access/people.js';
import type { App } from '../../app.js';
import { type Config, hasEditor } from '../../config/config.js';
import { createSecrets } from '../../db/secrets/secrets.js';
import type { ServerAddresses } from '../../db/server/addresses.js';
import { paths } from '../../domain/doors/paths.js';
import { bootstrap } from '../../setup/bootstrap.js';
import { setupSecret } from '../../setup/first-visit.js';
import { endOtherWays } from '../../sign-in/sessions.js';
import { version } from '../../version.js';
import {
  checkConnections,
  checkFileStores,
  type OpenDatabase,
  startingStep,
  warnOfSilence,
  withAddresses,
} from '../database.js';
import type { Io } from '../terminal/io.js';
import type { ProcessOutput } from '../terminal/logger.js';
import { runGateway } from './gateway.js';
import { explainListening } from './listening.js';
import { aroundStatements, withTracing } from './tracing.js';
import { untilMigrated } from './waiting.js';

/** Contents of the banner that a terminal shows once the gateway serves. */
interface Greeting {
  readonly url: string;
  readonly version: string;
  /** The admin token that was just created. */
  readonly token: string | undefined;
  /** The secret of the link that sets up a new gateway. */
  readonly setup: string | undefined;
  /** Command line that starts this program. */
  readonly program: string;
  /** True if browsers get a working editor. */
  readonly editor: boolean;
}

/**
 * Creates the link that signs in. The fragment stays in the browser: it reaches no server and no log (RFC
 * 3986 §3.5).
 */
function signInLink(url: string, token: string): string {
  return `${openable(url)}${paths.start}#token=${token}`;
}

/** Creates the link of the page that sets up a new gateway. Its secret stays in the browser, too. */
function setupLink(url: string, secret: string): string {
  return `${openable(url)}${paths.setup}#${secret}`;
}

/** Returns an address that browsers can open: that of all interfaces is none. */
const openable = (url: string) => url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, '//localhost');

/** Formats the banner at a terminal: address, sign-in, first steps, and how to stop it. */
export function formatBanner({ url, version, token, setup, program, editor }: Greeting): string {
  const makeToken = `${program} token create --name me --role admin`;
  const signIn = token === undefined ? ['Open', `${url}/`] : ['Sign in', signInLink(url, token)];
  const rows = [
    ['Address', url],
    setup === undefined ? signIn : ['Set up', setupLink(url, setup)],
    setup !== undefined ? ['', '(for the first person; works once)'] : undefined,
    setup === undefined && token !== undefined ? ['', '(an admin token; shown only once)'] : undefined,
    ['Try', `curl ${url}${paths.rest}/vehicles -H "Authorization: Bearer ${token ?? '$TOKEN'}"`],
    ['Explore', editor ? `${url}${paths.graphql} and ${url}${paths.docs}` : `${url}${paths.docs}`],
    [token === undefined ? 'New token' : 'More tokens', makeToken],
  ].filter((row) => row !== undefined);
  const lines = rows.map(([name = '', text]) => `  ${name.padEnd(14)}${text}`);
  return ['', `  Expiration gateway ${version}`, '', ...lines, '', '  Press Ctrl-C to stop.', ''].join('\n');
}

/** Secrets of a first start. */
interface FirstSecrets {
  /** Admin token that was created now. */
  readonly token: string | undefined;
  /** True if the token of an earlier start has not ended. */
  readonly hasToken: boolean;
  /** Secret of the link that sets up a new gateway. */
  readonly setup: string | undefined;
}

const fileIn = (dataDir: string) => join(resolve(dataDir), 'first-start.txt');
const tokenLine = 'Admin token: ';

/**
 * Writes the secrets of a first start to a file of its owner. Logs would keep them and ship them elsewhere. A token
 * that an earlier start wrote stays in it.
 * @param origin address at which people reach the gateway, once it is known
 * @returns the file
 */
async function writeFirstStart(
  dataDir: string,
  { token: made, hasToken, setup }: FirstSecrets,
  origin: string | undefined,
): Promise<string> {
  const file = fileIn(dataDir);
  const before = !hasToken ? '' : await readFile(file, 'utf8').catch(() => '');
  const token =
    made ??
    before
      .split('\n')
      .find((line) => line.startsWith(tokenLine))
      ?.slice(tokenLine.length);
  const lines = [
    token && `${tokenLine}${token}`,
    origin && setup && `Set up: ${setupLink(origin, setup)}`,
    origin && !setup && token && `Sign in: ${signInLink(origin, token)}`,
  ].filter(Boolean);
  await mkdir(resolve(dataDir), { recursive: true, mode: 0o700 });
  // A new file, so that neither other rights nor a link of an older one remain.
  const part = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(part, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
  await rename(part, file);
  return file;
}

/** Removes the file, because its secrets have ended. */
async function removeFirstStart(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true });
}

interface Start {
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
