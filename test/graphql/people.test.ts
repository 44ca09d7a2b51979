import { beforeAll, describe, expect, test } from 'vitest';
import { eventTypes } from '../../src/domain/models.js';
import { createTenant, type Tenant, useGateway } from '../support/gateway.js';
import {
  add,
  deactivate,
  expectRefused,
  invite,
  inviteOne,
  makeUser,
  remove,
  update,
} from './people.support.js';
import { ask } from './support.js';

const gateway = useGateway();
let foreign: Tenant;
let max: string;
beforeAll(async () => {
  foreign = await createTenant(gateway.database, 'Globex');
  const where = { name: 'Max Member', organizationId: gateway.organizationId };
  max = (await gateway.database.prisma.user.findFirstOrThrow({ where })).id;
});

const roleOf = async (token: string) =>
  (await gateway.graphql('{ me { role permissions } }', {}, token)).data?.me.role;

const eventsOf = (type: keyof typeof eventTypes) =>
  gateway.database.prisma.eventLog.findMany({
    where: { typeId: eventTypes[type], organizationId: gateway.organizationId },
    orderBy: { id: 'asc' },
  });

describe('updateUser', () => {
  test('changes the given values, with an event, and does nothing if nothing is new', async () => {
    const { id } = await makeUser(gateway, 'change@example.com', { name: 'Cara' });
    const changed = { name: 'Cara B', language: 'DE', timezone: 'Europe/Berlin', role: 'VIEWER' };
    expect((await ask(gateway, update, { id, ...changed })).updateUser).toMatchObject({
      ...changed,
      language: 'de',
      email: 'change@example.com',
      isActive: true,
    });
    const before = await eventsOf('user changed');
    expect(before.at(-1)?.description).toBe(
      'User "Cara B" <change@example.com> was changed: language, name, role, timezone',
    );
    await ask(gateway, update, { id: id.toUpperCase(), ...changed });
    expect(await eventsOf('user changed')).toEqual(before);
    const cleared = await ask(gateway, update, { id, language: null, timezone: null });
    expect(cleared.updateUser).toMatchObject({ name: 'Cara B', language: null, timezone: null });
  });

  test.each([
    [{ name: ' ' }, /^name: must not be empty/],
    [{ name: null }, /^name: is required/],
    [{ email: 'no address' }, /^email: must be an e-mail address/],
    [{ role: null }, /^role: must be a role/],
    [{ isActive: null }, /^isActive: must be true or false/],
    [{ language: 'pt' }, /^language: must be a language: one of de, en, es, fr, it, nl/],
    [{ timezone: 'Mars/Base' }, /^timezone: must be the IANA name/],
    [{ teamId: 'x' }, /^teamId: must be a UUID/],
  ])('refuses %j', async (changes, message) => {
    await expectRefused(gateway, update, { id: max, ...changes }, ['BAD_REQUEST', message]);
  });

  test('takes no address that another has, however it is written', async () => {
    const email = 'ADA@example.com ';
    await expectRefused(gateway, update, { id: max, email }, ['CONFLICT', /^email: is already in use/]);
    // The same address is free in another organization.
    const { id } = await makeUser(gateway, 'free@example.com');
    await ask(gateway, update, { id: foreign.userId, email: 'free@example.com' }, foreign.admin);
    expect((await ask(gateway, update, { id, name: 'Free' })).updateUser.email).toBe('free@example.com');
  });

  test('gives a default workspace that the user is a member of, and no other', async () => {
    const { id } = await makeUser(gateway, 'default@example.com', { teamIds: [gateway.teamId] });
    const elsewhere = { id, teamId: gateway.otherTeamId };
    await expectRefused(gateway, update, elsewhere, ['BAD_REQUEST', /^teamId: names no workspace/]);
    await ask(gateway, add, { userId: id, teamId: gateway.otherTeamId });
    await ask(gateway, update, elsewhere);
    const user = await gateway.database.prisma.user.findUniqueOrThrow({ where: { id } });
    expect(user.teamId).toBe(gateway.otherTeamId);
  });

  test('nobody is somebody in another organization, and only admins manage people', async () => {
    const id = foreign.userId;
    for (const [document, variables] of [
      [update, { id, name: 'x' }],
      [deactivate, { id }],
      [add, { userId: id, teamId: gateway.teamId }],
      [add, { userId: max, teamId: foreign.teamId }],
      [remove, { userId: id, teamId: gateway.teamId }],
    ] as const) {
      await expectRefused(gateway, document, variables, ['NOT_FOUND', /^There is no/]);
      await expectRefused(gateway, document, variables, ['FORBIDDEN', /MEMBER/], gateway.member);
    }
    const stranger = { email: 'new@example.com', role: 'ADMIN' };
    await expectRefused(gateway, invite, stranger, ['FORBIDDEN', /MEMBER/], gateway.member);
  });
});

describe('a role', () => {
  test('bounds every token of its user, from the moment it is lowered', async () => {
    const { id, token } = await makeUser(gateway, 'lowered@example.com', { role: 'ADMIN' });
    expect(await roleOf(token)).toBe('ADMIN');
    for (const role of ['MEMBER', 'VIEWER', 'UPLOADER', 'ADMIN']) {
      await ask(gateway, update, { id, role });
      expect(await roleOf(token)).toBe(role);
    }
    const make = `mutation ($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { token } }`;
    const { createAccessToken } = await ask(gateway, make, {
      input: { name: 'read', role: 'VIEWER', userId: id },
    });
    await ask(gateway, update, { id, role: 'UPLOADER' });
    const { json } = await gateway.send('POST', '/graphql', {
      token: createAccessToken.token,
      body: { query: '{ me { role } }' },
    });
    expect(json.errors[0]).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    const input = { name: 'x', role: 'MEMBER', userId: id };
    await expectRefused(gateway, make, { input }, ['BAD_REQUEST', /^role: must not exceed .* uploader/]);
  });

  test("of a former admin reaches only the user's workspaces", async () => {
    const { id, token } = await makeUser(gateway, 'was@example.com', {
      role: 'ADMIN',
      teamIds: [gateway.teamId],
    });
    const teams = async () => (await gateway.graphql('{ me { teams { id } } }', {}, token)).data.me.teams;
    expect((await teams()).length).toBeGreaterThan(1);
    await ask(gateway, update, { id, role: 'MEMBER' });
    expect(await teams()).toEqual([{ id: gateway.teamId }]);
  });
});

describe('deactivateUser', () => {
  test('ends every token at once, and updateUser takes it back', async () => {
    const { id, token } = await makeUser(gateway, 'gone@example.com');
    const status = async () =>
      (await gateway.send('POST', '/graphql', { token, body: { query: '{ me { id } }' } })).status;
    expect(await status()).toBe(200);
    expect((await ask(gateway, deactivate, { id })).deactivateUser).toMatchObject({ id, isActive: false });
    expect(await status()).toBe(401);
    const events = await eventsOf('user deactivated');
    expect(events.at(-1)?.description).toMatch(/<gone@example\.com> was deactivated: is_active/);
    const make = `mutation ($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { token } }`;
    const input = { name: 'x', role: 'VIEWER', userId: id };
    await expectRefused(gateway, make, { input }, ['BAD_REQUEST', /^userId: names a deactivated user/]);
    await expectRefused(gateway, invite, { email: 'gone@example.com', role: 'VIEWER' }, [
      'CONFLICT',
      /deactivated/,
    ]);
    await ask(gateway, update, { id, isActive: true });
    expect(await status()).toBe(200);
  });
});

describe('the last active admin', () => {
  /** Returns a tenant with one admin, and another who has come in. */
  async function twoAdmins(name: string) {
    const tenant = { ...gateway, ...(await createTenant(gateway.database, name)) };
    const as = (token: string, document: string, variables: object) =>
      gateway.graphql(document, variables, token);
    const email = `${name}@example.com`;
    const invited = await as(tenant.admin, invite, { email, role: 'ADMIN' });
    return { tenant, as, ...invited.data.inviteUser };
  }
  const conflict = { extensions: { code: 'CONFLICT' }, message: expect.stringMatching(/last active admin/) };

  test.each([
    ['deactivated', deactivate, {}],
    ['given another role', update, { role: 'MEMBER' }],
    ['switched off', update, { isActive: false }],
  ])('is not %s', async (_, document, changes) => {
    await expectRefused(
      gateway,
      document,
      { id: foreign.userId, ...changes },
      ['CONFLICT', /last active admin/],
      foreign.admin,
    );
  });

  test('is the one who has signed in, while the other has only been invited', async () => {
    const { tenant, as, link } = await twoAdmins('Waiting');
    const change = { id: tenant.userId, role: 'VIEWER' };
    expect(await as(tenant.admin, update, change)).toMatchObject({ errors: [conflict] });
    await fetch(link, { method: 'POST' });
    expect(await as(tenant.admin, update, change)).toMatchObject({
      data: { updateUser: { role: 'VIEWER' } },
    });
  });

  test('stays, when two of them take each other away at once', async () => {
    const { tenant, as, link, user } = await twoAdmins('Duel');
    await fetch(link, { method: 'POST' });
    await as(tenant.admin, update, { id: tenant.userId, role: 'ADMIN' });
    const outcomes = await Promise.all(
      [tenant.userId, user.id].map((id) => as(tenant.admin, deactivate, { id })),
    );
    // The later one finds the other's token without its user, or itself the last admin.
    const refused = { extensions: { code: expect.stringMatching(/^(CONFLICT|UNAUTHORIZED)$/) } };
    expect(outcomes.filter(({ errors }) => errors)).toMatchObject([{ errors: [refused] }]);
    const where = { organizationId: tenant.organizationId, isActive: true, role: 'ADMIN' as const };
    expect(await gateway.database.prisma.user.count({ where })).toBe(1);
  });
});

describe('members of a workspace', () => {
  test('are added and removed, each with an event; repetitions change nothing', async () => {
    const { id } = await makeUser(gateway, 'member@example.com', { teamIds: [gateway.teamId] });
    const there = { userId: id, teamId: gateway.otherTeamId };
    const names = ['Acme Main', 'Acme Other'].map((name) => ({ name }));
    for (const _ of [1, 2]) expect((await ask(gateway, add, there)).addTeamMember.teams).toEqual(names);
    expect(
      (await eventsOf('member added')).filter(({ description }) => /<member@/.test(description)),
    ).toHaveLength(1);
    const members = '{ users(filter: { teamId: "%" }) { nodes { id } } }'.replace('%', gateway.otherTeamId);
    expect((await ask(gateway, members)).users.nodes).toContainEqual({ id });
    for (const _ of [1, 2]) {
      const { removeTeamMember } = await ask(gateway, remove, { userId: id, teamId: gateway.teamId });
      expect(removeTeamMember.teams).toEqual([{ name: 'Acme Other' }]);
    }
    const user = await gateway.database.prisma.user.findUniqueOrThrow({ where: { id } });
    expect(user.teamId).toBe(gateway.otherTeamId);
  });

  test('do not include workspaces that the caller does not see', async () => {
    const list = 'query ($id: ID!) { users(filter: { teamId: $id }) { totalCount } }';
    expect((await ask(gateway, list, { id: gateway.otherTeamId }, gateway.member)).users.totalCount).toBe(0);
    expect((await ask(gateway, list, { id: gateway.teamId }, gateway.member)).users.totalCount).not.toBe(0);
  });
});

test('users are found by role and by whether they are active', async () => {
  const { id } = await makeUser(gateway, 'filtered@example.com', { role: 'UPLOADER' });
  await ask(gateway, deactivate, { id });
  const list = 'query ($filter: UserFilter) { users(filter: $filter) { nodes { id } } }';
  const found = async (filter: object) => (await ask(gateway, list, { filter })).users.nodes;
  expect(await found({ role: 'UPLOADER', isActive: false })).toEqual([{ id }]);
  expect(await found({ isActive: true })).not.toContainEqual({ id });
});

test('an invitation is an event, and of the answer nothing but the hash is kept', async () => {
  const { link } = await inviteOne(gateway, 'told@example.com');
  expect((await eventsOf('user invited')).at(-1)?.description).toBe(
    'User "told" <told@example.com> was invited with the role member',
  );
  const secret = link.slice(link.lastIndexOf('/') + 1);
  const rows = await gateway.database.sql<{ row: string }>(
    `SELECT to_jsonb(i)::text AS row FROM invitations AS i UNION ALL SELECT to_jsonb(e)::text FROM event_logs AS e`,
    [],
  );
  expect(rows.filter(({ row }) => row.includes(secret))).toEqual([]);
});
