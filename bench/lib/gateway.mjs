// A gateway of its own, on a PostgreSQL of its own, as `npm start` would run them.
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../dist/embedded.js';
import { startServer } from './processes.mjs';

/** The measured program: this checkout's, or another one's in `GATEWAY_MAIN`. */
export const main = process.env.GATEWAY_MAIN ?? new URL('../../dist/main.js', import.meta.url).pathname;
const silent = { info() {}, warn() {}, error() {} };

/** Returns a unique name for a folder. */
export const newFolder = () => join(tmpdir(), `gateway-bench-${randomBytes(6).toString('hex')}`);

/** Returns the id of the PostgreSQL process that the gateway runs in a folder. */
export function postmasterIn(dataDir) {
  return Number(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Starts PostgreSQL with its usual, durable settings in a new folder. */
export async function startDatabase() {
  const dataDir = newFolder();
  const opening = openEmbedded({ dataDir, log: silent });
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  const close = async () => {
    await (await opening).close();
    remove();
  };
  const signals = ['SIGINT', 'SIGTERM'];
  let isAborted = false;
  const abort = () => {
    isAborted = true;
    // A signal may end the creation of the database, too.
    close()
      .catch(remove)
      .finally(() => process.exit(1));
  };
  for (const signal of signals) process.once(signal, abort);
  const { url } = await opening.catch((error) => {
    // The process ends as soon as all is removed.
    if (isAborted) return new Promise(() => {});
    remove();
    throw error;
  });
  return {
    url,
    pid: postmasterIn(dataDir),
    /** A folder that belongs to it. */
    folder: dataDir,
    /** The admin token of the gateways on it. */
    token: randomBytes(32).toString('base64url'),
    close: async () => {
      for (const signal of signals) process.off(signal, abort);
      await close();
    },
  };
}

/**
 * Settings of a measured gateway: it files no uploads, and answers the documents that `prepare` has stored.
 */
export const measured = ({ folder }) => ({ WORKER: 'off', PERSISTED_OPERATIONS: join(folder, 'operations') });

/** Starts one gateway process; `env` is added to its settings, `onText` gets its output. */
export async function startGateway(
  { url, token },
  env = {},
  nodeOptions = [],
  onText = undefined,
  program = main,
) {
  const settings = {
    DATABASE_URL: url,
    PORT: '0',
    BOOTSTRAP_TOKEN: token,
    NODE_ENV: 'production',
    ...env,
  };
  const args = [...nodeOptions, program, 'serve'];
  return { token, ...(await startServer(args, settings, undefined, onText)) };
}
