import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/config/parse.js';
import { loadPersistedDocuments } from '../../src/http/graphql/params.js';
import { createVehicle } from '../graphql/support.js';
import { startGateway, type TestGateway, type TestResponse } from '../support/gateway.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const me = 'query Me { me { role } }';
const place = 'query Place($id: ID!) { location(id: $id) { id } }';
const removal = 'mutation Remove($id: ID!) { deleteVehicle(id: $id) { id } }';
const several = 'query A { me { role } } query B { me { name } }';

/** What build tools write, by their names. */
const files: Record<string, string> = {
  'me.graphql': `${me}\n`,
  'screens/several.graphql': several,
  'apollo.json': JSON.stringify({
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [{ id: sha256(place), name: 'Place', type: 'query', body: place }],
  }),
  'relay.json': JSON.stringify({ '0123456789abcdef0123456789abcdef': removal }),
  'README.md': 'Not an operation.',
};

let folder: string;
let gateway: TestGateway;
let strict: TestGateway;
let plain: TestGateway;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'operations-'));
  await mkdir(join(folder, 'screens'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  gateway = await startGateway({ PERSISTED_OPERATIONS: folder });
  strict = await startGateway({ PERSISTED_OPERATIONS: folder, PERSISTED_OPERATIONS_ONLY: 'on' });
  plain = await startGateway();
});
afterAll(async () => {
  await Promise.all([gateway, strict, plain].map((started) => started?.close()));
  await rm(folder, { recursive: true });
});

const answer = { data: { me: { role: 'ADMIN' } } };
const apollo = (hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: hash } } });
const post = (body: object, to = gateway) => to.send('POST', '/graphql', { body });
const spec = { Accept: 'application/graphql-response+json' };

/** Expects one error, refused as a document is that does not validate: 200 to older clients. */
async function expectRefusal(body: object, message: RegExp | string, to = gateway): Promise<void> {
  const error = {
    message: typeof message === 'string' ? message : expect.stringMatching(message),
    extensions: { code: 'BAD_REQUEST', violations: [] },
  };
  const strictly = await to.send('POST', '/graphql', { body, headers: spec });
  expect([strictly.status, strictly.json]).toEqual([400, { errors: [error] }]);
  const loosely = await post(body, to);
  expect([loosely.status, loosely.json]).toEqual([200, { errors: [error] }]);
}

describe('an operation is known by', () => {
  test.each<[string, object]>([
    ['its hash, as documentId', { documentId: `sha256:${sha256(me)}` }],
    ['its hash alone, as documentId', { documentId: sha256(me) }],
    ["its file's hash", { documentId: `sha256:${sha256(`${me}\n`)}` }],
    ["Apollo's extension", apollo(sha256(me))],
    ['its hash beside the document itself', { query: me, ...apollo(sha256(me)) }],
    ['its hash beside empty parameters', { query: null, variables: null, documentId: sha256(me) }],
    ['its name in a document of several', { documentId: sha256(several), operationName: 'A' }],
  ])('%s', async (_, body) => {
    for (const to of [gateway, strict]) expect((await post(body, to)).json).toEqual(answer);
  });

  test("the id in Apollo's manifest, with variables", async () => {
    const variables = { id: '00000000-0000-4000-8000-000000000000' };
    const body = { ...apollo(sha256(place)), variables };
    for (const to of [gateway, strict])
      expect((await post(body, to)).json).toEqual({ data: { location: null } });
  });

  test('the same by GET, but no mutation', async () => {
    const get = (parameters: Record<string, string>): Promise<TestResponse> =>
      strict.send('GET', `/graphql?${new URLSearchParams(parameters)}`);
    expect((await get({ documentId: `sha256:${sha256(me)}` })).json).toEqual(answer);
    expect((await get({ extensions: JSON.stringify(apollo(sha256(me)).extensions) })).json).toEqual(answer);
    const { id } = await createVehicle(gateway);
    const refused = await get({
      documentId: '0123456789abcdef0123456789abcdef',
      variables: JSON.stringify({ id }),
    });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test("the id in Relay's file", async () => {
    const { id } = await createVehicle(gateway);
    const body = { documentId: '0123456789abcdef0123456789abcdef', variables: { id } };
    expect((await post(body)).json).toEqual({ data: { deleteVehicle: { id } } });
  });
});

describe('an id that is unknown', () => {
  const unknown = sha256('{ me { name } }');

  test.each<[string, object]>([
    ['as documentId', { documentId: `sha256:${unknown}` }],
    ["as Apollo's extension", apollo(unknown)],
    ['of an object', { documentId: 'toString' }],
    ['of upper case', { documentId: `sha256:${sha256(me).toUpperCase()}` }],
    ['of another kind', { documentId: `x-name:${sha256(me)}` }],
    ['that is empty', { documentId: '' }],
  ])('%s is refused in the words that clients know', async (_, body) => {
    for (const to of [gateway, strict]) await expectRefusal(body, 'PersistedQueryNotFound', to);
  });

  test('is not asked for again where there are no operations', async () => {
    await expectRefusal(apollo(unknown), 'PersistedQueryNotSupported', plain);
  });

  test('is ignored beside the document, unless only known ones are answered', async () => {
    const body = { query: me.replace('Me', 'Other'), ...apollo(unknown) };
    for (const to of [gateway, plain]) expect((await post(body, to)).json).toEqual(answer);
    await expectRefusal(body, /^Only persisted operations/, strict);
  });
});

describe('a request is refused', () => {
  test.each<[string, object]>([
    ['whose id is a number', { documentId: 7 }],
    ['whose id is a list', { documentId: [sha256(me)] }],
    ["whose id is an object, in Apollo's extension", { extensions: { persistedQuery: { sha256Hash: {} } } }],
    ['with an extension of no use', { extensions: { persistedQuery: null } }],
    ['with neither document nor id', {}],
  ])('%s', async (_, body) => {
    for (const to of [gateway, strict, plain]) {
      const response = await to.send('POST', '/graphql', { body, headers: spec });
      expect(response.status).toBe(400);
      expect(response.json.errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
    }
  });

  test('whose document does not match its id', async () => {
    await expectRefusal({ query: place, documentId: sha256(me) }, /^The document does not have/);
  });
});

describe('where only persisted operations are answered', () => {
  test('the document of one is, word for word', async () => {
    expect((await post({ query: me }, strict)).json).toEqual(answer);
  });

  test.each([
    ['another document', '{ me { role } }'],
    ['the same in other words', `${me} `],
    ['introspection', '{ __schema { queryType { name } } }'],
    ['no document', '{'],
  ])('%s is not', async (_, query) => {
    await expectRefusal({ query }, /^Only persisted operations/, strict);
    // Nor the second time, when it might be remembered.
    await expectRefusal({ query }, /^Only persisted operations/, strict);
  });

  test('the REST door is unaffected', async () => {
    expect((await strict.send('GET', '/v1/vehicles')).status).toBe(200);
  });
});

describe('a folder', () => {
  async function load(name: string, text: string) {
    const path = await mkdtemp(join(tmpdir(), 'operations-'));
    try {
      await writeFile(join(path, name), text);
      return loadPersistedDocuments(path);
    } finally {
      await rm(path, { recursive: true });
    }
  }

  test("may have GraphQL Code Generator's file", async () => {
    const operations = await load('persisted-documents.json', JSON.stringify({ [sha256(me)]: me }));
    expect([...operations]).toEqual([[sha256(me), me]]);
  });

  test.each([
    ['no JSON', 'a.json', '{'],
    ['a list', 'a.json', '[]'],
    ['something else', 'a.json', '{"a":{"query":"{ me { id } }"}}'],
    [
      'a manifest to come',
      'a.json',
      '{"format":"apollo-persisted-query-manifest","version":2,"operations":[]}',
    ],
  ])('must not have %s in a manifest', async (_, name, text) => {
    await expect(load(name, text)).rejects.toThrow(ConfigError);
    await expect(load(name, text)).rejects.toThrow(
      /PERSISTED_OPERATIONS ".*a\.json": expected a document, or/,
    );
  });

  test('must be there', () => {
    expect(() => loadPersistedDocuments(join(folder, 'none'))).toThrow(
      /none": expected a folder that can be read/,
    );
    expect(() => loadPersistedDocuments(join(folder, 'README.md'))).toThrow(ConfigError);
  });
});
