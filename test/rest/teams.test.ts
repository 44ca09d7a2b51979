import { beforeAll, describe, expect, test } from 'vitest';
import { createTenant, type Tenant, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { expectNoTrace } from './records.js';
import { eventsOf, expectBadRequest, nowhere } from './support.js';

const gateway = useGateway();
let foreign: Tenant;
beforeAll(async () => {
  foreign = await createTenant(gateway.database, 'Globex');
});

const list = async (query = '', token = gateway.admin) => {
  const response = await gateway.send('GET', `/v1/teams${query}`, { token });
  expect(response.status, response.text).toBe(200);
  return response.json;
};
const names = async (query?: string, token?: string) =>
  (await list(query, token)).teams.map(({ name }: { name: string }) => name);
const patch = (id: string, operations: unknown, token = gateway.admin) =>
  gateway.send('PATCH', `/v1/teams/${id}`, { body: operations, token });
const set = (member: string, value: unknown) => [{ op: 'replace', path: `/${member}`, value }];

describe('GET /v1/teams', () => {
  test('200: the workspaces that the caller reaches, by name, as the contract models them', async () => {
    expect(await list('', gateway.member)).toStrictEqual({
      teams: [
        { name: 'Acme Main', id: gateway.teamId, is_active: true, modified: '2026-11-20T09:30:00.000Z' },
      ],
      pages: 1,
      page: 1,
      total: 1,
    });
    expect(await names()).toEqual(['Acme Main', 'Acme Other']);
    expect(await names('', gateway.viewer)).toEqual(['Acme Main']);
    expect(await names('', foreign.admin)).toEqual(['Globex Main', 'Globex Other']);
  });

  test.each([
    ['?term=MAIN', ['Acme Main']],
    ['?term=%25', []],
    ['?Term=acme&page=-1', ['Acme Main', 'Acme Other']],
    ['?paging=1&page=2', ['Acme Other']],
    ['?page=9', []],
    // The contract names no order here; every list has one.
    ['?sort=name&sortDirection=desc', ['Acme Other', 'Acme Main']],
    ['?sortDirection=desc', ['Acme Other', 'Acme Main']],
  ])('200: %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });
});

describe('PATCH /v1/teams/{id}', () => {
  test('200: a member changes its workspace; what REST does not show is kept', async () => {
    const { teamId: id, database } = gateway;
    const hidden = { timezone: 'Asia/Tokyo', reminderDays: 7 };
    await database.prisma.team.update({ where: { id }, data: hidden });
    const response = await patch(id, set('name', 'Renamed'), gateway.member);
    expect(response.status, response.text).toBe(200);
    expect(response.json).toStrictEqual({
      name: 'Renamed',
      id,
      is_active: true,
      modified: '2026-11-20T09:30:00.001Z',
    });
    expect(await database.prisma.team.findUnique({ where: { id } })).toMatchObject(hidden);
    const events = await eventsOf(gateway, { id });
    expect(events).toMatchObject([
      {
        typeId: 2,
        teamId: id,
        userName: 'Max Member',
        description: 'Workspace "Renamed" was updated: name',
        entities: [{ entityId: id, typeId: 9 }],
      },
    ]);
    expect(JSON.parse(events[0]?.details ?? '')).toEqual({ name: { before: 'Acme Main', after: 'Renamed' } });
  });

  test('200: taking it out of use, and back, are events of their own', async () => {
    const id = gateway.otherTeamId;
    expect((await patch(id, set('is_active', false))).json.is_active).toBe(false);
    expect((await patch(id, [{ op: 'remove', path: '/is_active' }])).json.is_active).toBe(true);
    expect((await eventsOf(gateway, { id })).map(({ typeId }) => typeId)).toEqual([5, 6]);
  });

  test.each([
    ['name', [{ op: 'remove', path: '/name' }]],
    ['id', set('id', nowhere)],
    ['timezone', set('timezone', 'Europe/Berlin')],
    ['team_id', set('team_id', nowhere)],
  ])('400: a wrong %s (%#)', async (member, operations) => {
    await expectNoTrace(gateway, async () => {
      expectBadRequest(await patch(gateway.otherTeamId, operations), new RegExp(`\\b${member}\\b`));
    });
  });

  test('takes as many statements as any patch', async () => {
    expect(await namesOf(gateway, () => patch(gateway.otherTeamId, set('name', 'Counted')))).toEqual([
      'teams.lock',
      'teams.update',
      'COMMIT',
    ]);
  });
});
