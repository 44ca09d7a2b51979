import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken, revokeToken } from '../../src/access/tokens.js';
import { newId } from '../../src/domain/rules.js';
import { routes, takesBody } from '../../src/rest/routes.js';
import { type TestResponse, testTime } from '../support/gateway.js';
import type { Sent } from './observe.js';
import { requestOf, rowOf } from './rest-requests.js';
import { type Needs, rows } from './rows.js';
import { documentOf, isComposite, operations } from './schema-walk.js';
import { type Ids, makeRecords, makeTeam, makeWorld, type World } from './world.js';

/** What each role may, as docs/use/identity.md says. */
const roles = {
  admin: ['nothing', 'read', 'write', 'administer', 'upload'],
  member: ['nothing', 'read', 'write', 'upload'],
  viewer: ['nothing', 'read'],
  uploader: ['nothing', 'upload'],
} as const satisfies Record<string, readonly Needs[]>;
const roleNames = Object.keys(roles) as (keyof typeof roles)[];

let world: World;
/** Tokens that open nothing. */
let dead: Record<string, string | null>;
let signed: string;
beforeAll(async () => {
  world = await makeWorld();
  const { database, organizationId, userId } = world.gateway;
  const about = { organizationId, userId, role: 'ADMIN' as const, expiresAt: null };
  const revoked = await createToken(database, { ...about, name: 'revoked' }, testTime);
  await revokeToken(database, revoked.id, testTime);
  const earlier = new Date(testTime.getTime() - 1);
  const expired = await createToken(database, { ...about, name: 'expired', expiresAt: testTime }, earlier);
  dead = { 'no token': null, 'an unknown one': 'egw_x', revoked: revoked.token, expired: expired.token };
  const made = await world.gateway.graphql(
    'mutation { result: createAccessToken(input: {name: "signed", role: ADMIN, signed: true}) { token } }',
  );
  signed = made.data.result.token;
});
afterAll(() => world.close());

const may = (role: keyof typeof roles, needs: Needs) => (roles[role] as readonly Needs[]).includes(needs);

/** Records that others point at, and how often. An item has so many files, and not more. */
let targets: { readonly ids: Ids; uses: number } | undefined;

/** Records of the caller's that nothing else points at, so that they may go. */
async function freshIds(field: string): Promise<Ids> {
  const { gateway, home, own } = world;
  // A workspace has so many policies, and not more.
  await gateway.database.prisma.reminderPolicy.deleteMany({
    where: {
      teamId: home.teamId,
      id: { notIn: [own.reminderPolicy, targets?.ids.reminderPolicy ?? own.reminderPolicy] },
      teams: { none: {} },
    },
  });
  // What is told of an item again is not told of it once more.
  if (!targets || targets.uses === 40 || field.startsWith('resend'))
    targets = { ids: await makeRecords(gateway, home), uses: 0 };
  targets.uses += 1;
  const ids = await makeRecords(gateway, home, targets.ids);
  // Only what was received can be accepted or sent back.
  if (field === 'acceptDocumentRequest' || field === 'declineDocumentRequest') {
    const { prisma } = gateway.database;
    await prisma.expirationItem.update({ where: { id: ids.expirationItem }, data: { isActive: false } });
    const data = { state: 'RECEIVED', heldItemId: ids.expirationItem } as const;
    await prisma.documentRequest.update({ where: { id: ids.documentRequest }, data });
  }
  // The holder of a new item is what other records point at.
  const held = field === 'removeHolder' && { vehicle: targets.ids.vehicle };
  return { ...ids, ...held, team: await makeTeam(world) };
}

/** Ids that are nowhere. */
const nowhere = new Proxy({} as Ids, { get: () => newId() });

const walkable = operations.filter(({ door }) => door !== 'subscription');
const rowed = walkable.map((operation) => {
  const row = rows[operation.door][operation.field.name];
  if (!row) throw new Error(`${operation.field.name} has no row.`);
  return [operation.field.name, operation, row] as const;
});

const forbidden = (role: string) => ({
  message: `A token with the role ${role.toUpperCase()} may not do this.`,
  extensions: { code: 'FORBIDDEN', violations: [] },
});

/** Returns whether an operation can be done once to a record. */
const takesAway = (field: string) =>
  /^(endExemption|accept|cancelDocument|decline|delete|remove|restore|purge|erase|replaceExpirationItem|renew|resend|retry|confirm|revoke)/.test(
    field,
  );

/** Roles without the right are told the same of a record that is there and of none, before anything is read. */
async function expectForbidden(
  needs: Needs,
  ask: (ids: Ids, token: string) => Promise<TestResponse>,
  check: (role: string, answer: TestResponse) => void,
): Promise<void> {
  for (const role of roleNames.filter((one) => !may(one, needs))) {
    const token = world.gateway[role];
    const sent = await world.gateway.statementNames(async () => {
      const answers = await Promise.all([ask(world.own, token), ask(nowhere, token)]);
      for (const answer of answers) check(role, answer);
    });
    expect(sent.filter((name) => name !== 'access_tokens.authenticate')).toEqual([]);
  }
}

async function expectUnauthorized(ask: (token: string | null) => Promise<TestResponse>) {
  const answers = Object.entries(dead).map(async ([what, token]) => ({ what, ...(await ask(token)) }));
  for (const { what, status, json, headers } of await Promise.all(answers)) {
    expect([status, json.code ?? json.errors[0].extensions.code], what).toEqual([401, 'UNAUTHORIZED']);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
  }
}

test.each(rowed)('%s: as each role, and as none', async (_name, operation, row) => {
  const query = documentOf(operation, isComposite(operation.field.type) ? '{ __typename }' : '');
  const ask = (ids: Ids, token: string | null) =>
    world.gateway.send('POST', '/graphql', { token, body: { query, variables: row.args(ids) } });
  for (const role of roleNames.filter((one) => may(one, row.needs))) {
    const ids = takesAway(operation.field.name) ? await freshIds(operation.field.name) : world.own;
    const { json, text } = await ask(ids, world.gateway[role]);
    if (row.isForSession) {
      expect(json.errors, role).toMatchObject([{ extensions: { code: 'FORBIDDEN', reason: 'UNCONFIRMED' } }]);
      continue;
    }
    if (row.findsNothing) {
      expect(json.errors, role).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
      continue;
    }
    expect(json.errors, `${role}: ${text}`).toBeUndefined();
    expect(json.data.result).not.toBeNull();
  }
  await expectForbidden(row.needs, ask, (role, { status, json }) => {
    expect([status, json.errors], role).toEqual([200, [expect.objectContaining(forbidden(role))]]);
    expect(json.data?.result ?? null).toBeNull();
  });
  await expectUnauthorized((token) => ask(nowhere, token));
  const { status, json } = await ask(nowhere, signed);
  expect([status, json.errors[0].extensions.code]).toEqual([403, 'FORBIDDEN']);
});

const routed = routes.map((route) => [`${route.method} ${route.path}`, route] as const);

test.each(routed)('%s: as each role, and as none', async (_name, route) => {
  const { needs } = rowOf(route);
  const ask = (ids: Ids, token: string | null, rest: Partial<Sent> = {}) => {
    const { method, path, ...request } = requestOf(route, ids);
    return world.gateway.send(method, path, { ...request, token, ...rest });
  };
  for (const role of roleNames.filter((one) => may(one, needs))) {
    const ids = takesAway(route.field) ? await freshIds(route.field) : world.own;
    const { status, text } = await ask(ids, world.gateway[role]);
    expect([200, 201, 204], `${role}: ${text}`).toContain(status);
  }
  await expectForbidden(needs, ask, (role, { status, json }) => {
    const { message, extensions } = forbidden(role);
    expect([status, json]).toEqual([403, { message, ok: false, code: extensions.code }]);
  });
  await expectUnauthorized((token) => ask(nowhere, token));
  expect((await ask(nowhere, signed)).status).toBe(route.kind === 'receive' ? 401 : 403);
  if (!takesBody(route)) return;
  // A role is refused before anything is read, and after a token.
  const broken = { raw: '{', body: undefined, headers: { 'Content-Type': 'application/json' } };
  expect((await ask(world.own, null, broken)).status).toBe(401);
  for (const role of roleNames) {
    expect((await ask(world.own, world.gateway[role], broken)).status, role).toBe(
      may(role, needs) ? 400 : 403,
    );
  }
});

const followed = operations.filter(({ door }) => door === 'subscription');

test.each(followed.map((operation) => [operation.field.name, operation] as const))(
  '%s: like those who may not read, and like nobody',
  async (name, operation) => {
    const row = rows.subscription[name];
    const ask = (token: string | null) => {
      const body = { query: documentOf(operation), variables: row?.args(nowhere) };
      return world.gateway.send('POST', '/graphql', {
        token,
        body,
        headers: { Accept: 'text/event-stream' },
      });
    };
    const { text } = await ask(world.gateway.uploader);
    expect(text).toContain(forbidden('uploader').message);
    for (const token of Object.values(dead)) expect((await ask(token)).status).toBe(401);
    expect((await ask(signed)).status).toBe(403);
  },
);

test.each(['GET', 'HEAD'])('%s /attachments/{id}: as each role, and as none', async (method) => {
  const ask = (id: string, token: string | null) =>
    world.gateway.send(method, `/attachments/${id}`, { token });
  const { own, gateway } = world;
  for (const role of roleNames) {
    const expected = may(role, 'read') ? [200, 404] : [403, 403];
    for (const [i, id] of [own.attachment, newId()].entries()) {
      expect((await ask(id, gateway[role])).status, role).toBe(expected[i]);
    }
  }
  for (const token of Object.values(dead)) expect((await ask(own.attachment, token)).status).toBe(401);
  expect((await ask(own.attachment, signed)).status).toBe(403);
});

test(`${operations.length} operations and ${routes.length} routes are walked as each role`, () => {
  expect(rowed.length + followed.length).toBe(operations.length);
});
