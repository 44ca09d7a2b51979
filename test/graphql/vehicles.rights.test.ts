import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNothingWritten } from '../rest/support.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { createVehicle, patch, refusal, remove, replace, update } from './support.js';

let gateway: TestGateway;
let id: string;
beforeAll(async () => {
  gateway = await startGateway();
  id = (await createVehicle(gateway, { name: 'Guarded' })).id;
});
afterAll(() => gateway.close());

const writes: [string, string, () => object][] = [
  ['updateVehicle', update, () => ({ id, input: { name: 'New' } })],
  ['replaceVehicle', replace, () => ({ id, input: { name: 'New' } })],
  ['patchVehicle', patch, () => ({ id, operations: [{ op: 'remove', path: '/name' }] })],
  ['deleteVehicle', remove, () => ({ id })],
];
test('an uploader who asks for more than its own user still gets that', async () => {
  const body = { query: '{ me { role } vehicle(id: "x") { id } }' };
  const { status, json } = await gateway.send('POST', '/graphql', { token: gateway.uploader, body });
  expect(status).toBe(200);
  expect(json.data).toEqual({ me: { role: 'UPLOADER' }, vehicle: null });
  expect(json.errors).toMatchObject([{ path: ['vehicle'], extensions: { code: 'FORBIDDEN' } }]);
});

describe.each(writes)('%s', (_, query, variables) => {
  test.each([
    ['unknown', async () => '00000000-0000-4000-8000-000000000000'],
    ['not a UUID', async () => 'van-7'],
    ['empty', async () => ''],
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
