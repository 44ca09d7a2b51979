import { chmod, mkdir, mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadDemo } from '../../src/setup/demo/demo.js';
import { filesBelow } from '../support/files-below.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { emptyDatabase, textFrom } from './organization.support.js';
import { execute } from './support.js';

let gateway: TestGateway;
let folder: string;

beforeAll(async () => {
  gateway = await startGateway();
  await loadDemo(gateway.database, gateway.organizationId, testTime);
  folder = await mkdtemp(join(tmpdir(), 'gateway-broken-'));
  // As root, PostgreSQL runs as another user, who must reach the folder.
  await chmod(folder, 0o711);
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

it('goes on past files that cannot be read, and names them', async () => {
  const source = await emptyDatabase();
  const place = await mkdtemp(join(folder, 'broken-'));
  const env = { DATABASE_URL: source.url, FILES: place };
  await execute({ DATABASE_URL: gateway.databaseUrl }, 'backup', join(folder, 'whole.backup'));
  expect(
    (await execute({ DATABASE_URL: source.url }, 'restore', join(folder, 'whole.backup'))).exitCode,
  ).toBe(0);
  expect((await execute(env, 'files', 'move')).exitCode).toBe(0);
  const objects = (await filesBelow(place)).sort();
  const [isFolder = '', isCut = '', isGone = '', isOther = ''] = objects;
  const keyOf = (path: string) => path.slice(place.length + 1);
  await rm(isFolder);
  await mkdir(isFolder);
  await truncate(isCut, 1);
  await rm(isGone);
  const size = (await stat(isOther)).size;
  await writeFile(isOther, Buffer.alloc(size, 7));
  const problems = [
    [isFolder, 'damaged'],
    [isCut, 'damaged'],
    [isGone, 'missing'],
    [isOther, 'damaged'],
  ] as const;

  const { exitCode, stdout, stderr } = await execute(env, 'files', 'check', '--json');
  expect([exitCode, stderr]).toEqual([
    1,
    'error: The bytes of 4 files are missing, damaged or cannot be read.\n',
  ]);
  const { lost, checked } = JSON.parse(stdout);
  expect(checked).toBe(objects.length);
  const told = lost.map((fault: { objectKey: string; problem: string }) => [fault.objectKey, fault.problem]);
  expect(told.sort()).toEqual(problems.map(([path, problem]) => [keyOf(path), problem]).sort());
  expect(lost.find(({ objectKey }: { objectKey: string }) => objectKey === keyOf(isFolder)).reason).toMatch(
    /EISDIR/,
  );

  const file = join(folder, 'broken.backup');
  const made = await execute(env, 'backup', file, '--with-files', '--json');
  expect(made.exitCode).toBe(0);
  for (const [path, problem] of problems)
    expect(made.stderr).toContain(`Left out: ${keyOf(path)} (FOLDER, ${problem}): `);
  expect(JSON.parse(made.stdout)).toMatchObject({ outside: 4, leftOut: { length: 4 } });
  const target = await emptyDatabase();
  expect((await execute({ DATABASE_URL: target.url }, 'restore', file)).exitCode).toBe(0);
  const digests =
    "SELECT string_agg(encode(digest, 'hex'), ' ' ORDER BY id) AS text FROM attachment_contents";
  const kept = await textFrom(target.url, digests);
  expect(kept).toBe(await textFrom(gateway.databaseUrl, digests));
  expect(kept.split(' ')).toHaveLength(objects.length);
  const inside =
    'SELECT count(*)::text AS text FROM attachment_contents WHERE content IS NOT NULL AND sha256(content) = digest';
  expect(await textFrom(target.url, inside)).toBe(String(objects.length - 4));

  for (const path of objects) if (!problems.some(([known]) => known === path)) await truncate(path, 0);
  const doctor = await execute({ ...env, PORT: '0' }, 'doctor');
  expect([doctor.exitCode, doctor.stdout]).toEqual([
    1,
    expect.stringMatching(/FAIL {2}objects {4}.+ cannot be read, such as /),
  ]);
  await Promise.all([source.drop(), target.drop()]);
});
