import { expect } from 'vitest';
import { expectBadRequest, expectError, expectNotModified, nowhere } from '../rest/support.js';
import type { TestRequest, TestResponse } from '../support/gateway.js';
import { type Body, type Caller, fresh, make, resourceOf, send } from './fixtures.js';
import { assigned, type ModelName, models, references, type Type } from './models.js';
import { type ErrorName, namedErrors, type ParameterName, type Row } from './rows.js';
import { elementOf, expectShape } from './shapes.js';

/** What the cases run in. */
export interface World {
  readonly home: Caller;
  /** An admin of another organization. */
  readonly abroad: Caller;
  /** What has been made for requests that change nothing, and is used again. */
  readonly made: Map<string, Promise<Body>>;
}

/** One thing that a row must do. */
export interface Case {
  readonly name: string;
  /** The error that it provokes, if the contract names it for the row. */
  readonly error?: ErrorName;
  run(world: World): Promise<void>;
}

const isPatch = ({ body }: Row) => body === 'patch operation list';
const isList = ({ answer }: Row) => typeof answer === 'object';
const hasId = ({ path }: Row) => path.includes('{id}');
const requiredBy = ({ required }: Row) => required ?? [];

/** The model of a row's body, where it is one. */
function modelOf({ body }: Row): ModelName | undefined {
  return body === 'patch operation list' ? undefined : body;
}

/** An operation as clients of the contract write it: with every member of section 4.11. */
const replacing = (member: string, value: unknown) => ({
  operationType: 'replace',
  path: `/${member}`,
  op: 'replace',
  from: null,
  value,
});

/** A body that succeeds, with a value for every member. */
async function bodyFor(caller: Caller, row: Row): Promise<Body | undefined> {
  if (isPatch(row)) return [replacing('name', fresh('Renamed'))];
  if (row.body === 'Renewal') return { expiration_date: '2028-06-01', details: 'Renewed for a year.' };
  return row.body && resourceOf(row).full(caller);
}

function once({ made }: World, what: string, work: () => Promise<Body>): Promise<Body> {
  const known = made.get(what) ?? work();
  made.set(what, known);
  return known;
}

/** What a request that is refused may be about, and say. */
async function known(world: World, row: Row): Promise<{ id: string; body: Body }> {
  const { home } = world;
  const [, , name] = row.path.split('/');
  const id = hasId(row) ? (await once(world, `${name}`, () => make(home, resourceOf(row)))).id : '';
  const key = `${row.method} ${row.path}`;
  const body = await once(world, key, async () => (await bodyFor(home, row)) ?? {});
  return { id, body };
}

/** Sends a row's request. */
function ask(caller: Caller, row: Row, id: string, request: TestRequest = {}, query = '') {
  const { body, ...rest } = request;
  const path = row.path.replace('{id}', id) + query;
  return send(caller, row.method, path, row.body ? request : rest);
}

/**
 * Sends a row's request to be refused: about a record that exists, and sound but for what is given. Expects that it
 * leaves no event, without which nothing is written.
 */
async function refuse(
  world: World,
  row: Row,
  request: TestRequest & { readonly id?: string } = {},
): Promise<TestResponse> {
  const { id, body } = await known(world, row);
  const { prisma } = world.home.gateway.database;
  const before = await prisma.eventLog.count();
  const response = await ask(world.home, row, request.id ?? id, { body, ...request });
  expect(await prisma.eventLog.count()).toBe(before);
  return response;
}

/** That an error's message names a member first, in a patch after the operation. */
const naming = (member: string) =>
  new RegExp(`^(?:operation \\d+: )?${member.replaceAll('.', '\\.')}(?!\\w)`);

/** What every success of a row has. */
function expectSuccess(row: Row, response: TestResponse, whole: boolean): void {
  const { status, text, json, headers } = response;
  expect(status, text).toBe(row.status);
  if (row.answer === undefined) {
    expect(text).toBe('');
    expect(headers.get('content-type')).toBeNull();
    expect(headers.get('content-length') ?? '0').toBe('0');
    return;
  }
  expect(headers.get('content-type')).toMatch(/^application\/json\b/);
  expectShape(json, row.answer, whole);
  if (!isList(row)) expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
  expect(headers.get('location')).toBe(status === 201 ? `${row.path}/${json.id}` : null);
}

/** What a success shows of a body's members. */
function shownOf(row: Row, body: Body): Body {
  if (isPatch(row)) return { name: body[0].value };
  const { id: _, ...rest } = body;
  return row.method === 'POST' ? body : rest;
}

async function writesAll(row: Row, { home }: World): Promise<void> {
  const body = (await bodyFor(home, row)) ?? {};
  const { id = '' } = hasId(row) ? await make(home, resourceOf(row)) : {};
  const model = modelOf(row);
  const ignored = { ...(model && assigned[model]), ...(row.method === 'PUT' && { id: nowhere }) };
  const sent = isPatch(row) ? body : { ...body, ...ignored };
  const response = await ask(home, row, id, { body: sent });
  expectSuccess(row, response, true);
  if (row.status === 204) return;
  expect(response.json).toMatchObject(shownOf(row, body));
  if (hasId(row)) expect(response.json.id).toBe(id);
  for (const [member, value] of Object.entries(ignored)) expect(response.json[member]).not.toEqual(value);
}

async function writesLeast(row: Row, { home }: World): Promise<void> {
  const whole: Body = (await bodyFor(home, row)) ?? {};
  const body = Object.fromEntries(requiredBy(row).map((member) => [member, whole[member]]));
  const { id = '' } = hasId(row) ? await make(home, resourceOf(row)) : {};
  const response = await ask(home, row, id, { body });
  expectSuccess(row, response, false);
  if (row.status !== 204) expect(response.json).toMatchObject(body);
}

async function lists(row: Row, { home }: World): Promise<void> {
  const { id, name } = await make(home, resourceOf(row));
  const response = await ask(home, row, '', {}, `?term=${encodeURIComponent(name)}`);
  expectSuccess(row, response, true);
  const { pages, page, total, ...list } = response.json;
  expect({ pages, page, total }).toEqual({ pages: 1, page: 1, total: 1 });
  expect(Object.values(list)).toMatchObject([[{ id }]]);
  expectSuccess(row, await ask(home, row, ''), false);
}

async function reads(row: Row, { home }: World): Promise<void> {
  const { id } = await make(home, resourceOf(row));
  const response = await ask(home, row, id);
  expectSuccess(row, response, true);
  expect(response.json.id).toBe(id);
}

async function answersHead(row: Row, world: World): Promise<void> {
  const { id } = await known(world, row);
  const path = row.path.replace('{id}', id);
  const [got, head] = [await send(world.home, 'GET', path), await send(world.home, 'HEAD', path)];
  expect([head.status, head.text]).toEqual([row.status, '']);
  for (const name of ['content-type', 'etag']) expect(head.headers.get(name)).toBe(got.headers.get(name));
}

function successes(row: Row): Case[] {
  const success = (name: string, run: (row: Row, world: World) => Promise<void>): Case => ({
    name: `${row.status}: ${name}`,
    run: (world) => run(row, world),
  });
  if (row.method === 'GET') {
    const read = isList(row) ? success('a page of whole records', lists) : success('a whole record', reads);
    return [read, success('as much to HEAD, without a body', answersHead)];
  }
  if (isPatch(row)) return [success('a member is replaced, in a whole record', writesAll)];
  return [
    success('every member is taken, and shown again', writesAll),
    success('what is not required is left out', writesLeast),
  ];
}

/** For each parameter, a value that makes a difference. */
const others: Record<ParameterName, string> = {
  term: 'nothing has this in it',
  type: 'renewed',
  page: '2',
  sort: 'id',
  sortDirection: 'desc',
};

/** For each parameter, values that are refused. */
const wrongParameters: Record<ParameterName, readonly string[]> = {
  term: [],
  type: ['99', 'vanished'],
  page: ['0', '-2', '1.5', 'last'],
  sort: ['nothing', 'custom_fields'],
  sortDirection: ['up'],
};

async function hasDefault(row: Row, { home }: World, name: ParameterName, standard: string): Promise<void> {
  for (const title of ['Zulu', 'Alpha']) {
    await make(home, resourceOf(row), { name: fresh(title) });
    home.gateway.clock.now = new Date(home.gateway.clock.now.getTime() + 1_000);
  }
  const list = async (value?: string) => {
    // The direction is one of an order that is asked for: without one, a list may have a direction of its own.
    const query = new URLSearchParams(name === 'sortDirection' ? { sort: 'id' } : {});
    if (value !== undefined) query.set(name, value);
    const response = await ask(home, row, '', {}, `?${query}`);
    expectSuccess(row, response, false);
    return response.json;
  };
  const left = await list();
  expect(await list(standard)).toEqual(left);
  expect(await list(others[name])).not.toEqual(left);
}

function parameterCases(row: Row): Case[] {
  const parameters = Object.entries(row.parameters ?? {}) as [ParameterName, string | number][];
  return parameters.flatMap(([name, standard]) => [
    {
      name: `200: ${name} is ${JSON.stringify(standard)} when left out`,
      run: (world: World) => hasDefault(row, world, name, String(standard)),
    },
    ...wrongParameters[name].map((value) => ({
      name: `400: ${name} is ${value}`,
      error: 'Bad Request' as const,
      run: async ({ home }: World) =>
        expectBadRequest(await ask(home, row, '', {}, `?${name}=${value}`), naming(name)),
    })),
  ]);
}

function requiredCases(row: Row): Case[] {
  return requiredBy(row).flatMap((member) =>
    [undefined, null].map((value) => ({
      name: `400: ${member} is ${value === null ? 'null' : 'missing'}`,
      error: 'Bad Request' as const,
      run: async (world: World) => {
        const { body } = await known(world, row);
        expectBadRequest(await refuse(world, row, { body: { ...body, [member]: value } }), naming(member));
      },
    })),
  );
}

/** For each type without members, values that are not of it. */
const wrongValues: Partial<Record<Type, readonly unknown[]>> = {
  string: [5, {}],
  'string (uuid)': ['no-uuid', 5],
  boolean: ['yes', 1],
  integer: [1.5, 'x'],
  'integer (int32)': [1.5, 2 ** 31, '5'],
  'integer (int64)': [1.5, 2 ** 63, 'x'],
  'number (double)': ['x', true],
  object: ['x', []],
};

/** Values of the right type that their members refuse, as decided. */
const wrongTexts: Readonly<Record<string, readonly string[]>> = {
  expiration_date: ['2027-02-30', 'tomorrow'],
  time_of_day: ['25:00'],
  email: ['nobody'],
  timezone: ['Mars/Olympus'],
};

function wrongFor(member: string, type: Type): readonly unknown[] {
  const wrong = wrongValues[type] ?? (elementOf(type) ? ['x', {}] : ['x', []]);
  return [...wrong, ...(wrongTexts[member] ?? [])];
}

/** Every member that callers write, with what it must not be. */
function memberCases(row: Row): Case[] {
  const model = modelOf(row);
  if (!model) return [];
  const ignored = new Set([...Object.keys(assigned[model] ?? {}), ...(row.method === 'PUT' ? ['id'] : [])]);
  const members = Object.entries(models[model]).filter(([member]) => !ignored.has(member));
  const typed: Case[] = members.map(([member, type]) => ({
    name: `400: ${member} is no ${type}`,
    error: 'Bad Request',
    run: async (world) => {
      const { body } = await known(world, row);
      for (const value of wrongFor(member, type)) {
        expectBadRequest(await refuse(world, row, { body: { ...body, [member]: value } }), naming(member));
      }
    },
  }));
  const pointing: Case[] = (references[model] ?? []).map((path) => ({
    name: `400: ${path} names no record`,
    error: 'Bad Request',
    run: async (world) => {
      const { body } = await known(world, row);
      const [member = '', inner] = path.split('.');
      const wrong = { [member]: inner ? { [inner]: nowhere } : nowhere };
      expectBadRequest(await refuse(world, row, { body: { ...body, ...wrong } }), naming(path));
    },
  }));
  return [...typed, ...pointing];
}

function renewalCases(row: Row): Case[] {
  if (row.body !== 'Renewal') return [];
  return ['2027-06-01', '2027-05-31'].map((date) => ({
    name: `400: ${date} is not later than the current date, 2027-06-01`,
    error: 'Bad Request',
    run: async (world) =>
      expectBadRequest(
        await refuse(world, row, { body: { expiration_date: date } }),
        naming('expiration_date'),
      ),
  }));
}

function patchCases(row: Row): Case[] {
  if (!isPatch(row)) return [];
  const wrong: [name: string, operation: Body][] = [
    ['an unknown member', replacing('nothing', 1)],
    ['a member that the server sets', replacing('modified', '2001-02-03T04:05:06.789Z')],
    ['an unknown operation', { ...replacing('name', 'x'), op: 'swap' }],
    ['a wrong type', replacing('name', 5)],
  ];
  return wrong.map(([name, operation]) => ({
    name: `400: an operation with ${name}`,
    error: 'Bad Request',
    run: async (world) => {
      const body = [replacing('name', 'Never'), operation];
      // The message says which operation is at fault.
      expectBadRequest(await refuse(world, row, { body }), /1/);
    },
  }));
}

function bodyCases(row: Row): Case[] {
  if (!row.body) return [];
  const json = { 'Content-Type': 'application/json' };
  const wrong: (readonly [name: string, request: TestRequest])[] = [
    ['no JSON', { raw: '{"name": ', body: undefined, headers: json }],
    // Not from the receiver, to which nothing at all is a message as well.
    ...(row.status === 204 ? [] : [['nothing', { raw: '', body: undefined, headers: json }] as const]),
    [isPatch(row) ? 'an object' : 'a list', { body: isPatch(row) ? {} : [] }],
    ['null', { body: null }],
  ];
  return [
    ...wrong.map(([name, request]) => ({
      name: `400: the body is ${name}`,
      error: 'Bad Request' as const,
      run: async (world: World) => expectBadRequest(await refuse(world, row, request)),
    })),
    {
      name: '415: the body is text',
      run: async (world) => {
        const headers = { 'Content-Type': 'text/plain' };
        expectError(await refuse(world, row, { headers }), 415, 'UNSUPPORTED_MEDIA_TYPE');
      },
    },
  ];
}

/** Why there is no record with an id: what gives the id, and who asks when it is not the admin. */
const strangers: [name: string, id: (row: Row, world: World) => Promise<string>, token?: 'member'][] = [
  ['an unknown id', async () => nowhere],
  ['an id that is no UUID', async () => 'no-uuid'],
  ["another organization's id", async (row, { abroad }) => (await make(abroad, resourceOf(row))).id],
  ["another workspace's id", async (row, world) => (await known(world, row)).id, 'member'],
];

function notFoundCases(row: Row): Case[] {
  if (!hasId(row)) return [];
  const { status, code } = namedErrors['Not Found'];
  return strangers.map(([name, find, token]) => ({
    name: `${status}: ${name}`,
    error: 'Not Found',
    run: async (world) => {
      const id = await find(row, world);
      const caller = token ? { token: world.home.tenant[token] } : {};
      expectError(await refuse(world, row, { id, ...caller }), status, code);
    },
  }));
}

/** The members of a record that no other may have, in another spelling. */
function taken(record: Body, [first = '', ...rest]: readonly string[]): Body {
  const same = Object.fromEntries(rest.map((member) => [member, record[member]]));
  return { ...same, [first]: ` ${record[first].toUpperCase()} ` };
}

function conflictCases(row: Row): Case[] {
  if (!row.errors.includes('Conflict')) return [];
  const { status, code } = namedErrors.Conflict;
  const resource = resourceOf(row);
  const { unique } = resource;
  const conflict = (name: string, bodyOf: (world: World) => Promise<unknown>, named?: string): Case => ({
    name: `${status}: ${name}`,
    error: 'Conflict',
    run: async (world) =>
      expectError(
        await refuse(world, row, { body: await bodyOf(world) }),
        status,
        code,
        named ? naming(named) : /\S/,
      ),
  });
  const byKey = async ({ home }: World) => taken(await make(home, resource), unique ?? []);
  if (isPatch(row)) {
    const test = { op: 'test', path: '/name', value: 'Another' };
    const failing = conflict('a test fails', async () => [replacing('name', 'Never'), test]);
    if (!unique) return [failing];
    const patching = conflict(
      `${unique[0]} becomes one that is taken`,
      async (world) => Object.entries(await byKey(world)).map(([member, value]) => replacing(member, value)),
      unique[0],
    );
    return [failing, patching];
  }
  return [
    conflict(
      'the id is taken',
      async (world) => {
        const { body } = await known(world, row);
        return { ...body, id: (await make(world.home, resource)).id };
      },
      'id',
    ),
    conflict(
      `${unique?.[0]} is taken`,
      async (world) => {
        const { body } = await known(world, row);
        return { ...body, ...(await byKey(world)) };
      },
      unique?.[0],
    ),
  ];
}

/** Patches that change nothing. */
const idle: [name: string, operations: (record: Body) => object[]][] = [
  ['without operations', () => []],
  ['to what is there', ({ name }) => [replacing('name', name)]],
];

function unchangedCases(row: Row): Case[] {
  if (!isPatch(row)) return [];
  const named = row.errors.includes('Not Modified');
  return idle.map(([name, operations]) => ({
    name: `${named ? namedErrors['Not Modified'].status : row.status}: a patch ${name}`,
    ...(named && { error: 'Not Modified' }),
    run: async ({ home }) => {
      const record = await make(home, resourceOf(row));
      const response = await ask(home, row, record.id, { body: operations(record) });
      if (named) return expectNotModified(response);
      expectSuccess(row, response, true);
      expect(response.json).toEqual(record);
    },
  }));
}

/** Who may not make a row's request: no one without a token, and no one whose role does not allow it. */
function accessCases(row: Row): Case[] {
  const receives = row.path.startsWith('/v1/bulkscan/');
  const roles = [
    ...(row.method === 'GET' ? [] : ['viewer' as const]),
    ...(receives ? [] : ['uploader' as const]),
  ];
  return [
    {
      name: '401: there is no token',
      run: async (world) => {
        const response = await refuse(world, row, { token: null });
        expectError(response, 401, 'UNAUTHORIZED');
        expect(response.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
      },
    },
    ...roles.map((role) => ({
      name: `403: the token is ${role === 'viewer' ? 'a viewer' : 'an uploader'}'s`,
      run: async (world: World) =>
        expectError(await refuse(world, row, { token: world.home.tenant[role] }), 403, 'FORBIDDEN'),
    })),
  ];
}

/** Everything that a row must do. */
export function casesOf(row: Row): readonly Case[] {
  return [
    ...successes(row),
    ...parameterCases(row),
    ...requiredCases(row),
    ...memberCases(row),
    ...renewalCases(row),
    ...patchCases(row),
    ...bodyCases(row),
    ...notFoundCases(row),
    ...conflictCases(row),
    ...unchangedCases(row),
    ...accessCases(row),
  ];
}
