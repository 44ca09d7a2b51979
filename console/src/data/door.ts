import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { type Fault, type FaultKind, faultOf } from './fault';

/** The result of a request about signing in: what the gateway answered, or the fault. */
export type DoorOutcome<Data> =
  | { readonly ok: true; readonly data: Data }
  | {
      readonly ok: false;
      readonly fault: Fault;
      /** The HTTP status; 0 if the gateway is unreachable. */
      readonly status: number;
      /** Seconds to wait before another attempt, if the gateway says so. */
      readonly retryAfter?: number;
    };

const kinds: Readonly<Record<number, FaultKind>> = {
  400: 'invalid',
  401: 'signed-out',
  403: 'forbidden',
  404: 'gone',
  409: 'taken',
  413: 'invalid',
  429: 'busy',
  503: 'busy',
};

/**
 * Headers of requests with the session's cookie. No page of another site can send this one, which the gateway
 * checks where a browser does not say who has sent a request.
 */
export const ownPage: Readonly<Record<string, string>> = { 'X-Requested-With': 'console' };

/** Reads an error. The message about a wrong field begins with its name. */
async function readFault(response: Response): Promise<Fault> {
  const { message = '', reason } = (await response.json().catch(() => ({}))) as Partial<Fault>;
  const [, field, words] = /^([\w.[\]]+): (.+)$/s.exec(message) ?? [];
  const fault = { ...faultOf(kinds[response.status] ?? 'failed', message), ...(reason && { reason }) };
  return field && words ? { ...fault, violations: new Map([[field, words]]) } : fault;
}

/**
 * Sends a request about signing in (`/session/…`). It never throws: errors are values.
 * @param path below `/session`, such as `/password`; empty for the session itself
 * @param body sent as JSON, if there is one
 */
export async function askDoor<Data = undefined>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<DoorOutcome<Data>> {
  try {
    const response = await fetch(`/session${path}`, {
      method,
      headers: {
        Accept: 'application/json',
        ...ownPage,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      cache: 'no-store',
      credentials: 'same-origin',
    });
    const { status } = response;
    if (!response.ok) {
      const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
      return {
        ...{ ok: false, fault: await readFault(response), status },
        ...(Number.isFinite(retryAfter) && { retryAfter }),
      };
    }
    const data = status === 204 ? undefined : await response.json();
    return { ok: true, data: data as Data };
  } catch {
    return { ok: false, fault: faultOf('offline'), status: 0 };
  }
}

/** Loads the library when a passkey is first used. */
const load = () => import('@simplewebauthn/browser');

/** Returns whether this browser can use passkeys at this address. They need https or localhost, and a name. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && !/^[\d.]+$|^\[/.test(location.hostname);
}

/** Returns whether the browser suggests passkeys in the field for the address (conditional UI). */
export async function suggestsPasskeys(): Promise<boolean> {
  return canUsePasskeys() && (await load()).browserSupportsWebAuthnAutofill();
}

/**
 * Asks the person for a passkey that signs in, or that confirms who they are.
 * @param purpose whose passkeys are possible: everybody's, or those of whoever has given the first factor
 * @param isSuggested true to let the browser suggest it while the person may do something else
 * @returns what the gateway checks; undefined if the person declined
 */
export async function askForPasskey(
  purpose: 'passkey' | 'second-factor',
  isSuggested = false,
): Promise<DoorOutcome<AuthenticationResponseJSON> | undefined> {
  const [{ startAuthentication }, options] = await Promise.all([
    load(),
    askDoor<PublicKeyCredentialRequestOptionsJSON>('POST', `/${purpose}/options`),
  ]);
  if (!options.ok) return options;
  try {
    const data = await startAuthentication({ optionsJSON: options.data, useBrowserAutofill: isSuggested });
    return { ok: true, data };
  } catch {
    // Browsers do not tell a refusal from a passkey that they do not have.
    return undefined;
  }
}

/** Stops to suggest passkeys, when the page that asked for them is left. */
export const stopSuggesting = async (): Promise<void> => (await load()).WebAuthnAbortService.cancelCeremony();

/** Lets the person create a passkey. @returns undefined if they declined, or have one here already */
export async function makePasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<RegistrationResponseJSON | undefined> {
  const { startRegistration } = await load();
  return startRegistration({ optionsJSON: options }).catch(() => undefined);
}
