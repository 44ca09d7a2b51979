import { beginSession } from '../session';
import { neededFactors, type SignedIn } from './options';

/** Continues with what the gateway answers to a first or a second factor. */
export async function acceptSignIn({ state, ways = [] }: SignedIn): Promise<void> {
  if (state === 'second-factor') {
    neededFactors.value = ways;
    return;
  }
  neededFactors.value = undefined;
  await beginSession();
}
