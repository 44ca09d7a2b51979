import { beforeAll, describe, expect, test } from 'vitest';
import { ask } from '../graphql/support.js';
import { useGateway } from '../support/gateway.js';
import { receive } from '../uploads/support.js';
import { createItem } from './items.support.js';
import { expectBadRequest } from './support.js';

const gateway = useGateway();
const ids: Record<string, string> = {};
beforeAll(async () => {
  ids.item = (await createItem(gateway)).id;
  ids.upload = await receive(gateway, { filename: 'Scan' });
  const { createCategory, createReminderPolicy } = await ask(
    gateway,
    'mutation { createCategory(input: {name: "A"}) { id } createReminderPolicy(input: {name: "A"}) { id } }',
  );
  ids.category = createCategory.id;
  ids.policy = createReminderPolicy.id;
  ids.team = gateway.teamId;
  ids.user = gateway.userId;
});

const unseen = '\u202e\u200b \u3164';
const date = { expiration_date: '2027-01-31' };
const change = [{ op: 'replace', path: '/name', value: unseen }];
const message = /must contain a visible character/;
const countEvents = () => gateway.database.prisma.eventLog.count();

describe('a name that nobody can see is refused', () => {
  test.each<[method: string, path: string, body: object, field: string]>([
    ['POST', '/v1/expirationitems', { name: unseen, ...date }, 'name'],
    ['PUT', '/v1/expirationitems/{item}', { name: unseen, ...date }, 'name'],
    ['PATCH', '/v1/expirationitems/{item}', change, 'operation 0: name'],
    ['POST', '/v1/expirationitems', { name: 'A', ...date, category_name: unseen }, 'category_name'],
    ...['tags', 'locations'].map((list): [string, string, object, string] => [
      ...(['PUT', '/v1/expirationitems/{item}'] as const),
      { name: 'A', ...date, [list]: [{ name: 'seen' }, { name: unseen }] },
      `${list}[1].name`,
    ]),
    ['POST', '/v1/tags', { name: unseen }, 'name'],
    ['POST', '/v1/categories', { name: unseen }, 'name'],
    ['PUT', '/v1/categories/{category}', { name: unseen }, 'name'],
    ['PATCH', '/v1/categories/{category}', change, 'operation 0: name'],
    ['POST', '/v1/teams', { name: unseen }, 'name'],
    ['PATCH', '/v1/teams/{team}', change, 'operation 0: name'],
    ['POST', '/v1/reminderpolicies', { name: unseen }, 'name'],
    ['PATCH', '/v1/reminderpolicies/{policy}', change, 'operation 0: name'],
    ['POST', '/v1/uploads/{upload}/confirm', { name: unseen }, 'name'],
  ])('%s %s %j', async (method, path, body, field) => {
    const before = await countEvents();
    const answer = await gateway.send(
      method,
      path.replace(/\{(\w+)\}/, (_, kind) => ids[kind] ?? ''),
      {
        body,
      },
    );
    expectBadRequest(answer, message);
    expect(answer.json.message).toBe(`${field}: must contain a visible character`);
    expect(await countEvents()).toBe(before);
  });

  test.each<[mutation: string, path: string[]]>([
    ['createExpirationItem(input: {name: $name, expirationDate: "2027-01-31"}) { id }', ['input', 'name']],
    ['updateExpirationItem(id: "{item}", input: {name: $name}) { id }', ['input', 'name']],
    [
      'updateExpirationItem(id: "{item}", input: {tags: [{name: $name}]}) { id }',
      ['input', 'tags', '0', 'name'],
    ],
    ['updateExpirationItems(ids: ["{item}"], input: {name: $name}) { id }', ['input', 'name']],
    ['copyExpirationItem(id: "{item}", input: {name: $name}) { id }', ['input', 'name']],
    ['createCategory(input: {name: $name}) { id }', ['input', 'name']],
    ['createTeam(input: {name: $name}) { id }', ['input', 'name']],
    ['createReminderPolicy(input: {name: $name}) { id }', ['input', 'name']],
    ['createAccessToken(input: {name: $name, role: VIEWER}) { token }', ['input', 'name']],
    ['inviteUser(email: "bo@example.com", name: $name, role: VIEWER) { link }', ['name']],
    ['updateUser(id: "{user}", name: $name) { id }', ['name']],
    ['updateMe(name: $name) { id }', ['name']],
    ['updateOrganization(name: $name) { id }', ['name']],
    ['confirmUpload(id: "{upload}", input: {name: $name}) { id }', ['input', 'name']],
  ])('%s', async (mutation, path) => {
    const before = await countEvents();
    const query = `mutation($name: String!) { ${mutation.replace(/\{(item|user|upload)\}/, (_, kind) => ids[kind] ?? '')} }`;
    const { errors } = await gateway.graphql(query, { name: unseen });
    expect(errors, JSON.stringify(errors)).toMatchObject([
      {
        message: expect.stringMatching(message),
        extensions: { code: 'BAD_REQUEST', violations: [{ rule: 'required' }] },
      },
    ]);
    expect(errors[0].extensions.violations[0].path.map(String)).toEqual(path);
    expect(await countEvents()).toBe(before);
  });
});

test('a name that may be left out may be one that nobody can see', async () => {
  for (const path of ['/v1/vehicles', '/v1/locations', '/v1/notes', '/v1/companies', '/v1/contacttypes']) {
    const { status, json } = await gateway.send('POST', path, { body: { name: unseen } });
    expect([status, json.name], path).toEqual([201, unseen]);
  }
});

describe('the contract leaves names of these records optional', () => {
  test.each([
    ['vehicles', 'Vehicle'],
    ['companies', 'Company'],
    ['locations', 'Location'],
    ['contacttypes', 'ContactType'],
  ])('%s', async (list, type) => {
    const send = async (method: string, path: string, body: unknown, status = 200) => {
      const answer = await gateway.send(method, `/v1/${list}${path}`, { body });
      expect(answer.status, answer.text).toBe(status);
      return answer.json;
    };
    // A text that is not empty is another's already, where names are unique (above).
    for (const body of [{}, { name: null }, { name: '' }, { name: ' ' }, { name: '\u200b' }]) {
      const made = await send('POST', '', body, 201);
      expect(made.name).toBe(body.name ?? null);
    }
    const { id } = await send('POST', '', { name: 'Seen' }, 201);
    for (const name of [null, '', '\u2060']) {
      expect((await send('PATCH', `/${id}`, [{ op: 'replace', path: '/name', value: name }])).name).toBe(
        name,
      );
      expect((await send('PUT', `/${id}`, { name })).name).toBe(name);
      await send('PUT', `/${id}`, { name: 'Seen' });
    }
    expect((await send('PATCH', `/${id}`, [{ op: 'remove', path: '/name' }])).name).toBeNull();
    // GraphQL changes anything else of a record without a name.
    const update = `mutation ($id: ID!, $input: Update${type}Input!) { record: update${type}(id: $id, input: $input) { name teamId } }`;
    const input = { teamId: gateway.otherTeamId };
    expect((await ask(gateway, update, { id, input })).record).toEqual({ name: null, ...input });
    const patch = `mutation ($id: ID!) { record: patch${type}(id: $id, operations: [
      { op: "test", path: "/name", value: null }, { op: "replace", path: "/teamId", value: "${gateway.teamId}" }
    ]) { name teamId } }`;
    expect((await ask(gateway, patch, { id })).record).toEqual({ name: null, teamId: gateway.teamId });
  });
});
