import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quoteCells } from '../../src/csv/import/peers.js';
import { startImports } from '../../src/csv/start-jobs.js';
import { schema } from '../../src/graphql/schema.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';

let gateway: TestGateway;
let stop: () => Promise<void>;
beforeAll(async () => {
  gateway = await startGateway();
  stop = startImports({
    database: gateway.database,
    clock: () => testTime,
    log: pino({ level: 'silent' }),
    pollMs: 20,
    loadSchema: async () => schema,
  });
});
afterAll(async () => {
  await stop();
  await gateway.close();
});

const example = (name: string) =>
  readFileSync(new URL(`../../docs/examples/${name}.csv`, import.meta.url), 'utf8');

/** Waits until an import has ended or can be run. */
const settled = (id: string) =>
  eventually(async () => {
    const { json } = await gateway.send('GET', `/v1/imports/${id}`);
    expect(['reading', 'running']).not.toContain(json.state);
    return json;
  });

/** Imports a file of another program, and returns its preview, its end and its items by name. */
async function importFile(text: string, query = '') {
  const headers = { 'Content-Type': 'text/csv' };
  const made = await gateway.send('POST', `/v1/imports?kind=items${query}`, { headers, raw: text });
  const seen = await settled(made.json.id);
  expect(seen.state, seen.error).toBe('ready');
  await gateway.send('POST', `/v1/imports/${seen.id}/run`);
  const done = await settled(seen.id);
  const { json } = await gateway.send('GET', '/v1/expirationitems?per_page=100&sort=name');
  const item = (name: string) => {
    const found = json.expiration_items.find((entry: { name: string }) => entry.name === name);
    const { custom_fields: fields = [], tags = [], ...others } = found ?? {};
    return {
      ...others,
      tags: tags.map((tag: { name: string }) => tag.name),
      custom: Object.fromEntries(
        fields.map((field: { name: string; value: string }) => [field.name, field.value]),
      ),
    };
  };
  return { preview: seen.preview, done, item };
}

test('subscriptions of Wallos keep their notes with line breaks, quotes and entities', async () => {
  const { done, item } = await importFile(example('wallos'));
  expect(done).toMatchObject({ row_count: 2, created_count: 2, failed_count: 0 });
  expect(item('Tom & Jerry+')).toMatchObject({
    ...{ expiration_date: '2027-01-15', category_name: 'Entertainment', is_active: true },
    details: 'Shared with\nthe family',
    custom: {
      ...{ 'Payment cycle': 'Monthly', Renewal: 'Automatic', 'Payment method': 'PayPal', 'Paid by': 'Ada' },
      ...{ Price: '€9.99', URL: 'https://example.com/a,b' },
    },
  });
  expect(item('5" display rental')).toMatchObject({
    ...{ expiration_date: '2027-02-01', is_active: false },
    custom: { 'Cancellation date': '2026-12-31' },
  });
});

test('a row of Wallos that is cut off is an error, and no other file is rewritten', () => {
  const header = 'Name,Next Payment,Renewal,Category,Payment Method,Paid By,URL';
  expect(quoteCells(`${header}\na,b,c`)).toBe(`${header}\na,b,c`);
  expect(quoteCells(`${header}\r\na,b,c,d,e,f,g\r\n`)).toContain('"a","b"');
  const other = 'Name,Expires\n"a, b",2027-01-01\n';
  expect(quoteCells(other)).toBe(other);
});

test('warranties of Warracker keep their tags, and those for life have no date', async () => {
  const { done, preview, item } = await importFile(example('warracker'));
  expect(done).toMatchObject({ row_count: 3, created_count: 2, failed_count: 1 });
  expect(preview.errors).toMatchObject([{ row: 4, column: 'ExpirationDate' }]);
  expect(item('Dishwasher "Silence"')).toMatchObject({
    ...{ expiration_date: '2027-03-01', tags: ['home office', 'kitchen'] },
    custom: {
      ...{ 'Purchase date': '2025-03-01', 'Purchase price': '649.00', 'Serial number': 'SN-1, SN-2' },
      ...{ 'Product URL': 'https://example.com/d', Vendor: 'Shop' },
    },
  });
  const { tags, custom } = item('Drill');
  expect({ tags, custom }).toEqual({ tags: ['tools', 'garage'], custom: {} });
});

test('taxes and reminders of LubeLogger are read with the date format that is chosen', async () => {
  const unread = await importFile(example('lubelogger-taxes'), '&date_format=ymd');
  expect(unread.done).toMatchObject({ created_count: 0, failed_count: 2 });
  const taxes = await importFile(example('lubelogger-taxes'), '&date_format=mdy');
  expect(taxes.done).toMatchObject({ created_count: 2, failed_count: 0 });
  expect(taxes.item('Road tax')).toMatchObject({
    ...{ expiration_date: '2027-03-31', details: 'Paid by direct debit', tags: ['yearly', 'tax'] },
    custom: { Cost: '$1,120.00', Office: 'City hall' },
  });
  const reminders = await importFile(example('lubelogger-reminders'));
  expect(reminders.done).toMatchObject({ created_count: 1, failed_count: 0 });
  expect(reminders.item('Inspection')).toMatchObject({
    ...{ expiration_date: '2027-04-30', details: 'At the garage', tags: ['safety', 'yearly'] },
  });
});

test('licenses of Snipe-IT lose the midnight in their dates', async () => {
  const { done, item } = await importFile(example('snipe-it-licenses'));
  expect(done).toMatchObject({ row_count: 2, created_count: 1, failed_count: 1 });
  expect(item('Drawing, 2027')).toMatchObject({
    ...{ expiration_date: '2027-01-31', category_name: 'Graphics', details: 'Renew early' },
    contacts: [{ email: 'it@example.com' }],
    custom: { Seats: '10', 'Product key': 'AAAA-BBBB', 'Purchase date': '2026-01-31', Supplier: 'Shop' },
  });
});

test('assets of Snipe-IT are told apart by their tags', async () => {
  const { done, preview, item } = await importFile(example('snipe-it-assets'));
  expect(done).toMatchObject({ row_count: 3, created_count: 2, failed_count: 1 });
  expect(preview.rows[2].values.name).toBe('IT-0003');
  expect(item('Meeting room (IT-0001)')).toMatchObject({
    ...{ expiration_date: '2027-06-01', category_name: 'Displays', details: '=lent' },
    locations: [{ name: 'Hall 1' }],
    custom: { Serial: '-77', Model: 'Display 27', Status: 'Deployed (deployed)' },
  });
});

test('a mapping has precedence over what is known of a program', async () => {
  const mapping = encodeURIComponent(JSON.stringify({ EOL: 'expiration_date', 'Warranty Expires': null }));
  const { done, item } = await importFile(example('snipe-it-assets'), `&mode=upsert&mapping=${mapping}`);
  expect(done).toMatchObject({ created_count: 1, updated_count: 2, failed_count: 0 });
  expect(item('IT-0003').expiration_date).toBe('2029-06-01');
});
