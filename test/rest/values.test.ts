import { beforeAll, describe, expect, test } from 'vitest';
import { vehicles } from '../../src/resources/vehicles.js';
import { memberName } from '../../src/web/parameters.js';
import { plainColumns } from '../support/declared.js';
import { useGateway } from '../support/gateway.js';
import { create, expectBadRequest, expectNothingWritten, patch } from './support.js';

const gateway = useGateway();
let vehicle: { id: string };
beforeAll(async () => {
  vehicle = await create(gateway, { name: 'Untouched' });
});

const membersOf = (type: string) =>
  plainColumns(vehicles).flatMap(({ name, of }) => (of === type ? [memberName(name)] : []));
const [texts, ints] = [membersOf('String'), membersOf('Int')];
const uuids = [...membersOf('UUID'), 'location_id', 'assigned_to_contact_id', 'team_id'];
const long = (length: number) => 'x'.repeat(length);
const fields = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `${i}` }));
const wrongUuids = [
  '',
  'x',
  5,
  true,
  {},
  '018f0000-0000-7000-8000-00000000000',
  '{018f0000-0000-7000-8000-00000000000a}',
];

/** Values that no vehicle can have. */
const wrong: [member: string, values: unknown[]][] = [
  ...texts.map((member): [string, unknown[]] => [
    member,
    [5, 1.5, true, {}, [], ['x'], { toString: 'x' }, long(256), 'a\0b', '\ud800', 'x\udc00y'],
  ]),
  ...ints.map((member): [string, unknown[]] => [
    member,
    [1.5, '2020', '', true, {}, [], [1], 2_147_483_648, -2_147_483_649, 2 ** 53, 1e21],
  ]),
  ...uuids.map((member): [string, unknown[]] => [member, [...wrongUuids, [], [null]]]),
  ['msrp', ['1', '', true, {}, [], [1]]],
  ['is_archived', ['true', 'yes', '', 0, 1, {}, [], [true]]],
  ['assigned_to', ['x', 5, true, [], [{}], { id: {} }, { id: [] }, { id: true }]],
  ['assigned_to', [{ id: 'x' }, { id: '' }, { id: 5 }]],
  ['custom_fields', ['x', 5, true, {}, { name: 'x' }, [null], ['x'], [5], [[]], fields(101)]],
  ['custom_fields', wrongUuids.map((id) => [{ id }])],
  ['custom_fields', [[{ name: 5 }], [{ name: long(256) }], [{ name: 'a\0' }], [{ name: '\udfff' }]]],
  ['custom_fields', [[{ value: 5 }], [{ value: long(4097) }], [{ value: 'a\0' }], [{ value: {} }]]],
];
const cases = wrong.map(([member, values]): [string, string, unknown[]] => [
  member,
  JSON.stringify(values).slice(0, 90),
  values,
]);
const headers = { 'Content-Type': 'application/json' };

test.each(cases)(
  '%s: 400 from POST, PUT and PATCH, and nothing is written, for %s',
  async (member, _text, values) => {
    const named = new RegExp(`(^|[^\\w])${member}(?!\\w)`);
    await expectNothingWritten(gateway, async () => {
      for (const value of values) {
        const body = { name: 'Changed', [member]: value };
        const operations = [
          { op: 'replace', path: '/color', value: 'changed' },
          { op: 'replace', path: `/${member}`, value },
        ];
        expectBadRequest(await gateway.send('POST', '/v1/vehicles', { body }), named);
        expectBadRequest(await gateway.send('PUT', `/v1/vehicles/${vehicle.id}`, { body }), named);
        const patched = await patch(gateway, vehicle, operations);
        expectBadRequest(patched, named);
        expect(patched.json.message).toMatch(/\boperation 1\b/);
      }
    });
  },
);

describe('what JSON can say and JavaScript cannot', () => {
  test.each(
    [
      ['msrp', '{"msrp": 1e999}'],
      ['msrp', '{"msrp": -1e400}'],
      ['year', '{"year": 1e999}'],
      ['name', '{"name": "\\ud800"}'],
      ['name', `{"name": ${'['.repeat(99)}${']'.repeat(99)}}`],
      ['custom_fields', `{"custom_fields": ${'['.repeat(99)}${']'.repeat(99)}}`],
      ['assigned_to', `{"assigned_to": ${'{"id":'.repeat(99)}1${'}'.repeat(99)}}`],
      ['The body', `{"name": ${'['.repeat(100)}${']'.repeat(100)}}`],
      ['The body', `{"name": ${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
    ].map(([member = '', raw = '']) => [member, raw.slice(0, 40), raw]),
  )('%s in %s', async (member = '', _text, raw = '') => {
    await expectNothingWritten(gateway, async () => {
      expectBadRequest(
        await gateway.send('POST', '/v1/vehicles', { raw, headers }),
        new RegExp(`^${member}\\b`),
      );
      const path = `/v1/vehicles/${vehicle.id}`;
      expectBadRequest(await gateway.send('PUT', path, { raw, headers }), new RegExp(`^${member}\\b`));
    });
  });

  test('numbers of other spellings', async () => {
    const raw = '{"year": 2020.0, "primary_meter_reading": 1e3, "msrp": 12345678.125, "ownership_id": -0}';
    const { status, json } = await gateway.send('POST', '/v1/vehicles', { raw, headers });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      year: 2020,
      primary_meter_reading: 1000,
      msrp: 12_345_678.125,
      ownership_id: 0,
    });
  });
});

test.each<[what: string, body: Record<string, unknown>]>([
  ['255 characters in every line', Object.fromEntries(texts.map((member) => [member, long(255)]))],
  ['the largest int32', Object.fromEntries(ints.map((member) => [member, 2_147_483_647]))],
  ['the smallest int32', Object.fromEntries(ints.map((member) => [member, -2_147_483_648]))],
  ['0', Object.fromEntries([...ints, 'msrp'].map((member) => [member, 0]))],
  ['a double of all its digits', { msrp: 0.1 + 0.2 }],
  ['the smallest double', { msrp: Number.MIN_VALUE }],
  ['an empty text', { name: '', color: '' }],
])('%s can be written and read', async (_what, body) => {
  expect(await create(gateway, body)).toMatchObject(body);
});

test('100 custom fields of 255 and 4096 characters can be written and read', async () => {
  const custom_fields = fields(100).map(({ name }) => ({ name: name.padEnd(255, '-'), value: long(4096) }));
  expect((await create(gateway, { custom_fields })).custom_fields).toMatchObject(custom_fields);
});

test('the largest double is kept or refused, never a fault', async () => {
  const body = { msrp: Number.MAX_VALUE };
  const response = await gateway.send('POST', '/v1/vehicles', { body });
  if (response.status === 201) expect(response.json.msrp).toBe(Number.MAX_VALUE);
  else expectBadRequest(response, /^msrp\b/);
});
