import { type Page, positionOf } from '../data/list.js';
import {
  type ConnectionArguments,
  encodeCursor,
  type Order,
  type Window,
  windowOf,
} from '../domain/paging.js';

/** What a connection has besides Relay's members. */
export interface Counted {
  /** Counts the rows of all pages, once however often it is asked. */
  readonly totalCount: () => Promise<number>;
  /** What was asked for, for those who number their pages. */
  readonly window: Window;
}

interface Edge<Row> {
  readonly cursor: string;
  readonly node: Row;
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** A connection (Relay's cursor connections) over a part of a list, which is read when it is asked for. */
export interface Connection<Row> extends Counted {
  readonly edges: Promise<Edge<Row>[]>;
  readonly pageInfo: Promise<PageInfo>;
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/** An edge whose cursor is made only when it is asked for. */
function edgeOf<Row extends { id: string }>(node: Row, order: Order): Edge<Row> {
  return {
    node,
    get cursor() {
      return encodeCursor(order, positionOf(node, order));
    },
  };
}

function pageInfoOf({ more }: Page<unknown>, edges: readonly Edge<unknown>[], window: Window): PageInfo {
  return {
    hasPreviousPage: window.backward ? more : window.after !== undefined || window.offset > 0,
    hasNextPage: window.backward ? window.before !== undefined : more,
    get startCursor() {
      return edges[0]?.cursor ?? null;
    },
    get endCursor() {
      return edges.at(-1)?.cursor ?? null;
    },
  };
}

/**
 * Answers a connection field. Where nothing but the count is asked for, no row is read.
 * @param order the list's order
 * @param args the field's arguments
 * @param read reads a window of the list; told whether the count is asked for, too, it may count the whole list
 * @param count counts the whole list
 * @param together whether it is better to do both at once
 * @throws GatewayError BAD_REQUEST naming the argument at fault
 */
export function connect<Row extends { id: string }>(
  order: Order,
  args: ConnectionArguments,
  read: (window: Window, counted: boolean) => Promise<Page<Row>>,
  count: () => Promise<number>,
  together = false,
): Connection<Row> {
  const window = windowOf(order, args);
  const asked = { rows: false, count: false };
  const page = once(async () => {
    asked.rows = true;
    // What else is asked for, is asked for in the same turn.
    if (together) await null;
    const found = await read(window, together && asked.count);
    const edges = found.rows.map((row) => edgeOf(row, order));
    return { edges, pageInfo: pageInfoOf(found, edges, window), total: found.total };
  });
  const totalCount = once(async () => {
    asked.count = true;
    if (together) await null;
    return (together && asked.rows ? (await page()).total : undefined) ?? count();
  });
  return {
    get edges() {
      return page().then(({ edges }) => edges);
    },
    get pageInfo() {
      return page().then(({ pageInfo }) => pageInfo);
    },
    totalCount,
    window,
  };
}

/** The names and descriptions of a type's connection and edge. */
export function connectionTypes(name: string) {
  return [
    { name: `${name}Connection`, description: `A part of a list of the type ${name}.` },
    { name: `${name}Edge`, description: `A row of a list of the type ${name}, and where it stands.` },
  ] as const;
}
