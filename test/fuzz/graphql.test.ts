import fc from 'fast-check';
import { type GraphQLEnumType, getNamedType, isInputObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { camelCase } from '../../src/domain/text/names.js';
import { expectAlive, expectGraphql } from './answers.js';
import { moments, texts, values } from './awkward.js';
import { type Operation, operationsOn, printed } from './documents.js';
import { problemsIn } from './results.js';
import { patience, seed, settings } from './runs.js';
import { createWorld, fill, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.gateway.close());

const queries = Object.keys(printed.getQueryType()?.getFields() ?? {});
const mutations = Object.keys(printed.getMutationType()?.getFields() ?? {})
  // They would take the caller's own rights away.
  .filter((name) => !['deleteTeam', 'revokeAccessToken', 'updateUser', 'deactivateUser'].includes(name));

const send = (raw: string, headers: Record<string, string> = {}) =>
  world.gateway.send('POST', '/graphql', {
    raw,
    headers: { 'Content-Type': 'application/json', ...headers },
  });

const bodyOf = ({ query, variables }: Operation) =>
  `{"query":${JSON.stringify(query)},"variables":${variables}}`;

/** Of the operations of a property, how many were answered without an error. */
async function tryOut(
  kind: 'query' | 'mutation',
  names: readonly string[],
  wrongs: number,
  usual: number,
): Promise<number> {
  let done = 0;
  await fc.assert(
    fc.asyncProperty(operationsOn(kind, names, world, wrongs), async (operation) => {
      const answer = await send(bodyOf(operation));
      expectGraphql(answer);
      if (wrongs === 0) expect([200, 400]).toContain(answer.status);
      if (answer.json.data) expect(problemsIn(operation.query, answer.json.data)).toEqual([]);
      if (!answer.json.errors) done++;
    }),
    settings(usual),
  );
  await expectAlive(world.gateway);
  return done;
}

describe(`the GraphQL door, seed ${seed}`, () => {
  test('queries', async () => expect(await tryOut('query', queries, 0, 100)).toBeGreaterThan(50), patience);
  test('queries with wrong values', () => tryOut('query', queries, 15, 100), patience);

  const kinds = ['create', 'update|replace', 'patch', 'delete|remove|renew|retry|confirm|receive|add'];
  test.each(kinds)(
    'mutations: %s',
    async (names) => {
      const named = mutations.filter((name) => new RegExp(`^(${names})`).test(name));
      expect(await tryOut('mutation', named, 0, 30)).toBeGreaterThan(0);
      await fill(world.gateway);
      await tryOut('mutation', named, 15, 40);
      await fill(world.gateway);
    },
    patience,
  );

  test(
    'documents with something cut out, put in or broken off',
    async () => {
      const signs = fc.oneof(
        texts,
        fc.constantFrom(
          '{',
          '}',
          '(',
          ')',
          '$',
          '...',
          '@',
          '"""',
          '"',
          '!',
          '&',
          '#',
          '...F',
          ' on ',
          '\\u{110000}',
        ),
      );
      const spoiled = operationsOn('query', queries, world, 0).chain((operation) =>
        fc.tuple(fc.nat(operation.query.length), fc.nat(20), signs).map(([at, length, sign]) => ({
          ...operation,
          query: operation.query.slice(0, at) + sign + operation.query.slice(at + length),
        })),
      );
      await fc.assert(
        fc.asyncProperty(spoiled, async (operation) => expectGraphql(await send(bodyOf(operation)))),
        settings(80),
      );
      await expectAlive(world.gateway);
    },
    patience,
  );

  test(
    'requests whose members are anything',
    async () => {
      const query = fc.oneof(
        fc.constant('"{ me { id } }"'),
        fc.constant('"query A { me { id } } query B { me { id } }"'),
        values,
      );
      const member = (name: string) =>
        fc.oneof(
          fc.constant(''),
          values.map((value) => `"${name}":${value}`),
        );
      const body = fc
        .tuple(
          query,
          ...['variables', 'operationName', 'extensions', 'documentId', '__proto__', 'then'].map(member),
        )
        .map(([first, ...others]) => `{${[`"query":${first}`, ...others.filter(Boolean)].join()}}`);
      const bodies = fc.oneof(
        { weight: 8, arbitrary: body },
        { weight: 1, arbitrary: values },
        { weight: 1, arbitrary: texts },
      );
      const accept = fc.constantFrom(
        '*/*',
        'application/json',
        'application/graphql-response+json',
        'text/html',
        ';',
        'text/event-stream',
        'multipart/mixed',
      );
      await fc.assert(
        fc.asyncProperty(bodies, accept, async (raw, Accept) => {
          const answer = await send(raw, { Accept });
          // A stream of events holds its answers in other words.
          if (/json/.test(answer.headers.get('content-type') ?? '')) expectGraphql(answer);
          else expect(`${answer.status} ${answer.text}`).not.toMatch(/^5|INTERNAL_ERROR|UNAVAILABLE/);
        }),
        settings(80),
      );
      await expectAlive(world.gateway);
    },
    patience,
  );

  test(
    'cursors that callers made themselves',
    async () => {
      const lists = Object.values(printed.getQueryType()?.getFields() ?? {}).flatMap(({ name, args }) => {
        const order = getNamedType(args.find((argument) => argument.name === 'orderBy')?.type);
        const field = isInputObjectType(order) ? order.getFields().field : undefined;
        const words = field ? (getNamedType(field.type) as GraphQLEnumType).getValues() : [];
        return words.map((word) => ({ name, word: word.name }));
      });
      const forged = fc.record({
        list: fc.constantFrom(...lists),
        argument: fc.constantFrom('first: 2, after', 'last: 2, before'),
        value: fc.oneof(
          values,
          moments.map((moment) => JSON.stringify(moment)),
        ),
        id: fc.oneof(fc.constantFrom(...world.ids('')), texts),
      });
      await fc.assert(
        fc.asyncProperty(forged, async ({ list: { name, word }, argument, value, id }) => {
          const text = `["${camelCase(word.toLowerCase())}","asc",${value},${JSON.stringify(id)}]`;
          const cursor = Buffer.from(text).toString('base64url');
          const query = `{ ${name}(${argument}: "${cursor}", orderBy: {field: ${word}}) { totalCount nodes { id } } }`;
          expectGraphql(await send(JSON.stringify({ query })));
        }),
        settings(80),
      );
      await expectAlive(world.gateway);
    },
    patience,
  );

  test(
    'parameters in the query string',
    async () => {
      const names = fc.constantFrom('query', 'variables', 'operationName', 'extensions', 'documentId');
      const given = fc.oneof(texts, values).filter((text) => text.length < 3_000);
      const raw = fc.constantFrom(
        'query=%',
        'query=%ff',
        'query={me{id}}&query={me{id}}',
        'variables=%00&query={me{id}}',
      );
      const pair = fc
        .tuple(names, given)
        .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.oneof(pair, raw), { maxLength: 3 }), async (pairs) => {
          expectGraphql(await world.gateway.send('GET', `/graphql?${pairs.join('&')}`));
        }),
        settings(40),
      );
      await expectAlive(world.gateway);
    },
    patience,
  );
});
