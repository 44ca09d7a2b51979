import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { readConfig } from '../../src/config.js';
import { openDatabase } from '../../src/data/client.js';
import { loadDemo } from '../../src/data/demo.js';
import { openEmbedded } from '../../src/database/embedded.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { execute, jsonOf, start } from './support.js';

let gateway: TestGateway;
let folder: string;

beforeAll(async () => {
  gateway = await startGateway();
  await loadDemo(gateway.database, gateway.organizationId, testTime);
  folder = await mkdtemp(join(tmpdir(), 'gateway-backup-'));
  // As root, PostgreSQL runs as another user, who must reach the folder.
  await chmod(folder, 0o711);
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** What the gateway on a database answers, to the tokens of the one it was copied from. */
async function answersOf(url: string): Promise<(readonly [status: number, body: unknown])[]> {
  const database = openDatabase({ url, poolSize: 2, onError: () => {} });
  const config = readConfig({ DATABASE_URL: url });
  const log = pino({ level: 'silent' });
  const app = createApp({ database, config, log, clock: () => testTime });
  const { url: address } = await app.listen('127.0.0.1', 0);
  const get = async (path: string, token: string) => {
    const response = await fetch(address + path, { headers: { Authorization: `Bearer ${token}` } });
    return [response.status, await response.json()] as const;
  };
  const answers = [
    await get('/v1/vehicles', gateway.admin),
    await get('/v1/teams', gateway.member),
    await get('/v1/eventlogs?paging=500', gateway.viewer),
    await get('/graphql?query={expirationSummary{total byMonth{month count}}}', gateway.admin),
    await get('/v1/teams', 'egw_unknown'),
  ];
  await app.close();
  await database.close();
  return answers;
}

it('backs up beside a running gateway, and restores into a new embedded database, which answers the same', async () => {
  const file = join(folder, 'gateway.backup');
  const made = await execute({ DATABASE_URL: gateway.databaseUrl }, 'backup', file);
  expect(made).toMatchObject({ exitCode: 0, stderr: '' });
  expect(made.stdout).toMatch(/^Backed up \d{3,} rows of \d\d tables to .+gateway\.backup, \d\.\d MiB\.\n$/);

  const env = { DATA_DIR: join(folder, 'data') };
  const restored = await execute(env, 'restore', file, '--json');
  expect(restored).toMatchObject({ exitCode: 0, stderr: '' });
  expect(jsonOf(restored)).toMatchObject({ file, applied: [], rows: { organizations: 1 } });

  const again = await execute(env, 'restore', file);
  expect(again).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^error: The database is not empty: \w+ has rows\. --force gives them up\.\n$/,
    ),
  });
  const { url, close } = await openEmbedded({ dataDir: env.DATA_DIR, log: silent });
  const answers = await answersOf(url).finally(close);
  expect(answers).toEqual(await answersOf(gateway.databaseUrl));
  expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200, 401]);
});

it('says in one line why it cannot', async () => {
  const env = { DATABASE_URL: gateway.databaseUrl };
  const file = join(folder, 'none.backup');
  await writeFile(file, 'none');
  for (const [argv, message] of [
    [['restore', join(folder, 'missing')], /^error: ENOENT.+\n$/],
    [['restore', file, '--force'], /^error: This is no backup that can be restored: .+\n$/],
    [['backup', join(folder, 'no', 'folder')], /^error: ENOENT.+\n$/],
  ] as const) {
    expect(await execute(env, ...argv)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  }
  expect((await execute(env, 'backup')).exitCode).toBe(2);
});

it('stops at a signal, and leaves no file', async () => {
  const before = await readdir(folder);
  const { signals, outcome } = start(
    { DATABASE_URL: gateway.databaseUrl },
    'backup',
    join(folder, 'stopped'),
  );
  await new Promise((resolve) => signals.once('newListener', resolve));
  signals.emit('SIGTERM', 'SIGTERM');
  expect(await outcome).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'error: Stopped by SIGTERM; there is no backup.\n',
  });
  expect(await readdir(folder)).toEqual(before);
});
