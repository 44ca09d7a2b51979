import { useEffect, useRef } from 'preact/hooks';
import type { ChangedRecordKind } from '../generated/operations';
import { follow } from './live';

/**
 * Follows changes of records for as long as a component is shown.
 * @param hasFailed says that the last look has failed: it is looked again once the gateway answers
 */
export function useChanges(kinds: readonly ChangedRecordKind[], look: () => void, hasFailed: boolean): void {
  const current = useRef({ look, hasFailed });
  current.current = { look, hasFailed };
  useEffect(
    () =>
      follow(
        kinds,
        () => current.current.look(),
        () => current.current.hasFailed,
      ),
    [kinds.join()],
  );
}
