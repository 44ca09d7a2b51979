import { randomUUID as newId } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTenant, type Tenant, useGateway } from '../support/gateway.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();

const shown = `holders(first: 500) { totalCount nodes {
  __typename ... on Vehicle { id vehicle: name } ... on Contact { id person: name }
  ... on Company { id company: name } ... on Location { id location: name } } }`;
const createItem = `mutation ($input: CreateExpirationItemInput!) { item: createExpirationItem(input: $input) { id name ${shown} } }`;
const updateItem = `mutation ($id: ID!, $input: UpdateExpirationItemInput!) { item: updateExpirationItem(id: $id, input: $input) { id ${shown} } }`;
const readItem = `query ($id: ID!) { item: expirationItem(id: $id) { id ${shown} } }`;
const add = `mutation ($id: ID!, $holders: [HolderReference!]!) { item: addHolders(id: $id, input: { holders: $holders }) { id ${shown} } }`;
const remove = `mutation ($id: ID!, $holders: [HolderReference!]!) { item: removeHolders(id: $id, input: { holders: $holders }) { id ${shown} } }`;

const makers = {
  vehicle: 'mutation ($input: CreateVehicleInput!) { made: createVehicle(input: $input) { id } }',
  contact: 'mutation ($input: CreateContactInput!) { made: createContact(input: $input) { id } }',
  company: 'mutation ($input: CreateCompanyInput!) { made: createCompany(input: $input) { id } }',
  location: 'mutation ($input: CreateLocationInput!) { made: createLocation(input: $input) { id } }',
};

/** Makes a record, and returns its id. */
const make = async (kind: keyof typeof makers, input: object, token?: string): Promise<string> =>
  (await ask(gateway, makers[kind], { input }, token)).made.id;

/** Makes an item with holders, and returns it. */
const makeItem = async (holders: readonly object[], input: object = {}, token?: string) => {
  const given = { name: 'Paper', expirationDate: '2027-03-31', holders, ...input };
  return (await ask(gateway, createItem, { input: given }, token)).item;
};

const idsOf = ({ holders }: { holders: { nodes: { id: string }[] } }) => holders.nodes.map(({ id }) => id);

/** Ids of one record of each kind. */
let ids: Record<keyof typeof makers, string>;
let stranger: Tenant;
beforeAll(async () => {
  ids = {
    vehicle: await make('vehicle', { name: 'Truck 101', vin: 'VIN-101', licensePlate: 'B-AB 1234' }),
    contact: await make('contact', { name: 'Ben Carter', email: 'ben@example.com' }),
    company: await make('company', { name: 'Harbour Freight', taxId: 'DE 123' }),
    location: await make('location', { name: 'Depot' }),
  };
  stranger = await createTenant(gateway.database, 'Stranger');
});

test('an item is a paper of records of four kinds, in the order sent and each once', async () => {
  const { company, vehicle, location, contact } = ids;
  const holders = [
    { kind: 'COMPANY', id: company },
    { kind: 'VEHICLE', id: vehicle },
    { kind: 'LOCATION', id: location },
    { kind: 'VEHICLE', id: vehicle.toUpperCase() },
    { kind: 'CONTACT', id: contact },
  ];
  const item = await makeItem(holders);
  const expected = {
    totalCount: 4,
    nodes: [
      { __typename: 'Company', id: company, company: 'Harbour Freight' },
      { __typename: 'Vehicle', id: vehicle, vehicle: 'Truck 101' },
      { __typename: 'Location', id: location, location: 'Depot' },
      { __typename: 'Contact', id: contact, person: 'Ben Carter' },
    ],
  };
  expect(item.holders).toEqual(expected);
  expect((await ask(gateway, readItem, item)).item.holders).toEqual(expected);
});

test('a holder is named by a natural key of its kind', async () => {
  const item = await makeItem([
    { kind: 'VEHICLE', licensePlate: 'bab·1234' },
    { kind: 'CONTACT', email: ' BEN@example.com' },
    { kind: 'COMPANY', taxId: 'de 123' },
    { kind: 'LOCATION', name: 'depot' },
  ]);
  expect(idsOf(item)).toEqual([ids.vehicle, ids.contact, ids.company, ids.location]);
  expect(idsOf(await makeItem([{ kind: 'VEHICLE', vin: 'vin-101' }]))).toEqual([ids.vehicle]);
  expect(idsOf(await makeItem([{ kind: 'COMPANY', name: 'HARBOUR freight' }]))).toEqual([ids.company]);
});

describe('an update', () => {
  test('keeps the holders that it does not name, and replaces them by those that it sends', async () => {
    const item = await makeItem([{ kind: 'VEHICLE', id: ids.vehicle }]);
    const rename = await ask(gateway, updateItem, { id: item.id, input: { name: 'Other' } });
    expect(idsOf(rename.item)).toEqual([ids.vehicle]);
    const holders = [{ kind: 'CONTACT', id: ids.contact }];
    expect(idsOf((await ask(gateway, updateItem, { id: item.id, input: { holders } })).item)).toEqual([
      ids.contact,
    ]);
    const none = await ask(gateway, updateItem, { id: item.id, input: { holders: null } });
    expect(none.item.holders).toEqual({ totalCount: 0, nodes: [] });
  });

  test('tells in the history what changed', async () => {
    const item = await makeItem([{ kind: 'VEHICLE', id: ids.vehicle }]);
    await ask(gateway, updateItem, {
      id: item.id,
      input: { holders: [{ kind: 'CONTACT', id: ids.contact }] },
    });
    const query = 'query ($id: ID!) { eventLogs(filter: { entityId: $id }, first: 1) { nodes { details } } }';
    const [{ details }] = (await ask(gateway, query, item)).eventLogs.nodes;
    expect(JSON.parse(details).holders).toEqual({
      before: [{ kind: 'vehicle', id: ids.vehicle }],
      after: [{ kind: 'contact', id: ids.contact }],
    });
  });

  test('of several items gives each the holders', async () => {
    const some = [await makeItem([]), await makeItem([{ kind: 'COMPANY', id: ids.company }])];
    const mutation = `mutation ($ids: [ID!]!, $input: UpdateExpirationItemInput!) {
      items: updateExpirationItems(ids: $ids, input: $input) { ${shown} } }`;
    const input = {
      holders: [
        { kind: 'VEHICLE', licensePlate: 'B AB 1234' },
        { kind: 'LOCATION', id: ids.location },
      ],
    };
    const { items } = await ask(gateway, mutation, { ids: some.map(({ id }) => id), input });
    expect(items.map(idsOf)).toEqual([
      [ids.vehicle, ids.location],
      [ids.vehicle, ids.location],
    ]);
  });
});

test('holders are added after the others, and removed by id or natural key', async () => {
  const item = await makeItem([{ kind: 'VEHICLE', id: ids.vehicle }]);
  const holders = [
    { kind: 'CONTACT', email: 'ben@example.com' },
    { kind: 'VEHICLE', id: ids.vehicle },
    { kind: 'COMPANY', id: ids.company },
  ];
  const { item: added } = await ask(gateway, add, { id: item.id, holders });
  expect(idsOf(added)).toEqual([ids.vehicle, ids.contact, ids.company]);
  const gone = [
    { kind: 'VEHICLE', licensePlate: 'B-AB 1234' },
    { kind: 'COMPANY', id: ids.company },
  ];
  expect(idsOf((await ask(gateway, remove, { id: item.id, holders: gone })).item)).toEqual([ids.contact]);
  const absent = [
    { kind: 'CONTACT', id: ids.contact },
    { kind: 'VEHICLE', licensePlate: 'B-AB 1234' },
  ];
  const refused = refusal(gateway, remove, { id: item.id, holders: absent });
  await expectRefusal(refused, 'BAD_REQUEST', 'holders.1', /is not a vehicle that the item is a paper of/);
});

test('an item can be a paper of a whole fleet', async () => {
  const { organizationId, teamId, database } = gateway;
  const fleet = Array.from({ length: 2_000 }, (_, n) => ({
    id: newId(),
    organizationId,
    teamId,
    name: `Van ${n}`,
  }));
  await database.prisma.vehicle.createMany({ data: fleet });
  const item = await makeItem([]);
  const holders = fleet.map(({ id }) => ({ kind: 'VEHICLE', id }));
  const { item: held } = await ask(gateway, add, { id: item.id, holders });
  expect(held.holders.totalCount).toBe(2_000);
  // An update of something else keeps them all.
  await ask(gateway, updateItem, { id: item.id, input: { name: 'Fleet insurance' } });
  const pages = `query ($id: ID!, $after: String) { expirationItem(id: $id) {
    holders(first: 500, after: $after) { nodes { ... on Vehicle { id } } pageInfo { hasNextPage endCursor } } } }`;
  const seen: string[] = [];
  for (let after: string | null = null; ; ) {
    const page: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } = (
      await ask(gateway, pages, { id: item.id, after })
    ).expirationItem.holders;
    seen.push(...page.nodes.map(({ id }) => id));
    if (!page.pageInfo.hasNextPage) break;
    after = page.pageInfo.endCursor;
  }
  expect(seen).toEqual(fleet.map(({ id }) => id));
  const last = `query ($id: ID!) { expirationItem(id: $id) { holders(last: 2) { nodes { ... on Vehicle { id } } } } }`;
  expect(idsOf((await ask(gateway, last, item)).expirationItem)).toEqual(seen.slice(-2));
  // An event stays short.
  const query = 'query ($id: ID!) { eventLogs(filter: { entityId: $id }) { nodes { details } } }';
  const { nodes } = (await ask(gateway, query, item)).eventLogs;
  expect(Math.max(...nodes.map(({ details }: { details: string }) => details.length))).toBeLessThan(20_000);
  expect(nodes.some(({ details }: { details: string }) => details.includes(fleet[0]?.id ?? ''))).toBe(true);
});

describe('lists', () => {
  test('a record lists its papers, apart from the items whose contact or location it is', async () => {
    const driver = await make('contact', { name: 'Driver', email: 'driver@example.com' });
    const yard = await make('location', { name: 'Yard 7' });
    const own = await makeItem(
      [
        { kind: 'CONTACT', id: driver },
        { kind: 'LOCATION', id: yard },
      ],
      { name: 'B licence' },
    );
    const told = await makeItem([], {
      name: 'A contract',
      contacts: [{ id: driver }],
      locations: [{ id: yard }],
    });
    const query = `query ($driver: ID!, $yard: ID!) {
      contact(id: $driver) { papers { totalCount nodes { id } } expirationItems { nodes { id } } }
      location(id: $yard) { papers { nodes { id } } expirationItems { nodes { id } } } }`;
    const own_ = [{ id: own.id }];
    expect(await ask(gateway, query, { driver, yard })).toEqual({
      contact: { papers: { totalCount: 1, nodes: own_ }, expirationItems: { nodes: [{ id: told.id }] } },
      location: { papers: { nodes: own_ }, expirationItems: { nodes: [{ id: told.id }] } },
    });
  });

  test('papers are filtered and ordered like items', async () => {
    const van = await make('vehicle', { name: 'Van', licensePlate: 'HH V 1' });
    const held = [{ kind: 'VEHICLE', id: van }];
    await makeItem(held, { name: 'Late', expirationDate: '2029-01-01' });
    await makeItem(held, { name: 'Early', expirationDate: '2027-01-01' });
    await makeItem(held, { name: 'Archived', expirationDate: '2026-01-01', isActive: false });
    const query = `query ($id: ID!) { vehicle(id: $id) {
      papers(filter: { isActive: true }, orderBy: [{ field: EXPIRATION_DATE, direction: DESC }]) { nodes { name } } } }`;
    const { nodes } = (await ask(gateway, query, { id: van })).vehicle.papers;
    expect(nodes.map(({ name }: { name: string }) => name)).toEqual(['Late', 'Early']);
  });

  test('items are filtered by holder, by kind and by having none, and ordered by the name of the first', async () => {
    const teamId = gateway.otherTeamId;
    const [zoe, amy] = [
      await make('contact', { name: 'Zoe', email: 'zoe@example.com' }),
      await make('contact', { name: 'Amy', email: 'amy@example.com' }),
    ];
    const named = (id: string) => ({ kind: 'CONTACT', id });
    await makeItem([named(zoe), named(amy)], { name: 'of Zoe', teamId });
    await makeItem([named(amy)], { name: 'of Amy', teamId });
    await makeItem([{ kind: 'VEHICLE', id: ids.vehicle }], { name: 'of a truck', teamId });
    await makeItem([], { name: 'of nobody', teamId });
    const names = async (filter: object, orderBy: object[] = [{ field: 'NAME', direction: 'ASC' }]) => {
      const query = `query ($filter: ExpirationItemFilter, $orderBy: [ExpirationItemOrder!]) {
        expirationItems(filter: $filter, orderBy: $orderBy) { nodes { name } } }`;
      const { nodes } = (await ask(gateway, query, { filter: { ...filter, teamId }, orderBy }))
        .expirationItems;
      return nodes.map(({ name }: { name: string }) => name);
    };
    expect(await names({ holder: { kind: 'CONTACT', id: amy } })).toEqual(['of Amy', 'of Zoe']);
    expect(await names({ holder: { kind: 'VEHICLE', id: amy } })).toEqual([]);
    expect(await names({ holder: { kind: 'CONTACT' } })).toEqual(['of Amy', 'of Zoe']);
    expect(await names({ holder: { kind: 'COMPANY' } })).toEqual([]);
    expect(await names({ hasNone: ['HOLDERS'] })).toEqual(['of nobody']);
    expect(await names({ not: { holder: { kind: 'CONTACT' } } })).toEqual(['of a truck', 'of nobody']);
    const order = [{ field: 'HOLDER_NAME', direction: 'ASC' }];
    expect(await names({}, order)).toEqual(['of Amy', 'of a truck', 'of Zoe', 'of nobody']);
  });
});

describe('what is copied and deleted', () => {
  test('a copy, a renewal and a restored item keep their holders', async () => {
    const held = [
      { kind: 'CONTACT', id: ids.contact },
      { kind: 'VEHICLE', id: ids.vehicle },
    ];
    const { id } = await makeItem(held);
    const expected = [ids.contact, ids.vehicle];
    const { copy } = await ask(
      gateway,
      `mutation ($id: ID!) { copy: copyExpirationItem(id: $id) { id ${shown} } }`,
      { id },
    );
    expect(idsOf(copy)).toEqual(expected);
    const renew = `mutation ($id: ID!) { item: renewExpirationItem(id: $id, input: { expirationDate: "2031-01-31" }) { ${shown} } }`;
    expect(idsOf((await ask(gateway, renew, { id })).item)).toEqual(expected);
    const { gone } = await ask(
      gateway,
      `mutation ($id: ID!) { gone: deleteExpirationItem(id: $id) { ${shown} } }`,
      { id },
    );
    expect(gone.holders.totalCount).toBe(2);
    expect(idsOf(gone)).toEqual(expected);
    const { back } = await ask(
      gateway,
      `mutation ($id: ID!) { back: restoreExpirationItem(id: $id) { ${shown} } }`,
      { id },
    );
    expect(idsOf(back)).toEqual(expected);
  });

  test('a holder that is deleted goes from its papers, and comes back with them', async () => {
    const van = await make('vehicle', { name: 'Old van' });
    const { id } = await makeItem([
      { kind: 'VEHICLE', id: van },
      { kind: 'CONTACT', id: ids.contact },
    ]);
    await ask(gateway, 'mutation ($id: ID!) { deleteVehicle(id: $id) { id } }', { id: van });
    expect(idsOf((await ask(gateway, readItem, { id })).item)).toEqual([ids.contact]);
    await ask(gateway, 'mutation ($id: ID!) { restoreVehicle(id: $id) { id } }', { id: van });
    expect(idsOf((await ask(gateway, readItem, { id })).item)).toEqual([van, ids.contact]);
  });
});

describe('refusals', () => {
  const refused = (holders: readonly object[], token?: string) =>
    refusal(gateway, createItem, { input: { name: 'Paper', expirationDate: '2027-03-31', holders } }, token);
  const absent = /names no vehicle that exists/;

  test('an id of nothing, of another kind or of another organization', async () => {
    const { made } = await ask(gateway, makers.vehicle, { input: { name: 'Theirs' } }, stranger.admin);
    for (const id of [newId(), ids.contact, made.id])
      await expectRefusal(refused([{ kind: 'VEHICLE', id }]), 'BAD_REQUEST', 'holders.0.id', absent);
  });

  test('a key of nothing is not found, and one of several is a conflict that names them', async () => {
    const twins = [
      await make('vehicle', { name: 'Twin 1', licensePlate: 'TW IN 1' }),
      await make('vehicle', { name: 'Twin 2', licensePlate: 'TW-IN-1' }),
    ];
    await ask(gateway, makers.vehicle, { input: { name: 'Theirs', licensePlate: 'TH 1' } }, stranger.admin);
    for (const licensePlate of ['TH 1', 'NO 1'])
      expect(await refused([{ kind: 'VEHICLE', licensePlate }])).toMatchObject({
        ...{ code: 'NOT_FOUND', message: expect.stringContaining(`licence plate "${licensePlate}"`) },
      });
    const several = await refused([{ kind: 'VEHICLE', licensePlate: 'twin1' }]);
    expect(several.code).toBe('CONFLICT');
    for (const id of twins) expect(several.message).toContain(id);
  });

  test('only vehicles that the caller sees count', async () => {
    const { otherTeamId: teamId, member } = gateway;
    await make('vehicle', { name: 'Hidden', licensePlate: 'SEEN 1', teamId });
    const own = await make('vehicle', { name: 'Seen', licensePlate: 'SEEN 1' });
    expect(idsOf(await makeItem([{ kind: 'VEHICLE', licensePlate: 'SEEN 1' }], {}, member))).toEqual([own]);
    expect((await refused([{ kind: 'VEHICLE', licensePlate: 'SEEN 1' }])).code).toBe('CONFLICT');
  });

  test('an entry without a name, with two, or with one of another kind', async () => {
    for (const entry of [{}, { vin: 'a', licensePlate: 'b' }, { vin: ' ' }, { email: 'ben@example.com' }])
      expect((await refused([{ kind: 'VEHICLE', ...entry }])).code).toBe('BAD_REQUEST');
    for (const licensePlate of ['a\0', 'x'.repeat(256), '\ud800'])
      expect((await refused([{ kind: 'VEHICLE', licensePlate }])).code).toBe('BAD_REQUEST');
  });

  test('more than a hundred in one input', async () => {
    const many = Array.from({ length: 101 }, () => ({ kind: 'VEHICLE', id: ids.vehicle }));
    await expectRefusal(refused(many), 'BAD_REQUEST', 'holders', /at most 100 entries/);
  });
});

test('a holder in a workspace that the caller does not see is not shown, and stays', async () => {
  const hidden = await make('vehicle', { name: 'Hidden', teamId: gateway.otherTeamId });
  const { id } = await makeItem([
    { kind: 'VEHICLE', id: hidden },
    { kind: 'CONTACT', id: ids.contact },
  ]);
  const { member } = gateway;
  expect((await ask(gateway, readItem, { id }, member)).item.holders).toMatchObject({ totalCount: 1 });
  const input = { holders: [{ kind: 'COMPANY', id: ids.company }] };
  expect(idsOf((await ask(gateway, updateItem, { id, input }, member)).item)).toEqual([ids.company]);
  expect(idsOf((await ask(gateway, readItem, { id })).item)).toEqual([hidden, ids.company]);
  const named = [{ kind: 'VEHICLE', id: hidden }];
  expect((await refusal(gateway, add, { id, holders: named }, member)).code).toBe('BAD_REQUEST');
  expect((await refusal(gateway, remove, { id, holders: named }, member)).code).toBe('BAD_REQUEST');
  const filter = `query ($id: ID!) { expirationItems(filter: { holder: { kind: VEHICLE, id: $id } }) { totalCount } }`;
  expect((await ask(gateway, filter, { id: hidden })).expirationItems.totalCount).toBe(1);
  expect((await ask(gateway, filter, { id: hidden }, member)).expirationItems.totalCount).toBe(0);
});

test('holders of many items take a statement for them and one for each kind', async () => {
  const held = Object.entries(ids).map(([kind, id]) => ({ kind: kind.toUpperCase(), id }));
  await makeItem(held);
  await makeItem(held);
  const query = `{ expirationItems(first: 5) { nodes { id holders(first: 5) {
    totalCount nodes { ... on Vehicle { id } ... on Contact { id } ... on Company { id } ... on Location { id } } } } } }`;
  const [, ...names] = await gateway.statementNames(() => ask(gateway, query));
  const found = ['companies', 'contacts', 'locations', 'vehicles'].map((table) => `${table}.find`);
  const own = ['expiration_items.list', 'item_holders.count', 'item_holders.of_items'];
  expect(names.sort()).toEqual([...own, ...found].sort());
});

test('a forged cursor of holders is refused', async () => {
  const { id } = await makeItem([{ kind: 'VEHICLE', id: ids.vehicle }]);
  const list = `query ($id: ID!, $after: String!) { item: expirationItem(id: $id) { holders(first: 1, after: $after) { nodes { __typename } edges { cursor } } } }`;
  for (const position of [3_000_000_000, -3_000_000_000, 1.5, '1', null, true]) {
    const after = Buffer.from(JSON.stringify(['position', 'asc', position, id, 'Holder'])).toString(
      'base64url',
    );
    expect(await refusal(gateway, list, { id, after }), String(position)).toMatchObject({
      code: 'BAD_REQUEST',
    });
  }
});
