import { useState } from 'preact/hooks';
import { askDoor, type DoorOutcome } from '../../data/door';
import type { SecondFactor, SignedIn } from './options';
import type { RefusedOutcome } from './trouble';

/** Opens the console in place of this page. Going back does not return to the link. */
export const enterConsole = (): void => location.replace('/');

/** Makes the part of a request that the browser has to ask for. Undefined if the person declined. */
type Ask = () => Promise<DoorOutcome<object> | undefined>;

const nothing: Ask = async () => ({ ok: true, data: {} });

/** Sends what signs somebody in, and opens the console unless a second factor is needed. */
export function useEntry(path: string) {
  const [refused, setRefused] = useState<RefusedOutcome>();
  const [busy, setBusy] = useState(false);
  const [factors, setFactors] = useState<readonly SecondFactor[]>();
  const [hasDeclined, setDeclined] = useState(false);
  async function send(body: object, ask: Ask): Promise<DoorOutcome<SignedIn> | undefined> {
    const asked = await ask();
    return asked?.ok ? askDoor<SignedIn>('POST', path, { ...body, ...asked.data }) : asked;
  }
  async function enter(body: object, ask = nothing): Promise<DoorOutcome<SignedIn> | undefined> {
    if (busy) return undefined;
    setBusy(true);
    setRefused(undefined);
    const outcome = await send(body, ask);
    setBusy(false);
    setDeclined(!outcome);
    if (outcome && !outcome.ok) setRefused(outcome);
    else if (outcome?.data.state === 'second-factor') setFactors(outcome.data.ways ?? []);
    else if (outcome) enterConsole();
    return outcome;
  }
  return { refused, busy, factors, enter, hasDeclined };
}
