import { useState } from 'preact/hooks';
import { askDoor } from '../../data/door';
import type { Refused } from './trouble';

/** The answer to somebody who has given a first or a second factor. */
export interface SignedIn {
  readonly state: 'in' | 'second-factor';
}

/** Opens the console in place of this page. Going back does not return to the link. */
export const enterConsole = (): void => location.replace('/');

/** Sends what signs somebody in, and opens the console unless the gateway asks for more. */
export function useEntry(path: string) {
  const [refused, setRefused] = useState<Refused>();
  const [busy, setBusy] = useState(false);
  const [isSecondStep, setSecondStep] = useState(false);
  async function enter(body: object): Promise<void> {
    if (busy) return;
    setBusy(true);
    setRefused(undefined);
    const outcome = await askDoor<SignedIn>('POST', path, body);
    setBusy(false);
    if (!outcome.ok) setRefused(outcome);
    else if (outcome.data.state === 'in') enterConsole();
    else setSecondStep(true);
  }
  return { refused, busy, isSecondStep, enter };
}
