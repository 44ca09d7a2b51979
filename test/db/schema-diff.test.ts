import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { diffSchemas, readModels, readSnapshot } from '../../scripts/migration.mjs';
import { tempFolder } from '../support/folders.js';

const BASE = 'datasource db {\n  provider = "postgresql"\n}\n';
const ITEM =
  'model Item {\n  id String @id @db.Uuid\n  team Team @relation(fields: [teamId], references: [id])\n  teamId Int\n}\n';
const TEAM = 'model Team {\n  id Int @id\n  items Item[]\n}\n';

describe('diffSchemas', () => {
  test('from nothing creates everything', async () => {
    const sql = await diffSchemas('', BASE + ITEM + TEAM);
    expect(sql).toContain('CREATE TABLE "Item"');
    expect(sql).toContain('ADD CONSTRAINT "Item_teamId_fkey"');
  });

  test('is the difference only, and empty without one', async () => {
    const before = BASE + ITEM + TEAM;
    const after = before.replace('id Int @id', 'id Int @id\n  name String?');
    expect(await diffSchemas(before, after)).toContain('ALTER TABLE "Team" ADD COLUMN     "name" TEXT;');
    expect(await diffSchemas(before, `// a comment\n${BASE}${TEAM}${ITEM}`)).toBe('');
  });

  test('explains why a schema is invalid', async () => {
    await expect(diffSchemas('', `${BASE}model Item {\n  id Strin @id\n}`)).rejects.toThrow(
      /Type "Strin" is neither/,
    );
  });
});

describe('npm run migration', () => {
  let root: string;

  beforeAll(async () => {
    root = await tempFolder();
    await mkdir(join(root, 'prisma/models'), { recursive: true });
    await writeFile(join(root, 'prisma/schema.prisma'), BASE);
    await writeFile(join(root, 'prisma/models/item.prisma'), ITEM);
    await writeFile(join(root, 'prisma/models/team.prisma'), TEAM);
  });

  const script = resolve('scripts/migration.mjs');
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [script, ...args], { cwd: root }).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      ({ code, stderr }) => ({ code, said: stderr }),
    );

  test('writes the script, the lock file and the snapshot', async () => {
    const { code, said } = await run('init');
    const [path] = /prisma\/migrations\/\d{14}_init\/migration\.sql/.exec(said) ?? [''];
    expect(code).toBe(0);
    expect(said).toContain('Review it');
    expect(await readFile(join(root, path), 'utf8')).toContain('CREATE TABLE "Item"');
    expect(await readFile(join(root, 'prisma/migrations/migration_lock.toml'), 'utf8')).toContain(
      '"postgresql"',
    );
    const snapshot = await readSnapshot(join(root, 'prisma/migrations'));
    expect(snapshot).toBe(await readModels(join(root, 'prisma')));
  });

  test('writes nothing when nothing changed', async () => {
    const before = await readdir(join(root, 'prisma/migrations'));
    expect(await run('again')).toMatchObject({ code: 0, said: expect.stringContaining('Nothing changed') });
    expect(await readdir(join(root, 'prisma/migrations'))).toEqual(before);
  });

  test.each([[], [''], ['Add Field'], ['../up'], ['1st']])('refuses the name %j', async (...args) => {
    expect(await run(...args)).toMatchObject({
      code: 2,
      said: expect.stringContaining('npm run migration -- '),
    });
  });

  test('refuses models that are not valid', async () => {
    await writeFile(join(root, 'prisma/models/team.prisma'), TEAM.replace('Int', 'Intt'));
    expect(await run('bad')).toMatchObject({ code: 1, said: expect.stringContaining('"Intt"') });
  });
});
