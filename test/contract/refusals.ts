import { expect } from 'vitest';
import { expectBadRequest, expectError, expectNotModified, nowhere } from '../rest/support.js';
import { type Body, make, namedBy, resourceOf } from './fixtures.js';
import { bodyRefusals } from './refusals.bodies.js';
import {
  ask,
  type Case,
  expectSuccess,
  hasId,
  isDelete,
  isPatch,
  known,
  naming,
  refuse,
  replacing,
  type World,
} from './requests.js';
import { namedErrors, type ParameterName, type Row } from './rows.js';

/** For each parameter, values that are refused. */
const wrongParameters: Record<ParameterName, readonly string[]> = {
  term: [],
  email: [],
  status: ['gone'],
  expiresWithinDays: ['1.5', 'soon', '36526'],
  contact_id: ['no-uuid'],
  category_id: ['no-uuid'],
  team_id: ['no-uuid'],
  includeFileContent: ['maybe'],
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
        expectBadRequest(await ask(home, row, nowhere, {}, `?${name}=${value}`), naming(name)),
    })),
  );
}

/** Why there is no record with an id: what gives the id, and who asks when it is not the admin. */
const strangers: [name: string, id: (row: Row, world: World) => Promise<string>, token?: 'member'][] = [
  ['an unknown id', async () => nowhere],
  ['an id that is no UUID', async () => 'no-uuid'],
  ["another organization's id", async (row, { abroad }) => (await make(abroad, namedBy(row))).id],
  ["another workspace's id", async (row, world) => (await known(world, row)).id, 'member'],
];

function notFoundCases(row: Row): Case[] {
  if (!hasId(row)) return [];
  const { status, code } = namedErrors['Not Found'];
  // Whose role does not allow it is told so, whatever the record; and what is the organization's, its members see.
  const seen = row.admin || namedBy(row).shared;
  const asked = strangers.filter(([, , token]) => !(token && seen));
  return asked.map(([name, find, token]) => ({
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
  if (isDelete(row)) {
    const ways = { '': {}, ', sent with a key': { 'Idempotency-Key': 'refused-deletion' } };
    return Object.entries(ways).map(([way, headers]) => ({
      name: `${status}: others cannot be without it${way}`,
      error: 'Conflict',
      run: async (world) => {
        const { id, ...record } = await make(world.home, resource);
        const held = await resource.hold?.(world.home, { id, ...record });
        const message = new RegExp(`^It cannot be deleted: ${held} still belong to it\\.$`);
        expectError(await refuse(world, row, { id, headers }), status, code, message);
      },
    }));
  }
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
    ...(unique
      ? [
          conflict(
            `${unique[0]} is taken`,
            async (world) => {
              const { body } = await known(world, row);
              return { ...body, ...(await byKey(world)) };
            },
            unique[0],
          ),
        ]
      : []),
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
    ...(row.admin ? ['member' as const] : []),
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
      name: `403: the token is ${role === 'uploader' ? 'an' : 'a'} ${role}'s`,
      run: async (world: World) =>
        expectError(await refuse(world, row, { token: world.home.tenant[role] }), 403, 'FORBIDDEN'),
    })),
  ];
}

/** What a row must refuse, and what it must not do. */
export function refusals(row: Row): Case[] {
  return [
    ...parameterCases(row),
    ...bodyRefusals(row),
    ...notFoundCases(row),
    ...conflictCases(row),
    ...unchangedCases(row),
    ...accessCases(row),
  ];
}
