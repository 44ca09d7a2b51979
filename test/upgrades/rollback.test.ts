import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { prepareBench } from '../faults/fixture.js';
import { query } from '../faults/support.js';
import { onlyIf } from '../support/skipping.js';
import { buildVersionBefore, releaseCommit } from './version-before.js';

const bench = prepareBench();

test('what this version backs up before its migrations, the version before restores, and the other way', {
  timeout: 600_000,
  ...onlyIf(releaseCommit !== undefined, 'the Git history up to the last release'),
}, async () => {
  const folder = join(bench.root, 'before');
  await mkdir(folder);
  const before = buildVersionBefore(folder);
  const databaseUrl = await bench.database();
  await query(databaseUrl, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
    });
  const [file, after] = [join(bench.root, 'before.backup'), join(bench.root, 'after.backup')];
  await run(before.program, 'demo');
  const { stdout: token } = await run(before.program, 'token', 'create', '--name', 'Kept', '--role', 'admin');
  const rows = async () =>
    (await query(databaseUrl, 'SELECT id::text, name FROM expiration_items ORDER BY id')) as unknown[];
  const original = await rows();
  expect(original.length).toBeGreaterThan(0);

  const backedUp = await run(bench.program, 'backup', file);
  expect(backedUp.stdout).toContain('the version that runs now can restore it');
  await run(bench.program, 'migrate');
  await run(bench.program, 'backup', after);
  await expect(run(before.program, 'restore', '--force', after)).rejects.toThrow(/migration/);
  await run(before.program, 'restore', '--force', file);
  expect(await rows()).toEqual(original);
  // The old version works on what it has restored, with the tokens of that time.
  const gateway = await bench.start({ databaseUrl, program: before.program });
  const headers = { Authorization: `Bearer ${token.trim()}` };
  expect((await fetch(`${gateway.url}/v1/vehicles`, { headers })).status).toBe(200);
  expect(await gateway.stop()).toBe(0);

  await run(before.program, 'backup', file.replace('before', 'old'));
  const upgraded = await run(bench.program, 'restore', '--force', file.replace('before', 'old'));
  expect(upgraded.stdout).toContain('go-live');
  expect(await rows()).toEqual(original);
});
