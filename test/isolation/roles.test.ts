import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken, revokeToken } from '../../src/data/tokens.js';
import { newId } from '../../src/domain/rules.js';
import { routes } from '../../src/rest/routes.js';
import { testTime } from '../support/gateway.js';
import { requestOf } from './rest-requests.js';
import { type Needs, type Row, rows } from './rows.js';
import { documentOf, operations } from './schema-walk.js';
import { type Ids, makeRecords, makeTeam, makeWorld, type World } from './world.js';

/** What each role may, as the README says. */
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

/** Records of the caller's that nothing else points at, so that they may go. */
async function freshIds(): Promise<Ids> {
  const { gateway, home, own } = world;
  return { ...(await makeRecords(gateway, home, own)), team: await makeTeam(world) };
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
  extensions: { code: 'FORBIDDEN' },
});

describe.each(rowed)('%s', (_name, operation, row) => {
  const query = documentOf(operation);
  const ask = (ids: Ids, token: string | null) =>
    world.gateway.send('POST', '/graphql', { token, body: { query, variables: row.args(ids) } });

  test('is for those whose role has the right, and told nobody else, whether the record is there or not', async () => {
    for (const role of roleNames) {
      const token = world.gateway[role];
      if (may(role, row.needs)) {
        // What succeeds may be what takes the record away.
        const { json, text } = await ask(changes(operation.door, row) ? await freshIds() : world.own, token);
        expect(json.errors, `${role}: ${text}`).toBeUndefined();
        expect(json.data.result).not.toBeNull();
        continue;
      }
      for (const ids of [world.own, nowhere]) {
        const { status, json } = await ask(ids, token);
        expect([status, json.errors], role).toEqual([200, [expect.objectContaining(forbidden(role))]]);
        expect(json.data?.result ?? null).toBeNull();
      }
    }
  });

  test('is for nobody without a token that is valid, and not for signed ones', async () => {
    for (const [what, token] of Object.entries(dead)) {
      const { status, json, headers } = await ask(nowhere, token);
      expect([status, json.errors[0].extensions.code], what).toEqual([401, 'UNAUTHORIZED']);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    const { status, json } = await ask(nowhere, signed);
    expect([status, json.errors[0].extensions.code]).toEqual([403, 'FORBIDDEN']);
  });
});

/** Whether an operation changes the records that it is given. */
const changes = (door: string, row: Row) => door === 'mutation' && row.of !== undefined;

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (_name, route) => {
    const row = rows.query[route.field] ?? rows.mutation[route.field];
    if (!row) throw new Error(`${route.field} has no row.`);
    const ask = async (ids: Ids, token: string | null, rest: object = {}) => {
      const { method, path, ...request } = requestOf(route, ids);
      return world.gateway.send(method, path, { ...request, token, ...rest });
    };

    test('is for those whose role has the right, and told nobody else, whether the record is there or not', async () => {
      for (const role of roleNames) {
        const token = world.gateway[role];
        if (may(role, row.needs)) {
          const { status, text } = await ask(row.of ? await freshIds() : world.own, token);
          expect([200, 201, 204], `${role}: ${text}`).toContain(status);
          continue;
        }
        for (const ids of [world.own, nowhere]) {
          const { status, json } = await ask(ids, token);
          const { message, extensions } = forbidden(role);
          expect([status, json]).toEqual([403, { message, ok: false, code: extensions.code }]);
        }
      }
    });

    test('is for nobody without a token that is valid, and for signed ones only where they are signed', async () => {
      for (const [what, token] of Object.entries(dead)) {
        const { status, json, headers } = await ask(nowhere, token);
        expect([status, json.code], what).toEqual([401, 'UNAUTHORIZED']);
        expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
      }
      const { status } = await ask(nowhere, signed);
      expect(status).toBe(route.kind === 'receive' ? 401 : 403);
    });

    test.runIf(route.method !== 'GET')(
      'a body that is no JSON is refused before a role, not before a token',
      async () => {
        const broken = { body: undefined, raw: '{', headers: { 'Content-Type': 'application/json' } };
        expect((await ask(world.own, null, broken)).status).toBe(401);
        for (const role of roleNames) {
          expect((await ask(world.own, world.gateway[role], broken)).status, role).toBe(400);
        }
      },
    );
  },
);

test(`${rowed.length} queries and mutations and ${routes.length} routes are walked for each role`, () => {
  expect(rowed).toHaveLength(walkable.length);
});
