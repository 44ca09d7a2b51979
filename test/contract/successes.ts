import { expect } from 'vitest';
import type { ListParameter } from '../../src/domain/doors/route.js';
import { nowhere } from '../rest/support.js';
import { type Body, type Caller, fresh, make, namedBy, resourceOf, send } from './fixtures.js';
import {
  ask,
  assignedBy,
  bodyFor,
  type Case,
  expectSuccess,
  hasId,
  isDelete,
  isList,
  isPatch,
  known,
  merging,
  parametersOf,
  pathOf,
  requiredBy,
  type World,
} from './requests.js';
import { namedErrors, type Row } from './rows.js';

/** Returns the id of an answer: its own, or that of the record that it belongs to. */
const idIn = ({ below }: Row, shown: Body) => shown[below?.member ?? 'id'];

/** Returns what a success shows of a body's members. */
function shownOf(row: Row, body: Body): Body {
  if (isPatch(row)) return { name: body[0].value };
  if (row.path.endsWith('/attachment')) return { attachments: [{}, body] };
  if (row.path.endsWith('/holders') && row.method === 'POST') return { holders: [{}, ...body.holders] };
  const { id: _, ...rest } = body;
  return row.method === 'POST' ? body : rest;
}

async function writesAll(row: Row, { home }: World): Promise<void> {
  const body = (await bodyFor(home, row)) ?? {};
  const { id = '' } = hasId(row) ? await make(home, resourceOf(row)) : {};
  const ignored = { ...assignedBy(row), ...(row.method === 'PUT' && { id: nowhere }) };
  const sent = isPatch(row) ? body : { ...body, ...ignored };
  const response = await ask(home, row, id, { body: sent });
  // What was just made has not ended.
  expectSuccess(row, response, row.path !== '/v1/exemptions');
  if (row.status === 204) return;
  expect(response.json).toMatchObject(shownOf(row, body));
  if (hasId(row)) expect(idIn(row, response.json)).toBe(id);
  for (const [member, value] of Object.entries(ignored)) expect(response.json[member]).not.toEqual(value);
}

async function writesLeast(row: Row, { home }: World): Promise<void> {
  const whole: Body = (await bodyFor(home, row)) ?? {};
  const body = Object.fromEntries(requiredBy(row).map((member) => [member, whole[member]]));
  const { id = '' } = hasId(row) ? await make(home, resourceOf(row)) : {};
  const response = await ask(home, row, id, { body });
  expectSuccess(row, response, false);
  if (row.status === 204) return;
  expect(response.json).toMatchObject(shownOf(row, body));
  if (row.status === 201) expectDefaults(row, response.json, body);
}

/** Members that a new record has although nobody sends them. */
const given = 'id team_id organization_id created modified status status_id category category_name'.split(
  ' ',
);

/** Expects the defaults of what a new record was not given, as decided: nothing, no entry, in use, not archived. */
function expectDefaults(row: Row, record: Body, sent: Body): void {
  const reminders = { time_of_day: '08:00', deliver_on: 'any', lead_days: -1, contacts_may_renew: false };
  const asked = { applies: {}, valid_days: 0, grace_days: 0, needs_file: false, allow_no_date: false };
  const asking = { ask_days_before: 30, ask_every_days: 7 };
  const standard: Body = {
    is_active: true,
    is_archived: false,
    ...(row.path.includes('reminder') && reminders),
    ...(row.path.includes('requirements') && { ...asked, ...asking }),
    ...(row.path.includes('exemptions') && { from: '2026-11-20' }),
  };
  for (const [member, value] of Object.entries(record).filter(([name]) => !(name in sent))) {
    if (given.includes(member)) continue;
    expect(value, member).toEqual(standard[member] ?? (Array.isArray(value) ? [] : null));
  }
}

async function takesNull(row: Row, { home }: World): Promise<void> {
  const whole: Body = (await bodyFor(home, row)) ?? {};
  const nulls = Object.entries(whole).map(([name, value]) => [
    name,
    requiredBy(row).includes(name) ? value : null,
  ]);
  const response = await ask(home, row, '', { body: Object.fromEntries(nulls) });
  expectSuccess(row, response, false);
  const sent = requiredBy(row).map((member) => [member, whole[member]]);
  expectDefaults(row, response.json, Object.fromEntries(sent));
}

async function takesAnswer(row: Row, { home }: World): Promise<void> {
  const record = await make(home, resourceOf(row));
  const { prisma } = home.gateway.database;
  const before = await prisma.eventLog.count();
  const { status, json } = await ask(home, row, record.id, { body: record });
  expect([status, json]).toEqual([200, record]);
  expect(await prisma.eventLog.count()).toBe(before);
}

async function merges(row: Row, { home }: World): Promise<void> {
  const record = await make(home, resourceOf(row));
  const name = fresh('Renamed');
  const merge = (body: Body) => ask(home, row, record.id, { body, headers: merging });
  const response = await merge({ name });
  expectSuccess(row, response, true);
  const { modified, ...kept } = record;
  expect(response.json).toEqual({ ...kept, name, modified: expect.any(String) });
  expect(response.json.modified).not.toBe(modified);
}

async function acts(row: Row, { home }: World): Promise<void> {
  const { id } = await make(home, resourceOf(row));
  const response = await ask(home, row, id, { body: await bodyFor(home, row) });
  expectSuccess(row, response, false);
  expect(response.json.id).toBe(id);
}

async function sends(row: Row, { home }: World): Promise<void> {
  const whole: Body = (await bodyFor(home, row)) ?? {};
  for (const body of [whole, { content: whole.content }]) {
    const response = await ask(home, row, '', { body });
    expectSuccess(row, response, false);
    expect(response.json).toMatchObject({ state: 'filed', filename: body.file_name ?? null });
  }
}

async function begins(row: Row, { home }: World): Promise<void> {
  const whole: Body = (await bodyFor(home, row)) ?? {};
  const nulls = Object.fromEntries(Object.keys(whole).map((member) => [member, null]));
  const { category_id, team_id } = whole;
  const least = () => ({ category_id, team_id, email: `${fresh('reader').replace(' ', '')}@example.com` });
  for (const body of [whole, least(), { ...nulls, ...least() }] as Body[]) {
    const response = await ask(home, row, '', { body });
    expectSuccess(row, response, false);
    const { expiration_item_id: item_id = null, id, ...shown } = body;
    expect(response.json).toMatchObject({ ...shown, item_id, state: 'open', ...(id && { id }) });
  }
}

/** Returns the record that a list's `{id}` names, and what puts others into that list. */
async function ownerFor(row: Row, { home }: World): Promise<{ ownerId: string; members: Body }> {
  if (!hasId(row)) return { ownerId: '', members: {} };
  const { id } = await make(home, namedBy(row));
  return { ownerId: id, members: row.below ? { [row.below.member]: id } : {} };
}

async function lists(row: Row, world: World): Promise<void> {
  const { home } = world;
  const { ownerId, members } = await ownerFor(row, world);
  const { id, name } = await make(home, resourceOf(row), members);
  const files = parametersOf(row).includeFileContent === undefined ? '' : '&includeFileContent=true';
  const response = await ask(home, row, ownerId, {}, `?term=${encodeURIComponent(name)}${files}`);
  expectSuccess(row, response, true);
  const { pages, page, total, ...list } = response.json;
  expect({ pages, page, total }).toEqual({ pages: 1, page: 1, total: 1 });
  expect(Object.values(list)).toMatchObject([[{ id }]]);
  expectSuccess(row, await ask(home, row, ownerId), false);
}

async function reads(row: Row, { home }: World): Promise<void> {
  const { id } = await make(home, resourceOf(row));
  const response = await ask(home, row, id);
  expectSuccess(row, response, true);
  expect(idIn(row, response.json)).toBe(id);
}

async function deletes(row: Row, { home }: World): Promise<void> {
  const record = await make(home, resourceOf(row));
  const { id } = record;
  // Our own endpoints refuse a parameter that they do not have.
  const query = 'attachments' in record ? '?includeFileContent=false' : '';
  const before = await send(home, 'GET', pathOf(row, id) + query);
  const response = await ask(home, row, id);
  expectSuccess(row, response, false);
  expect(response.json).toEqual(before.json);
  const after = await send(home, 'GET', pathOf(row, id));
  expect(after.status).toBe(namedErrors['Not Found'].status);
}

async function deletesVersions(row: Row, { home }: World): Promise<void> {
  const { id } = await make(home, resourceOf(row));
  const { headers } = await send(home, 'GET', pathOf(row, id));
  for (const [match, own] of [
    [headers.get('etag') ?? '', id],
    ['*', (await make(home, resourceOf(row))).id],
  ]) {
    expectSuccess(row, await ask(home, row, own ?? '', { headers: { 'If-Match': match ?? '' } }), false);
  }
}

async function removes(row: Row, { home }: World): Promise<void> {
  const { id } = await make(home, namedBy(row));
  const [owner = ''] = id.split('/');
  const list = { ...row, path: row.path.replace(/\/\{(?!id\})\w+\}$/, '') };
  const { headers } = await send(home, 'GET', pathOf(list, owner));
  const stale = await ask(home, row, id, { headers: { 'If-Match': '"stale"' } });
  expect(stale.status).toBe(412);
  const match = { 'If-Match': headers.get('etag') ?? '' };
  const response = await ask(home, row, id, { headers: match });
  expectSuccess(row, response, false);
  expect(response.json).toEqual((await send(home, 'GET', pathOf(list, owner))).json);
  expect((await ask(home, row, id)).status).toBe(namedErrors['Not Found'].status);
}

async function answersHead(row: Row, world: World): Promise<void> {
  const { id } = await known(world, row);
  const path = pathOf(row, id);
  const [got, head] = [await send(world.home, 'GET', path), await send(world.home, 'HEAD', path)];
  expect([head.status, head.text]).toEqual([row.status, '']);
  for (const name of ['content-type', 'etag']) expect(head.headers.get(name)).toBe(got.headers.get(name));
}

function answers(row: Row): Case[] {
  const success = (name: string, run: (row: Row, world: World) => Promise<void>): Case => ({
    name: `${row.status}: ${name}`,
    run: (world) => run(row, world),
  });
  if (row.method === 'GET') {
    const read = isList(row) ? success('a page of whole records', lists) : success('a whole record', reads);
    return [read, success('as much to HEAD, without a body', answersHead)];
  }
  if (isDelete(row)) {
    return [
      success('the record is gone, and answered as it was', deletes),
      success('If-Match names its version, or any', deletesVersions),
    ];
  }
  if (isPatch(row)) {
    return [
      success('a member is replaced, in a whole record', writesAll),
      success('a merge patch replaces it as well', merges),
    ];
  }
  if (row.removes) return [success('it is removed, by version, and what is left is answered', removes)];
  if (row.acts) return [success('it is done', acts)];
  if (row.begins) return [success('it is begun, with all members or few', begins)];
  if (row.sends) return [success('a file is taken', sends)];
  return [
    success('every member is taken, and shown again', writesAll),
    success('what is not required is left out', writesLeast),
    ...(row.status === 201 ? [success('null is as good as left out', takesNull)] : []),
    ...(row.method === 'PUT' && row.path.endsWith('{id}')
      ? [success('an answer can be sent back, and changes nothing', takesAnswer)]
      : []),
  ];
}

/** For each parameter but the cursor, a value that makes a difference. */
const others: Record<Exclude<ListParameter, 'cursor'>, string> = {
  term: 'nothing has this in it',
  email: 'nobody@example.com',
  type: 'renewed',
  status: 'archived',
  state: 'ignored',
  expiresWithinDays: '1',
  contact_id: nowhere,
  recipient_id: nowhere,
  holder_id: nowhere,
  item_id: nowhere,
  category_id: nowhere,
  location_id: nowhere,
  team_id: nowhere,
  kind: 'company',
  requirement_ids: nowhere,
  within: '1',
  includeFileContent: 'true',
  page: '2',
  paging: '1',
  modifiedSince: '2999-12-31T23:59:59.999Z',
  sort: 'id',
  sortDirection: 'desc',
};

/** Returns a cursor of a list: where its first row ends. */
async function cursorOf(row: Row, home: Caller, at: string): Promise<string> {
  // A search of files has pages of 25; the list of all files has the same cursors.
  const small = { ...row, path: row.path.replace('/search', '/expirationitem') };
  const { headers } = await ask(home, small, at, {}, '?paging=1&cursor=');
  return /cursor=([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
}

/** Returns a value that differs from the default, in what a list answers. */
function otherThan(standard: string, name: Exclude<ListParameter, 'cursor'>, { path }: Row): string {
  if (name === 'includeFileContent') return String(standard !== 'true');
  if (name === 'state' && path === '/v1/deliveries') return 'sent';
  if (name === 'state' && path === '/v1/compliance') return 'due';
  if (name === 'state' && path === '/v1/documentrequests') return 'cancelled';
  if (name === 'sort' && ['/v1/documentrequests', '/v1/exemptions'].includes(path)) return 'created';
  if (name === 'sort' && path === '/v1/compliance') return 'name';
  // Other lists are ordered by name unless they are told.
  return name === 'sort' && /(expirationitems?|search|\{id\})$/.test(path) ? 'name' : others[name];
}

async function hasDefault(row: Row, world: World, name: ListParameter, standard: string): Promise<void> {
  const { home } = world;
  const { ownerId, members } = await ownerFor(row, world);
  for (const [day, title] of ['Zulu', 'Alpha'].entries()) {
    const dated = row.path.startsWith('/v1/expirationitems') && { expiration_date: `2027-06-0${day + 1}` };
    await make(home, resourceOf(row), { name: fresh(title), ...dated, ...members });
    home.gateway.clock.now = new Date(home.gateway.clock.now.getTime() + 1_000);
  }
  const list = async (value?: string) => {
    // The direction is one of an order that is asked for: without one, a list may have a direction of its own.
    const query = new URLSearchParams(name === 'sortDirection' ? { sort: 'id' } : {});
    if (value !== undefined) query.set(name, value);
    const response = await ask(home, row, ownerId, {}, `?${query}`);
    expectSuccess(row, response, false);
    return response.json;
  };
  const left = await list();
  expect(await list(standard)).toEqual(left);
  const other = name === 'cursor' ? await cursorOf(row, home, ownerId) : otherThan(standard, name, row);
  expect(await list(other)).not.toEqual(left);
}

function defaults(row: Row): Case[] {
  const parameters = Object.entries(parametersOf(row)) as [ListParameter, unknown][];
  return parameters.map(([name, standard]) => ({
    name: `${row.status}: ${name} is ${JSON.stringify(standard)} when left out`,
    run: (world) => hasDefault(row, world, name, String(standard)),
  }));
}

/** Returns what a row must answer to requests that are sound. */
export function successes(row: Row): Case[] {
  return [...answers(row), ...defaults(row)];
}
