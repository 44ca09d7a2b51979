import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createItem } from '../rest/items.support.js';
import { startGateway } from '../support/gateway.js';
import { document } from '../support/openapi.js';
import { createProject, type Project, source } from './project.js';

/** What the types must refuse. */
const mistakes = [
  ['a path that is not there', `client.GET('/v1/boats')`],
  ['a method that the path does not have', `client.DELETE('/v1/users/{id}', { params })`],
  ['an id left out', `client.GET('/v1/companies/{id}')`],
  ['a required member left out', `client.POST('/v1/contacts', { body: { name: 'Grace' } })`],
  ['a required member that is null', `client.POST('/v1/contacts', { body: { email: null } })`],
  ['an unknown member', `{ title: 'Yard' } satisfies Schemas['CreateLocationInput']`],
  ['a wrong type', `client.POST('/v1/vehicles', { body: { year: '2024' } })`],
  ['a patch with a wrong type', `client.PATCH('/v1/teams/{id}', { params, body: { name: 5 } })`],
  ['a parameter of a wrong type', `client.GET('/v1/teams', { params: { query: { page: 'last' } } })`],
  ['a record that may be missing', `client.GET('/v1/companies/{id}', { params }).then((r) => r.data.id)`],
  ['a member that no record has', `client.GET('/v1/companies/{id}', { params }).then((r) => r.data?.vat)`],
  [
    'a member that may be null',
    `client.GET('/v1/companies/{id}', { params }).then((r) => r.data?.name.length)`,
  ],
] as const;

/** Returns a program around an expression, which stands on its last line. */
const program = (expression: string) => `import createClient from 'openapi-fetch';
import type { components, paths } from './v1.js';
export const client = createClient<paths>();
export type Schemas = components['schemas'];
export const params = { path: { id: '' } };
export const answer = ${expression};`;

let project: Project;
beforeAll(async () => {
  project = await createProject();
  const sources: Record<string, string> = {
    // A module, not a declaration: what is generated is checked, too.
    'v1.ts': astToString(await openapiTS(document)),
    'flow.ts': await source('openapi.flow'),
    'sound.ts': program(`client.GET('/v1/companies/{id}', { params })`),
    ...Object.fromEntries(mistakes.map(([, expression], index) => [`${index}.ts`, program(expression)])),
  };
  await project.write(sources);
  project.compile(Object.keys(sources));
});
afterAll(() => project.remove());

describe('a client generated from the document', () => {
  test.each(['v1.ts', 'sound.ts', 'flow.ts'])('compiles: %s', (name) => {
    expect(project.complaints(name)).toEqual([]);
  });

  test.each(mistakes.map(([name], index) => [name, index] as const))(
    'does not compile: %s',
    (_name, index) => {
      const found = project.complaints(`${index}.ts`);
      expect(found.length).toBeGreaterThan(0);
      expect(new Set(found.map(({ line }) => line))).toEqual(new Set([5]));
    },
  );

  test('runs: creates a contact and a location, patches both, renews an item', async () => {
    const { flow } = await project.run('flow.ts');
    const gateway = await startGateway();
    try {
      const item = await createItem(gateway, { contacts: [{ email: 'ada@example.com' }] });
      const result = await flow(gateway.url, gateway.admin, item.id);
      expect(result).toMatchObject({
        created: [201, 201],
        contact: { email: 'grace@example.com', name: 'Grace Hopper', location_id: result.location.id },
        location: { name: 'North yard', custom_fields: [{ name: 'Gate', value: 'B' }] },
        unchanged: [304, 'NOT_MODIFIED', undefined],
        item: { id: item.id, expiration_date: '2028-06-01', details: 'Paid in advance.' },
        contacts: [{ email: 'ada@example.com' }],
        code: 'CONFLICT',
        events: [[expect.stringContaining('renewed'), 'Ada Admin']],
        received: [204, undefined],
      });
    } finally {
      await gateway.close();
    }
  });
});
