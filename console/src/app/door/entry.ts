import { useState } from 'preact/hooks';
import { askDoor } from '../../data/door';
import type { SecondFactor, SignedIn } from './options';
import type { RefusedOutcome } from './trouble';

/** Opens the console in place of this page. Going back does not return to the link. */
export const enterConsole = (): void => location.replace('/');

/** Sends what signs somebody in, and opens the console unless a second factor is needed. */
export function useEntry(path: string) {
  const [refused, setRefused] = useState<RefusedOutcome>();
  const [busy, setBusy] = useState(false);
  const [factors, setFactors] = useState<readonly SecondFactor[]>();
  async function enter(body: object): Promise<void> {
    if (busy) return;
    setBusy(true);
    setRefused(undefined);
    const outcome = await askDoor<SignedIn>('POST', path, body);
    setBusy(false);
    if (!outcome.ok) setRefused(outcome);
    else if (outcome.data.state === 'second-factor') setFactors(outcome.data.ways ?? []);
    else enterConsole();
  }
  return { refused, busy, factors, enter };
}
