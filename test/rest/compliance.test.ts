import { randomUUID as newId } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { evaluateTurns } from '../../src/compliance/turns.js';
import { useGateway } from '../support/gateway.js';
import { expectBadRequest, expectError } from './support.js';

const gateway = useGateway();

let categoryId: string;
let requirementId: string;
beforeAll(async () => {
  categoryId = (await post('categories', { name: 'Insurance' })).id;
  requirementId = (
    await post('requirements', { name: 'Insured', holder_kind: 'vehicle', any_of: [categoryId] })
  ).id;
});

async function post(path: string, body: object) {
  const { status, text, json } = await gateway.send('POST', `/v1/${path}`, { body });
  expect(status, text).toBe(201);
  return json;
}

let count = 0;
const vehicle = (body: object = {}) => post('vehicles', { name: `Truck ${++count}`, ...body });

/** Files an item as a paper of a vehicle. */
async function paper(vehicleId: string, body: object = {}): Promise<string> {
  const category = { id: categoryId };
  const { id } = await post('expirationitems', {
    name: 'Policy',
    category,
    expiration_date: '2027-03-31',
    ...body,
  });
  const data = { itemId: id, kind: 'VEHICLE' as const, holderId: vehicleId, vehicleId, position: 0 };
  await gateway.database.prisma.itemHolder.create({ data });
  return id;
}

const ask = (path: string, headers = {}) => gateway.send('GET', `/v1/compliance/${path}`, { headers });

describe('a vehicle', () => {
  test('without its papers is not compliant, and with them until they expire', async () => {
    const { id, name } = await vehicle();
    const holder = { kind: 'vehicle', id, name };
    const requirement = { id: requirementId, name: 'Insured' };
    const check = { requirement, since: '2026-11-20', until: null, item_id: null, is_too_short: false };
    const missing = { ...check, state: 'missing' };
    const before = await ask(`vehicles/${id}`);
    expect(before.status, before.text).toBe(200);
    expect(before.json).toEqual({
      ...{ compliant: false, state: 'non_compliant', on: '2026-11-20', is_past: false, until: null, holder },
      ...{ gaps: [missing], requirements: [missing] },
    });
    const itemId = await paper(id);
    const after = await ask(`vehicles/${id}`);
    expect(after.json).toMatchObject({ compliant: true, state: 'compliant', until: '2027-03-31', gaps: [] });
    expect((await ask(`vehicles/${id}?on=2027-03-31`)).json).toMatchObject({
      state: 'due',
      until: '2027-03-31',
    });
    const late = await ask(`vehicles/${id}?on=2027-04-01`);
    expect(late.json.gaps).toMatchObject([{ state: 'expired', since: '2027-04-01', item_id: itemId }]);
    // A hundred years ahead, and long ago.
    expect((await ask(`vehicles/${id}?on=2126-11-20`)).json).toMatchObject({ compliant: false });
    expect((await ask(`vehicles/${id}?on=2020-02-29`)).json).toMatchObject({
      compliant: true,
      is_past: true,
    });
  });

  test('is answered with one statement, by its id and by a key', async () => {
    const { id } = await vehicle({ license_plate: 'ONE 1' });
    await paper(id);
    for (const path of [`vehicles/${id}`, 'vehicles?license_plate=ONE%201']) {
      await ask(path);
      const names = await gateway.statementNames(() => ask(path));
      expect(names.filter((name) => name !== 'access_tokens.authenticate')).toHaveLength(1);
    }
  });

  test('is found by licence plate and VIN, and several by none', async () => {
    const { id } = await vehicle({ license_plate: 'AB-1234', vin: 'WVWZZZ1JZXW000001' });
    expect((await ask('vehicles?license_plate=ab%201234')).json.holder.id).toBe(id);
    expect((await ask('vehicles?vin=wvwzzz1jzxw000001&on=2027-01-01')).json).toMatchObject({
      on: '2027-01-01',
      holder: { id },
    });
    const other = await vehicle({ license_plate: 'AB1234' });
    const several = await ask('vehicles?license_plate=AB1234');
    expectError(several, 409, 'CONFLICT');
    expect(several.text).toContain(id);
    expect(several.text).toContain(other.id);
    expectError(await ask('vehicles?vin=unknown'), 404, 'NOT_FOUND');
  });

  test('has an entity tag, which changes with the answer', async () => {
    const { id } = await vehicle();
    const first = await ask(`vehicles/${id}`);
    const tag = first.headers.get('etag') ?? '';
    expect((await ask(`vehicles/${id}`, { 'If-None-Match': tag })).status).toBe(304);
    expectError(await ask(`vehicles/${id}`, { 'If-Match': '"other"' }), 412, 'PRECONDITION_FAILED');
    const head = await gateway.send('HEAD', `/v1/compliance/vehicles/${id}`);
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', tag]);
    await paper(id);
    const second = await ask(`vehicles/${id}`, { 'If-None-Match': tag });
    expect([second.status, second.json.compliant]).toEqual([200, true]);
  });
});

test('people, companies and locations are asked about in the same way', async () => {
  const contact = await post('contacts', { name: 'Dana', email: 'dana@example.com' });
  const company = await post('companies', { name: 'Bricks', tax_id: 'DE 1' });
  const location = await post('locations', { name: 'Yard' });
  for (const path of [`contacts/${contact.id}`, 'contacts?email=DANA@example.com'])
    expect((await ask(path)).json).toMatchObject({ state: 'not_required', holder: { id: contact.id } });
  for (const path of [`companies/${company.id}`, 'companies?tax_id=de%201'])
    expect((await ask(path)).json).toMatchObject({ compliant: true, holder: { id: company.id } });
  for (const path of [`locations/${location.id}`, 'locations?name=yard'])
    expect((await ask(path)).json).toMatchObject({ gaps: [], holder: { id: location.id } });
});

test('what is no date, no key or unknown is refused', async () => {
  const { id } = await vehicle();
  for (const on of ['2027-02-29', 'today', '', '2027-1-1', '2027-01-01T00:00:00Z'])
    expectBadRequest(await ask(`vehicles/${id}?on=${on}`), /on must be a date/);
  expectBadRequest(await ask('vehicles'), /license_plate/);
  expectBadRequest(await ask('vehicles?vin=1&license_plate=2'), /license_plate/);
  expectBadRequest(await ask(`vehicles/${id}?day=2027-01-01`), /day is unknown/);
  expectError(await ask(`vehicles/${newId()}`), 404, 'NOT_FOUND');
  expectError(await ask('vehicles/truck'), 404, 'NOT_FOUND');
  const viewer = await gateway.send('GET', `/v1/compliance/vehicles/${id}`, { token: gateway.uploader });
  expectError(viewer, 403, 'FORBIDDEN');
});

describe('the list', () => {
  let [yardId, otherId] = ['', ''];
  beforeAll(async () => {
    const { database } = gateway;
    await database.sql('DELETE FROM vehicles');
    yardId = (await post('locations', { name: 'Depot' })).id;
    otherId = (
      await post('requirements', {
        name: 'Inspected',
        holder_kind: 'vehicle',
        any_of: [categoryId],
        valid_days: 400,
      })
    ).id;
    await vehicle({ name: 'Bare', location_id: yardId });
    await paper((await vehicle({ name: 'Late' })).id, { expiration_date: '2026-11-19' });
    await paper((await vehicle({ name: 'Soon' })).id, { expiration_date: '2028-01-10' });
    await paper((await vehicle({ name: '=Long' })).id, { expiration_date: '2030-12-31' });
    await database.sql(`UPDATE vehicles SET created = '2026-01-01'`);
    await evaluateTurns(database, () => gateway.clock.now);
  });

  const list = (query = '', request = {}) => gateway.send('GET', `/v1/compliance${query}`, request);
  const names = async (query: string) => {
    const { status, text, json } = await list(query);
    expect(status, text).toBe(200);
    return json.holders.map(({ name }: { name: string }) => name);
  };

  test("is in the contract's envelope, the worst first", async () => {
    const { status, json, headers } = await list('?kind=vehicle');
    expect(status).toBe(200);
    expect(json).toMatchObject({ pages: 1, page: 1, total: 4 });
    expect(json.holders.map(({ state }: { state: string }) => state)).toEqual([
      ...['non_compliant', 'non_compliant', 'compliant', 'compliant'],
    ]);
    expect(json.holders[2]).toEqual({
      ...{ id: expect.any(String), holder_kind: 'vehicle', holder_id: expect.any(String), name: 'Soon' },
      ...{ state: 'compliant', until: '2026-12-06', gap_ids: [], team_id: gateway.teamId },
      modified: expect.any(String),
    });
    const tag = headers.get('etag') ?? '';
    expect((await list('?kind=vehicle', { headers: { 'If-None-Match': tag } })).status).toBe(304);
    expect(await gateway.send('HEAD', '/v1/compliance?kind=vehicle')).toMatchObject({
      status: 200,
      text: '',
    });
  });

  test('is narrowed, ordered and divided into pages', async () => {
    expect(await names('?state=compliant&sort=until')).toEqual(['Soon', '=Long']);
    expect(await names('?sort=name&sortDirection=desc')).toEqual(['Soon', 'Late', 'Bare', '=Long']);
    expect(await names('?sort=worst&sortDirection=desc&paging=1')).toEqual(['=Long']);
    expect(await names(`?requirement_ids=${requirementId}&sort=name`)).toEqual(['Bare', 'Late']);
    expect(await names(`?requirement_ids=${requirementId},${otherId}&sort=name`)).toEqual(['Bare', 'Late']);
    // As with other ids, that of nothing is no condition.
    const nil = '00000000-0000-0000-0000-000000000000';
    expect(await names(`?requirement_ids=${nil}&sort=name`)).toEqual(await names('?sort=name'));
    expect(await names('?within=0&sort=name')).toEqual(['Bare', 'Late']);
    expect(await names('?within=16&sort=name')).toEqual(['Bare', 'Late']);
    expect(await names('?within=17&sort=name')).toEqual(['Bare', 'Late', 'Soon']);
    expect(await names(`?location_id=${yardId}`)).toEqual(['Bare']);
    expect(await names(`?team_id=${gateway.otherTeamId}`)).toEqual([]);
    expect(await names('?kind=company')).toEqual([]);
    expect(await names('?term=LON')).toEqual(['=Long']);
    expect(await names('?sort=name&paging=3&page=2')).toEqual(['Soon']);
  });

  test('refuses what it does not know', async () => {
    for (const query of ['kind=boat', 'state=bad', 'within=-2', 'requirement_ids=x', 'sort=urgency'])
      expectBadRequest(await list(`?${query}`), new RegExp(`^${query.split('=')[0]}: `));
    const strict = { headers: { Prefer: 'handling=strict' } };
    expectBadRequest(await list('?kinds=vehicle', strict), /kinds is unknown here; did you mean kind/);
    expectError(await list('', { token: gateway.uploader }), 403, 'FORBIDDEN');
    expectError(await list('', { token: null }), 401, 'UNAUTHORIZED');
  });

  test('as a file has a column for each requirement', async () => {
    const file = await gateway.send('GET', '/v1/export/compliance.csv?kind=vehicle&sort=name');
    expect(file.status, file.text).toBe(200);
    const rows = file.text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(rows[0]?.slice(-2)).toEqual(['Inspected', 'Insured']);
    expect(rows.slice(1).map((row) => [row[3], ...row.slice(-2)])).toEqual([
      ["'=Long", 'met 2030-12-31', 'met 2030-12-31'],
      ['Bare', 'missing', 'missing'],
      ['Late', 'expired 2026-11-19', 'expired 2026-11-19'],
      ['Soon', 'met 2028-01-10', 'met 2028-01-10'],
    ]);
    const filtered = await gateway.send(
      'GET',
      `/v1/export/compliance.csv?filter=${encodeURIComponent('{"kind":"VEHICLE","state":"NON_COMPLIANT"}')}`,
    );
    expect(filtered.text.trim().split('\r\n')).toHaveLength(3);
    expectBadRequest(await gateway.send('GET', '/v1/export/compliance.csv'), /^kind: is required/);
  });

  test('as a file has one column for requirements of several workspaces with the same name', async () => {
    const made = async (path: string, body: object): Promise<string> => {
      const { status, text, json } = await gateway.send('POST', `/v1/${path}`, { body });
      expect(status, text).toBe(201);
      return json.id;
    };
    const there = { team_id: gateway.otherTeamId };
    const type = await made('categories', { name: 'Insurance there', ...there });
    const rule = { name: 'Insured', holder_kind: 'vehicle', any_of: [type] };
    const ids = [await made('requirements', { ...rule, ...there })];
    const vehicle = await made('vehicles', { name: 'There', ...there });
    await evaluateTurns(gateway.database, () => gateway.clock.now);
    const read = async () => {
      const file = await gateway.send('GET', '/v1/export/compliance.csv?kind=vehicle&sort=name');
      const [head, ...rows] = file.text
        .trim()
        .split('\r\n')
        .map((line) => line.split(','));
      return { head, row: (name: string) => rows.find((row) => row[3] === name) };
    };
    const merged = await read();
    expect(merged.head?.slice(-2)).toEqual(['Inspected', 'Insured']);
    expect(merged.row('There')?.slice(-2)).toEqual(['', 'missing']);
    expect(merged.row('Late')?.slice(-2)).toEqual(['expired 2026-11-19', 'expired 2026-11-19']);
    // Two of one workspace are two columns: a record may have to meet both.
    ids.push(await made('requirements', { ...rule, ...there }));
    await evaluateTurns(gateway.database, () => gateway.clock.now);
    const twice = await read();
    expect(twice.head?.slice(-3)).toEqual(['Inspected', 'Insured', 'Insured']);
    expect(twice.row('There')?.slice(-3)).toEqual(['', 'missing', 'missing']);
    for (const id of ids) await gateway.send('DELETE', `/v1/requirements/${id}`);
    await gateway.send('DELETE', `/v1/vehicles/${vehicle}`);
  });
});
