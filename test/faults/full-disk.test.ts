import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { execute } from '../cli/support.js';
import { memoryLog } from '../db/support.js';
import { schemaSql } from '../support/database.js';
import { createDatabase } from '../support/gateway.js';
import { isLong, onPosix, timeout } from './fixture.js';
import { fill, mountSmall } from './small-disk.js';
import { query } from './support.js';

/** Megabytes that are free when a start begins. PostgreSQL takes 16 of them at once for its log of changes. */
const levels = isLong
  ? [0, 0.1, ...Array.from({ length: 80 }, (_, step) => 1 + step / 4)]
  : [0, 0.1, 1, 2, 18, 18.5, 19, 19.5];

onPosix('a start on a full disk says so, and the next one goes on', { timeout }, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-full-disk-'));
  await chmod(folder, 0o711); // as root, PostgreSQL runs as another user
  const disk = join(folder, 'disk');
  const unmount = await mountSmall(disk, 120);
  if (!unmount) {
    await rm(folder, { recursive: true });
    return context.skip('need a file system that can be mounted');
  }
  context.onTestFinished(async () => {
    await unmount();
    await rm(folder, { recursive: true });
  });
  const [dataDir, filler] = [join(disk, 'data'), join(disk, 'filler')];
  await (await openEmbedded({ dataDir, log: memoryLog() })).close();
  let refused = 0;
  for (const megabytes of levels) {
    await fill(filler, megabytes * 1e6);
    const { exitCode, stderr } = await execute({ DATA_DIR: dataDir }, 'migrate');
    await rm(filler);
    if (exitCode === 0) continue;
    refused += 1;
    expect(stderr).toContain('The disk of the database is full. Free some space on it, and start again.');
  }
  expect(refused).toBeGreaterThanOrEqual(4);
  expect(await execute({ DATA_DIR: dataDir }, 'migrate')).toMatchObject({ exitCode: 0 });
  const [database, expected] = [await openEmbedded({ dataDir, log: memoryLog() }), await createDatabase()];
  expect(await query(database.url, schemaSql)).toEqual(await query(expected.url, schemaSql));
  await Promise.all([database.close(), expected.drop()]);
});
