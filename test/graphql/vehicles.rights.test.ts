import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNothingWritten } from '../rest/support.js';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import {
  ask,
  create,
  createVehicle,
  expectRefusal,
  patch,
  refusal,
  remove,
  replace,
  update,
} from './support.js';

let gateway: TestGateway;
let id: string;
beforeAll(async () => {
  gateway = await startGateway();
  id = (await createVehicle(gateway, { name: 'Guarded' })).id;
});
afterAll(() => gateway.close());

const writes: [string, string, () => object][] = [
  ['createVehicle', create, () => ({ input: { name: 'New' } })],
  ['updateVehicle', update, () => ({ id, input: { name: 'New' } })],
  ['replaceVehicle', replace, () => ({ id, input: { name: 'New' } })],
  ['patchVehicle', patch, () => ({ id, operations: [{ op: 'remove', path: '/name' }] })],
  ['deleteVehicle', remove, () => ({ id })],
];
const reads: [string, string, () => object][] = [
  ['vehicle', 'query ($id: ID!) { vehicle(id: $id) { id } }', () => ({ id })],
  ['vehicles', '{ vehicles { nodes { id } } }', () => ({})],
];

test('every query and mutation of vehicles has its line here', async () => {
  const query = '{ __schema { queryType { fields { name } } mutationType { fields { name } } } }';
  const { queryType, mutationType } = (await ask(gateway, query)).__schema;
  const names = [...queryType.fields, ...mutationType.fields].map(({ name }) => name);
  const here = [...reads, ...writes].map(([name]) => name);
  expect(names.filter((name) => /vehicle/i.test(name)).sort()).toEqual(here.sort());
});

describe.each(['viewer', 'uploader'] as const)('as %s', (role) => {
  const message = new RegExp(`role ${role.toUpperCase()} `);

  test.each(writes)('%s is FORBIDDEN and writes nothing', async (_, query, variables) => {
    await expectNothingWritten(gateway, () =>
      expectRefusal(refusal(gateway, query, variables(), gateway[role]), 'FORBIDDEN', undefined, message),
    );
  });

  test('the role is looked at before the record', async () => {
    const query = 'mutation { deleteVehicle(id: "no such id") { id } }';
    await expectRefusal(refusal(gateway, query, {}, gateway[role]), 'FORBIDDEN');
  });
});

test.each(reads)('%s is the viewer’s to read, not the uploader’s', async (_, query, variables) => {
  expect(JSON.stringify(await ask(gateway, query, variables(), gateway.viewer))).toContain(id);
  await expectRefusal(
    refusal(gateway, query, variables(), gateway.uploader),
    'FORBIDDEN',
    undefined,
    /UPLOADER/,
  );
});

test('an uploader who asks for more than itself still learns who it is', async () => {
  const body = { query: '{ me { role } vehicle(id: "x") { id } }' };
  const { status, json } = await gateway.send('POST', '/graphql', { token: gateway.uploader, body });
  expect(status).toBe(200);
  expect(json.data).toEqual({ me: { role: 'UPLOADER' }, vehicle: null });
  expect(json.errors).toMatchObject([{ path: ['vehicle'], extensions: { code: 'FORBIDDEN' } }]);
});

describe.each(writes.slice(1))('%s', (_, query, variables) => {
  test.each([
    ['unknown', async () => '00000000-0000-4000-8000-000000000000'],
    ['not a UUID', async () => 'van-7'],
    ['empty', async () => ''],
    [
      'of a workspace that the caller is not in',
      async () => (await createVehicle(gateway, { teamId: gateway.otherTeamId })).id,
    ],
    ['of another organization', async () => foreignVehicle()],
  ])('is NOT_FOUND for an id that is %s, and writes nothing', async (_what, makeId) => {
    const hidden = await makeId();
    await expectNothingWritten(gateway, async () => {
      const refused = await refusal(gateway, query, { ...variables(), id: hidden }, gateway.member);
      expect(refused).toEqual({
        code: 'NOT_FOUND',
        message: `There is no vehicle with the id ${JSON.stringify(hidden)}.`,
      });
    });
  });
});

async function foreignVehicle(): Promise<string> {
  const foreign = await createTenant(gateway.database, 'Globex');
  return (await createVehicle(gateway, {}, foreign.admin)).id;
}
