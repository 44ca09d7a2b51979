import { describe, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import {
  create,
  eventsOf,
  expectBadRequest,
  expectError,
  expectNothingWritten,
  expectNotModified,
  nowhere,
  patch,
} from './support.js';

const gateway = useGateway();

const start = {
  name: 'Van',
  make: 'Ford',
  year: 2020,
  license_plate: null,
  is_archived: true,
  custom_fields: [
    { name: 'a', value: '1' },
    { name: 'b', value: '2' },
    { name: 'c', value: '3' },
  ],
};

describe('200', () => {
  test.each<[operations: object[], changes: object]>([
    [[{ op: 'add', path: '/name', value: 'Bus' }], { name: 'Bus' }],
    [[{ op: 'add', path: '/license_plate', value: 'AB 1' }], { license_plate: 'AB 1' }],
    [[{ op: 'replace', path: '/license_plate', value: 'AB 1' }], { license_plate: 'AB 1' }],
    [[{ op: 'replace', path: '/name', value: null }], { name: null }],
    [[{ op: 'replace', path: '/name' }], { name: null }],
    [[{ op: 'remove', path: '/name' }], { name: null }],
    [[{ op: 'remove', path: '/is_archived' }], { is_archived: false }],
    [[{ op: 'replace', path: '/is_archived', value: null }], { is_archived: false }],
    [[{ op: 'remove', path: '/custom_fields' }], { custom_fields: [] }],
    [[{ op: 'replace', path: '/custom_fields', value: null }], { custom_fields: [] }],
    [[{ op: 'move', from: '/make', path: '/model' }], { make: null, model: 'Ford' }],
    [[{ op: 'copy', from: '/make', path: '/model' }], { model: 'Ford' }],
    [
      [
        { op: 'test', path: '/name', value: 'Van' },
        { op: 'add', path: '/trim', value: 'XL' },
        { op: 'copy', from: '/trim', path: '/color' },
        { op: 'test', path: '/color', value: 'XL' },
        { op: 'replace', path: '/trim', value: 'S' },
      ],
      { trim: 'S', color: 'XL' },
    ],
    [
      [
        { op: 'test', path: '/year', value: 2020.0 },
        { op: 'replace', path: '/year', value: 2021 },
      ],
      { year: 2021 },
    ],
  ])('%j', async (operations, changes) => {
    const vehicle = await create(gateway, start);
    const response = await patch(gateway, vehicle, operations);
    expect(response.status, response.text).toBe(200);
    expect(response.json).toEqual({ ...vehicle, ...changes, modified: response.json.modified });
    expect(response.json.modified > vehicle.modified).toBe(true);
  });

  test('500 operations, in one change', async () => {
    const vehicle = await create(gateway, { year: 0 });
    const operations = Array.from({ length: 500 }, (_, i) => ({ op: 'replace', path: '/year', value: i }));
    const { status, json } = await patch(gateway, vehicle, operations);
    expect(status).toBe(200);
    expect(json).toMatchObject({ year: 499, modified: '2026-11-20T09:30:00.001Z' });
  });
});

describe('the leniencies of ASP.NET Core', () => {
  test.each([
    { op: 'REPLACE', path: '/name', value: 'Bus' },
    { op: 'Replace', path: '/NAME', value: 'Bus' },
    { op: 'replace', path: 'name', value: 'Bus' },
    { op: 'replace', path: 'Name', value: 'Bus' },
    { OP: 'replace', Path: '/name', VALUE: 'Bus' },
    { operationType: 2, op: 'replace', path: '/name', value: 'Bus' },
    { operationType: 'Replace', op: 'replace', path: '/name', from: null, value: 'Bus' },
    { operationType: 'Remove', op: 'replace', path: '/name', from: '/nothing/here', value: 'Bus', x: {} },
  ])('%j', async (operation) => {
    const vehicle = await create(gateway, start);
    expect((await patch(gateway, vehicle, [operation])).json.name).toBe('Bus');
  });

  test('of move and copy', async () => {
    const vehicle = await create(gateway, start);
    const response = await patch(gateway, vehicle, [
      { op: 'Move', from: 'MAKE', path: 'Model' },
      { op: 'COPY', from: 'Custom_Fields/0', path: 'CUSTOM_FIELDS/-' },
    ]);
    expect(response.json).toMatchObject({ make: null, model: 'Ford', custom_fields: { length: 4 } });
  });
});

describe('304 NOT_MODIFIED', () => {
  test.each<[what: string, operations: object[]]>([
    ['an empty list', []],
    ['the value it has', [{ op: 'replace', path: '/name', value: 'Van' }]],
    ['a test alone', [{ op: 'test', path: '/name', value: 'Van' }]],
    ['what is null already', [{ op: 'remove', path: '/license_plate' }]],
    ['a move onto itself', [{ op: 'move', from: '/make', path: '/make' }]],
    [
      'there and back',
      [
        { op: 'move', from: '/make', path: '/trim' },
        { op: 'move', from: '/trim', path: '/make' },
      ],
    ],
    [
      'an entry that comes and goes',
      [
        { op: 'add', path: '/custom_fields/-', value: { name: 'd' } },
        { op: 'remove', path: '/custom_fields/3' },
      ],
    ],
  ])('%s', async (_what, operations) => {
    const vehicle = await create(gateway, start);
    await expectNothingWritten(gateway, async () =>
      expectNotModified(await patch(gateway, vehicle, operations)),
    );
  });
});

describe('409 CONFLICT', () => {
  test.each<[index: number, operations: object[]]>([
    [0, [{ op: 'test', path: '/name', value: 'Bus' }]],
    [0, [{ op: 'test', path: '/name', value: 'van' }]],
    [0, [{ op: 'test', path: '/name' }]],
    [0, [{ op: 'test', path: '/year', value: '2020' }]],
    [0, [{ op: 'test', path: '/assigned_to/id', value: nowhere }]],
    [0, [{ op: 'test', path: '/custom_fields', value: [] }]],
    [
      1,
      [
        { op: 'replace', path: '/name', value: 'Bus' },
        { op: 'test', path: '/name', value: 'Van' },
      ],
    ],
  ])('for a test that fails, naming operation %i of %j; nothing is changed', async (index, operations) => {
    const vehicle = await create(gateway, start);
    await expectNothingWritten(gateway, async () => {
      const message = new RegExp(`\\boperation ${index}\\b`);
      expectError(await patch(gateway, vehicle, operations), 409, 'CONFLICT', message);
    });
  });
});

test('the operations see the vehicle as it is shown: its own members can be tested and copied', async () => {
  const vehicle = await create(gateway, { assigned_to: { id: gateway.userId } });
  const response = await patch(gateway, vehicle, [
    { op: 'test', path: '/id', value: vehicle.id },
    { op: 'test', path: '/modified', value: vehicle.modified },
    { op: 'test', path: '/assigned_to', value: vehicle.assigned_to },
    { op: 'test', path: '', value: vehicle },
    { op: 'replace', path: '/id', value: vehicle.id },
    { op: 'copy', from: '/assigned_to/name', path: '/name' },
  ]);
  expect(response.json).toMatchObject({ id: vehicle.id, name: 'Ada Admin' });
});

test('the whole vehicle can be replaced', async () => {
  const vehicle = await create(gateway, start);
  const response = await patch(gateway, vehicle, [{ op: 'replace', path: '', value: { NAME: 'Bus' } }]);
  expect(response.json).toMatchObject({
    id: vehicle.id,
    name: 'Bus',
    make: null,
    is_archived: false,
    custom_fields: [],
  });
  expectBadRequest(
    await patch(gateway, vehicle, [{ op: 'replace', path: '', value: { id: nowhere } }]),
    /operation 0/,
  );
});

test("an assignment is logged in the contract's words", async () => {
  const vehicle = await create(gateway);
  const operations = [{ op: 'replace', path: '/assigned_to', value: { id: gateway.userId } }];
  await patch(gateway, vehicle, operations);
  const [, event] = await eventsOf(gateway, vehicle);
  expect(event?.description).toMatch(/\bassigned_to\b/);
  expect(Object.keys(JSON.parse(event?.details ?? ''))).toEqual(['assigned_to']);
});
