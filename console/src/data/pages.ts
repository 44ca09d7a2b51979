import { useEffect, useRef, useState } from 'preact/hooks';
import { useChanges } from './changes';
import { request } from './client';
import type { Fault } from './fault';
import type { Operation } from './operation';

/** A page of a list as the gateway returns it. */
export interface Page<Row> {
  readonly totalCount?: number;
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
  readonly totalCount: number | undefined;
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

interface State<Row> {
  readonly key: string;
  readonly page: Page<Row> | undefined;
  readonly fault: Fault | undefined;
  readonly isLoadingMore: boolean;
}

/** Lists that screens have left, so that going back shows as many rows as before. */
const kept = new Map<string, State<unknown>>();
const mostKept = 12;

/** Forgets all lists, because the next person to sign in may not see them. */
export const forgetLists = (): void => kept.clear();

function keep(key: string, state: State<unknown>): void {
  kept.delete(key);
  kept.set(key, state);
  if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? '');
}

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
  const key = `${operation.id}${JSON.stringify(variables)}`;
  const nothing: State<Row> = { key: '', page: undefined, fault: undefined, isLoadingMore: false };
  const [stored, setState] = useState(() => (kept.get(key) as State<Row> | undefined) ?? nothing);
  // Rows that were left are shown at once; without them, those of before stay until others are there.
  const state = stored.key === key ? stored : ((kept.get(key) as State<Row> | undefined) ?? stored);
  const running = useRef<AbortController | undefined>(undefined);

  /** Loads pages until there are as many rows as wanted, and shows them together. */
  async function ask(wanted: number, before?: Page<Row>): Promise<Page<Row> | undefined> {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    if (before) setState({ ...state, isLoadingMore: true });
    let page = before;
    do {
      const first = Math.min(mostRows, wanted - (page?.nodes.length ?? 0));
      const after = page?.pageInfo.endCursor;
      const outcome = await request(
        operation,
        { ...variables, first, ...(after && { after }) },
        abort.signal,
      );
      if (abort.signal.aborted) return undefined;
      if (!outcome.ok) {
        setState((old) => ({ ...old, key, fault: outcome.fault, isLoadingMore: false }));
        return undefined;
      }
      const next = pick(outcome.data);
      page = { ...next, nodes: [...(page?.nodes ?? []), ...next.nodes] };
    } while (page.pageInfo.hasNextPage && page.nodes.length < wanted);
    const loaded = { key, page, fault: undefined, isLoadingMore: false };
    keep(key, loaded);
    setState(loaded);
    return page;
  }
  const shown = state.key === key ? (state.page?.nodes.length ?? 0) : 0;
  const again = useRef<() => Promise<unknown>>(async () => {});
  again.current = () => ask(Math.max(size, shown));

  useEffect(() => {
    again.current();
    return () => running.current?.abort();
  }, [key]);
  useChanges(operation.kinds, () => void again.current(), state.fault !== undefined);

  return {
    rows: state.page?.nodes ?? noRows,
    totalCount: state.page?.totalCount,
    hasMore: state.page?.pageInfo.hasNextPage ?? false,
    fault: state.fault,
    isFirst: !state.page && !state.fault,
    isStale: state.key !== key,
    isLoadingMore: state.isLoadingMore,
    more: async () => {
      if (state.page) await ask(state.page.nodes.length + size, state.page);
    },
    all: async () => {
      if (!state.page?.pageInfo.hasNextPage) return state.page?.nodes;
      return (await ask(Number.POSITIVE_INFINITY, state.page))?.nodes;
    },
    reload: async () => {
      await again.current();
    },
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
