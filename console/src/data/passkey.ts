import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { askDoor, type DoorOutcome } from './door';

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
