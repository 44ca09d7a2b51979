import { expect } from 'vitest';
import type { ListParameter } from '../../src/domain/doors/route.js';
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
  merging,
  naming,
  parametersOf,
  refuse,
  replacing,
  type World,
} from './requests.js';
import { namedErrors, type Row } from './rows.js';

/** For each parameter, values that are refused. */
const wrongParameters: Record<ListParameter, readonly string[]> = {
  term: [],
  email: [],
  status: ['gone'],
  state: ['lost'],
  expiresWithinDays: ['1.5', 'soon', '36526'],
  contact_id: ['no-uuid'],
  recipient_id: ['no-uuid'],
  holder_id: ['no-uuid'],
  item_id: ['no-uuid'],
  category_id: ['no-uuid'],
  location_id: ['no-uuid'],
  team_id: ['no-uuid'],
  kind: ['lorry'],
  requirement_ids: ['no-uuid', `${nowhere},`],
  within: ['-2', '1.5', '36526'],
  includeFileContent: ['maybe'],
  type: ['99', 'vanished'],
  page: ['0', '-2', '1.5', 'last'],
  sort: ['nothing', 'custom_fields'],
  sortDirection: ['up'],
  paging: ['0', '501', 'all'],
  cursor: ['garbled', 'WyJuYW1lIl0'],
  modifiedSince: ['yesterday', '2026-11-20', '2026-02-30T00:00:00Z'],
};

function parameterCases(row: Row): Case[] {
  const names = Object.keys(parametersOf(row)) as ListParameter[];
  const wrong = [
    ...names.flatMap((name) => wrongParameters[name].map((value) => ({ name, value }))),
    ...(row.asked ?? []).map((name) => ({ name, value: 'nothing' })),
  ];
  return wrong.map(({ name, value }) => ({
    name: `400: ${name} is ${value}`,
    error: 'Bad Request' as const,
    run: async (world: World) =>
      expectBadRequest(await refuse(world, row, {}, `?${name}=${value}`), naming(name)),
  }));
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

/** Returns the members of a record that no other may have, in another spelling. */
function taken(record: Body, [first = '', ...rest]: readonly string[]): Body {
  const same = Object.fromEntries(rest.map((member) => [member, record[member]]));
  return { ...same, [first]: ` ${record[first].toUpperCase()} ` };
}

function conflictCases(row: Row): Case[] {
  if (!row.errors.includes('Conflict')) return [];
  const { status, code } = namedErrors.Conflict;
  const resource = resourceOf(row);
  const { unique } = resource;
  const conflict = (
    name: string,
    bodyOf: (world: World) => Promise<unknown>,
    named?: string,
    headers?: Record<string, string>,
  ): Case => ({
    name: `${status}: ${name}`,
    error: 'Conflict',
    run: async (world) =>
      expectError(
        await refuse(world, row, { body: await bodyOf(world), ...(headers && { headers }) }),
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
        const message = new RegExp(`^It cannot be deleted: ${held} still belongs? to it\\.$`);
        expectError(await refuse(world, row, { id, headers }), status, code, message);
      },
    }));
  }
  if (row.acts) {
    const settled = async ({ home }: World) => {
      const record = await make(home, resource);
      await resource.hold?.(home, record);
      return record.id;
    };
    // Of what is settled: another decision than the one that was made.
    const other = row.path.startsWith('/v1/uploads') && { expiration_item_id: nowhere };
    return [
      {
        name: `${status}: it is settled`,
        error: 'Conflict',
        run: async (world) =>
          expectError(
            await refuse(world, row, {
              id: await settled(world),
              ...(other && row.body && { body: other }),
            }),
            status,
            code,
            /filed|sent|settled|ended/,
          ),
      },
    ];
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
    const merged = conflict(
      `${unique[0]} becomes one that is taken, by a merge patch`,
      byKey,
      unique[0],
      merging,
    );
    return [failing, patching, merged];
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
const idle: [name: string, patch: (record: Body) => object, headers?: Record<string, string>][] = [
  ['without operations', () => []],
  ['to what is there', ({ name }) => [replacing('name', name)]],
  ['without members', () => ({}), merging],
  ['merged to what is there', ({ name, modified }) => ({ name, modified }), merging],
];

function unchangedCases(row: Row): Case[] {
  if (!isPatch(row)) return [];
  const named = row.errors.includes('Not Modified');
  return idle.map(([name, patch, headers = {}]) => ({
    name: `${named ? namedErrors['Not Modified'].status : row.status}: a patch ${name}`,
    ...(named && { error: 'Not Modified' }),
    run: async ({ home }) => {
      const record = await make(home, resourceOf(row));
      const response = await ask(home, row, record.id, { body: patch(record), headers });
      if (named) return expectNotModified(response);
      expectSuccess(row, response, true);
      expect(response.json).toEqual(record);
    },
  }));
}

/** Returns a version that the record no longer has. */
function versionCases(row: Row): Case[] {
  if (!hasId(row) || row.method === 'GET') return [];
  return [
    {
      name: '412: If-Match names another version',
      run: async (world) => {
        const headers = { 'If-Match': '"old-1"' };
        expectError(await refuse(world, row, { headers }), 412, 'PRECONDITION_FAILED');
      },
    },
  ];
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

/** Returns what a row must refuse, and what it must not do. */
export function refusals(row: Row): Case[] {
  return [
    ...parameterCases(row),
    ...bodyRefusals(row),
    ...notFoundCases(row),
    ...conflictCases(row),
    ...unchangedCases(row),
    ...versionCases(row),
    ...accessCases(row),
  ];
}
