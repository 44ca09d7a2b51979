import { describe, expect, test } from 'vitest';
import { createVehicle } from '../graphql/support.js';
import { sendRaw, stored } from '../rest/support.js';
import { startGateway, type TestRequest, type TestResponse, useGateway } from '../support/gateway.js';

const gateway = useGateway({ GRAPHIQL: 'off' });

const query = '{ me { role } }';
const answer = { data: { me: { role: 'ADMIN' } } };

function expectError(response: TestResponse, status: number, code: string): void {
  expect([response.status, response.json]).toEqual([
    status,
    { errors: [{ message: expect.stringMatching(/\S/), extensions: { code, violations: [] } }] },
  ]);
}

/** Returns a GET with these parameters. */
function get(parameters: Record<string, string>, request?: TestRequest): Promise<TestResponse> {
  return gateway.send('GET', `/graphql?${new URLSearchParams(parameters)}`, request);
}

describe('Accept', () => {
  const form = (type: string | null) => type?.split(';')[0];

  test.each([
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/graphql-response+json', 'application/graphql-response+json'],
    ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'application/json'],
    ['TEXT/HTML , Application/JSON', 'application/json'],
  ])('%s is answered in %s', async (accept, type) => {
    const response = await gateway.send('POST', '/graphql', { body: { query }, headers: { Accept: accept } });
    expect([response.status, response.json]).toEqual([200, answer]);
    expect(form(response.headers.get('content-type'))).toBe(type);
  });

  test.each([
    'text/html',
    'image/*',
    'application/xml',
    'application/json; charset=iso-8859-1',
    'json',
    ',',
    ';',
  ])('%s is 406, and nothing is done', async (accept) => {
    const { id } = await createVehicle(gateway);
    const before = await stored(gateway);
    const body = { query: `mutation { deleteVehicle(id: "${id}") { id } }` };
    const response = await gateway.send('POST', '/graphql', { body, headers: { Accept: accept } });
    expectError(response, 406, 'NOT_ACCEPTABLE');
    expect(form(response.headers.get('content-type'))).toBe('application/json');
    expect(await stored(gateway)).toEqual(before);
  });

  test('is asked after who it is', async () => {
    expectError(await get({ query }, { token: null, headers: { Accept: 'image/png' } }), 401, 'UNAUTHORIZED');
  });
});

describe('parameters of a GET', () => {
  const typed = 'query A($first: Int) { vehicles(first: $first) { nodes { id } } } query B { me { role } }';

  test('are read', async () => {
    expect(
      (await get({ query: typed, operationName: 'B', variables: '{"first":1}', extensions: '{}' })).json,
    ).toEqual(answer);
    expect((await get({ query, operationName: '', variables: '', extensions: '' })).json).toEqual(answer);
  });

  test.each([
    ['variables', '{'],
    ['variables', 'x'],
    ['variables', '[]'],
    ['variables', '1'],
    ['extensions', '{"a"'],
    ['extensions', '[]'],
  ])('%s of %s: 400', async (name, value) => {
    expectError(await get({ query, [name]: value }), 400, 'BAD_REQUEST');
  });
});

// What a page of another origin can send without asking first (Fetch, section 2.2.2), with a token that something in
// between may have added.
describe('a request that a page of any origin can send', () => {
  const simple = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];

  test.each(simple)('of %s is 415, and not done', async (type) => {
    const { id } = await createVehicle(gateway);
    const before = await stored(gateway);
    const mutation = `mutation { deleteVehicle(id: "${id}") { id } }`;
    const bodies = [
      JSON.stringify({ query: mutation }),
      new URLSearchParams({ query: mutation }).toString(),
      `--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n${JSON.stringify({ query: mutation })}\r\n--x--\r\n`,
    ];
    for (const raw of bodies) {
      const response = await gateway.send('POST', '/graphql', { raw, headers: { 'Content-Type': type } });
      expectError(response, 415, 'UNSUPPORTED_MEDIA_TYPE');
    }
    expect(await stored(gateway)).toEqual(before);
  });

  test('without a type is 415, and not done', async () => {
    const { id } = await createVehicle(gateway);
    const before = await stored(gateway);
    const body = JSON.stringify({ query: `mutation { deleteVehicle(id: "${id}") { id } }` });
    const options = { method: 'POST', headers: { Authorization: `Bearer ${gateway.admin}` } };
    expect((await sendRaw(`${gateway.url}/graphql`, options, [body])).status).toBe(415);
    expect(await stored(gateway)).toEqual(before);
  });

  test.each([...simple, 'application/json'])('of %s without a token is 401', async (type) => {
    const request = { raw: JSON.stringify({ query }), token: null, headers: { 'Content-Type': type } };
    expectError(await gateway.send('POST', '/graphql', request), 401, 'UNAUTHORIZED');
  });

  test('by GET without a token is 401', async () => {
    expectError(await get({ query }, { token: null }), 401, 'UNAUTHORIZED');
  });
});

describe('errors', () => {
  test.each<[string, string, object?]>([
    ['a field', '{ me { naem } }'],
    ['a root field', '{ vehicel { id } }'],
    ['a type', 'query($a: Itn) { me { id } }'],
    ['an argument', '{ vehicles(frist: 1) { totalCount } }'],
    ['a directive', '{ me @inlcude(if: true) { id } }'],
    ['a member', 'mutation { createVehicle(input: { name: "x", naem: "x" }) { id } }'],
    ['a value of an enum', '{ vehicles(orderBy: { field: NAEM }) { totalCount } }'],
    [
      'a member in variables',
      'mutation($i: CreateVehicleInput!) { createVehicle(input: $i) { id } }',
      { i: { name: 'x', naem: 'x' } },
    ],
    [
      'a value of an enum in variables',
      'query($o: [VehicleOrder!]) { vehicles(orderBy: $o) { totalCount } }',
      { o: { field: 'NAEM' } },
    ],
    ['a fragment', '{ me { ...Fo } } fragment Foo on Me { id }'],
  ])('suggest nothing in place of %s', async (_, query, variables) => {
    const { text, json } = await gateway.send('POST', '/graphql', { body: { query, variables } });
    expect(json.errors[0].extensions).toMatchObject({ code: 'BAD_REQUEST' });
    // The path has the caller's own names.
    const told = text.replace(/"path":\["vehicles"\]/, '');
    expect(told).not.toMatch(/did you mean|\bname\b|\bfirst\b|"vehicles"|\bNAME\b|\binclude\b/i);
  });

  test.each([
    ['Date', 'mutation { renewExpirationItem(id: "1", input: { expirationDate: "x" }) { id } }'],
    ['DateTime', '{ eventLogs(filter: { createdAfter: "x" }) { totalCount } }'],
    ['UUID', 'mutation { createVehicle(input: { name: "Van", statusId: "x" }) { id } }'],
    ['BigInt', 'mutation { receiveUpload(input: { id: 1.5 }) { id } }'],
  ])('of a literal %s say where it is', async (_, query) => {
    const { errors } = await gateway.graphql(query);
    // Of inputs it is the member, of other arguments the place in the document.
    const isInput = query.startsWith('mutation');
    const column = isInput ? query.indexOf('{') + 3 : query.search(/"x"/) + 1;
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(isInput ? /^\w+: must be / : /^must be /),
        locations: [{ line: 1, column }],
        extensions: { code: 'BAD_REQUEST' },
      },
    ]);
    const member = /(\w+): (?:"x"|1\.5)/.exec(query)?.[1];
    if (isInput) expect(errors[0].extensions.violations).toMatchObject([{ path: ['input', member] }]);
  });

  test('of variables name the member', async () => {
    const query =
      'mutation($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }';
    const input = { name: 'Permit', expirationDate: '2027-01-01', tags: [{ name: 'a' }, { name: 7 }] };
    const { errors } = await gateway.graphql(query, { input });
    expect(errors).toEqual([
      {
        message: 'tags[1].name: must be a string',
        locations: [{ line: 1, column: 48 }],
        path: ['createExpirationItem'],
        extensions: {
          code: 'BAD_REQUEST',
          field: 'tags.1.name',
          violations: [{ path: ['input', 'tags', 1, 'name'], message: 'must be a string', rule: 'type' }],
        },
      },
    ]);
  });
});

describe('introspection', () => {
  const types = '{ __schema { types { name } } }';

  test('is off when it is so configured, and __typename is not', async () => {
    const closed = await startGateway({ INTROSPECTION: 'off' });
    try {
      for (const query of [
        types,
        '{ __type(name: "Me") { name } }',
        '{ ...A } fragment A on Query { __schema { queryType { name } } }',
      ]) {
        const { errors, data } = await closed.graphql(query);
        expect(data).toBeUndefined();
        expect(errors[0]).toMatchObject({
          message: expect.stringMatching(/introspection/),
          extensions: { code: 'BAD_REQUEST' },
        });
      }
      expect(await closed.graphql('{ __typename me { __typename } }')).toEqual({
        data: { __typename: 'Query', me: { __typename: 'Me' } },
      });
    } finally {
      await closed.close();
    }
  });

  test('is on otherwise', async () => {
    expect((await gateway.graphql(types)).data.__schema.types.length).toBeGreaterThan(50);
  });
});
