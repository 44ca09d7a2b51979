import { useRef, useState } from 'preact/hooks';
import type { Total } from '../i18n/i18n';
import { Answer, useAnswer } from './answers';
import { type Operation, type Outcome, request } from './client';
import type { Fault } from './fault';

/** A page of a list as the gateway returns it. Not each is counted. */
export interface Page<Row> extends Partial<Total> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly Row[];
}

/** Variables that every list takes. */
interface PageVariables {
  first?: number | null | undefined;
  after?: string | null | undefined;
}

/** A list that grows by pages. */
export interface Pages<Row> {
  readonly rows: readonly Row[];
  /** The number of all rows. Undefined until they are counted. */
  readonly total: Total | undefined;
  readonly hasMore: boolean;
  readonly fault: Fault | undefined;
  /** True while nothing has been loaded yet: skeletons are shown. */
  readonly isFirst: boolean;
  /** True while rows of the previous query are shown, until those of this one arrive. */
  readonly isStale: boolean;
  readonly isLoadingMore: boolean;
  readonly more: () => Promise<void>;
  /** Loads all rows. @returns them, unless it fails or something else is loaded meanwhile */
  readonly all: () => Promise<readonly Row[] | undefined>;
  readonly reload: () => Promise<void>;
}

const noRows: readonly never[] = [];

/** The most rows that the gateway returns at once. */
export const mostRows = 500;

/**
 * Loads a list page by page. Existing rows stay while others are loaded, so that nothing jumps. After changes
 * of the kinds that it shows, as many rows as are shown are reloaded.
 */
export function usePages<Data, Variables extends PageVariables, Row>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  pick: (data: Data) => Page<Row>,
  size = 50,
): Pages<Row> {
  /** Reads on until there are as many rows as wanted. */
  async function readTo(
    wanted: number,
    signal: AbortSignal,
    before?: Page<Row>,
  ): Promise<Outcome<Page<Row>>> {
    let page = before;
    do {
      const first = Math.min(mostRows, wanted - (page?.nodes.length ?? 0));
      const after = page?.pageInfo.endCursor;
      const outcome = await request(operation, { ...variables, first, ...(after && { after }) }, signal);
      if (!outcome.ok) return outcome;
      const next = pick(outcome.data);
      page = { ...next, nodes: [...(page?.nodes ?? []), ...next.nodes] };
    } while (page.pageInfo.hasNextPage && page.nodes.length < wanted && !signal.aborted);
    return { ok: true, data: page };
  }
  const key = `pages ${operation.id}${JSON.stringify(variables)}`;
  const answer = useAnswer(
    key,
    () =>
      new Answer<Page<Row>>(
        operation.kinds,
        (signal, before) => readTo(Math.max(size, before?.nodes.length ?? 0), signal),
        operation.isKept ? key : undefined,
      ),
  );
  const { data, fault } = answer.known.value;
  // Rows of before stay until those of this question are there.
  const last = useRef<Page<Row> | undefined>(undefined);
  const page = data ?? (fault ? undefined : last.current);
  last.current = page;
  const { totalCount, isTotalComplete } = page ?? {};
  const [isLoadingMore, setLoadingMore] = useState(false);
  /** Loads so many more rows. @returns the list then */
  async function grow(by: number): Promise<Page<Row> | undefined> {
    setLoadingMore(true);
    await answer.refresh((signal, before) => readTo((before?.nodes.length ?? 0) + by, signal, before));
    setLoadingMore(false);
    return answer.known.peek().data;
  }
  return {
    rows: page?.nodes ?? noRows,
    total:
      totalCount === undefined || isTotalComplete === undefined ? undefined : { totalCount, isTotalComplete },
    hasMore: page?.pageInfo.hasNextPage ?? false,
    fault,
    isFirst: !page && !fault,
    isStale: data === undefined && !fault,
    isLoadingMore,
    more: async () => {
      await grow(size);
    },
    all: async () => {
      const whole = data?.pageInfo.hasNextPage === false ? data : await grow(Number.POSITIVE_INFINITY);
      return answer.isUsed && whole?.pageInfo.hasNextPage === false ? whole.nodes : undefined;
    },
    reload: () => answer.refresh(),
  };
}

/** Reads all pages of a list, one after the other. @throws {Error} with the fault's kind */
export async function* allPages<Data, Variables extends PageVariables, Row>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  pick: (data: Data) => Page<Row>,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[], Fault | undefined> {
  let after: string | null = null;
  for (;;) {
    const outcome = await request(operation, { ...variables, first: 200, ...(after && { after }) }, signal);
    if (signal.aborted) return undefined;
    if (!outcome.ok) return outcome.fault;
    const { nodes, pageInfo } = pick(outcome.data);
    yield nodes;
    if (!pageInfo.hasNextPage) return undefined;
    after = pageInfo.endCursor;
  }
}
