import { Answer, useAnswer } from './answers';
import { request } from './client';
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

/**
 * Runs a query, and again when records of the kinds that it shows change.
 * @param operation undefined runs nothing
 */
export function useQuery<Data, Variables>(
  operation: Operation<Data, Variables> | undefined,
  variables: Variables,
): Query<Data> {
  const key = operation ? `${operation.id}${JSON.stringify(variables)}` : '';
  const answer = useAnswer(key, () => {
    const kinds = operation?.kinds ?? [];
    return new Answer<Data>(kinds, (signal) =>
      request(operation as Operation<Data, Variables>, variables, signal),
    );
  });
  const { data, fault } = answer.known.value;
  const isLoading = operation !== undefined && data === undefined && fault === undefined;
  return { data, fault, isLoading, reload: () => answer.refresh() };
}
