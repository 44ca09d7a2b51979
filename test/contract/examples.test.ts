import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/rest/routes.js';
import { loadDemo } from '../../src/setup/demo/demo.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { operationOf, resolve } from '../support/openapi.js';

/** The requests that the reference sends for an operation when nothing in its form is changed. */
function requestsOf(method: string, path: string) {
  const { parameters = [], requestBody } = operationOf(method, path);
  const query = new URLSearchParams();
  let target = path;
  for (const { in: place, name, example, schema } of parameters.map(resolve)) {
    const value = example ?? schema.default;
    if (value === undefined) continue;
    if (place === 'path') target = target.replace(`{${name}}`, value);
    if (place === 'query') query.set(name, value);
  }
  const bodies: [type: string | undefined, body: unknown][] = requestBody
    ? Object.entries<{ example: unknown }>(requestBody.content).map(([type, { example }]) => [type, example])
    : [[undefined, undefined]];
  return bodies.map(([type, body]) => ({ target: `${target}?${query}`, type, body }));
}

let gateway: TestGateway;
/** An id of the demo for each path with one. */
let ids: Record<string, string>;
/** Ids of records that nothing else points at, so that they can be deleted. */
let free: Record<string, string>;
beforeAll(async () => {
  gateway = await startGateway();
  await loadDemo(gateway.database, gateway.organizationId, testTime);
  await gateway.send('POST', '/v1/contacttypes', { body: { name: 'Auditor of old' } });
  await gateway.send('POST', '/v1/bulkscan/receive', { body: { action: 'fp.upload' } });
  const attachments = [{ name: 'scan.txt', content: 'YQ==' }];
  const item = { name: 'With a file', expiration_date: '2027-06-01', attachments };
  await gateway.send('POST', '/v1/expirationitems', { body: item });
  const make = async (path: string) => (await gateway.send('POST', path, { body: { name: 'Free' } })).json.id;
  free = { teams: await make('/v1/teams'), categories: await make('/v1/categories') };
  const lists = [
    'vehicles',
    'companies',
    'contactTypes',
    'users',
    'contacts',
    'locations',
    'teams',
    'expirationItems',
    'categories',
    'tags',
    'attachments',
  ];
  const { data } = await gateway.graphql(
    `{ ${[...lists, 'notes', 'eventLogs'].map((list) => `${list}(first: 1) { nodes { id } }`).join(' ')}
      uploads: uploadNotifications(first: 1) { nodes { id } } }`,
  );
  ids = Object.fromEntries(
    Object.entries<{ nodes: { id: string }[] }>(data).map(
      ([
        list,
        {
          nodes: [first],
        },
      ]) => [list.toLowerCase(), first?.id ?? ''],
    ),
  );
  // Where a path names them otherwise.
  ids = { ...ids, contact: ids.contacts ?? '', expirationitem: ids.attachments ?? '' };
});
afterAll(() => gateway.close());

/** What deletes comes last, so that there are records for the others. */
const inOrder = routes.toSorted((a, b) => Number(a.kind === 'delete') - Number(b.kind === 'delete'));

describe.each(inOrder)('$method $path', ({ method, path, kind }) => {
  const send = (target: string, type: string | undefined, body: unknown) =>
    gateway.send(method, target, {
      ...(body !== undefined && { raw: JSON.stringify(body) }),
      ...(type !== undefined && { headers: { 'Content-Type': type } }),
    });

  test('has an example that works, once it names a record that is there', async () => {
    for (const { target, type, body } of requestsOf(method, path)) {
      expect(target).not.toMatch(/[{}]/);
      // Answers are checked against the document as well (gateway.send).
      const asItStands = await send(target, type, body);
      if (!path.includes('{id}')) {
        expect(asItStands.status, asItStands.text).toBeLessThan(300);
        continue;
      }
      expect([asItStands.status, asItStands.json.code]).toEqual([404, 'NOT_FOUND']);
      const [before = ''] = path.split('/{id}');
      const named = before.replace(/^.*\//, '');
      const id = (kind === 'delete' ? free[named] : undefined) ?? ids[named] ?? '';
      const there = await send(target.replace(/[0-9a-f-]{36}/, id), type, body);
      // A patch that is sent again, in its other media type, may have changed all there is to change.
      expect([200, 304], there.text).toContain(there.status);
    }
  });
});
