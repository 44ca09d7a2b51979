import { newId } from '../../src/domain/rules.js';
import type { Tenant, TestGateway } from '../support/gateway.js';
import { ask } from './support.js';

/** What a vehicle of a list is ordered by. */
export interface VehicleOrder {
  readonly field: string;
  readonly direction: 'ASC' | 'DESC';
}

export const directions = ['ASC', 'DESC'] as const;

/** The arguments of a connection. */
export interface ConnectionArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
  readonly offset?: number | null;
  readonly filter?: object | null;
  readonly orderBy?: VehicleOrder | null;
}

/** A page of a list, as the door answers it. */
export interface Page {
  readonly edges: { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** Returns a query for a list with any of its arguments. */
export function listOf(selection: string): string {
  return `query ($first: Int, $after: String, $last: Int, $before: String, $offset: Int, $filter: VehicleFilter, $orderBy: [VehicleOrder!]) {
    vehicles(first: $first, after: $after, last: $last, before: $before, offset: $offset, filter: $filter, orderBy: $orderBy) { ${selection} }
  }`;
}

export const pages = listOf(
  'edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }',
);

/** Reads a page. */
export async function readPage(
  gateway: TestGateway,
  args: ConnectionArguments,
  token?: string,
): Promise<Page> {
  return (await ask(gateway, pages, args, token)).vehicles;
}

export const idsOf = ({ edges }: Page): string[] => edges.map(({ node }) => node.id);

/** Reads the ids of a list in one page. */
export async function readIds(
  gateway: TestGateway,
  args: ConnectionArguments = {},
  token?: string,
): Promise<string[]> {
  return idsOf(await readPage(gateway, { first: 500, ...args }, token));
}

/**
 * Walks a list page by page, from its start by `first` and `after`, or from its end by `last` and `before`.
 * @param between is awaited after each page
 * @returns the ids of all pages, in the list's own order
 */
export async function walk(
  gateway: TestGateway,
  way: 'forward' | 'backward',
  size: number,
  args: ConnectionArguments,
  between: (page: Page) => Promise<void> = async () => {},
): Promise<string[]> {
  const forward = way === 'forward';
  const found: string[][] = [];
  let cursor: string | null = null;
  for (let more = true; more; ) {
    const window: ConnectionArguments = forward
      ? { first: size, after: cursor }
      : { last: size, before: cursor };
    const page: Page = await readPage(gateway, { ...args, ...window });
    found.push(idsOf(page));
    if (page.edges.length > size) throw new Error('A page is larger than asked for.');
    cursor = forward ? page.pageInfo.endCursor : page.pageInfo.startCursor;
    more = forward ? page.pageInfo.hasNextPage : page.pageInfo.hasPreviousPage;
    await between(page);
  }
  return (forward ? found : found.reverse()).flat();
}

/** Puts vehicles into a tenant, past the door; answers their ids in the order given. */
export async function insert(
  { database: { prisma } }: TestGateway,
  { organizationId, teamId }: Pick<Tenant, 'organizationId' | 'teamId'>,
  rows: readonly object[],
): Promise<string[]> {
  const data = rows.map((row) => ({ id: newId(), organizationId, teamId, ...row }));
  await prisma.vehicle.createMany({ data });
  return data.map(({ id }) => id);
}

/** Returns the ids of all vehicles in an order, by PostgreSQL's own ORDER BY. */
export async function sortedBySql(
  { database: { prisma } }: TestGateway,
  field: string,
  direction: 'ASC' | 'DESC',
): Promise<string[]> {
  const rows = await prisma.$queryRawUnsafe<{ id: string }[]>(
    `SELECT id FROM vehicles ORDER BY ${field.toLowerCase()} ${direction}, id ${direction}`,
  );
  return rows.map(({ id }) => id);
}

/** Returns a cursor that holds what no list would put into it. */
export function forge(content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return Buffer.from(text).toString('base64url');
}
