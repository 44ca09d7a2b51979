import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { createClient } from 'graphql-ws';
import { filter, firstValueFrom, map } from 'rxjs';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  type MockInstance,
  test,
  vi,
} from 'vitest';
import WebSocket from 'ws';
import { streams, webSocketUrl } from '../live/support.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { addressOf, countingFetch, createFilledIn, createItems } from './support.js';

interface Item {
  readonly id: string;
  readonly name: string;
  readonly customFields: { readonly name: string; readonly value: string }[];
}
interface Items {
  readonly expirationItems: {
    readonly totalCount: number;
    readonly edges: { readonly node: Item }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

const listQuery = gql`
  query Items($after: String, $term: String, $direction: OrderDirection = ASC) {
    expirationItems(
      first: 3
      after: $after
      filter: { term: $term }
      orderBy: { field: EXPIRATION_DATE, direction: $direction }
    ) {
      totalCount
      edges { node { id name customFields { id name value } } }
      pageInfo { hasNextPage endCursor }
    }
  }`;

let gateway: TestGateway;
let warnings: MockInstance[];
const clients: ApolloClient[] = [];
beforeAll(async () => {
  gateway = await startGateway();
  await createItems(gateway, 'ABCDEFG');
});
beforeEach(() => {
  // The client complains there of what does not fit into its cache.
  warnings = (['warn', 'error'] as const).map((level) => vi.spyOn(console, level));
});
afterEach(() => {
  for (const client of clients.splice(0)) client.stop();
  for (const spy of warnings) {
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
  }
});
afterAll(() => gateway.close());

/** A cache as the README has it. */
function createCache() {
  return new InMemoryCache({
    typePolicies: {
      Query: { fields: { expirationItems: relayStylePagination(['filter', 'orderBy']) } },
      CustomField: { keyFields: false },
    },
  });
}

function connect({ token, ...options }: { token?: string; useGETForQueries?: boolean } = {}) {
  const { url, headers } = addressOf(gateway, token);
  const { sent, fetch } = countingFetch();
  const link = new HttpLink({ uri: url, headers, fetch, ...options });
  const client = new ApolloClient({ link, cache: createCache() });
  clients.push(client);
  return { client, sent };
}

/** Follows a list, as a screen would. */
function watchItems(client: ApolloClient, variables: object = {}) {
  const query = client.watchQuery<Items>({ query: listQuery, variables });
  const lists = query.pipe(
    filter(({ dataState }) => dataState === 'complete'),
    map(({ data }) => (data as Items).expirationItems),
  );
  const screen = lists.subscribe();
  return {
    query,
    /** The list, once it is as long as this, or has a row of this name. */
    shown: (has: number | string) =>
      firstValueFrom(
        lists.pipe(
          filter(({ edges }) =>
            typeof has === 'number' ? edges.length === has : edges.some(({ node }) => node.name === has),
          ),
        ),
      ),
    close: () => screen.unsubscribe(),
  };
}

const namesOf = ({ edges }: Items['expirationItems']) => edges.map(({ node }) => node.name).join('');

describe.each([
  ['POST', false],
  ['GET', true],
])('by %s', (method, useGETForQueries) => {
  test('relayStylePagination puts pages together, each row once, for each order by itself', async () => {
    const { client, sent } = connect({ useGETForQueries });
    const { query, shown, close } = watchItems(client);
    let list = await shown(3);
    for (const length of [6, 7]) {
      expect(list.pageInfo.hasNextPage).toBe(true);
      await query.fetchMore({ variables: { after: list.pageInfo.endCursor } });
      list = await shown(length);
    }
    expect(namesOf(list)).toBe('ABCDEFG');
    expect(list).toMatchObject({ totalCount: 7, pageInfo: { hasNextPage: false } });

    const backwards = watchItems(client, { direction: 'DESC' });
    expect(namesOf(await backwards.shown(3))).toBe('GFE');
    // From the cache alone, which has one record of each item however many lists it is in.
    const { data } = await client.query<Items>({ query: listQuery, fetchPolicy: 'cache-only' });
    expect(data && namesOf(data.expirationItems)).toBe('ABCDEFG');
    expect(
      Object.keys(client.cache.extract() as object).filter((key) => key.startsWith('ExpirationItem:')),
    ).toHaveLength(7);
    expect(sent).toEqual([method, method, method, method]);
    backwards.close();
    close();
  });
});

test('a mutation changes the record wherever it is shown, and nothing is asked for again', async () => {
  const { client, sent } = connect();
  const { shown, close } = watchItems(client, { term: 'A' });
  const { id } = (await shown('A')).edges[0]?.node ?? {};
  const mutation = gql`
    mutation Rename($id: ID!, $name: String!) {
      updateExpirationItem(id: $id, input: { name: $name }) { id name modified }
    }`;
  await client.mutate({ mutation, variables: { id, name: 'A2' } });
  expect(namesOf(await shown('A2'))).toBe('A2');
  await client.mutate({ mutation, variables: { id, name: 'A' } });
  await shown('A');
  expect(sent).toHaveLength(3);
  close();
});

test('one field of a document type has its own value in each item', async () => {
  const category = await createFilledIn(gateway, ['Allianz', 'AXA']);
  const { client } = connect();
  const query = gql`
    query Filled($category: ID!) {
      expirationItems(filter: { categoryId: $category }, orderBy: { field: NAME }) {
        edges { node { id customFields { id name value } } }
      }
    }`;
  const { data } = await client.query<Items>({ query, variables: { category: category.id } });
  expect(data?.expirationItems.edges.map(({ node }) => node.customFields[0]?.value)).toEqual([
    'Allianz',
    'AXA',
  ]);
});

describe('what is refused is an error with its code', () => {
  test.each([
    ['what the schema does not have', '{ nothing }', 'BAD_REQUEST'],
    ['what cannot be', '{ vehicles(first: -1) { totalCount } }', 'BAD_REQUEST'],
    ['a write of what is not there', 'mutation { deleteVehicle(id: "none") { id } }', 'NOT_FOUND'],
    ['a viewer’s write', 'mutation { createVehicle(input: {}) { id } }', 'FORBIDDEN', 'viewer'],
    ['an unknown token', '{ me { id } }', 'UNAUTHORIZED', 'unknown'],
  ])('%s', async (_name, text, code, token?: string) => {
    const known = token === 'viewer' ? gateway.viewer : token;
    const { client } = connect(known === undefined ? {} : { token: known });
    const document = gql(text);
    const answer = text.startsWith('mutation')
      ? client.mutate({ mutation: document })
      : client.query({ query: document });
    const error = await answer.then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    expect(CombinedGraphQLErrors.is(error) && error.errors).toMatchObject([{ extensions: { code } }]);
  });
});

test('a subscription over GraphQLWsLink changes the records that are shown', async () => {
  const { headers } = addressOf(gateway);
  const socket = createClient({
    url: webSocketUrl(gateway),
    webSocketImpl: WebSocket,
    connectionParams: headers,
  });
  const { client } = connect();
  const { shown, close } = watchItems(client, { term: 'B' });
  const { id } = (await shown('B')).edges[0]?.node ?? {};
  client.setLink(new GraphQLWsLink(socket));
  const changes: unknown[] = [];
  const query = gql`
    subscription Changes($id: ID!) { expirationItemChanged(id: $id) { id name status } }`;
  const subscription = client
    .subscribe({ query, variables: { id } })
    .subscribe(({ data }) => changes.push(data));
  await streams(gateway, 1);
  for (const name of ['B2', 'B']) {
    await gateway.graphql(`mutation { updateExpirationItem(id: "${id}", input: {name: "${name}"}) { id } }`);
    await shown(name);
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
