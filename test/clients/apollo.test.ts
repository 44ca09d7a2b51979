import { createHash } from 'node:crypto';
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { createClient } from 'graphql-ws';
import { filter, firstValueFrom, map } from 'rxjs';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { streams, webSocketUrl } from '../live/support.js';
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

const listQuery = gql(itemsQuery);

const gateway = useGateway();
const clients: ApolloClient[] = [];
expectQuietConsole();
beforeAll(async () => {
  await createItems(gateway, 'ABCDEFG');
});
afterEach(() => {
  for (const client of clients.splice(0)) client.stop();
});

/** Returns a cache as docs/use/clients.md has it. */
const createCache = () =>
  new InMemoryCache({
    typePolicies: {
      Query: { fields: { expirationItems: relayStylePagination(['filter', 'orderBy']) } },
      CustomField: { keyFields: false },
    },
  });

function connect({ token, ...options }: { token?: string; useGETForQueries?: boolean } = {}) {
  const { url, headers } = addressOf(gateway, token);
  const { sent, fetch } = countingFetch();
  const link = new HttpLink({ uri: url, headers, fetch, ...options });
  const client = new ApolloClient({ link, cache: createCache() });
  clients.push(client);
  return { client, sent };
}

const namesOf = ({ expirationItems }: Items) => expirationItems.edges.map(({ node }) => node.name).join('');

/** Shows a list, as a screen would. */
function watchItems(client: ApolloClient, variables: object = {}) {
  const query = client.watchQuery<Items>({ query: listQuery, variables });
  const lists = query.pipe(
    filter(({ dataState }) => dataState === 'complete'),
    map(({ data }) => data as Items),
  );
  const screen = lists.subscribe();
  return {
    query,
    /** Returns the list, once these are its rows. */
    shows: (names: string) => firstValueFrom(lists.pipe(filter((list) => namesOf(list) === names))),
    close: () => screen.unsubscribe(),
  };
}

test.each([
  ['POST', false],
  ['GET', true],
])('by %s, relayStylePagination puts pages together, for each order by itself', async (method, get) => {
  const { client, sent } = connect({ useGETForQueries: get });
  const { query, shows, close } = watchItems(client);
  for (const [shown, next] of [
    ['ABC', 'ABCDEF'],
    ['ABCDEF', 'ABCDEFG'],
  ] as const) {
    const { pageInfo } = (await shows(shown)).expirationItems;
    expect(pageInfo.hasNextPage).toBe(true);
    await query.fetchMore({ variables: { after: pageInfo.endCursor } });
    await shows(next);
  }
  const { expirationItems } = await shows('ABCDEFG');
  expect(expirationItems).toMatchObject({ totalCount: 7, pageInfo: { hasNextPage: false } });

  const backwards = watchItems(client, { direction: 'DESC' });
  await backwards.shows('GFE');
  // From the cache alone, which has one record of each item however many lists it is in.
  const { data } = await client.query<Items>({ query: listQuery, fetchPolicy: 'cache-only' });
  expect(data && namesOf(data)).toBe('ABCDEFG');
  const keys = Object.keys(client.cache.extract() as object);
  expect(keys.filter((key) => key.startsWith('ExpirationItem:'))).toHaveLength(7);
  expect(sent).toEqual([method, method, method, method]);
  backwards.close();
  close();
});

test('a mutation changes the record wherever it is shown, and nothing is asked for again', async () => {
  const { client, sent } = connect();
  const { shows, close } = watchItems(client, { filter: { term: 'A' } });
  await shows('A');
  const mutation = gql`
    mutation Rename($id: ID!, $name: String!) {
      updateExpirationItem(id: $id, input: { name: $name }) { id name modified }
    }`;
  const id = await idOf(gateway, 'A');
  for (const name of ['A2', 'A']) {
    await client.mutate({ mutation, variables: { id, name } });
    await shows(name);
  }
  expect(sent).toHaveLength(3);
  close();
});

test('one field of a document type has its own value in each item', async () => {
  const categoryId = await createFilledIn(gateway, ['X', 'Y']);
  const { client } = connect();
  const { data } = await client.query<Items>({ query: listQuery, variables: { filter: { categoryId } } });
  const values = data?.expirationItems.edges.map(({ node }) => node.customFields[0]?.value);
  expect(values).toEqual(['X', 'Y']);
});

describe('an error answer is an error with its code', () => {
  test.each(refusals)('$what: $code', async ({ text, code, token }) => {
    const { client } = connect({ token: token(gateway) });
    const document = gql(text);
    const answer = text.startsWith('mutation')
      ? client.mutate({ mutation: document })
      : client.query({ query: document });
    const error = await answer.then(
      () => undefined,
      (refused: unknown) => refused,
    );
    expect(CombinedGraphQLErrors.is(error) && error.errors).toMatchObject([{ extensions: { code } }]);
  });
});

test('PersistedQueryLink learns that there are no persisted operations, and sends documents', async () => {
  const { client, sent } = connect();
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  client.setLink(new PersistedQueryLink({ sha256 }).concat(client.link));
  for (const direction of ['ASC', 'DESC']) {
    const { data } = await client.query<Items>({ query: listQuery, variables: { direction } });
    expect(data?.expirationItems.edges).toHaveLength(3);
  }
  expect(sent).toHaveLength(3);
});

test('a subscription over GraphQLWsLink changes the records that are shown', async () => {
  const { client } = connect();
  const { shows, close } = watchItems(client, { filter: { term: 'B' } });
  await shows('B');
  const socket = createClient({
    url: webSocketUrl(gateway),
    webSocketImpl: WebSocket,
    connectionParams: addressOf(gateway).headers,
  });
  client.setLink(new GraphQLWsLink(socket));
  const query = gql`
    subscription Changes($id: ID!) { expirationItemChanged(id: $id) { id name status } }`;
  const id = await idOf(gateway, 'B');
  const changes: unknown[] = [];
  const subscription = client
    .subscribe({ query, variables: { id } })
    .subscribe(({ data }) => changes.push(data));
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
  await socket.dispose();
  close();
});
