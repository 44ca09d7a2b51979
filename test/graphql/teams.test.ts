import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoTrace } from '../rest/records.js';
import { createLinked, eventsOf, nowhere } from '../rest/support.js';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import { settle, shapesOf } from '../support/statements.js';
import { describeRecords, expectStatements, operationsOf, type Records } from './records.js';
import { ask, expectRefusal, refusal } from './support.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  await settle(gateway);
});
afterAll(() => gateway.close());

const records: Records = {
  gateway: () => gateway,
  type: 'Team',
  one: 'team',
  many: 'teams',
  kind: 9,
  noun: 'workspace',
  plain: () => ({ name: 'Night shift', isActive: false, timezone: 'Asia/Calcutta', reminderDays: 3_650 }),
  blank: { name: '', isActive: true, timezone: 'UTC', reminderDays: 30 },
  needed: () => ({ name: 'Depot' }),
  links: async () => ({}),
  searched: ['name'],
};
const { create, update, replace, patch, remove, list } = operationsOf(records);
const make = async (input: object = {}) =>
  (await ask(gateway, create, { input: { name: 'Depot', ...input } })).record;

describeRecords(records);

test.each<[field: string, input: object]>([
  ['name', { name: '' }],
  ['name', { name: ' \t' }],
  ['name', { name: 'x'.repeat(256) }],
  ['timezone', { timezone: '' }],
  ['timezone', { timezone: '+02:00' }],
  ['reminderDays', { reminderDays: -1 }],
  ['reminderDays', { reminderDays: 3_651 }],
])('refuses a wrong %s (%#)', async (field, input) => {
  const { id } = await make();
  await expectNoTrace(gateway, async () => {
    const made = refusal(gateway, create, { input: { name: 'x', ...input } });
    await expectRefusal(made, 'BAD_REQUEST', field);
    await expectRefusal(refusal(gateway, update, { id, input }), 'BAD_REQUEST', field);
  });
});

test('reminderDays may be 0', async () => {
  expect(await make({ reminderDays: 0 })).toMatchObject({ reminderDays: 0 });
});

describe('who may do what', () => {
  test('a member changes its workspaces, and no other', async () => {
    const { teamId: id, otherTeamId, member } = gateway;
    const input = { name: 'Ours', reminderDays: 7 };
    expect((await ask(gateway, update, { id, input }, member)).record).toMatchObject(input);
    const whole = { name: 'Ours', timezone: 'Asia/Tokyo' };
    const replaced = (await ask(gateway, replace, { id, input: whole }, member)).record;
    expect(replaced).toMatchObject({ ...whole, reminderDays: 30 });
    await expectRefusal(refusal(gateway, update, { id: otherTeamId, input }, member), 'NOT_FOUND');
  });

  test('only an admin makes and deletes workspaces', async () => {
    const { id } = await make();
    await expectNoTrace(gateway, async () => {
      for (const token of [gateway.member, gateway.viewer, gateway.uploader]) {
        const input = { name: 'Mine' };
        await expectRefusal(refusal(gateway, create, { input }, token), 'FORBIDDEN', undefined, /role/);
        await expectRefusal(refusal(gateway, remove, { id }, token), 'FORBIDDEN', undefined, /role/);
        const own = refusal(gateway, remove, { id: gateway.teamId }, token);
        await expectRefusal(own, 'FORBIDDEN', undefined, /role/);
      }
    });
  });
});

describe('createTeam', () => {
  test('the maker belongs to it, and its event is told in it', async () => {
    const { id } = await make({ name: 'Annex' });
    const { prisma } = gateway.database;
    const members = await prisma.membership.findMany({ where: { teamId: id } });
    expect(members).toMatchObject([{ userId: gateway.userId }]);
    const events = await eventsOf(gateway, { id });
    expect(events).toMatchObject([{ typeId: 1, teamId: id, description: 'Workspace "Annex" was created' }]);
    expect(Object.keys(JSON.parse(events[0]?.details ?? ''))).toEqual([
      'name',
      'is_active',
      'timezone',
      'reminder_days',
    ]);
  });

  test('it can be used at once, in the same request', async () => {
    const id = '018f0000-0000-7000-8000-00000000aaaa';
    const query = `mutation ($id: ID!) {
      createTeam(input: { id: $id, name: "New" }) { id }
      patchTeam(id: $id, operations: [{ op: "replace", path: "/name", value: "Newer" }]) { name }
      createVehicle(input: { teamId: $id, name: "Van" }) { team { name } }
    }`;
    expect(await ask(gateway, query, { id })).toEqual({
      createTeam: { id },
      patchTeam: { name: 'Newer' },
      createVehicle: { team: { name: 'Newer' } },
    });
  });

  test('CONFLICT: for an id that is taken, be it by another organization', async () => {
    const { teamId: id } = await createTenant(gateway.database, 'Globex');
    await expectNoTrace(gateway, async () => {
      const input = { id, name: 'Stolen' };
      await expectRefusal(refusal(gateway, create, { input }), 'CONFLICT', 'id');
    });
  });

  test('takes three statements more than the workspace: its member and its event', async () => {
    expect(await shapesOf(gateway, () => make())).toEqual([
      'insert teams',
      'insert memberships',
      'insert event_logs',
      'insert event_log_entities',
      'commit',
    ]);
  });
});

describe('deleteTeam', () => {
  test('its own history moves to the default workspace of who deleted it', async () => {
    const { id } = await make();
    await ask(gateway, update, { id, input: { name: 'Shed' } });
    await ask(gateway, remove, { id });
    const events = await eventsOf(gateway, { id });
    expect(events.map(({ typeId, teamId }) => [typeId, teamId])).toEqual([
      [1, gateway.teamId],
      [2, gateway.teamId],
      [4, gateway.teamId],
    ]);
    expect(await gateway.database.prisma.membership.count({ where: { teamId: id } })).toBe(0);
  });

  test('CONFLICT: while it holds a record', async () => {
    const { id } = await make();
    await createLinked(gateway, gateway, id);
    await expectNoTrace(gateway, () =>
      expectRefusal(refusal(gateway, remove, { id }), 'CONFLICT', undefined, /contacts still belong to it/),
    );
  });

  test('CONFLICT: once it held one, for the history is its members’ alone to read', async () => {
    const { id } = await make();
    const vehicle = 'mutation ($input: CreateVehicleInput!) { createVehicle(input: $input) { id } }';
    const { createVehicle } = await ask(gateway, vehicle, { input: { teamId: id } });
    await ask(gateway, 'mutation ($id: ID!) { deleteVehicle(id: $id) { id } }', createVehicle);
    await expectNoTrace(gateway, () =>
      expectRefusal(refusal(gateway, remove, { id }), 'CONFLICT', undefined, /event logs still belong to it/),
    );
  });

  test('CONFLICT: while it is a user’s default', async () => {
    const { organizationId, teamId, database } = gateway;
    const where = { organizationId, email: 'max@example.com' };
    const { id } = await make();
    await database.prisma.user.updateMany({ where, data: { teamId: id } });
    await expectRefusal(refusal(gateway, remove, { id }), 'CONFLICT', undefined, /users still belong to it/);
    await database.prisma.user.updateMany({ where, data: { teamId } });
  });

  test('NOT_FOUND: for one that is not there', async () => {
    await expectRefusal(refusal(gateway, remove, { id: nowhere }), 'NOT_FOUND', undefined, /workspace/);
  });
});

test('is ordered by its own fields: a workspace is in none', async () => {
  const query = '{ __type(name: "TeamOrderField") { enumValues { name } } }';
  const { enumValues } = (await ask(gateway, query)).__type;
  const names = enumValues.map(({ name }: { name: string }) => name).sort();
  expect(names).toEqual(['CREATED', 'ID', 'IS_ACTIVE', 'MODIFIED', 'NAME', 'REMINDER_DAYS', 'TIMEZONE']);
  for (const field of names) await ask(gateway, list, { orderBy: { field } });
});

test('is filtered by isActive', async () => {
  const { id } = await make({ isActive: false });
  const ids = async (isActive: boolean) =>
    (await ask(gateway, list, { filter: { isActive } })).list.nodes.map((team: { id: string }) => team.id);
  expect(await ids(false)).toContain(id);
  expect(await ids(true)).not.toContain(id);
});

test('patchTeam: every field is shown here, and can be patched', async () => {
  const { id } = await make();
  const operations = [
    { op: 'test', path: '/timezone', value: 'UTC' },
    { op: 'replace', path: '/timezone', value: 'Asia/Tokyo' },
    { op: 'remove', path: '/reminderDays' },
  ];
  const { record } = await ask(gateway, patch, { id, operations });
  expect(record).toMatchObject({ timezone: 'Asia/Tokyo', reminderDays: 30 });
});

test('a list of 100 takes two statements', async () => {
  const { prisma } = gateway.database;
  const tenant = await createTenant(gateway.database, 'Initech');
  const foreign = { ...gateway, admin: tenant.admin };
  const { organizationId } = tenant;
  await settle(gateway);
  const fill = async (number: number) => {
    // The tenant has two already.
    const rows = Array.from({ length: number === 2 ? 0 : number }, (_, i) => ({
      id: crypto.randomUUID(),
      organizationId,
      name: `Team ${i}`,
    }));
    await prisma.team.createMany({ data: rows });
  };
  const query = '{ list: teams(first: 100) { totalCount nodes { id name } } }';
  await expectStatements(foreign, query, fill, ['read teams', 'count teams']);
});
