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
  readonly reload: () => Promise<void>;
}

/** The most rows that the gateway returns at once. */
export const mostRows = 500;

interface State<Row> {
  readonly key: string;
  readonly page: Page<Row> | undefined;
  readonly fault: Fault | undefined;
  readonly isLoadingMore: boolean;
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
  const key = JSON.stringify(variables);
  const [state, setState] = useState<State<Row>>({
    key: '',
    page: undefined,
    fault: undefined,
    isLoadingMore: false,
  });
  const running = useRef<AbortController | undefined>(undefined);

  async function ask(first: number, before?: Page<Row>): Promise<void> {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    if (before) setState((old) => ({ ...old, isLoadingMore: true }));
    const after = before?.pageInfo.endCursor;
    const outcome = await request(operation, { ...variables, first, ...(after && { after }) }, abort.signal);
    if (abort.signal.aborted) return;
    if (!outcome.ok) {
      setState((old) => ({ ...old, key, fault: outcome.fault, isLoadingMore: false }));
      return;
    }
    const page = pick(outcome.data);
    const nodes = before ? [...before.nodes, ...page.nodes] : page.nodes;
    setState({ key, page: { ...page, nodes }, fault: undefined, isLoadingMore: false });
  }
  const shown = state.page?.nodes.length ?? 0;
  const again = useRef(async () => {});
  again.current = () => ask(Math.min(mostRows, Math.max(size, state.key === key ? shown : 0)));

  useEffect(() => {
    ask(size);
    return () => running.current?.abort();
  }, [key]);
  useChanges(operation.kinds, () => void again.current(), state.fault !== undefined);

  return {
    rows: state.page?.nodes ?? [],
    totalCount: state.page?.totalCount,
    hasMore: state.page?.pageInfo.hasNextPage ?? false,
    fault: state.fault,
    isFirst: !state.page && !state.fault,
    isStale: state.key !== key,
    isLoadingMore: state.isLoadingMore,
    more: () => (state.page ? ask(size, state.page) : Promise.resolve()),
    reload: () => again.current(),
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
