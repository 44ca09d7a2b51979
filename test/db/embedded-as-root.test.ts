import { chown, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { tempFolder } from '../support/folders.js';
import { onlyIf } from '../support/skipping.js';
import { compile, isDown, isRoot, memoryLog, query, startOther } from './support.js';

describe('as root', onlyIf(isRoot, 'root'), () => {
  test('a folder that user cannot enter is named, with what to do', async () => {
    const closed = await tempFolder(0o700);
    const opening = openEmbedded({ dataDir: join(closed, 'data'), log: memoryLog() });
    await expect(opening).rejects.toThrow(
      new RegExp(`the user "(postgres|nobody)", who has no access to ${closed}, .*Set DATA_DIR`),
    );
    expect((await readdir(join(closed, 'data'))).filter((name) => name.startsWith('postgres.new'))).toEqual(
      [],
    );
  });

  test('a cluster that belongs to root is refused with the way out', async () => {
    const folder = await tempFolder();
    await mkdir(join(folder, 'postgres/data'), { recursive: true });
    await expect(openEmbedded({ dataDir: folder, log: memoryLog() })).rejects.toThrow(/Run: chown -R \w+ \//);
  });

  test('another user needs no help from root', async () => {
    const compiled = await compile(await tempFolder());
    const folder = join(await tempFolder(), 'data');
    const nobody = 65534;
    await mkdir(folder);
    await chown(folder, nobody, nobody);
    const other = await startOther(compiled, folder, nobody);
    expect(await query(other.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await stat(join(folder, 'postgres/data'))).uid).toBe(nobody);
    const found = await openEmbedded({ dataDir: folder, log: memoryLog() });
    expect(found.url).toBe(other.url);
    await found.close();
    expect(await other.end('close')).toBe(0);
    expect(await isDown(other.url)).toBe(true);
  });
});
