import { signal } from '@preact/signals';
import { askDoor } from '../../data/door';
import { beginSession } from '../session';

/** Continues with what the gateway answers to a first or a second factor. */
export async function acceptSignIn({ state, ways = [] }: SignedIn): Promise<void> {
  if (state === 'second-factor') {
    neededFactors.value = ways;
    return;
  }
  neededFactors.value = undefined;
  await beginSession();
}

/** Takes the secret of a link out of the address. Then the history does not have it. */
export function takeSecret(): string {
  const secret = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  // Another link of the same page does not load it again.
  addEventListener('hashchange', () => location.reload());
  return secret;
}

/** A way to prove a second factor. */
export type SecondFactor = 'totp' | 'passkey' | 'recovery';

/** Facts that the page for signing in needs, as the gateway says them to anybody. */
export interface SignInOptions {
  /** True for a new gateway, which nobody has set up yet. */
  readonly isNew: boolean;
  readonly isSignedIn: boolean;
  readonly ways: {
    readonly password: boolean;
    readonly passkey: boolean;
    readonly link: boolean;
    readonly oidc: boolean;
  };
  /**
   * The cookies at this address. With `insecure` anybody on the way can read along; with `refused` nobody can
   * sign in without a token.
   */
  readonly cookies: 'secure' | 'insecure' | 'refused';
  /** True if links can be sent by mail. */
  readonly sendsMail: boolean;
  /** The least number of characters of a password. */
  readonly passwordLength: number;
  readonly secondFactorRequired: boolean;
}

/** The answer to somebody who has given a first or a second factor. */
export interface SignedIn {
  /** With `enroll` a second factor must be set up first. */
  readonly state: 'in' | 'enroll' | 'second-factor';
  /** The ways to prove the second factor, if one is needed. */
  readonly ways?: readonly SecondFactor[];
}

/** The options, as the gateway last said them. Undefined before, and while it is unreachable. */
export const signInOptions = signal<SignInOptions | undefined>(undefined);

/** The ways to prove a second factor, while the session waits for one. */
export const neededFactors = signal<readonly SecondFactor[] | undefined>(undefined);

let loading: Promise<void> | undefined;

/** Loads the options; concurrent calls share one request. */
export function loadSignInOptions(): Promise<void> {
  loading ??= askDoor<SignInOptions>('GET', '/options')
    .then((outcome) => {
      signInOptions.value = outcome.ok ? outcome.data : undefined;
    })
    .finally(() => {
      loading = undefined;
    });
  return loading;
}
