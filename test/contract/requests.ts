import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { TestRequest, TestResponse } from '../support/gateway.js';
import { type Body, type Caller, fresh, fullBody, make, namedBy, resourceOf, send } from './fixtures.js';
import { assigned, isContract, type ModelName, type Plain, shapeOf } from './models.js';
import { type ErrorName, everyList, type Parameters, type Row } from './rows.js';
import { isPlain, problemsOf } from './shapes.js';

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

export const isDelete = ({ method, removes }: Row) => method === 'DELETE' && !removes;
export const isPatch = ({ body }: Row) => body === 'patch operation list';
export const isList = ({ answer }: Row) => typeof answer === 'object';
export const hasId = ({ path }: Row) => path.includes('{id}');
export const requiredBy = ({ required }: Row) => required ?? [];

/** Returns every query parameter that a row takes, with their defaults. */
export function parametersOf(row: Row): Parameters {
  if (!isList(row)) return {};
  const { paging, ...others } = everyList;
  return { ...others, ...(!row.fixedPage && { paging }), ...row.added, ...row.parameters };
}

/** Returns the model of a row's body, where it is one. */
export function modelOf({ body }: Row): ModelName | undefined {
  return body === 'patch operation list' ? undefined : body;
}

/** Values that callers may send to no effect. */
const withoutEffect: Readonly<Partial<Record<Plain, unknown>>> = {
  string: '2001-02-03T04:05:06.789Z',
  'string (uuid)': '00000000-0000-4000-8000-000000000000',
  'integer (int32)': 7,
  boolean: true,
};

/** Returns members that the server sets, each with a value that a caller may send to no effect. */
export function assignedBy(row: Row): Body {
  const model = modelOf(row);
  if (!model) return {};
  // Of a record that is the contract's, as decided; of another, what it shows but does not take.
  if (typeof row.answer !== 'string' || isContract(model)) return assigned[model] ?? {};
  const isRecord = !/\{id\}\/./.test(row.path);
  const shown = isRecord ? Object.entries(shapeOf(row.answer)) : [];
  const taken = shapeOf(model);
  return Object.fromEntries(
    shown
      .filter(([member, type]) => !(member in taken) && member !== 'id' && isPlain(type))
      .map(([member, type]) => [member, withoutEffect[type as Plain]]),
  );
}

/** What makes a body a JSON Merge Patch. */
export const merging = { 'Content-Type': 'application/merge-patch+json' };

/** Returns an operation as clients of the contract write it: with every member of section 4.11. */
export const replacing = (member: string, value: unknown) => ({
  operationType: 'replace',
  path: `/${member}`,
  op: 'replace',
  from: null,
  value,
});

/** Returns a body that succeeds, with a value for every member. */
export async function bodyFor(caller: Caller, row: Row): Promise<Body | undefined> {
  if (isPatch(row)) return [replacing('name', fresh('Renamed'))];
  if (row.path.endsWith('/renew')) return { expiration_date: '2028-06-01', details: 'Renewed for a year.' };
  if (row.path.endsWith('/confirm')) {
    const contact_email = `${randomUUID()}@example.com`;
    return { name: fresh('Decided'), expiration_date: '2027-06-01', category: 'Permit', contact_email };
  }
  if (row.path.endsWith('/accept')) return { expiration_date: '2028-06-01', name: fresh('Accepted') };
  if (row.path.endsWith('/decline')) return { reason: fresh('Blurred') };
  if (row.path === '/v1/uploads' && row.method === 'POST')
    return {
      ...{ file_name: fresh('scan.txt'), content_type: 'text/plain', content: 'UGFwZXI=', trust_scan: false },
      ...{ name: fresh('Sent'), expiration_date: '2027-06-01', category: 'Permit' },
      ...{ contact_email: `${randomUUID()}@example.com`, team_id: caller.tenant.otherTeamId },
      expiration_item_id: null,
    };
  if (row.path.endsWith('/attachment'))
    return { name: fresh('scan.txt'), content_type: 'text/plain', content: 'UGFwZXI=' };
  if (row.path.endsWith('/contacts') && hasId(row))
    return { contacts: [await make(caller, resourceOf({ path: '/v1/contacts' }))] };
  return row.body === undefined ? undefined : fullBody(caller, resourceOf(row));
}

function once({ made }: World, what: string, work: () => Promise<Body>): Promise<Body> {
  const known = made.get(what) ?? work();
  made.set(what, known);
  return known;
}

/** Returns what a request that is refused may be about, and say. */
export async function known(world: World, row: Row): Promise<{ id: string; body: Body }> {
  const { home } = world;
  const made = `a record of ${row.below?.resource ?? row.path.replace(/\/\{id\}$/, '')}`;
  const id = hasId(row) ? (await once(world, made, () => make(home, namedBy(row)))).id : '';
  const key = `${row.method} ${row.path}`;
  const body = await once(world, key, async () => (await bodyFor(home, row)) ?? {});
  return { id, body };
}

/** Returns a row's path with an id. Where a path has two, the id is both of them, as `a/b`. */
export function pathOf({ path }: Pick<Row, 'path'>, id: string): string {
  if (!/\{(?!id\})/.test(path)) return path.replace('{id}', id);
  const [first = '', inner = first] = id.split('/');
  return path.replace('{id}', first).replace(/\{\w+\}/, inner);
}

/** Sends a row's request. */
export function ask(caller: Caller, row: Row, id: string, request: TestRequest = {}, query = '') {
  const { body, ...rest } = request;
  const path = pathOf(row, id) + query;
  return send(caller, row.method, path, row.body ? request : rest);
}

/**
 * Sends a row's request to be refused: about a record that exists, and sound but for what is given. Expects that it
 * leaves no event, without which nothing is written.
 */
export async function refuse(
  world: World,
  row: Row,
  request: TestRequest & { readonly id?: string } = {},
  query = '',
): Promise<TestResponse> {
  const { id, body } = await known(world, row);
  const { prisma } = world.home.gateway.database;
  const before = await prisma.eventLog.count();
  const response = await ask(world.home, row, request.id ?? id, { body, ...request }, query);
  expect(await prisma.eventLog.count()).toBe(before);
  return response;
}

/** That an error's message names a member first, in a patch after the operation. */
export const naming = (member: string) =>
  new RegExp(`^(?:operation \\d+: )?${member.replaceAll('.', '\\.')}(?!\\w)`);

/** Expects what every successful answer of a row has. */
export function expectSuccess(row: Row, response: TestResponse, whole: boolean): void {
  const { status, text, json, headers } = response;
  expect(status, text).toBe(row.status);
  if (row.answer === undefined) {
    expect(text).toBe('');
    expect(headers.get('content-type')).toBeNull();
    expect(headers.get('content-length') ?? '0').toBe('0');
    return;
  }
  expect(headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(problemsOf(json, row.answer, whole)).toEqual([]);
  if (isList(row)) {
    expect(headers.get('etag')).toMatch(/^W\/"[^"]+"$/);
    expect(headers.get('link')).toMatch(/rel="first"/);
  } else if (!isDelete(row)) expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
  expect(headers.get('location')).toBe(status === 201 ? `${row.path}/${json.id}` : null);
}
