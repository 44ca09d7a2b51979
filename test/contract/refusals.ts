import { expect } from 'vitest';
import { expectBadRequest, expectError, expectNotModified, nowhere } from '../rest/support.js';
import type { TestRequest } from '../support/gateway.js';
import { type Body, make, resourceOf } from './fixtures.js';
import { assigned, models, references, type Type } from './models.js';
import {
  ask,
  type Case,
  expectSuccess,
  hasId,
  isPatch,
  known,
  modelOf,
  naming,
  refuse,
  replacing,
  requiredBy,
  type World,
} from './requests.js';
import { namedErrors, type ParameterName, type Row } from './rows.js';
import { elementOf } from './shapes.js';

/** For each parameter, values that are refused. */
const wrongParameters: Record<ParameterName, readonly string[]> = {
  term: [],
  type: ['99', 'vanished'],
  page: ['0', '-2', '1.5', 'last'],
  sort: ['nothing', 'custom_fields'],
  sortDirection: ['up'],
};

function parameterCases(row: Row): Case[] {
  const names = Object.keys(row.parameters ?? {}) as ParameterName[];
  return names.flatMap((name) =>
    wrongParameters[name].map((value) => ({
      name: `400: ${name} is ${value}`,
      error: 'Bad Request' as const,
      run: async ({ home }: World) =>
        expectBadRequest(await ask(home, row, '', {}, `?${name}=${value}`), naming(name)),
    })),
  );
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

/** What a row must refuse, and what it must not do. */
export function refusals(row: Row): Case[] {
  return [
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
