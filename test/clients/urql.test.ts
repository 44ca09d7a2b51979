import { Client, fetchExchange, gql, type OperationResult, subscriptionExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { createClient } from 'graphql-sse';
import { beforeAll, describe, expect, test } from 'vitest';
import { streams } from '../live/support.js';
import { eventually } from '../support/eventually.js';
import { useGateway } from '../support/gateway.js';
import {
  addressOf,
  countingFetch,
  createFilledIn,
  createItems,
  expectQuietConsole,
  type Items,
  idOf,
  itemsQuery,
  refusals,
  update,
} from './support.js';

const listQuery = gql<Items>(itemsQuery);

const gateway = useGateway();
expectQuietConsole();
beforeAll(async () => {
  await createItems(gateway, 'ABCDEFG');
});

/** Returns a cache as docs/use/clients.md has it. */
const createCache = () =>
  cacheExchange({
    resolvers: { Query: { expirationItems: relayPagination() } },
    keys: { CustomField: () => null },
  });

interface Options {
  readonly token?: string;
  readonly preferGetMethod?: boolean;
  /** Streams over the client's own fetch, not over graphql-sse. */
  readonly fetchSubscriptions?: boolean;
}

function connect({ token, ...options }: Options = {}) {
  const { url, headers } = addressOf(gateway, token);
  const { sent, fetch } = countingFetch();
  const sse = createClient({ url, headers });
  const streaming = subscriptionExchange({
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: sse.subscribe({ query, variables: variables as Record<string, unknown> }, sink),
      }),
    }),
  });
  const exchanges = [createCache(), ...(options.fetchSubscriptions ? [] : [streaming]), fetchExchange];
  // The header is for forms, in which files go.
  const fetchOptions = { headers: { ...headers, 'Apollo-Require-Preflight': '1' } };
  const client = new Client({ url, fetch, fetchOptions, exchanges, ...options });
  return { client, sent };
}

function namesOf({ data, error }: OperationResult<Items>): string {
  if (!data) throw error;
  return data.expirationItems.edges.map(({ node }) => node.name).join('');
}

/** Shows a list as a screen would, from the cache as it changes. */
function watch(client: Client, term: string) {
  const shown: string[] = [];
  const query = client.query(listQuery, { filter: { term } });
  const screen = query.subscribe((result) => shown.push(namesOf(result)));
  const shows = (name: string) => eventually(() => expect(shown.at(-1)).toBe(name));
  return { shows, close: () => screen.unsubscribe() };
}

test.each([
  ['POST', false],
  ['GET', true],
])('by %s, relayPagination puts pages together, for each order by itself', async (method, get) => {
  const { client, sent } = connect({ preferGetMethod: get });
  const list = (variables: object) => client.query(listQuery, variables).toPromise();
  let after: string | null | undefined = null;
  for (const names of ['ABC', 'ABCDEF', 'ABCDEFG']) {
    const page: OperationResult<Items> = await list({ after });
    expect(namesOf(page)).toBe(names);
    const pageInfo = page.data?.expirationItems.pageInfo;
    expect(pageInfo?.hasNextPage).toBe(names !== 'ABCDEFG');
    after = pageInfo?.endCursor;
  }
  expect(namesOf(await list({ direction: 'DESC' }))).toBe('GFE');
  const cached = client.query(listQuery, { after: null }, { requestPolicy: 'cache-only' });
  expect(namesOf(await cached.toPromise())).toBe('ABCDEFG');
  expect(sent).toEqual([method, method, method, method]);
});

test('a mutation changes the record wherever it is shown, and nothing is asked for again', async () => {
  const { client, sent } = connect();
  const { shows, close } = watch(client, 'A');
  await shows('A');
  const mutation = gql`
    mutation Rename($id: ID!, $name: String!) {
      updateExpirationItem(id: $id, input: { name: $name }) { id name modified }
    }`;
  const id = await idOf(gateway, 'A');
  for (const name of ['A2', 'A']) {
    await client.mutation(mutation, { id, name }).toPromise();
    await shows(name);
  }
  expect(sent).toHaveLength(3);
  close();
});

test('one field of a document type has its own value in each item', async () => {
  const categoryId = await createFilledIn(gateway, ['X', 'Y']);
  const { client } = connect();
  const { data } = await client.query(listQuery, { filter: { categoryId } }).toPromise();
  const values = data?.expirationItems.edges.map(({ node }) => node.customFields[0]?.value);
  expect(values).toEqual(['X', 'Y']);
});

test('a file among the variables is sent along', async () => {
  const { client } = connect();
  const mutation = gql`
    mutation Attach($id: ID!, $file: Upload!) {
      addAttachment(itemId: $id, input: { file: $file }) { name contentType contentLength downloadUrl }
    }`;
  const file = new File(['%PDF-1.7'], 'scan.pdf', { type: 'application/pdf' });
  const variables = { id: await idOf(gateway, 'G'), file };
  const { data, error } = await client.mutation(mutation, variables).toPromise();
  expect(error).toBeUndefined();
  const { downloadUrl, ...attachment } = data.addAttachment;
  expect(attachment).toMatchObject({ name: 'scan.pdf', contentType: 'application/pdf', contentLength: '8' });
  expect((await gateway.send('GET', downloadUrl)).text).toBe('%PDF-1.7');
});

describe('an error answer is an error with its code', () => {
  test.each(refusals)('$what: $code', async ({ text, code, token }) => {
    const { client } = connect({ token: token(gateway) });
    const answer = text.startsWith('mutation') ? client.mutation(text, {}) : client.query(text, {});
    const { error } = await answer.toPromise();
    expect(error?.networkError).toBeUndefined();
    expect(error?.graphQLErrors).toMatchObject([{ extensions: { code } }]);
  });
});

test.each([
  ['graphql-sse', false],
  ['its own fetch', true],
])('a subscription over %s changes the records that are shown', async (_name, fetchSubscriptions) => {
  const { client } = connect({ fetchSubscriptions });
  const { shows, close } = watch(client, 'B');
  await shows('B');
  const query = gql`
    subscription Changes($id: ID!) { expirationItemChanged(id: $id) { id name status } }`;
  const id = await idOf(gateway, 'B');
  const changes: unknown[] = [];
  const subscription = client.subscription(query, { id }).subscribe(({ data }) => changes.push(data));
  await streams(gateway, 1);
  for (const name of ['B2', 'B']) {
    await update(gateway, id, { name });
    await shows(name);
  }
  expect(changes).toMatchObject([
    { expirationItemChanged: { id, name: 'B2', status: 'CURRENT' } },
    { expirationItemChanged: { id, name: 'B', status: 'CURRENT' } },
  ]);
  subscription.unsubscribe();
  await streams(gateway, 0);
  close();
});
