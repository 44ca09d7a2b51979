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

/** A connection (Relay's cursor connections) over a part of a list. */
export interface Connection<Row> extends Counted {
  readonly edges: Edge<Row>[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
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

/**
 * Answers a connection field.
 * @param order the list's order
 * @param args the field's arguments
 * @param read reads a window of the list
 * @param count counts the whole list
 * @throws GatewayError BAD_REQUEST naming the argument at fault
 */
export async function connect<Row extends { id: string }>(
  order: Order,
  args: ConnectionArguments,
  read: (window: Window) => Promise<Page<Row>>,
  count: () => Promise<number>,
): Promise<Connection<Row>> {
  const window = windowOf(order, args);
  const { rows, more } = await read(window);
  const edges = rows.map((row) => edgeOf(row, order));
  const before = window.backward ? more : window.after !== undefined || window.offset > 0;
  const after = window.backward ? window.before !== undefined : more;
  return {
    edges,
    pageInfo: {
      hasPreviousPage: before,
      hasNextPage: after,
      get startCursor() {
        return edges[0]?.cursor ?? null;
      },
      get endCursor() {
        return edges.at(-1)?.cursor ?? null;
      },
    },
    totalCount: once(count),
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
