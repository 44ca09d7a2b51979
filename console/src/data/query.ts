import { useEffect, useRef, useState } from 'preact/hooks';
import { useChanges } from './changes';
import { type Outcome, request } from './client';
import type { Fault } from './fault';
import type { Operation } from './operation';

/** State of a query, for the screen that runs it. */
export interface Query<Data> {
  /** The last result, even while it is reloaded. */
  readonly data: Data | undefined;
  readonly fault: Fault | undefined;
  readonly isLoading: boolean;
  readonly reload: () => Promise<void>;
}

/** Cached query results, so that going back shows them at once. */
const remembered = new Map<string, unknown>();
const mostRemembered = 40;

function remember(key: string, data: unknown): void {
  remembered.delete(key);
  remembered.set(key, data);
  if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value ?? '');
}

/** Clears all results, because the next person to sign in may not see them. */
export const forgetAnswers = (): void => remembered.clear();

interface State<Data> {
  readonly key: string;
  readonly data: Data | undefined;
  readonly fault: Fault | undefined;
  readonly isLoading: boolean;
}

/**
 * Runs a query, and again when records of the kinds that it shows change.
 * @param operation undefined runs nothing
 */
export function useQuery<Data, Variables>(
  operation: Operation<Data, Variables> | undefined,
  variables: Variables,
): Query<Data> {
  const key = operation ? `${operation.id}${JSON.stringify(variables)}` : '';
  const fresh = (): State<Data> => ({
    key,
    data: remembered.get(key) as Data | undefined,
    fault: undefined,
    isLoading: operation !== undefined,
  });
  const [state, setState] = useState<State<Data>>(fresh);
  const running = useRef<AbortController | undefined>(undefined);
  const current = state.key === key ? state : fresh();

  async function load(): Promise<void> {
    if (!operation) return;
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    const outcome: Outcome<Data> = await request(operation, variables, abort.signal);
    if (abort.signal.aborted) return;
    if (outcome.ok) remember(key, outcome.data);
    setState(({ key: shown, data }) => ({
      key,
      data: outcome.ok ? outcome.data : shown === key ? data : undefined,
      fault: outcome.ok ? undefined : outcome.fault,
      isLoading: false,
    }));
  }
  const reload = useRef(load);
  reload.current = load;

  useEffect(() => {
    setState(fresh());
    reload.current();
    return () => running.current?.abort();
  }, [key]);
  useChanges(operation?.kinds ?? [], () => void reload.current(), current.fault !== undefined);
  return {
    data: current.data,
    fault: current.fault,
    isLoading: current.isLoading,
    reload: () => reload.current(),
  };
}
