import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest';
import { createItem } from '../rest/items.support.js';
import type { TestGateway } from '../support/gateway.js';

/** Returns what a client needs to know of a gateway. */
export function addressOf({ url, admin }: TestGateway, token = admin) {
  return { url: `${url}/graphql`, headers: { Authorization: `Bearer ${token}` } };
}

/** What `itemsQuery` answers. */
export interface Items {
  readonly expirationItems: {
    readonly totalCount: number;
    readonly edges: readonly {
      readonly node: { readonly name: string; readonly customFields: { readonly value: string }[] };
    }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

/** A page of items. */
export const itemsQuery = `
  query Items($after: String, $filter: ExpirationItemFilter, $direction: OrderDirection = ASC) {
    expirationItems(
      first: 3
      after: $after
      filter: $filter
      orderBy: { field: EXPIRATION_DATE, direction: $direction }
    ) {
      totalCount
      edges { node { id name customFields { id name value } } }
      pageInfo { hasNextPage endCursor }
    }
  }`;

/** Returns the platform's fetch, with the methods of what it has sent. */
export function countingFetch() {
  const sent: string[] = [];
  const counting: typeof fetch = (input, init) => {
    sent.push(init?.method ?? 'GET');
    return fetch(input, init);
  };
  return { sent, fetch: counting };
}

/** Creates items with these names, each of which expires a month after the one before. */
export async function createItems(gateway: TestGateway, names: string): Promise<void> {
  for (const [index, name] of [...names].entries()) {
    const expirationDate = `2027-${String(index + 1).padStart(2, '0')}-01`;
    await createItem(gateway, { name, expirationDate });
  }
}

/** Returns the id of the one item of a name. */
export async function idOf(gateway: TestGateway, name: string): Promise<string> {
  const { data } = await gateway.graphql(
    'query ($name: String!) { expirationItems(filter: { term: $name }) { nodes { id } } }',
    { name },
  );
  expect(data.expirationItems.nodes).toHaveLength(1);
  return data.expirationItems.nodes[0].id;
}

/** Changes an item behind a client's back. */
export async function update(gateway: TestGateway, id: string, input: object): Promise<void> {
  const { errors } = await gateway.graphql(
    'mutation ($id: ID!, $input: UpdateExpirationItemInput!) { updateExpirationItem(id: $id, input: $input) { id } }',
    { id, input },
  );
  expect(errors).toBeUndefined();
}

/**
 * Creates items of a document type whose field they fill in, each with a value of its own; the field's id is
 * one.
 */
export async function createFilledIn(gateway: TestGateway, values: readonly string[]): Promise<string> {
  const { data } = await gateway.graphql(
    'mutation { createCategory(input: { name: "Insurance", customFields: [{ name: "Insurer" }] }) { id } }',
  );
  const ids = new Set();
  for (const value of values) {
    const customFields = [{ name: 'Insurer', value }];
    const item = await createItem(gateway, { name: value, category: data.createCategory, customFields });
    ids.add(item.customFields[0].id);
  }
  expect(ids.size).toBe(1);
  return data.createCategory.id;
}

interface Refusal {
  readonly what: string;
  readonly text: string;
  readonly code: string;
  /** Who is refused. */
  readonly token: (gateway: TestGateway) => string;
}

const admin = (gateway: TestGateway) => gateway.admin;

/** What is refused, and with which code. */
export const refusals: readonly Refusal[] = [
  { what: 'what the schema does not have', text: '{ nothing }', code: 'BAD_REQUEST', token: admin },
  { what: 'what cannot be', text: '{ tags(first: -1) { totalCount } }', code: 'BAD_REQUEST', token: admin },
  {
    what: 'a write of what is not there',
    text: 'mutation { deleteTag(id: "none") { id } }',
    code: 'NOT_FOUND',
    token: admin,
  },
  {
    what: 'a viewer’s write',
    text: 'mutation { createTag(input: { name: "A" }) { id } }',
    code: 'FORBIDDEN',
    token: (gateway) => gateway.viewer,
  },
  { what: 'an unknown token', text: '{ me { id } }', code: 'UNAUTHORIZED', token: () => 'egw_unknown' },
];

/** Fails every test of a file after which a client has complained on the console, as of what its cache cannot hold. */
export function expectQuietConsole(): void {
  let spies: MockInstance[] = [];
  beforeEach(() => {
    spies = (['warn', 'error'] as const).map((level) => vi.spyOn(console, level));
  });
  afterEach(() => {
    const complaints = spies.flatMap(({ mock }) => mock.calls);
    for (const spy of spies) spy.mockRestore();
    expect(complaints).toEqual([]);
  });
}
