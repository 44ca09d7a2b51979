import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guarded, isResultFile, unguarded, writeCsv } from '../../src/csv/columns.js';
import { startImports } from '../../src/csv/start-jobs.js';
import { schema } from '../../src/graphql/schema.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';

let gateway: TestGateway;
let stop: () => Promise<void>;
beforeAll(async () => {
  gateway = await startGateway();
  const { database } = gateway;
  const log = pino({ level: 'silent' });
  stop = startImports({
    ...{ database, clock: () => testTime, log, pollMs: 20 },
    loadSchema: async () => schema,
  });
});
afterAll(async () => {
  await stop();
  await gateway.close();
});

/** What begins a formula, in one spreadsheet or another. */
const openings = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
const isFormula = (text: string) => openings.some((opening) => text.startsWith(opening));

test('no text begins like a formula when it is guarded, and each is what it was before', () => {
  const texts = fc.string({ unit: fc.constantFrom(...openings, "'", 'a', ' ', '1') });
  fc.assert(
    fc.property(texts, fc.nat(3), (text, times) => {
      let guards = text;
      for (let time = 0; time < times; time += 1) guards = guarded(guards);
      if (times > 0) expect(isFormula(guards)).toBe(false);
      expect(unguarded(guards, times)).toBe(text);
    }),
  );
});

test("the console's files are guarded like the gateway's", async () => {
  // A variable, because the console's modules are resolved by another rule.
  const place = '../../console/src/data/csv';
  const { cell } = (await import(place)) as { readonly cell: (text: string) => string };
  const texts = fc.string({ unit: fc.constantFrom(...openings, "'", 'a', '"', ',', '1') });
  fc.assert(
    fc.property(texts, (text) => {
      expect(parse(`${cell(text)}\r\n`)).toEqual([[guarded(text)]]);
    }),
  );
});

async function fetchCsv(path: string): Promise<string> {
  const headers = { authorization: `Bearer ${gateway.admin}` };
  return (await fetch(gateway.url + path, { headers })).text();
}

/** Imports a file of vehicles, and returns how it ended with its result file. */
async function importVehicles(file: string) {
  const headers = { 'Content-Type': 'text/csv' };
  const path = '/v1/imports?kind=vehicles&mode=upsert&again=true';
  const { json: made } = await gateway.send('POST', path, { raw: file, headers });
  const state = (wanted: string) =>
    eventually(async () => {
      const { json } = await gateway.send('GET', `/v1/imports/${made.id}`);
      expect([json.state, json.error]).toEqual([wanted, null]);
      return json;
    });
  await state('ready');
  await gateway.send('POST', `/v1/imports/${made.id}/run`);
  return { ended: await state('done'), result: await fetchCsv(`/v1/imports/${made.id}/result.csv`) };
}

const values = ['=1+1', "'=1", "''", '-5', '\nx', '＝A1', "'plain", 'plain'];

test.each(['a file from elsewhere', 'an exported file'])(
  'the result of %s has no formulas, and changes nothing when it is imported again',
  async (kind) => {
    const rows = values.map((value, at) => [`VIN ${kind} ${at}`, `Van ${at}`, value]);
    let file = writeCsv([['vin', 'name', 'color'], ...rows]);
    if (kind === 'an exported file') {
      await importVehicles(file);
      file = await fetchCsv('/v1/export/vehicles.csv');
    }
    const colors = async () => {
      const { json } = await gateway.send('GET', '/v1/vehicles?sort=vin');
      const own = json.vehicles.filter(({ vin }: { vin: string }) => vin.startsWith(`VIN ${kind}`));
      return own.map(({ color }: { color: string }) => color);
    };
    const first = await importVehicles(file);
    expect(first.ended).toMatchObject({ failed_count: 0 });
    expect(await colors()).toEqual(values.map((value) => value.trim() && value));
    expect(isResultFile(first.result.split('\r\n')[0]?.split(',') ?? [])).toBe(true);
    const cells: string[][] = parse(first.result);
    expect(cells.flat().filter(isFormula)).toEqual([]);
    const second = await importVehicles(first.result);
    expect(second.ended).toMatchObject({ failed_count: 0, updated_count: 0, created_count: 0 });
  },
);
