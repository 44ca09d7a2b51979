import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { describeCreate, describeRefusals, expectNoTrace, made, type Rows } from './records.js';
import { createLinked, expectBadRequest, expectError, expectNotModified, nowhere } from './support.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const path = '/v1/companies';

const blank = {
  name: null,
  doing_business_as: null,
  phone: null,
  website: null,
  address_line_1: null,
  address_line_2: null,
  city: null,
  province: null,
  postal_code: null,
  country_id: null,
  tax_id: null,
  tax_type_id: null,
  type_id: null,
  primary_contact_id: null,
  assigned_to: null,
  is_archived: false,
  custom_fields: [],
};

const full = async () => ({
  name: 'Acme Corporation',
  doing_business_as: 'Acme',
  phone: '+1 555 0100',
  website: 'https://acme.example',
  address_line_1: '1 Road Runner Way',
  address_line_2: 'Unit 2',
  city: 'Springfield',
  province: 'ON',
  postal_code: 'A1A 1A1',
  country_id: '11111111-1111-4111-8111-111111111111',
  tax_id: '12-3456789',
  tax_type_id: -2_147_483_648,
  type_id: '12111111-1111-4111-8111-111111111111',
  primary_contact_id: (await createLinked(gateway, gateway)).contactId,
  assigned_to: { id: gateway.userId },
  team_id: gateway.teamId,
  is_archived: true,
  custom_fields: [{ id: '15111111-1111-4111-8111-111111111111', name: 'Tier', value: 'gold' }],
});

const rows: Rows = { gateway: () => gateway, path, kind: 4, noun: 'company', blank, full };

describeCreate(rows);
describeRefusals(rows, [
  ['tax_type_id', () => ({ tax_type_id: 1.5 })],
  ['tax_type_id', () => ({ tax_type_id: 2_147_483_648 })],
  ['country_id', () => ({ country_id: 'Canada' })],
  ['primary_contact_id', () => ({ primary_contact_id: nowhere })],
  ['primary_contact_id', () => ({ primary_contact_id: gateway.userId })],
  ['assigned_to', () => ({ assigned_to: { id: nowhere } })],
  ['team_id', () => ({ team_id: gateway.otherTeamId })],
  ['is_archived', () => ({ is_archived: 'yes' })],
  ['address_line_1', () => ({ address_line_1: 'x'.repeat(256) })],
  ['address_line_2', () => ({ address_line_2: 'a\0b' })],
]);

test('400: a primary contact that the caller does not see', async () => {
  const hidden = await createLinked(gateway, gateway, gateway.otherTeamId);
  const foreign = await createLinked(gateway, await createTenant(gateway.database, 'Initech'));
  await expectNoTrace(gateway, async () => {
    for (const { contactId } of [hidden, foreign]) {
      const body = { primary_contact_id: contactId };
      const response = await gateway.send('POST', path, { body, token: gateway.member });
      expectBadRequest(response, /^primary_contact_id\b/);
    }
  });
});

test('409: a tax number in use in the organization, in any spelling; none collides with nothing', async () => {
  await made(gateway, path, { tax_id: 'AB 77', team_id: gateway.otherTeamId });
  await expectNoTrace(gateway, async () => {
    const response = await gateway.send('POST', path, {
      body: { tax_id: ' ab 77\n' },
      token: gateway.member,
    });
    expectError(response, 409, 'CONFLICT', /^tax_id\b/);
  });
  for (const tax_id of [null, null, '', ' ']) await made(gateway, path, { tax_id });
});

describe(`GET ${path}/{id}`, () => {
  const get = (id: string, token = gateway.admin, headers = {}) =>
    gateway.send('GET', `${path}/${id}`, { token, headers });

  test('200: the company as it was created', async () => {
    const company = await made(gateway, path, { ...(await full()), tax_id: 'GET 1' });
    const response = await get(company.id);
    expect(response.status).toBe(200);
    expect(response.json).toStrictEqual(company);
    expect((await get(company.id, gateway.viewer)).json).toEqual(company);
    const { etag } = Object.fromEntries(response.headers);
    expectNotModified(await get(company.id, gateway.admin, { 'If-None-Match': etag }));
    const head = await gateway.send('HEAD', `${path}/${company.id}`);
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('404: for an unknown one, or one that the caller does not see', async () => {
    const elsewhere = await made(gateway, path, { team_id: gateway.otherTeamId });
    const foreign = await createTenant(gateway.database, 'Globex');
    expectError(await get(nowhere), 404, 'NOT_FOUND');
    expectError(await get('no-uuid'), 404, 'NOT_FOUND');
    expectError(await get(elsewhere.id, gateway.member), 404, 'NOT_FOUND');
    expectError(await get(elsewhere.id, foreign.admin), 404, 'NOT_FOUND');
  });

  test('403, 401: for an uploader, and for nobody', async () => {
    expectError(await get(nowhere, gateway.uploader), 403, 'FORBIDDEN');
    expectError(await gateway.send('GET', `${path}/${nowhere}`, { token: null }), 401, 'UNAUTHORIZED');
  });

  test('takes one statement, with the user it shows', async () => {
    const company = await made(gateway, path, { assigned_to: { id: gateway.userId } });
    expect(await namesOf(gateway, () => get(company.id))).toEqual(['companies.get + users']);
  });
});
