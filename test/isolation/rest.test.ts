import { assertInputObjectType, getNamedType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { innerIdOf, type Route } from '../../src/domain/doors/route.js';
import { schema } from '../../src/graphql/schema.js';
import { findArgument, sortableMembers, takenFields } from '../../src/rest/body.js';
import { isMember, modelOf, routes } from '../../src/rest/routes.js';
import { memberName } from '../../src/web/parameters.js';
import { type Case, nameOf, valueAt, walk, writtenAt } from './cases.js';
import { expectUntold, type Observation, type Sent } from './observe.js';
import { idInPath, pathWith, requestOf, rowOf, spelled } from './rest-requests.js';
import { chosen, shared } from './rows.js';
import { doors, type Position, positionsIn, put } from './schema-walk.js';
import { foreignWords, holdForeignRows, makeWorld, type World } from './world.js';

let world: World;
let release: Awaited<ReturnType<typeof holdForeignRows>>;
beforeAll(async () => {
  world = await makeWorld();
  release = await holdForeignRows(world);
});
afterAll(async () => {
  await release();
  await world.close();
});

function expectNotFound({ status, json }: Observation): void {
  expect({ status, json }).toMatchObject({ status: 404, json: { ok: false, code: 'NOT_FOUND' } });
}

const expectRefused =
  (member: string) =>
  ({ status, json }: Observation) => {
    expect(status, json?.message).toBe(400);
    expect(json.message).toMatch(new RegExp(`^(operation 0: )?${member}\\b`));
  };

function expectDone({ status }: Observation): void {
  expect([200, 201]).toContain(status);
}

/** Returns a route's request with another id in its path. */
const at = (route: Route, id: string, rest: Partial<Sent>): Sent => ({
  ...requestOf(route, world.own),
  path: pathWith(route, id, world.own),
  ...rest,
});

/** Conditions that could be held against a record that is there. */
const conditions: readonly Record<string, string>[] = [
  {},
  { 'If-Match': '"stale"' },
  { 'If-Match': '*' },
  { 'If-None-Match': '*' },
];

function ownCases(route: Route): Case[] {
  const { of: named = [], needs } = rowOf(route);
  if (!route.path.includes('{id}')) return [];
  const of = route.kind === 'list' && route.of ? [route.of] : named;
  const own = of.flatMap((kind) =>
    conditions.map((headers) => ({
      ...{ kind, needs, expectAnswer: expectNotFound },
      request: (id: string, token: string) => at(route, id, { token, headers }),
    })),
  );
  return [...own, ...innerCases(route)];
}

/** A foreign record in the place of the second id of a path. */
function innerCases(route: Route): Case[] {
  const inner = innerIdOf(route.path);
  if (inner === undefined) return [];
  const { others = {}, needs } = rowOf(route);
  const [kind] = others[inner] ?? [];
  if (!kind) throw new Error(`No row says what the second id of ${route.path} names.`);
  const path = (id: string) => pathWith(route, idInPath(route, world.own), world.own, id);
  const request = (id: string, token: string): Sent => ({ ...at(route, '', { token }), path: path(id) });
  return [{ kind, needs, request, expectAnswer: expectNotFound }];
}

function bodyCases(route: Route): Case[] {
  if (route.kind !== 'write' && route.kind !== 'patch') return [];
  const update = route.kind === 'patch' ? doors.mutation[route.field.replace('patch', 'update')] : undefined;
  const input = update?.args.find(({ name }) => name === 'input') ?? findArgument(schema, route, 'input');
  const taken = takenFields(assertInputObjectType(getNamedType(input.type))).map(({ name }) => name);
  const { type } = modelOf(route.model);
  return positionsIn({ args: [input] })
    .filter((at) => taken.includes(String(at.path[1])) && !chosen.includes(nameOf(at)))
    .filter((at) => route.kind === 'write' || isMember(type, memberName(String(at.path[1]))))
    .flatMap((at) =>
      route.kind === 'patch' ? [bodyCase(route, at), mergeCase(route, at)] : [bodyCase(route, at)],
    );
}

/** Returns a foreign id in a merge patch, which nothing else of the request names. */
function mergeCase(route: Route, place: Position): Case {
  const member = memberName(String(place.path[1]));
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  const { request, ...rest } = bodyCase(route, place);
  const merged = (id: string, token: string): Sent => ({
    ...request(id, token),
    ...{ headers, body: { [member]: spelled(valueAt(place, 2, id)) } },
  });
  return { ...rest, request: merged };
}

function bodyCase(route: Route, place: Position): Case {
  const member = memberName(String(place.path[1]));
  const { kind, stores } = writtenAt(place);
  const request = (id: string, token: string): Sent => {
    const { body, ...rest } = requestOf(route, world.own);
    const value = spelled(valueAt(place, 2, id));
    const patch = [{ op: 'add', path: `/${member}`, value }];
    return { ...rest, token, body: route.kind === 'patch' ? patch : put(body, [member], value) };
  };
  const { needs } = rowOf(route);
  return { kind, stores, needs, request, expectAnswer: stores ? expectDone : expectRefused(member) };
}

const nameOfRoute = ({ method, path }: Route) => `${method} ${path}`;
const cases = routes.map((route) => [nameOfRoute(route), [...ownCases(route), ...bodyCases(route)]] as const);

test.each(cases.filter(([, of]) => of.length > 0))('%s tells nothing of foreign ids', async (_name, of) => {
  for (const one of of) await walk(world, one);
});

test.each(routes.filter(({ kind }) => kind === 'read'))(
  'GET $path: not by its version, either',
  async (route) => {
    const [kind] = rowOf(route).of ?? [];
    for (const { ids, token, what } of world.beyond) {
      if (kind && shared.includes(kind) && what === 'another workspace') continue;
      const theirs = what === 'another organization' ? world.stranger.admin : world.gateway.admin;
      const id = kind ? ids[kind] : '';
      const seen = await world.gateway.send('GET', route.path.replace('{id}', id), { token: theirs });
      expect(seen.status).toBe(200);
      const headers = { 'If-None-Match': seen.headers.get('etag') ?? '' };
      for (const method of ['GET', 'HEAD']) {
        const request = (id: string) => at(route, id, { token, method, headers });
        expect((await expectUntold(world, request, id)).status).toBe(404);
      }
    }
  },
);

const lists = routes.filter((route) => route.kind === 'list');

test.each(lists)('GET $path: lists, orders and searches what the caller sees', async (route) => {
  const isShared = shared.some((kind) => kind.toLowerCase() === modelOf(route.model).type.toLowerCase());
  for (const { ids, token, place, what } of world.beyond) {
    if (isShared && what === 'another workspace') continue;
    // A list below a record: of the caller's own, in the place of whose records others are sought.
    const path = route.path.replace('{id}', idInPath(route, world.own));
    const ask = (query: string) => world.gateway.send('GET', `${path}?paging=500&${query}`, { token });
    const whole = await ask('');
    expect(whole.json.total).toBeGreaterThan(0);
    expect(whole.json.total).toBe(whole.json[route.list].length);
    for (const sort of sortableMembers(schema, route)) {
      const { json, text } = await ask(`sort=${sort}`);
      expect(json.total).toBe(whole.json.total);
      const shown = json[route.list].map(({ id }: { id: string }) => id);
      for (const id of Object.values(ids)) expect(shown).not.toContain(id);
      expect(text).not.toContain(`"${place.word}`);
    }
    if (!route.parameters.includes('term')) continue;
    const [found, none] = [await ask(`term=${place.word}`), await ask('term=zznowhere')];
    expect(found.json[route.list]).toEqual([]);
    expect(found.json).toEqual(none.json);
  }
});

test(`${routes.length} routes are walked, and what is foreign is as it was`, async () => {
  const { before, after } = await release();
  expect(after).toEqual(before);
  expect(before.filter((row) => row.includes(foreignWords[0])).length).toBeGreaterThan(10);
});
