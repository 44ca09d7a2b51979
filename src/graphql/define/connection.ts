import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLType,
  getNullableType,
  isObjectType,
} from 'graphql';
import type { CountedRows, Total } from '../../db/sql/select.js';
import {
  type ConnectionArguments,
  encodeCursor,
  type Order,
  readWindow,
  type Window,
} from '../../domain/paging.js';
import { cursorPosition, type Page } from '../../records/list.js';

/** Members of a connection besides Relay's. */
export interface Counted {
  /** Counts the rows of all pages, by default to the last one. Repeated calls count only once. */
  total(counted?: CountedRows): Promise<Total>;
  /** The requested window. Clients that number their pages read it. */
  readonly window: Window;
}

/**
 * An edge that creates its cursor only on access. It is a class because it has getters: V8 gives each object
 * literal with getters a hidden class of its own, which keeps the object and its row alive until a full
 * garbage collection.
 */
class Edge<Row extends { id: string }> {
  readonly node: Row;
  readonly #source: Source<Row>;

  constructor(node: Row, source: Source<Row>) {
    this.node = node;
    this.#source = source;
  }

  get cursor(): string {
    const { orders, columns, list } = this.#source;
    return encodeCursor(orders, list, cursorPosition(this.node, columns));
  }
}

/** Relay's page info: the ends of a page, and whether the list continues. */
class PageInfo {
  readonly hasPreviousPage: boolean;
  readonly hasNextPage: boolean;
  readonly #edges: readonly { readonly cursor: string }[];

  constructor({ more }: Page<unknown>, edges: readonly { readonly cursor: string }[], window: Window) {
    this.hasPreviousPage = window.backward ? more : window.after !== undefined || window.offset > 0;
    this.hasNextPage = window.backward ? window.before !== undefined : more;
    this.#edges = edges;
  }

  get startCursor(): string | null {
    return this.#edges[0]?.cursor ?? null;
  }

  get endCursor(): string | null {
    return this.#edges.at(-1)?.cursor ?? null;
  }
}

/** Source of a connection's list. */
interface Source<Row> {
  /** Name of the listed records. Cursors are valid only in lists of the same name. */
  readonly list: string;
  readonly orders: readonly Order[];
  /** Columns of the rows that hold the keys of the order. */
  readonly columns: readonly string[];
  /** Reads a window of the list. If the total is requested as well, it may count the list. */
  readonly read: (window: Window, counted: CountedRows | undefined) => Promise<Page<Row>>;
  /** Counts the list. A number alone is that of all rows. */
  readonly count: (counted: CountedRows) => Promise<Total | number>;
  /** True if reading and counting together is faster. */
  readonly together?: boolean;
}

interface Part<Row extends { id: string }> {
  readonly edges: Edge<Row>[];
  readonly pageInfo: PageInfo;
  readonly total: number | undefined;
}

/** Relay connection over a part of a list. The list is read on first access. */
export class Connection<Row extends { id: string } = { id: string }> implements Counted {
  readonly window: Window;
  readonly #source: Source<Row>;
  #part: Promise<Part<Row>> | undefined;
  #counted: CountedRows | undefined;
  #total: Promise<Total> | undefined;

  constructor(window: Window, source: Source<Row>) {
    this.window = window;
    this.#source = source;
  }

  get edges(): Promise<Edge<Row>[]> {
    return this.#read().then(({ edges }) => edges);
  }

  get pageInfo(): Promise<PageInfo> {
    return this.#read().then(({ pageInfo }) => pageInfo);
  }

  total(counted: CountedRows = 'all'): Promise<Total> {
    // A connection is asked by one door, which always wants the same.
    this.#counted ??= counted;
    this.#total ??= this.#count(counted);
    return this.#total;
  }

  #read(): Promise<Part<Row>> {
    this.#part ??= this.#readPart();
    return this.#part;
  }

  async #readPart(): Promise<Part<Row>> {
    const { read, together = false } = this.#source;
    const { window } = this;
    // Wait for this turn's other requests, such as the one for the total.
    if (together) await null;
    const page = await read(window, together ? this.#counted : undefined);
    const edges = page.rows.map((row) => new Edge(row, this.#source));
    return { edges, pageInfo: new PageInfo(page, edges, window), total: page.total };
  }

  async #count(counted: CountedRows): Promise<Total> {
    const { together, count } = this.#source;
    if (together) await null;
    const along = together && this.#part ? (await this.#part).total : undefined;
    const total = along ?? (await count(counted));
    return typeof total === 'number' ? { count: total, isComplete: true } : total;
  }
}

/**
 * Resolves a connection field. If only the total is requested, no row is read.
 * @param args the field's arguments
 * @throws GatewayError BAD_REQUEST naming the invalid argument
 */
export function connect<Row extends { id: string }>(
  args: ConnectionArguments,
  source: Source<Row>,
): Connection<Row> {
  return new Connection(readWindow(source.orders, source.list, args), source);
}

/** Checks that a type is a connection (Relay's cursor connections, section 2.1): it has `pageInfo`. */
export function isConnection(type: GraphQLType): type is GraphQLObjectType {
  return isObjectType(type) && 'pageInfo' in type.getFields();
}

/**
 * Returns the list type behind a connection; other types unchanged. JSON documents and the contract have no
 * pages.
 */
export function withoutPages(type: GraphQLOutputType): GraphQLOutputType {
  const named = getNullableType(type);
  return (isConnection(named) ? named.getFields().nodes?.type : undefined) ?? type;
}

/** Returns the names and descriptions of a type's connection and edge. */
export function connectionTypes(name: string) {
  return [
    { name: `${name}Connection`, description: `A page of a list of \`${name}\` objects.` },
    { name: `${name}Edge`, description: `One \`${name}\` of a list, with its cursor.` },
  ] as const;
}
