import { beforeAll, describe, expect, test } from 'vitest';
import { type TestResponse, useGateway } from '../support/gateway.js';
import { expectError, expectNothingWritten, nowhere } from './support.js';

const gateway = useGateway();
let company: { path: string; tag: string };
beforeAll(async () => {
  const response = await gateway.send('POST', '/v1/companies', { body: { name: 'Initech' } });
  company = { path: `/v1/companies/${response.json.id}`, tag: tagOf(response) };
});

const tagOf = ({ headers }: TestResponse) => headers.get('etag') ?? '';

/** The endpoints that change a record, with what changes it. */
const writes: [method: string, body: unknown][] = [
  ['PUT', { name: 'Changed' }],
  ['PATCH', [{ op: 'replace', path: '/name', value: 'Changed' }]],
];

async function created() {
  const response = await gateway.send('POST', '/v1/vehicles', { body: { name: 'Van' } });
  return { id: response.json.id as string, tag: tagOf(response) };
}

describe.each(writes)('%s with If-None-Match', (method, body) => {
  const send = (id: string, headers: Record<string, string>) =>
    gateway.send(method, `/v1/vehicles/${id}`, { body, headers });

  test.each<[what: string, header: (tag: string) => string]>([
    ['*', () => '*'],
    ['the current tag', (tag) => tag],
    ['the current tag, weak: the comparison is, too', (tag) => `W/${tag}`],
    ['a list that names it', (tag) => `"other", ${tag}`],
  ])('answers 412 for %s, and nothing is written', async (_what, header) => {
    const { id, tag } = await created();
    await expectNothingWritten(gateway, async () => {
      const response = await send(id, { 'If-None-Match': header(tag) });
      expectError(response, 412, 'PRECONDITION_FAILED', /If-None-Match/);
    });
  });

  test('writes for a tag of another version', async () => {
    const { id } = await created();
    expect((await send(id, { 'If-None-Match': '"other"' })).json.name).toBe('Changed');
  });

  test('comes after If-Match', async () => {
    const { id, tag } = await created();
    const stale = { 'If-Match': '"stale"', 'If-None-Match': '*' };
    expectError(await send(id, stale), 412, 'PRECONDITION_FAILED', /If-Match/);
    const both = { 'If-Match': tag, 'If-None-Match': '*' };
    expectError(await send(id, both), 412, 'PRECONDITION_FAILED', /If-None-Match/);
    const passing = { 'If-Match': tag, 'If-None-Match': '"other"' };
    expect((await send(id, passing)).json.name).toBe('Changed');
  });

  test('answers 404 where there is no vehicle', async () => {
    expectError(await send(nowhere, { 'If-None-Match': '*' }), 404, 'NOT_FOUND');
  });
});

describe.each(['GET', 'HEAD'])('%s with If-Match', (method) => {
  const send = (path: string, headers: Record<string, string>) => gateway.send(method, path, { headers });

  test('answers when the tag is the current one, or any', async () => {
    for (const tag of [company.tag, '*', `"other", ${company.tag}`]) {
      expect((await send(company.path, { 'If-Match': tag })).status, tag).toBe(200);
    }
  });

  test('answers 412 for another tag, and for a weak one', async () => {
    for (const tag of ['"other"', `W/${company.tag}`, '""']) {
      const response = await send(company.path, { 'If-Match': tag });
      expect(response.status, tag).toBe(412);
      if (method === 'GET') expectError(response, 412, 'PRECONDITION_FAILED', /If-Match/);
    }
  });

  test('comes before If-None-Match', async () => {
    const tag = company.tag;
    expect((await send(company.path, { 'If-Match': '"x"', 'If-None-Match': tag })).status).toBe(412);
    expect((await send(company.path, { 'If-Match': tag, 'If-None-Match': tag })).status).toBe(304);
    expect((await send(company.path, { 'If-Match': tag, 'If-None-Match': '"x"' })).status).toBe(200);
  });

  test('answers 404 where there is nothing; a list has no version', async () => {
    expect((await send(`/v1/companies/${nowhere}`, { 'If-Match': '"x"' })).status).toBe(404);
    expect((await send('/v1/vehicles', { 'If-Match': '*' })).status).toBe(200);
    expect((await send('/v1/vehicles', { 'If-Match': '"x"' })).status).toBe(412);
  });
});

describe('POST', () => {
  const post = (headers: Record<string, string>, token?: string) =>
    gateway.send('POST', '/v1/vehicles', { body: { name: 'Van' }, headers, ...(token && { token }) });

  test('412 with If-Match: there is no version yet', async () => {
    await expectNothingWritten(gateway, async () => {
      for (const tag of ['*', '"x"']) {
        expectError(await post({ 'If-Match': tag }), 412, 'PRECONDITION_FAILED', /If-Match/);
      }
      expectError(await post({ 'If-Match': '*' }, gateway.viewer), 403, 'FORBIDDEN');
    });
  });

  test('201 with If-None-Match, which nothing matches', async () => {
    for (const tag of ['*', '"x"']) expect((await post({ 'If-None-Match': tag })).status).toBe(201);
  });
});

test('a mutation at the GraphQL door asks If-Match, and leaves If-None-Match to PUT and PATCH', async () => {
  const { id, tag } = await created();
  const send = (headers: Record<string, string>, name: string) =>
    gateway.send('POST', '/graphql', {
      body: { query: `mutation { updateVehicle(id: "${id}", input: { name: "${name}" }) { name } }` },
      headers,
    });
  expect((await send({ 'If-Match': '"x"' }, 'a')).json.errors[0].extensions.code).toBe('PRECONDITION_FAILED');
  expect((await send({ 'If-Match': tag, 'If-None-Match': '*' }, 'b')).json.errors).toBeUndefined();
});
