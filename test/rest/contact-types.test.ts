import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import { describeCreate, describeRefusals, expectNoTrace, made, type Rows } from './records.js';
import { expectError } from './support.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const path = '/v1/contacttypes';

const rows: Rows = {
  gateway: () => gateway,
  path,
  kind: 6,
  noun: 'contact type',
  blank: { name: null, is_active: true },
  full: async () => ({ name: 'Supplier', is_active: false }),
  hasTeam: false,
};

describeCreate(rows);
describeRefusals(rows, [['is_active', () => ({ is_active: 1 })]]);

test('409: a name in use in the organization, in any spelling; no name collides with nothing', async () => {
  await made(gateway, path, { name: 'Driver' }, gateway.member);
  await expectNoTrace(gateway, async () => {
    const response = await gateway.send('POST', path, { body: { name: '\tDRIVER ' } });
    expectError(response, 409, 'CONFLICT', /^name\b/);
  });
  for (const name of [null, null, '', '']) await made(gateway, path, { name });
  const abroad = await createTenant(gateway.database, 'Globex');
  await made(gateway, path, { name: 'Driver' }, abroad.admin);
});

test('it belongs to the default workspace of its maker', async () => {
  const { id } = await made(gateway, path, {}, gateway.member);
  const row = await gateway.database.prisma.contactType.findUnique({ where: { id } });
  expect(row).toMatchObject({ organizationId: gateway.organizationId, teamId: gateway.teamId });
});
