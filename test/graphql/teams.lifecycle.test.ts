import { describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { expectNoTrace } from '../rest/records.js';
import { createLinked, eventsOf, nowhere } from '../rest/support.js';
import { createTenant, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { operationsOn } from './records.declared.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();

const { create, update, remove } = operationsOn('Team');
const make = async (input: object = {}) =>
  (await ask(gateway, create, { input: { name: 'Depot', ...input } })).record;

describe('createTeam', () => {
  test('its creator belongs to it, and its event is visible there', async () => {
    const { id } = await make({ name: 'Annex' });
    const { prisma } = gateway.database;
    const members = await prisma.membership.findMany({ where: { teamId: id } });
    expect(members).toMatchObject([{ userId: gateway.userId }]);
    const events = await eventsOf(gateway, { id });
    expect(events).toMatchObject([{ typeId: 1, teamId: id, description: 'Workspace "Annex" was created' }]);
    expect(Object.keys(JSON.parse(events[0]?.details ?? ''))).toEqual([
      'name',
      'timezone',
      'reminder_days',
      'reminder_policy_id',
      'working_days',
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

  test('CONFLICT: for an id that is taken, even by another organization', async () => {
    const { teamId: id } = await createTenant(gateway.database, 'Globex');
    await expectNoTrace(gateway, async () => {
      const input = { id, name: 'Stolen' };
      await expectRefusal(refusal(gateway, create, { input }), 'CONFLICT', 'id');
    });
  });

  test('takes four statements more than the workspace: the standard time zone, whether its id was used, its member, its event', async () => {
    expect(await namesOf(gateway, () => make())).toEqual([
      'organizations.find',
      'teams.used',
      'teams.insert',
      'memberships.insert',
      'event_logs.insert',
      'COMMIT',
    ]);
  });
});

describe('deleteTeam', () => {
  test('its history stays unchanged, and its members no longer belong to it', async () => {
    const { id } = await make();
    await ask(gateway, update, { id, input: { name: 'Shed' } });
    await ask(gateway, remove, { id });
    const events = await eventsOf(gateway, { id });
    expect(events.map(({ typeId, teamId }) => [typeId, teamId])).toEqual([
      [1, id],
      [2, id],
      [4, id],
    ]);
    expect(await gateway.database.prisma.membership.count({ where: { teamId: id } })).toBe(0);
  });

  test('what happened to its records is for admins to read, and for nobody else', async () => {
    const { id } = await make();
    const vehicle = 'mutation ($input: CreateVehicleInput!) { createVehicle(input: $input) { id } }';
    const { createVehicle } = await ask(gateway, vehicle, { input: { teamId: id, name: 'Gone van' } });
    await ask(gateway, 'mutation ($id: ID!) { deleteVehicle(id: $id) { id } }', createVehicle);
    await ask(gateway, remove, { id });
    const query = `query ($id: ID!) {
      eventLogs(filter: { teamId: $id }) { totalCount nodes { description team { id } } }
    }`;
    const told = (token: string) => gateway.graphql(query, { id }, token);
    const { eventLogs } = (await told(gateway.admin)).data;
    expect(eventLogs.totalCount).toBe(4);
    expect(eventLogs.nodes).toContainEqual({ description: 'Vehicle "Gone van" was deleted', team: null });
    expect((await told(gateway.member)).data.eventLogs).toEqual({ totalCount: 0, nodes: [] });
  });

  test('uploads that are filed go with it, those that wait for somebody do not', async () => {
    const { id } = await make();
    const { organizationId, database } = gateway;
    const upload = (state: 'FILED' | 'IGNORED' | 'FAILED' | 'RECEIVED') =>
      database.prisma.uploadNotification.create({
        data: { id: newId(), organizationId, teamId: id, dedupeKey: newId(), state },
      });
    for (const state of ['FILED', 'IGNORED'] as const) await upload(state);
    const [failed, received] = [await upload('FAILED'), await upload('RECEIVED')];
    const refused = /: 2 upload notifications still belong to it/;
    await expectRefusal(refusal(gateway, remove, { id }), 'CONFLICT', undefined, refused);
    expect(await database.prisma.uploadNotification.count({ where: { teamId: id } })).toBe(4);
    const where = { id: { in: [failed.id, received.id] } };
    await database.prisma.uploadNotification.deleteMany({ where });
    await ask(gateway, remove, { id });
    expect(await database.prisma.uploadNotification.count({ where: { teamId: id } })).toBe(0);
  });

  test('CONFLICT: while it holds a record', async () => {
    const { id } = await make();
    await createLinked(gateway, gateway, id);
    await expectNoTrace(gateway, () =>
      expectRefusal(
        refusal(gateway, remove, { id }),
        'CONFLICT',
        undefined,
        /: 1 contact and 1 location still belong/,
      ),
    );
  });

  test('CONFLICT: lists the number of every kind in the way', async () => {
    const { id } = await make();
    const input = { teamId: id, name: 'Holder' };
    for (const type of ['Vehicle', 'Vehicle', 'Company', 'ContactType', 'Tag', 'Note', 'Location'])
      await ask(gateway, `mutation ($input: Create${type}Input!) { create${type}(input: $input) { id } }`, {
        input: { ...input, name: `Holder ${newId()}` },
      });
    const held =
      /: 2 vehicles, 1 company, 1 contact type, 1 location, 1 note, and 1 tag still belong to it\.$/;
    await expectNoTrace(gateway, () =>
      expectRefusal(refusal(gateway, remove, { id }), 'CONFLICT', undefined, held),
    );
  });

  test('CONFLICT: while it is a user’s default', async () => {
    const { organizationId, teamId, database } = gateway;
    const where = { organizationId, email: 'max@example.com' };
    const { id } = await make();
    await database.prisma.user.updateMany({ where, data: { teamId: id } });
    await expectRefusal(
      refusal(gateway, remove, { id }),
      'CONFLICT',
      undefined,
      /1 user still belongs to it/,
    );
    await database.prisma.user.updateMany({ where, data: { teamId } });
  });

  test('NOT_FOUND: for an unknown one', async () => {
    await expectRefusal(refusal(gateway, remove, { id: nowhere }), 'NOT_FOUND', undefined, /workspace/);
  });
});
