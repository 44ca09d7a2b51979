import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fleetList, fleetWords } from '../csv/fleet-lists.js';
import { compileGateway } from '../faults/support.js';
import { createDatabase, createTenant, startGateway, type TestDatabase } from '../support/gateway.js';
import { startImporter } from '../support/imports.js';
import { Lines } from '../support/lines.js';
import { inTerminal } from '../support/skipping.js';
import { execute, linesOf, startWith } from './support.js';

let { database, drop, url } = {} as TestDatabase;
let folder: string;
beforeAll(async () => {
  ({ database, drop, url } = await createDatabase());
  await createTenant(database);
  folder = await mkdtemp(join(tmpdir(), 'gateway-import-'));
});
afterAll(async () => {
  await drop();
  await rm(folder, { recursive: true, force: true });
});

const run = (...argv: string[]) => execute({ DATABASE_URL: url }, 'import', ...argv);

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** Three papers of two vehicles. */
const titled =
  'name;expires;holder_vehicle\nTest;31.12.2031;NX 1\nTax;31.12.2031;NX 1\nTest;30.11.2031;NX 2\n';
const items = 'name,Valid,Shade\nLicence,31.12.2027,red\nWrong,31.02.2027,\n';
const options = ['--kind', 'items', '--map', 'Valid=expiration_date', '--date-format', 'DMY'];

describe('import', () => {
  it('takes people, values of all rows, and rows without a date', async () => {
    const path = await file('people.csv', 'name,who,until\nA,Nobody,n/a\nA,Nobody,n/a\n');
    const args = ['--kind', 'items', '--map', 'who=contacts', '--map', 'until=expiration_date', '--dry-run'];
    const asked = await run(path, ...args);
    expect(linesOf(asked)[0]).toMatchObject({ people: [{ value: 'Nobody', rows: 2 }], failed: 2 });
    const told = ['--person', 'Nobody=nobody@example.com', '--set', 'category_name=A=B', '--allow-no-date'];
    expect(linesOf(await run(path, ...args, ...told))[0]).toMatchObject({
      created: 2,
      people: [],
      missing: [],
    });
    const once = await run(path, ...args, ...told, '--skip-repeats');
    expect(linesOf(once)[0]).toMatchObject({ created: 1, failed: 1 });
  });

  it('takes a list of forty papers from a workbook, with the options of the other doors', async () => {
    const { headers, wrong, right } = fleetWords.de;
    const path = join(folder, 'fleet.xlsx');
    await writeFile(path, await fleetList('de', { colleague: 'Anna Weber', me: 'Ada Admin' }));
    const args = ['--kind', 'items', '--sheet', 'Fuhrpark', '--header-line', '3', '--dry-run'];
    const dry = await startWith({ columns: 200 }, { DATABASE_URL: url }, 'import', path, ...args).outcome;
    expect(dry.stderr).toContain(
      'Verantwortlicher: "Anna Weber", 20 rows, is nobody who is known: say who with --person "Anna Weber=<address>"',
    );
    const told = [
      '--person',
      'Anna Weber=ada@example.com',
      '--allow-no-date',
      '--map',
      'Kosten=custom:Kosten',
    ];
    expect(dry.stderr).toContain(
      'Kennzeichen: "HH-DE 101", 4 rows, names none that exists: make it with --person "HH-DE 101=vehicle"',
    );
    const mended = ['--correct', `${headers[3]}:${wrong}=${right}`, '--make-holders', 'vehicle'];
    expect(linesOf(await run(path, ...args, ...told, ...mended))[0]).toMatchObject({
      ...{ created: 40, failed: 0, people: [], missing: [], alongside: [{ kind: 'vehicle', count: 10 }] },
    });
    const one = ['--person', 'HH-DE 101=vehicle', '--person', 'HH-DE 102=', '--person', 'HH-DE 103=skip'];
    const shown = await startWith({ columns: 200 }, { DATABASE_URL: url }, 'import', path, ...args, ...one)
      .outcome;
    expect(shown.stderr).toContain('Made with them: 1 vehicle.');
    expect(shown.stderr).toContain('is left out, as was chosen for: HH-DE 103');
    for (const plate of ['HH-DE 101', 'HH-DE 102', 'HH-DE 103'])
      expect(shown.stderr).not.toContain(`${JSON.stringify(plate)}, 4 rows`);
  });

  it('finds the headers below titles, and makes the vehicles that rows name', async () => {
    const path = await file('titled.csv', `Papers of the fleet;;\n;;\n${titled}`);
    const args = [path, '--kind', 'items', '--make-holders', 'vehicle'];
    const shown = await startWith({ columns: 200 }, { DATABASE_URL: url }, 'import', ...args, '--dry-run')
      .outcome;
    expect(shown.stderr).toContain('Made with them: 2 vehicles.');
    expect(await database.prisma.vehicle.count()).toBe(0);
    const done = linesOf(await run(...args));
    expect(done[0]).toMatchObject({
      event: 'preview',
      header_line: 3,
      alongside: [{ kind: 'vehicle', count: 2 }],
    });
    expect(done.at(-1)).toMatchObject({ event: 'result', state: 'done', created: 3, failed: 0 });
    const made = await database.prisma.itemHolder.findMany({ include: { item: true, vehicle: true } });
    const pairs = made.map(({ item, vehicle }) => `${item.name} of ${vehicle?.name}`);
    expect(pairs.sort()).toEqual(['Tax of NX 1', 'Test of NX 1', 'Test of NX 2']);
    await database.prisma.expirationItem.deleteMany();
    await database.prisma.vehicle.deleteMany();
  });

  it('can be taken back by the other doors, as long as the bin keeps records', async () => {
    const gateway = await startGateway({ BIN_DAYS: '3' });
    const { stop } = startImporter(gateway);
    try {
      const path = await file('back.csv', titled);
      const imported = async (binDays: string) => {
        const env = { DATABASE_URL: gateway.databaseUrl, BIN_DAYS: binDays };
        const args = ['--kind', 'items', '--make-holders', 'vehicle', '--again', '--mode', 'upsert'];
        const { id } = linesOf(await execute(env, 'import', path, ...args)).at(-1);
        return (await gateway.send('GET', `/v1/imports/${id}`)).json;
      };
      const { id, undo_until: until } = await imported('3');
      const days = (Date.parse(until) - Date.now()) / 86_400_000;
      expect([days > 2.9, days <= 3]).toEqual([true, true]);
      expect((await gateway.send('POST', `/v1/imports/${id}/undo`)).status).toBe(200);
      await expect
        .poll(async () => (await gateway.send('GET', `/v1/imports/${id}`)).json)
        .toMatchObject({ state: 'undone', undo: { deleted: 5 } });
      const { prisma } = gateway.database;
      expect([await prisma.expirationItem.count(), await prisma.vehicle.count()]).toEqual([0, 0]);
      // Without a bin, nothing can be taken back.
      expect(await imported('0')).toMatchObject({ state: 'done', undo_until: null });
    } finally {
      await stop();
      await gateway.close();
    }
  });

  it('takes the encoding of a text that its bytes do not tell', async () => {
    const path = join(folder, 'latin.csv');
    await writeFile(path, Buffer.from('name;gültig bis\nPrüfung;31.12.2027\n', 'latin1'));
    for (const encoding of [[], ['--encoding', 'windows-1252']]) {
      const [preview] = linesOf(await run(path, '--kind', 'items', '--dry-run', ...encoding));
      expect(preview).toMatchObject({ encoding: 'WINDOWS_1252', created: 1, failed: 0 });
    }
    const refused = await run(path, '--kind', 'items', '--dry-run', '--encoding', 'utf-8');
    expect([refused.exitCode, refused.stderr]).toEqual([1, 'error: The file is not in UTF-8.\n']);
  });

  it('shows what it would do, with line, column and reason, and writes nothing', async () => {
    const path = await file('dry.csv', items);
    const outcome = await run(path, ...options, '--dry-run');
    expect([outcome.exitCode, outcome.stderr]).toEqual([3, 'error: 1 row cannot be imported.\n']);
    expect(linesOf(outcome)).toMatchObject([
      { event: 'preview', rows: 2, created: 1, failed: 1 },
      {
        event: 'error',
        line: 3,
        column: 'Valid',
        value: '31.02.2027',
        message: 'is not a day of the calendar',
      },
      { event: 'row', line: 2, action: 'created', changes: [{ after: 'Licence' }, { after: '2027-12-31' }] },
      { event: 'result', state: 'cancelled', rows: 2 },
    ]);
    expect(await database.prisma.expirationItem.count()).toBe(0);
    const shown = await startWith(
      { columns: 80 },
      { DATABASE_URL: url },
      'import',
      path,
      ...options,
      '--dry-run',
    ).outcome;
    expect(shown.stdout).toBe('Nothing was written.\n');
    expect(shown.stderr).toContain('line 3, Valid: is not a day of the calendar ("31.02.2027")\n');
    expect(shown.stderr).toContain(
      'line 2, created; name: (empty) -> Licence; expiration_date: (empty) -> 2027-12-31\n',
    );
    expect(shown.stderr).toContain('Columns that are not imported: Shade\n');
  });

  it('shows odd years and what a spreadsheet has damaged, which is left out unless its column is named', async () => {
    const first = await run(
      ...[await file('whole.csv', 'name,expiration_date,custom:Serial no\nOven,2027-01-02,0012\n')],
      ...['--kind', 'items'],
    );
    expect(linesOf(first).at(-1)).toMatchObject({ created: 1 });
    const damaged = await file(
      'damaged.csv',
      'name,Valid,custom:Serial no\nOven,02/03/2027,12\nOdd,25/04/2570,\n',
    );
    const update = [damaged, ...options, '--mode', 'upsert', '--dry-run'];
    const outcome = await run(...update);
    const change = {
      ...{ column: 'expiration_date', before: '2027-01-02', after: '2027-03-02' },
      ...{ damage: null, left_out: false },
    };
    const kept = {
      ...{ column: 'custom:Serial no', before: '0012', after: '12' },
      ...{ damage: 'lost_zeros', left_out: true },
    };
    expect(linesOf(outcome)).toMatchObject([
      { event: 'preview', damaged: [{ column: 'custom:Serial no', cells: 1, accepted: false }] },
      { event: 'warning', line: 3, column: 'Valid', message: 'becomes 2570-04-25: is the year right?' },
      { event: 'row', line: 2, action: 'updated', changes: [change, kept] },
      { event: 'row', line: 3, action: 'created' },
      { event: 'result' },
    ]);
    const terminal = async (...more: string[]) =>
      (await startWith({ columns: 80 }, { DATABASE_URL: url }, 'import', ...update, ...more).outcome).stderr;
    const shown = await terminal();
    expect(shown).toContain('line 3, Valid: becomes 2570-04-25: is the year right? ("25/04/2570")\n');
    expect(shown).toContain('line 2, updated; expiration_date: 2027-01-02 -> 2027-03-02\n');
    const told = 'custom:Serial no: 1 value lost leading zeros (0012 -> 12):';
    expect(shown).toContain(`${told} not imported without --accept-damage "custom:Serial no"\n`);
    const accepted = await terminal('--accept-damage', 'custom:Serial no');
    expect(accepted).toContain(`${told} imported all the same\n`);
    expect(accepted).toContain('2027-01-02 -> 2027-03-02; custom:Serial no: 0012 -> 12\n');
    await database.prisma.expirationItem.deleteMany();
  });

  it('imports the rows without errors, and writes the outcome of each to a file', async () => {
    const result = join(folder, 'result.csv');
    const outcome = await run(await file('items.csv', items), ...options, '--result', result);
    expect([outcome.exitCode, outcome.stderr]).toEqual([3, 'error: 1 row could not be imported.\n']);
    expect(linesOf(outcome).at(-1)).toMatchObject({ event: 'result', state: 'done', created: 1, failed: 1 });
    expect(await readFile(result, 'utf8')).toMatch(
      /^name,Valid,Shade,_result,_id,_error\r\nLicence,.*,created,/,
    );
    expect(await database.prisma.expirationItem.count()).toBe(1);
    const again = await run(
      await file('items.csv', items),
      ...options,
      '--mode',
      'upsert',
      '--again',
      '--quiet',
    );
    expect(linesOf(again).map(({ event }) => event)).toEqual(['error', 'result']);
    expect(linesOf(again).at(-1)).toMatchObject({ created: 0, unchanged: 1 });
  });

  it('reads stdin, and reports success with 0', async () => {
    const stdin = Readable.from(['name,email\nBen,ben@example.com\n']);
    const { outcome } = startWith(
      { stdin, columns: 80 },
      { DATABASE_URL: url },
      'import',
      '-',
      '--kind',
      'contacts',
    );
    const { exitCode, stdout } = await outcome;
    expect([exitCode, stdout]).toEqual([0, 'Imported: 1 created, 0 updated, 0 unchanged, 0 with errors.\n']);
  });

  it.each<[string, string[], number, string]>([
    ['a file that is no CSV', ['--kind', 'items'], 1, 'The file is not CSV'],
    ['an unknown kind', ['--kind', 'things'], 2, 'Use one of items, contacts'],
    ['no kind', [], 2, "required option '--kind <kind>'"],
    ['a person without a name', ['--kind', 'items', '--person', 'x'], 2, 'Use the name and the address'],
    ['an unknown kind of holders', ['--kind', 'items', '--make-holders', 'x'], 2, 'Use one of vehicle'],
    ['a cell without a header', ['--kind', 'items', '--correct', 'x=y'], 2, 'Use the header, the cell'],
    ['a value without a column', ['--kind', 'items', '--set', 'x'], 2, 'Use the column and the value'],
    ['a mapping without a column', ['--kind', 'items', '--map', 'x'], 2, 'Use the header and its column'],
    ['an unknown user', ['--kind', 'items', '--user', 'nobody@example.com'], 1, 'nobody@example.com'],
  ])('refuses %s', async (_, given, exitCode, message) => {
    const outcome = await run(await file('bad.csv', 'name\n"x'), ...given);
    expect([outcome.exitCode, outcome.stderr]).toEqual([exitCode, expect.stringContaining(message)]);
  });
});

const script = '/usr/bin/script';

describe('import in a terminal', inTerminal(existsSync(script)), () => {
  it('shows a bar, stops at Ctrl-C, and goes on where it stopped', async () => {
    const rows = 6_000;
    const vehicles = Array.from({ length: rows }, (_, at) => `van ${at},VIN${at}`).join('\n');
    const path = await file('vehicles.csv', `name,vin\n${vehicles}\n`);
    const root = join(folder, 'built');
    await mkdir(root);
    await compileGateway(root);
    const command = `exec ${process.execPath} dist/main.js import ${path} --kind vehicles`;
    const env = { PATH: process.env.PATH, DATABASE_URL: url };
    const terminal = spawn(script, ['-qfec', command, '/dev/null'], { cwd: root, env });
    const output = new Lines();
    terminal.stdout.pipe(output);
    const ended = new Promise((resolve) => terminal.on('exit', resolve));
    await expect
      .poll(() => output.text, { timeout: 60_000, interval: 10 })
      .toMatch(/\[#+-*\] [1-9]\d* of 6000 rows/);
    terminal.stdin.write('\x03');
    expect(await ended).toBe(1);
    const [, done] = /Stopped by SIGINT; (\d+) of 6000 rows were processed/.exec(output.text) ?? [];
    expect(await database.prisma.vehicle.count()).toBe(Number(done));
    expect(Number(done)).toBeLessThan(rows);
    const outcome = await run(path, '--kind', 'vehicles');
    expect(outcome.exitCode).toBe(0);
    expect(linesOf(outcome).at(-1)).toMatchObject({ state: 'done', created: rows, failed: 0 });
    expect(await database.prisma.vehicle.count()).toBe(rows);
  });
});
