import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { listMigrations, MIGRATIONS_FOLDER, SCRIPT } from '../../src/db/migrations/migrate.js';
import { schemaSql } from '../support/database.js';
import { report } from './check.js';
import { isLong, onPosix, prepareBench, timeout } from './fixture.js';
import { startLoad } from './load.js';
import { type DatabaseProxy, type Link, startProxy } from './proxy.js';
import { type DatabaseServer, startServer } from './server.js';
import { kill, query } from './support.js';

const bench = prepareBench();
const { token } = bench;

let server: DatabaseServer;
beforeAll(async () => {
  if (process.platform !== 'win32') server = await startServer(join(bench.root, 'server'));
});
afterAll(() => server?.stop());

/** Returns a gateway's `migrate`, on its own. */
function startMigrate(databaseUrl: string) {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
  const stdio = ['ignore', 'ignore', 'pipe'] as const;
  const child = spawn(process.execPath, [bench.program, 'migrate'], { env, stdio: [...stdio] });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close').then(([status]) => [status, said]);
  return { kill: () => kill(Number(child.pid)), ended };
}

/** When a script is cut off: as it reaches the database, or when it is done and nobody has written that down. */
const moments = ['request', 'answer'] as const;

/** Waits until a script has come that far. */
function reached(proxy: DatabaseProxy, script: string, moment: (typeof moments)[number]): Promise<Link> {
  const end = Buffer.from(script.trimEnd().slice(-80)).toString('latin1');
  return new Promise((resolve) => {
    const look = (_piece: string, link: Link) => {
      if (!link.sent().includes(end)) return true;
      proxy.tap = {};
      resolve(link);
      // The script goes on to the database; the answer goes no further.
      return moment === 'request';
    };
    proxy.tap = { [moment]: look };
  });
}

const victims = ['gateway', 'database'] as const;
const names = await listMigrations(MIGRATIONS_FOLDER);
const chosen = isLong ? names : names.slice(0, 1);

onPosix('a migration is killed, and completed by the next start', { timeout }, async (context) => {
  const expected = await query(await bench.database(), schemaSql);
  const recovery: number[] = [];
  let databaseUrl = '';
  for (const name of chosen) {
    const script = readFileSync(join(MIGRATIONS_FOLDER, name, SCRIPT), 'utf8');
    for (const [victim, moment] of victims.flatMap((who) => moments.map((when) => [who, when] as const))) {
      databaseUrl = await server.create();
      const proxy = await startProxy(databaseUrl);
      context.onTestFinished(proxy.close);
      const cut = reached(proxy, script, moment);
      const first = startMigrate(proxy.url);
      await cut;
      if (victim === 'database') await server.kill();
      else first.kill();
      expect((await first.ended)[0]).not.toBe(0);
      if (victim === 'database') await server.start();
      const begun = performance.now();
      const [status, said] = await startMigrate(databaseUrl).ended;
      expect([name, victim, moment, status, said]).toEqual([name, victim, moment, 0, expect.any(String)]);
      recovery.push(Math.round(performance.now() - begun));
      expect(await query(databaseUrl, schemaSql)).toEqual(expected);
    }
  }
  const { url } = await bench.start({ databaseUrl });
  const load = await startLoad({ token, writers: 2, url: () => url });
  await load.more(20);
  const scenario = `Migration killed, ${recovery.length} times`;
  const result = await load.stop();
  await report(context, { scenario, result, recovery, databaseUrl, url, token });
});
