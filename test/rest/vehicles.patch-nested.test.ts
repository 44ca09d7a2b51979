import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { create, patch, serverId } from './support.js';

const gateway = useGateway();

const a = { id: serverId, name: 'a', value: '1' };
const b = { id: serverId, name: 'b', value: '2' };
const c = { id: serverId, name: 'c', value: '3' };
const custom_fields = [a, b, c].map(({ name, value }) => ({ name, value }));

test.each<[operations: object[], fields: object[]]>([
  [
    [{ op: 'add', path: '/custom_fields/-', value: { name: 'd', value: '4' } }],
    [a, b, c, { id: serverId, name: 'd', value: '4' }],
  ],
  [
    [{ op: 'add', path: '/custom_fields/0', value: { name: 'd' } }],
    [{ id: serverId, name: 'd', value: null }, a, b, c],
  ],
  [
    [{ op: 'add', path: '/custom_fields/3', value: {} }],
    [a, b, c, { id: serverId, name: null, value: null }],
  ],
  [
    [{ op: 'add', path: '/custom_fields/1', value: { NAME: 'd', color: 'x' } }],
    [a, { id: serverId, name: 'd', value: null }, b, c],
  ],
  [[{ op: 'remove', path: '/custom_fields/1' }], [a, c]],
  [
    [{ op: 'replace', path: '/custom_fields/1', value: { name: 'd' } }],
    [a, { id: serverId, name: 'd', value: null }, c],
  ],
  [[{ op: 'replace', path: '/custom_fields/1/value', value: 'x' }], [a, { ...b, value: 'x' }, c]],
  [[{ op: 'replace', path: '/custom_fields/1/value', value: null }], [a, { ...b, value: null }, c]],
  [[{ op: 'remove', path: '/custom_fields/0/name' }], [{ ...a, name: null }, b, c]],
  [[{ op: 'move', from: '/custom_fields/0', path: '/custom_fields/2' }], [b, c, a]],
  [[{ op: 'move', from: '/custom_fields/2', path: '/custom_fields/0' }], [c, a, b]],
  [[{ op: 'move', from: '/custom_fields/0', path: '/custom_fields/-' }], [b, c, a]],
  [
    [{ op: 'copy', from: '/custom_fields/0/value', path: '/custom_fields/2/value' }],
    [a, b, { ...c, value: '1' }],
  ],
  [[{ op: 'copy', from: '/custom_fields/0', path: '/custom_fields/-' }], [a, b, c, a]],
  [
    [
      { op: 'add', path: '/custom_fields/-', value: { name: 'd', value: '4' } },
      { op: 'test', path: '/custom_fields/3/name', value: 'd' },
      { op: 'remove', path: '/custom_fields/0' },
      { op: 'replace', path: '/custom_fields/2/value', value: '5' },
    ],
    [b, c, { id: serverId, name: 'd', value: '5' }],
  ],
])('custom fields: %j', async (operations, fields) => {
  const vehicle = await create(gateway, { custom_fields });
  const response = await patch(gateway, vehicle, operations);
  expect(response.status, response.text).toBe(200);
  expect(response.json.custom_fields).toEqual(fields);
  const kept = response.json.custom_fields.filter(({ name }: { name: string }) => 'abc'.includes(name));
  for (const { id, name } of kept) {
    expect(id).toBe(vehicle.custom_fields.find((field: { name: string }) => field.name === name).id);
  }
});

test.each<[operation: object, assigned: string | null]>([
  [{ op: 'replace', path: '/assigned_to', value: null }, null],
  [{ op: 'remove', path: '/assigned_to' }, null],
  [{ op: 'replace', path: '/assigned_to/id', value: 'max' }, 'max'],
  [{ op: 'replace', path: '/assigned_to', value: { id: 'max' } }, 'max'],
  [{ op: 'add', path: '/Assigned_To', value: { ID: 'max' } }, 'max'],
])('assigned_to: %j', async (operation, assigned) => {
  const max = await gateway.database.prisma.user.findFirstOrThrow({ where: { name: 'Max Member' } });
  const vehicle = await create(gateway, { assigned_to: { id: gateway.userId } });
  const response = await patch(
    gateway,
    vehicle,
    JSON.parse(JSON.stringify([operation]).replace('"max"', `"${max.id}"`)),
  );
  expect(response.status, response.text).toBe(200);
  const shown = { id: max.id, name: 'Max Member', email: 'max@example.com', team_id: gateway.teamId };
  expect(response.json.assigned_to).toStrictEqual(assigned && shown);
});

test('a user can be assigned by id where none was', async () => {
  const vehicle = await create(gateway);
  const operations = [{ op: 'add', path: '/assigned_to/id', value: gateway.userId }];
  expect((await patch(gateway, vehicle, operations)).json.assigned_to.name).toBe('Ada Admin');
});
