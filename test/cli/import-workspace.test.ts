import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../csv/workspace.support.js';
import { workspaceZip } from '../csv/zip.support.js';
import { eventually } from '../support/eventually.js';
import { createDatabase, createTenant, type TestDatabase } from '../support/gateway.js';
import { execute, linesOf, startWith } from './support.js';

let { database, drop, url } = {} as TestDatabase;
let folder: string;
beforeAll(async () => {
  ({ database, drop, url } = await createDatabase());
  folder = await mkdtemp(join(tmpdir(), 'gateway-import-'));
});
afterAll(async () => {
  await drop();
  await rm(folder, { recursive: true, force: true });
});

const run = (...argv: string[]) => execute({ DATABASE_URL: url }, 'import', ...argv);

describe('import of a whole workspace', () => {
  const [itemId, contactId, ...fileIds] = Array.from({ length: 4 }, () => randomUUID());
  // Together they are larger than a file may be that is read into memory.
  const bytes = fileIds.map(() => randomBytes(9 * 1024 * 1024));
  let zip: string;
  let workspace: string;
  let source: Buffer;
  beforeAll(async () => {
    const { teamId, organizationId } = await createTenant(database, 'Zipped');
    await createTenant(database);
    workspace = teamId;
    await database.prisma.user.updateMany({
      where: { organizationId, email: 'max@example.com' },
      data: { role: 'MEMBER' },
    });
    const rows = fileIds.map((id, at) => `${id},${itemId},${at}.pdf,application/pdf,files/1/${at}.pdf`);
    source = workspaceZip([
      { name: 'contacts.csv', content: `id,name,email\r\n${contactId},Bo,bo@zipped.example\r\n` },
      {
        name: 'items.csv',
        content: `id,name,expiration_date\r\n${itemId},Lease,2031-05-01\r\n${randomUUID()},Bad,2031-02-31\r\n`,
      },
      {
        name: 'files.csv',
        content: `id,expiration_item_id,name,content_type,path\r\n${rows.join('\r\n')}\r\n`,
      },
      ...bytes.map((content, at) => ({ name: `files/1/${at}.pdf`, content, isStored: true })),
    ]);
    zip = join(folder, 'workspace.zip');
    await writeFile(zip, source);
  });
  const ofWorkspace = ['--kind', 'workspace', '--organization', 'Zipped'];
  const into = [...ofWorkspace, '--workspace', 'zipped other'];

  const attached = () => database.prisma.attachment.findMany({ where: { team: { name: 'Zipped Other' } } });
  const parts = () => database.sql('SELECT FROM archive_parts');

  it('shows what would become of each list, and writes nothing', async () => {
    const outcome = await run(zip, ...into, '--dry-run');
    expect([outcome.exitCode, outcome.stderr]).toEqual([3, 'error: 1 row cannot be imported.\n']);
    const [preview, error, result] = linesOf(outcome);
    expect(preview).toMatchObject({ event: 'preview', rows: 5, created: 4, failed: 1 });
    expect(preview.workspace).toMatchObject({ name: 'Elsewhere', left_out: [] });
    expect(preview.workspace.lists).toMatchObject([
      { list: 'contacts', created: 1 },
      { list: 'items', created: 1, failed: 1 },
      { list: 'files', created: 2 },
    ]);
    expect(error).toMatchObject({ list: 'items', line: 3, column: 'expiration_date' });
    expect(result).toMatchObject({ event: 'result', state: 'cancelled' });
    expect(await attached()).toEqual([]);
    const shown = await startWith({ columns: 80 }, { DATABASE_URL: url }, 'import', zip, ...into, '--dry-run')
      .outcome;
    expect(shown.stderr).toContain('items, line 3, expiration_date: is not a day of the calendar');
    expect(shown.stderr).toMatch(/^items +2 +1 +0 +0 +1$/m);
    expect(shown.stderr).toMatch(/Storing the file: \d+ %/);
  });

  it('imports it with its files, and once', async () => {
    const result = join(folder, 'workspace-result.csv');
    const outcome = await run(zip, ...into, '--result', result);
    expect([outcome.exitCode, outcome.stderr]).toEqual([3, 'error: 1 row could not be imported.\n']);
    expect(linesOf(outcome).at(-1)).toMatchObject({ state: 'done', created: 4, failed: 1 });
    expect((await readFile(result, 'utf8')).split('\r\n')).toEqual([
      'list,id,_result,_id,_error',
      expect.stringMatching(`^contacts,${contactId},created,`),
      expect.stringMatching(`^items,${itemId},created,`),
      expect.stringMatching(/^items,.*,failed,,.*is not a day/),
      ...fileIds.map((id) => expect.stringMatching(`^files,${id},created,`)),
      '',
    ]);
    const contents = await database.sql<{ content: Buffer }>(
      'SELECT content FROM attachment_contents WHERE attachment_id = ANY($1::uuid[]) ORDER BY octet_length(content)',
      [(await attached()).map(({ id }) => id)],
    );
    expect(contents.map(({ content }) => sha256(content)).sort()).toEqual(bytes.map(sha256).sort());
    const again = await run(zip, ...into, '--again', '--quiet');
    expect(linesOf(again).at(-1)).toMatchObject({ state: 'done', created: 0, unchanged: 4, failed: 1 });
    expect(await parts()).toEqual([]);
  });

  it('goes on after a command that was killed while it stored the file', async () => {
    const small = join(folder, 'small.zip');
    await writeFile(
      small,
      workspaceZip([
        { name: 'contacts.csv', content: `id,name,email\r\n${randomUUID()},Cy,cy@zipped.example\r\n` },
      ]),
    );
    const dry = await run(small, ...into, '--dry-run');
    const { id } = linesOf(dry).at(-1);
    await database.sql("UPDATE imports SET state = 'READING', due_at = NULL WHERE id = $1::uuid", [id]);
    const outcome = await run(small, ...into);
    expect(linesOf(outcome).at(-1)).toMatchObject({ state: 'done', created: 1 });
  });

  it('stops at a signal while it reads the file', async () => {
    const stdin = new PassThrough();
    const stopped = startWith({ stdin }, { DATABASE_URL: url }, 'import', '-', ...into);
    await eventually(async () => expect(stopped.signals.listenerCount('SIGINT')).toBe(1));
    stopped.signals.emit('SIGINT', 'SIGINT');
    const { exitCode, stderr } = await stopped.outcome;
    expect([exitCode, stderr]).toEqual([1, 'error: Stopped by SIGINT; nothing was written.\n']);
  });

  it('reads a small file from stdin, and names the workspaces to choose from', async () => {
    const given = (content: Buffer, ...argv: string[]) =>
      startWith({ stdin: Readable.from([content]) }, { DATABASE_URL: url }, 'import', '-', ...argv).outcome;
    const small = workspaceZip([
      { name: 'contacts.csv', content: `id,name,email\r\n${randomUUID()},Di,di@zipped.example\r\n` },
    ]);
    const done = await given(small, ...ofWorkspace, '--workspace', workspace);
    expect([done.exitCode, linesOf(done).at(-1)]).toMatchObject([0, { created: 1 }]);
    const large = await given(source, ...into);
    expect([large.exitCode, large.stderr]).toEqual([1, 'error: A file has at most 16777216 bytes.\n']);
    const many = await given(small, ...ofWorkspace);
    expect([many.exitCode, many.stderr]).toEqual([2, expect.stringContaining('"Zipped Other" (')]);
  });

  it.each<[string, string[], number, string]>([
    [
      'an unknown workspace',
      ['--workspace', 'Nowhere'],
      1,
      'There is no workspace with the id or name "Nowhere"',
    ],
    ['one of another organization', ['--workspace', 'Acme Main'], 1, 'There is no workspace'],
    [
      'an option of CSV files',
      ['--workspace', 'Zipped Other', '--mode', 'update-only'],
      2,
      'mode is not possible',
    ],
    [
      'whoever is no administrator',
      ['--workspace', 'Zipped Other', '--user', 'max@example.com'],
      1,
      'MEMBER may not do this',
    ],
  ])('refuses %s', async (_, given, exitCode, message) => {
    const outcome = await run(zip, ...ofWorkspace, ...given);
    expect([outcome.exitCode, outcome.stderr]).toEqual([exitCode, expect.stringContaining(message)]);
  });
});
