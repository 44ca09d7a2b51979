// A gateway of its own, on a PostgreSQL of its own, as `npm start` would run them.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../dist/database/embedded.js';

const main = new URL('../../dist/main.js', import.meta.url).pathname;
const silent = { info() {}, warn() {}, error() {} };

/** Starts PostgreSQL with its usual, durable settings in a new folder. */
export async function startDatabase() {
  const dataDir = join(tmpdir(), `gateway-bench-${randomBytes(6).toString('hex')}`);
  const { url, close } = await openEmbedded({ dataDir, log: silent });
  const pid = Number(
    readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  return {
    url,
    pid,
    /** The admin token of the gateways on it. */
    token: randomBytes(32).toString('base64url'),
    close: async () => {
      await close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts one gateway process; `env` is added to its settings. */
export async function startGateway({ url: databaseUrl, token }, env = {}) {
  const settings = {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    BOOTSTRAP_TOKEN: token,
    NODE_ENV: 'production',
    ...env,
  };
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const url = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      // What it logs later is read and dropped, so that the pipe never fills.
      if (text !== undefined) text += chunk;
      const ready = text && /"url":"([^"]+)".*"msg":"ready"/.exec(text);
      if (!ready) return;
      text = undefined;
      resolve(ready[1]);
    });
    ended.then(() => reject(new Error('The gateway did not start.')));
  });
  return {
    url,
    token,
    pid: child.pid,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
