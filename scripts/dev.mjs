/**
 * Runs the gateway, and restarts it whenever its sources change: `npm run dev`. Type errors are reported
 * alongside. The embedded PostgreSQL keeps running.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { installFolders, typedFolders } from './packages.mjs';
import { project } from './stamps.mjs';

/** Milliseconds without a further change before building, because editors write several files. */
const quiet = 100;

/** @param {string} text */
const say = (text) => void process.stderr.write(`${text}\n`);
/** Imports a module of the compiled gateway. @param {string} path */
const compiled = (path) => import(pathToFileURL(join(project, 'dist', path)).href);
/** Starts a Node process in this terminal. @param {string[]} args */
const run = (...args) => spawn(process.execPath, args, { cwd: project, stdio: 'inherit' });

/** @type {import('node:child_process').ChildProcess | undefined} */
let gateway;
let isStopping = false;
/** The builds and restarts so far, which run one after the other. */
let last = Promise.resolve();

/**
 * Shuts a process down in order. Ctrl-C reaches all processes of a terminal, so sending it again would count
 * as a second signal.
 * @param {import('node:child_process').ChildProcess | undefined} child
 * @param {NodeJS.Signals} signal
 */
async function end(child, signal) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Builds, and replaces the running process; if the build fails, the old process keeps running. */
async function restart() {
  if (isStopping) return;
  try {
    const isBuilt = await build();
    if (!isBuilt && gateway) return;
  } catch (error) {
    return say(/** @type {Error} */ (error).message);
  }
  await end(gateway, 'SIGTERM');
  if (!isStopping) gateway = run(join('dist', 'main.js'), 'serve', ...process.argv.slice(2));
}

/** Keeps the embedded PostgreSQL running, if it is configured. @returns {Promise<() => Promise<void>>} */
async function keepDatabase() {
  const { loadEnvFile } = await compiled('env-file.js');
  loadEnvFile(process.env, '.env');
  const { readConfig } = await compiled('config.js');
  const { databaseUrl, dataDir, postgresPrograms: programs } = readConfig(process.env);
  if (databaseUrl !== undefined) return async () => {};
  const { openEmbedded } = await compiled('embedded.js');
  const tell = (/** @type {object} */ _details, /** @type {string} */ message) => say(message);
  const log = { info: () => {}, warn: tell, error: tell };
  return (await openEmbedded({ dataDir, programs, log })).close;
}

/** Exits because of a problem that only a person can fix. @param {Error} error */
const giveUp = ({ message }) => {
  say(message);
  process.exit(1);
};

await build().catch(giveUp);
const release = await keepDatabase().catch(giveUp);
await restart();
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
/** @type {import('node:child_process').ChildProcess | undefined} */
let types;
const checking = installFolders(...typedFolders).then(
  () => {
    if (isStopping) return;
    types = run(tsc, '--watch', '--preserveWatchOutput', '--noEmit');
    if (types.pid !== undefined) setPriority(types.pid, 10);
  },
  ({ message }) => say(`Types are not checked: ${message}`),
);

/** @type {NodeJS.Timeout | undefined} */
let timer;
const onChange = () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    last = last.then(restart);
  }, quiet);
};
const watchers = ['src', 'prisma', 'console/src', 'console/operations'].map((folder) =>
  watch(join(project, folder), { recursive: true }, onChange),
);

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, async () => {
    if (isStopping) return;
    isStopping = true;
    for (const watcher of watchers) watcher.close();
    await checking;
    types?.kill();
    await last;
    await end(gateway, signal);
    await release();
    process.exit(0);
  });
}
