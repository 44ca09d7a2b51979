import { beforeAll, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { create, expectBadRequest, expectNothingWritten, nowhere, patch } from './support.js';

const gateway = useGateway();
let vehicle: { id: string };
beforeAll(async () => {
  vehicle = await create(gateway, {
    name: 'Van',
    assigned_to: { id: gateway.userId },
    custom_fields: [{ name: 'a', value: '1' }],
  });
});

const operation = { op: 'replace', path: '/name', value: 'Bus' };

test.each<[what: string, body: unknown]>([
  ['an object', operation],
  ['501 operations', Array.from({ length: 501 }, () => operation)],
])('%s is no patch: 400', async (_what, body) => {
  await expectNothingWritten(gateway, async () => expectBadRequest(await patch(gateway, vehicle, body)));
});

/** One of each kind; what there is of each is tried without a gateway (test/domain/patch.refusals.test.ts). */
const refused: [what: string, operation: unknown][] = [
  ['no object', 'replace'],
  ['an unknown member', { op: 'replace', path: '/licensePlate', value: 'x' }],
  ['an unknown member', { op: 'remove', path: '/name//' }],
  ['a member that is not shown', { op: 'test', path: '/created', value: '2026-11-20T09:30:00.000Z' }],
  ['a member that is not shown', { op: 'copy', from: '/created', path: '/name' }],
  ['a member that is not shown', { op: 'replace', path: '/organization_id', value: nowhere }],
  ['a member that is not shown', { op: 'replace', path: '/assigned_to_id', value: nowhere }],
  ['a read-only member', { op: 'replace', path: '/id', value: nowhere }],
  ['a read-only member', { op: 'remove', path: '/id' }],
  ['a read-only member', { op: 'replace', path: '/modified', value: '2020-01-01T00:00:00.000Z' }],
  ['a read-only member', { op: 'remove', path: '/Modified' }],
  ['a read-only member', { op: 'move', from: '/modified', path: '/name' }],
  ['a read-only member', { op: 'copy', from: '/name', path: '/id' }],
  ['a read-only member', { op: 'replace', path: '/assigned_to/name', value: 'Eve' }],
  ['a read-only member', { op: 'replace', path: '/assigned_to/email', value: 'eve@example.com' }],
  ['a read-only member', { op: 'add', path: '/assigned_to/team_id', value: nowhere }],
  ['an index out of range', { op: 'replace', path: '/custom_fields/1', value: {} }],
  ['a wrong type', { op: 'add', path: '/custom_fields/-', value: null }],
  ['a wrong type', { op: 'replace', path: '/custom_fields/0/value', value: 5 }],
  ['a wrong type', { op: 'copy', from: '/custom_fields', path: '/name' }],
  ['a wrong type', { op: 'copy', from: '/name', path: '/year' }],
  ['a wrong type', { op: 'copy', from: '/assigned_to', path: '/custom_fields' }],
  ['too long', { op: 'replace', path: '/custom_fields/0/value', value: 'x'.repeat(4097) }],
  ['no UUID', { op: 'replace', path: '/custom_fields/0/id', value: 'x' }],
  ['no location', { op: 'replace', path: '/location_id', value: nowhere }],
  ['no contact', { op: 'replace', path: '/assigned_to_contact_id', value: nowhere }],
  ['no workspace', { op: 'replace', path: '/team_id', value: nowhere }],
  ['no user', { op: 'replace', path: '/assigned_to/id', value: nowhere }],
  ['no user', { op: 'replace', path: '/assigned_to', value: { id: nowhere } }],
];

const cases = refused.map(([what, wrong]): [string, string, unknown] => [
  what,
  JSON.stringify(wrong).slice(0, 90),
  wrong,
]);

test.each(cases)(
  '%s: 400 for %s, naming the operation, and nothing is changed',
  async (_what, _text, wrong) => {
    const [before, after] = [{ op: 'replace', path: '/color', value: 'red' }, operation];
    await expectNothingWritten(gateway, async () => {
      expectBadRequest(await patch(gateway, vehicle, [wrong]), /\boperation 0\b/);
      expectBadRequest(await patch(gateway, vehicle, [before, before, wrong, after]), /\boperation 2\b/);
    });
  },
);

test('101 custom fields, one by one: the last operation that added is named', async () => {
  const value = { name: 'more' };
  const operations = Array.from({ length: 100 }, () => ({ op: 'add', path: '/custom_fields/-', value }));
  await expectNothingWritten(gateway, async () => {
    const response = await patch(gateway, vehicle, operations);
    expectBadRequest(response, /\boperation 99\b.*\bcustom_fields\b.*\b100\b/);
  });
  expect((await patch(gateway, vehicle, operations.slice(1))).json.custom_fields).toHaveLength(100);
});
