import { useEffect, useRef } from 'preact/hooks';
import type { ChangedRecordKind } from '../generated/types';
import { follow } from './live';

/**
 * Follows changes of records while a component is mounted.
 * @param hasFailed true if the last request failed, so that it is repeated once the gateway answers
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
