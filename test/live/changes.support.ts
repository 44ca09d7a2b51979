import pg from 'pg';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.js';
import type { TestGateway } from '../support/gateway.js';

/** A change as a query or subscription returns it. */
export interface Told {
  readonly id: string;
  readonly kind: string;
  readonly version: string | null;
  readonly change: 'CREATED' | 'CHANGED' | 'DELETED';
  readonly cursor: string;
}

export interface Page {
  readonly nodes: Told[];
  readonly pageInfo: {
    endCursor: string;
    startCursor: string | null;
    hasNextPage: boolean;
    hasPreviousPage: boolean;
  };
}

const query = `query($after: String, $first: Int, $last: Int, $kinds: [ChangedRecordKind!], $teamIds: [ID!]) {
  changes(after: $after, first: $first, last: $last, kinds: $kinds, teamIds: $teamIds) {
    nodes { id: recordId kind version change cursor }
    pageInfo { endCursor startCursor hasNextPage hasPreviousPage }
  }
}`;

export type Asked = Partial<{
  after: string;
  first: number;
  last: number;
  kinds: string[];
  teamIds: string[];
}>;

/** Returns a page of changes. */
export async function readPage(gateway: TestGateway, asked: Asked, token?: string): Promise<Page> {
  const { data, errors } = await gateway.graphql(query, asked, token);
  expect(errors).toBeUndefined();
  return data.changes;
}

/** Returns the error of a request for changes. */
export async function refused(gateway: TestGateway, asked: object, token?: string) {
  const { errors } = await gateway.graphql(query, asked, token);
  return errors[0] as { message: string; extensions: { code: string } };
}

/** Where to begin. */
export const begin = async (gateway: TestGateway, token?: string): Promise<string> =>
  (await readPage(gateway, { last: 1 }, token)).pageInfo.endCursor;

/** Returns all changes after a cursor, and the end cursor. */
export async function readAll(gateway: TestGateway, asked: Asked & { after: string }, token?: string) {
  const nodes: Told[] = [];
  let { after } = asked;
  for (;;) {
    const page = await readPage(gateway, { ...asked, after }, token);
    nodes.push(...page.nodes);
    after = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage) return { nodes, after };
  }
}

/** Returns each change in short form: `VEHICLE Van CREATED`, with the names that a test gives to ids. */
export const inShort = (nodes: readonly Told[], names: Record<string, string>): string[] =>
  nodes.map(({ kind, id, change }) => `${kind} ${names[id] ?? '?'} ${change}`);

/**
 * Waits until the changes after a cursor are as expected: an older transaction may hold them back for a
 * moment.
 */
export async function expectAfter(
  gateway: TestGateway,
  asked: Asked & { after: string },
  names: Record<string, string>,
  expected: readonly string[],
  token?: string,
): Promise<Told[]> {
  return eventually(async () => {
    const { nodes } = await readAll(gateway, asked, token);
    expect(inShort(nodes, names)).toEqual(expected);
    return nodes;
  });
}

/** Opens a connection for a writer that takes its time. */
export async function connect({ databaseUrl }: TestGateway): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return client;
}
