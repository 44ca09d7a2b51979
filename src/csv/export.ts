import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  coerceInputValue,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  parse,
} from 'graphql';
import { maxReadBytes, ReadBound } from '../db/connection/bounds.js';
import { type OnPage, Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { ExportKind } from '../domain/doors/paths.js';
import type { ListRoute } from '../domain/doors/route.js';
import { GatewayError } from '../domain/errors.js';
import { maxPageSize } from '../domain/paging.js';
import { execute } from '../graphql/execution/execute.js';
import { ResponseSize } from '../graphql/limits/response-size.js';
import { resources } from '../graphql/resources.js';
import type { ListedResource } from '../records/resource.js';
import { findArgument, sortableFields } from '../rest/body.js';
import { badParameter, readFlag, readList, readParameter } from '../rest/lists/list.js';
import { exportedList, isExportParameter, modelOf } from '../rest/routes.js';
import { restDoor, unwrapError } from '../rest/sofa.js';
import {
  byteOrderMark,
  type CsvColumns,
  columnsOf,
  customColumns,
  type FurtherColumns,
  guarded,
  type PagedList,
  type Shown,
  writeCsv,
} from './columns.js';
import { requirementColumns } from './requirement-columns.js';

/** The longest time that an export reads its snapshot, in milliseconds. */
export const longestExportMs = 5 * 60_000;

/** The most columns of a file that depend on its rows. */
const maxFurtherColumns = 500;

/** Characters that a page of rows should have. */
const pageLength = 512 * 1024;

/** Rows of the first page, when their size is not known yet. */
const firstRows = 100;

/** Bytes that wait until the reader takes more. */
const waitingBytes = 256 * 1024;

/** Returns the function that reads pages of a caller in a transaction. */
export function pagesIn(tx: Transaction, { caller, now, database }: Session): OnPage {
  return (read) => {
    const page = new Session(database, { caller, now });
    page.readBound = new ReadBound(maxReadBytes);
    return page.within(tx, () => read(page));
  };
}

/** A request for a file. */
interface ExportRequest {
  readonly kind: ExportKind;
  readonly query: URLSearchParams;
  /** True if lists show contacts and locations by their ids. */
  readonly withIds?: boolean;
}

/** A list as GraphQL returns it. */
interface Page {
  readonly nodes: readonly Shown[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** A list that can be exported, with the operation that reads a page. */
interface Export extends Pick<CsvColumns, 'columns'> {
  readonly route: ListRoute;
  readonly further: FurtherColumns | undefined;
  readonly document: DocumentNode;
  /** The lists in cells, with the operations that read their further pages. */
  readonly lists: readonly { readonly field: string; readonly further: DocumentNode }[];
}

/** Makes the operation that reads a further page of a list in a cell. */
const furtherPage = (type: string, { field, entries }: PagedList): DocumentNode =>
  parse(`query Further($id: ID!, $after: String) {
    list: ${type.charAt(0).toLowerCase()}${type.slice(1)}(id: $id) { list: ${field}(first: ${maxPageSize}, after: $after) ${entries} }
  }`);

function createExport(schema: GraphQLSchema, kind: ExportKind, withIds: boolean): Export {
  const route = exportedList(kind);
  const { type } = modelOf(route.model);
  const resource = resources.find(({ model }) => model === type);
  if (!resource || !('where' in resource)) throw new Error(`No resource lists ${kind}.`);
  const { columns, hasCustomFields } = columnsOf(schema, kind, withIds);
  // The resources differ in the types of their filters, which only their own routes fill.
  const custom = hasCustomFields ? customColumns(resource as unknown as ListedResource) : undefined;
  const further = kind === 'compliance' ? requirementColumns : custom;
  const selections = [...columns.map(({ selection }) => selection), further?.selection ?? ''];
  const variable = (name: string) => `$${name}: ${findArgument(schema, route, name).type}`;
  const names = ['filter', 'orderBy', 'first', 'after'];
  const document = parse(`query Export(${names.map(variable).join(', ')}) {
    list: ${route.field}(${names.map((name) => `${name}: $${name}`).join(', ')}) {
      nodes { ${selections.join(' ')} }
      pageInfo { hasNextPage endCursor }
    }
  }`);
  const lists = columns.flatMap(({ paged }) =>
    paged ? [{ field: paged.field, further: furtherPage(type, paged) }] : [],
  );
  return { columns, further, route, document, lists };
}

/**
 * Reads a parameter with a value of GraphQL, as JSON.
 * @throws GatewayError BAD_REQUEST if it is not of the type
 */
function readValue(query: URLSearchParams, name: string, type: GraphQLInputType): object | undefined {
  const text = readParameter(query, name);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badParameter(name, 'must be JSON');
  }
  coerceInputValue(value, type, (_path, _invalid, { message }) => {
    throw badParameter(name, message);
  });
  return (value ?? undefined) as object | undefined;
}

interface SentFilter extends Readonly<Record<string, unknown>> {
  readonly and?: object | readonly object[] | null;
}

/** Combines parameters with a filter. Rows match both, even if both have the same member. */
function withParameters(filter: SentFilter, parameters: SentFilter): SentFilter {
  const isTaken = ([name]: readonly [string, unknown]) => filter[name] != null;
  const entries = Object.entries(parameters);
  const taken = entries.filter(isTaken);
  const joined = { ...filter, ...Object.fromEntries(entries.filter((entry) => !isTaken(entry))) };
  return taken.length === 0
    ? joined
    : { ...joined, and: [...[filter.and ?? []].flat(), Object.fromEntries(taken)] };
}

/** Reads the order in GraphQL's form, if there is one. */
function readOrderValue(query: URLSearchParams, type: GraphQLInputType): { readonly orderBy?: object } {
  const orderBy = readValue(query, 'order_by', type);
  return orderBy ? { orderBy } : {};
}

/** Writes lists as CSV files. */
export class CsvExporter {
  readonly #schema: GraphQLSchema;
  readonly #exports = new Map<string, Export>();
  readonly #longestMs: number;

  /** @param longestMs milliseconds after which a file is cut off */
  constructor(schema: GraphQLSchema, longestMs = longestExportMs) {
    this.#schema = schema;
    this.#longestMs = longestMs;
  }

  /**
   * Starts a file. All its rows are of one moment. Reading waits for the reader, but only for a limited time,
   * because the database cannot clean up what the snapshot still shows.
   * @returns the file, once its first rows are known
   * @throws GatewayError BAD_REQUEST for an invalid parameter
   */
  start(session: Session, request: ExportRequest): Promise<Readable> {
    const body = new PassThrough({ highWaterMark: waitingBytes });
    // Whoever sends the file notices; this only avoids an uncaught exception before.
    body.on('error', () => {});
    const { caller, database } = session;
    return new Promise((resolve, reject) => {
      const work = database.inSnapshot(
        (tx) => {
          const parts = this.parts(pagesIn(tx, session), request, () => resolve(body));
          return pipeline(parts, body, { signal: AbortSignal.timeout(this.#longestMs) });
        },
        caller,
        this.#longestMs,
      );
      work.catch((error) => {
        reject(error);
        body.destroy(error);
      });
    });
  }

  /**
   * Yields the text of a file, page by page.
   * @param onStarted called when the first rows are known, so that nothing is wrong with the request
   */
  async *parts(
    onPage: OnPage,
    { kind, query, withIds = false }: ExportRequest,
    onStarted: () => void = () => {},
  ): AsyncGenerator<string> {
    const { route, columns, further, document, lists } = this.#exportOf(kind, withIds);
    const [isRaw, isForExcel] = [readFlag(query, 'raw', false), readFlag(query, 'excel', false)];
    const own = new URLSearchParams([...query].filter(([name]) => isExportParameter(name)));
    const { args } = readList(own, route, sortableFields(this.#schema, route));
    const filterType = findArgument(this.#schema, route, 'filter').type;
    const sent = readValue(query, 'filter', filterType) as SentFilter | undefined;
    const filter = withParameters(sent ?? {}, args.filter);
    const { orderBy } = {
      ...args,
      ...readOrderValue(query, findArgument(this.#schema, route, 'orderBy').type),
    };
    const coerced = coerceInputValue(filter, filterType) as object;
    const added = await onPage(
      async (session) => (await further?.find(session, coerced, maxFurtherColumns + 1)) ?? [],
    );
    if (added.length > maxFurtherColumns) {
      const message = `The list has more than ${maxFurtherColumns} ${further?.tooMany}: filter it.`;
      throw new GatewayError('BAD_REQUEST', message);
    }
    const cell = isRaw ? (text: string) => text : guarded;
    const head = [...columns.map(({ name }) => name), ...added.map(({ head }) => head)];
    let text = `${isForExcel ? byteOrderMark : ''}${writeCsv([head.map(cell)])}`;
    let after: string | null = null;
    for (let first = firstRows, more = true; more; ) {
      const { nodes: begun, pageInfo } = await onPage((session) =>
        this.#readList<Page>(session, document, { filter, orderBy, first, after }),
      );
      const nodes: Shown[] = [];
      for (const row of begun) nodes.push(await this.#withFurther(onPage, row, lists));
      const rows = nodes.map((row) => [
        ...columns.map(({ read }) => cell(read(row))),
        ...added.map(({ read }) => cell(read(row))),
      ]);
      const written = writeCsv(rows);
      text += written;
      onStarted();
      yield text;
      text = '';
      // Rows can be a thousand times as large as usual, so their number follows their size.
      const share = pageLength / Math.max(written.length, 1);
      first = Math.min(maxPageSize, Math.max(1, Math.floor(nodes.length * share)));
      after = pageInfo.endCursor;
      more = pageInfo.hasNextPage;
    }
  }

  /** Reads the further pages of the lists in a row. */
  async #withFurther(onPage: OnPage, row: Shown, lists: Export['lists']): Promise<Shown> {
    const whole: Record<string, unknown> = { ...row };
    for (const { field, further } of lists) {
      const { nodes: first = [], pageInfo } = (row[field] ?? {}) as Partial<Page>;
      if (!pageInfo?.hasNextPage) continue;
      const nodes = [...first];
      let after: string | null | undefined = pageInfo.endCursor;
      while (after != null) {
        const variables: object = { id: row.id, after };
        const found = await onPage((session) =>
          this.#readList<{ readonly list: Page } | null>(session, further, variables),
        );
        nodes.push(...(found?.list.nodes ?? []));
        after = found?.list.pageInfo.hasNextPage ? found.list.pageInfo.endCursor : null;
      }
      whole[field] = { nodes };
    }
    return whole;
  }

  async #readList<List>(session: Session, document: DocumentNode, variableValues: object): Promise<List> {
    const schema = this.#schema;
    const answer = new ResponseSize(Number.POSITIVE_INFINITY);
    const contextValue = {
      ...{ session, schema, door: restDoor, fileContent: 'none' as const, answer, outcome: {} },
    };
    const result = await execute({
      ...{ schema, document, contextValue },
      variableValues: { ...variableValues },
    });
    if (result.errors) throw unwrapError(result.errors[0]);
    // The document above names its one field `list`.
    return (result.data as unknown as { readonly list: List }).list;
  }

  #exportOf(kind: ExportKind, withIds: boolean): Export {
    const key = `${kind} ${withIds}`;
    const known = this.#exports.get(key) ?? createExport(this.#schema, kind, withIds);
    this.#exports.set(key, known);
    return known;
  }
}
