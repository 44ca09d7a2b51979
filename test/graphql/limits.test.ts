import { getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { type RequestLimit, requestLimits } from '../../src/graphql/limits/limits.js';
import { createDocumentCache } from '../../src/http/graphql/limits.js';
import { useGateway } from '../support/gateway.js';
import { many } from './attacks.js';
import { ask } from './support.js';

const gateway = useGateway();

/** Returns a query of a given cost: full pages, part of a page, and single fields for the rest. */
function costing(cost: number): string {
  const page = (name: string, first: number) =>
    `${name}: vehicles(first: ${first}) { nodes { id name vin year } }`;
  const costOf = (first: number) => 2 + first * (10 + 1 + 4);
  const pages = Math.floor(cost / costOf(500));
  const rest = cost - pages * costOf(500);
  const first = Math.floor((rest - 20) / 15);
  const fields = rest - costOf(first) - 1;
  return `{ ${many(pages, (index) => page(`p${index}`, 500))} ${page('part', first)}
    me { ${many(fields, (index) => `f${index}: id`)} } }`;
}

/** For each limit of what is asked for, a request with so many of what it counts. */
const requests: Record<
  Exclude<RequestLimit, 'answerBytes'>,
  (count: number) => string | { query: string; variables: object }
> = {
  characters: (count) => '{ me { id } }'.padEnd(count),
  tokens: (count) => `{ ${many(count - 2, (index) => `x${index}`)} }`,
  nesting: (count) => `{ a(b: ${'['.repeat(count - 2)}${']'.repeat(count - 2)}) }`,
  aliases: (count) => `{ me { ${many(count, (index) => `a${index}: id`)} } }`,
  directives: (count) => `{ me { ${many(count, (index) => `x${index} @include(if: true)`)} } }`,
  definitions: (count) => many(count, (index) => `query Q${index}($a: [Int] = [{}]) { me { id } }`),
  repeats: (count) => `{ me { id ... { ${many(count, () => 'id')} } } }`,
  depth: (count) =>
    `{ location(id: "1") ${'{ parentLocation '.repeat(count - 2)} { id } ${'}'.repeat(count - 2)} }`,
  rootFields: (count) =>
    `{ ...All } fragment All on Query { ${many(count, (index) => `a${index}: me { id }`)} }`,
  cost: costing,
  values: (count) => ({ query: '{ me { id } }', variables: { list: Array(count - 1).fill(1) } }),
};

describe.each(Object.entries(requests))('the limit of %s', (name, request) => {
  const limit = requestLimits[name as RequestLimit];
  const refusal = `The request exceeds the limit of ${limit} `;

  async function messages(count: number): Promise<string[]> {
    const sent = request(count);
    const body = typeof sent === 'string' ? { query: sent } : sent;
    const { json } = await gateway.send('POST', '/graphql', { body });
    return (json.errors ?? []).map(({ message }: { message: string }) => message);
  }

  test(`lets ${limit} pass`, async () => {
    expect((await messages(limit)).filter((message) => message.startsWith(refusal))).toEqual([]);
  });

  test(`refuses ${limit + 1}`, async () => {
    expect(await messages(limit + 1)).toEqual([expect.stringContaining(refusal)]);
  });
});

test('documents rejected before parsing are shown', async () => {
  const { errors } = await gateway.graphql(
    `{\n  ${many(requestLimits.aliases + 1, (index) => `\na${index}: me`)} }`,
  );
  expect(errors).toEqual([
    {
      message: 'The request exceeds the limit of 100 aliases.',
      locations: [{ line: 102 + 1, column: 5 }],
      extensions: { code: 'BAD_REQUEST', violations: [] },
    },
  ]);
});

test.each([501, 2_147_483_647])('first: %i is said to be wrong, not to cost too much', async (first) => {
  const { errors } = await gateway.graphql(
    'query($first: Int) { vehicles(first: $first) { nodes { id } } }',
    {
      first,
    },
  );
  expect(errors).toMatchObject([
    {
      message: `first: must be from 0 to 500, not ${first}`,
      extensions: { code: 'BAD_REQUEST', field: 'first' },
    },
  ]);
});

/** What the largest screens ask for, and what editors and code generators ask first. */
const screens = {
  'the introspection of most tools': getIntrospectionQuery(),
  'all that can be introspected': getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  }),
  'lists five levels deep, of 200 items': `query {
    expirationItems(first: 200) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes {
        ...Item
        contacts { ...Contact location { ...Location parentLocation { ...Location } } }
        locations { ...Location parentLocation { ...Location } }
      }
    }
  }
  fragment Item on ExpirationItem {
    id name expirationDate status timeOfDay details isActive created modified teamId
    category { id name customFields { id name internalName } }
    tags { id name } customFields { id name value } renewals(first: 5) { nodes { id details } }
    attachments(first: 5) { nodes { id name contentType contentLength created } }
    assignedTo { id name email }
  }
  fragment Contact on Contact {
    id name email timezone mobile phone type { id name } assignedTo { id name } customFields { id name value }
  }
  fragment Location on Location { id name customFields { id name value } }`,
  'a start page': `{
    me { id name role teams { id name } }
    ${many(6, (index) => `list${index}: expirationItems(first: 50, filter: {}) { ...Items }`)}
    ${many(6, (index) => `count${index}: expirationItems { totalCount }`)}
    vehicles(first: 100) { edges { cursor node { id name location { id name } } } }
    eventLogs(first: 100) { nodes { id description created user { id name } relatedEntities { id typeId } } }
  }
  fragment Items on ExpirationItemConnection {
    edges { cursor node { id name status expirationDate category { id name } contacts { id name } tags { id name } } }
    pageInfo { hasNextPage endCursor }
  }`,
};

test.each(Object.entries(screens))('there is room for %s', async (_, query) => {
  expect(Object.keys(await ask(gateway, query))).not.toEqual([]);
});

test('there is room for as many mutations as there may be fields', async () => {
  const createTag = (index: number) => `t${index}: createTag(input: { name: "tag ${index}" }) { id }`;
  expect(
    Object.keys(await ask(gateway, `mutation { ${many(requestLimits.rootFields, createTag)} }`)),
  ).toHaveLength(50);
});

test('the document cache is limited by size', () => {
  const { documentCache } = createDocumentCache();
  const large = (name: string) =>
    parse(`query ${name} { ${many(requestLimits.tokens - 4, (index) => `f${index}`)} }`);
  const names = Array.from({ length: 20 }, (_, index) => `Q${index}`);
  for (const name of names) {
    for (const document of [large(name), large(name)]) documentCache.set(name, document);
  }
  const kept = names.filter((name) => documentCache.get(name) !== undefined);
  expect(kept.at(-1)).toBe('Q19');
  expect(kept.length).toBeLessThan(12);
  expect(kept.length).toBeGreaterThan(4);
});

test('a document is remembered from the second time on', () => {
  const { documentCache } = createDocumentCache();
  const [first, second] = ['{ a }', '{ a }'].map((text) => parse(text));
  if (!first || !second) throw new Error('There are two.');
  documentCache.set('{ a }', first);
  expect(documentCache.get('{ a }')).toBeUndefined();
  documentCache.set('{ a }', second);
  expect(documentCache.get('{ a }')).toBe(second);
});
