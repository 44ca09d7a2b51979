import { describe, expect, test } from 'vitest';
import { routes } from '../../src/rest/routes.js';
import { expectError, nowhere } from '../rest/support.js';
import { useGateway } from '../support/gateway.js';
import { make, resourceOf, send } from './fixtures.js';
import { pathOf } from './requests.js';
import { contractRows, named, namedErrors, nameOf, rows, whatToDo } from './rows.js';

const gateway = useGateway();
const home = { gateway, tenant: gateway };

describe('what is routed', () => {
  test('is the 22 rows of the contract, and the further ones', () => {
    expect(contractRows).toHaveLength(22);
    const missing = rows.filter((row) => !routes.map(nameOf).includes(nameOf(row)));
    expect(missing.map(nameOf), missing.map(whatToDo).join('\n')).toEqual([]);
    expect(routes.map(nameOf).sort()).toEqual(rows.map(nameOf).sort());
  });

  test.each(named(rows))('says how sure it is that the original has it: %s', (_name, row) => {
    const route = routes.find((candidate) => nameOf(candidate) === nameOf(row));
    expect(route?.origin, whatToDo(row)).toBe(row.origin ?? 'contract');
  });

  test.each(named(rows))('has the errors that the contract names: %s', (_name, row) => {
    const route = routes.find((candidate) => nameOf(candidate) === nameOf(row));
    expect([...(route?.errors ?? [])].sort(), whatToDo(row)).toEqual(
      row.errors.map((name) => namedErrors[name].code).sort(),
    );
  });
});

const paths = [...new Set(rows.map(({ path }) => path))];

describe.each(paths)('other methods of %s', (path) => {
  const taken: string[] = rows.filter((row) => row.path === path).map(({ method }) => method);
  const allowed = [...taken, ...(taken.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
  const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
    (method) => !allowed.includes(method),
  );
  const allowedBy = (headers: Headers) => headers.get('allow')?.split(', ').sort();

  test.each(others)('405: %s', async (method) => {
    const { status, text, json, headers } = await send(home, method, pathOf({ path }, nowhere));
    expect(status, text).toBe(405);
    expect(allowedBy(headers)).toEqual(allowed);
    const error = { message: expect.stringMatching(/\S/), ok: false, code: 'METHOD_NOT_ALLOWED' };
    if (method !== 'HEAD') expect(json).toStrictEqual(error);
  });

  test('204: OPTIONS tells which there are', async () => {
    const { status, text, headers } = await send(home, 'OPTIONS', pathOf({ path }, nowhere));
    expect([status, text]).toEqual([204, '']);
    expect(allowedBy(headers)).toEqual(allowed);
  });
});

/** Returns whether a path is one of the table's. */
const isRouted = (path: string) =>
  paths.some((pattern) => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path));

const unknown = paths
  .flatMap((path) => [
    path.replace(/\/[^/]+$/, ''),
    `${path}//`,
    `${path}/more`,
    path.replace('/v1/', '/v2/'),
  ])
  .concat(['/v1/tags', '/v1/users', '/v1/attachments', '/v1/uploadnotifications', '/v1/me'])
  .map((path) => pathOf({ path }, nowhere))
  .filter((path) => !isRouted(path));

test.each([...new Set(unknown)])('404: nothing is at %s', async (path) => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const response = await send(home, method, path, method === 'GET' ? {} : { body: {} });
    expect(response.status, `${method} ${path}`).toBe(404);
    if (path.startsWith('/v1/')) expectError(response, 404, 'NOT_FOUND');
  }
});

test('a list of events begins with the newest when neither sort nor sortDirection is sent', async () => {
  const { clock } = gateway;
  clock.now = new Date(clock.now.getTime() + 1_000);
  const events = { path: '/v1/eventlogs' };
  await make(home, resourceOf(events));
  const { json } = await send(home, 'GET', events.path);
  const created = json.eventlogs.map((event: { created: string }) => event.created);
  expect(created[0]).toBe(clock.now.toISOString());
  expect(created).toEqual(created.toSorted().reverse());
});
