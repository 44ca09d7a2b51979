import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import type { Outcome } from '../../data/client';
import { askDoor, canUsePasskeys, type DoorOutcome, makePasskey } from '../../data/door';
import { faultOf, inWords } from '../../data/fault';
import { t } from '../../i18n/i18n';
import type { Draft, FieldSpec } from '../../records/record-type';
import { type SignInOptions, signInOptions } from './options';

/** Returns the least number of characters of a password. Until it is known, only the gateway checks it. */
const leastLength = (): number => signInOptions.value?.passwordLength ?? 1;

/** Counts characters as the gateway does. */
const lengthOf = (password: string): number => [...password.normalize('NFC')].length;

const isTooShort = (password: string): boolean => lengthOf(password) < leastLength();

/** Says what is wrong with a new password that is refused, in the person's language. */
function passwordFault(password: string): string {
  if (isTooShort(password)) return t('door.too_short', { n: leastLength() });
  return t(lengthOf(password) > 200 ? 'door.too_long' : 'door.too_easy');
}

/** Creates the field for a new password, which can be shown. */
export const newPassword = (name: string): FieldSpec<unknown> => ({
  ...{ type: 'password', autoComplete: 'new-password', isWide: true },
  ...{ name, label: 'door.new_password', hint: () => t('door.password_hint', { n: leastLength() }) },
});

/** Sends a new password, if it is long enough. @param name its name in the form and in the request */
export async function sendPassword<Data>(
  name: string,
  draft: Draft,
  send: () => Promise<Outcome<Data> | undefined>,
): Promise<Outcome<Data> | undefined> {
  const wrong = { [name]: passwordFault(String(draft[name])) };
  const tooShort = { ...faultOf('invalid'), violations: new Map(Object.entries(wrong)) };
  if (isTooShort(String(draft[name]))) return { ok: false, fault: tooShort };
  const outcome = await send();
  return outcome && inWords(outcome, wrong);
}

/** Lists the fields in which a new person chooses a password or a passkey. */
export function wayFields({ password, passkey }: SignInOptions['ways']): readonly FieldSpec<unknown>[] {
  const canHave = passkey && canUsePasskeys();
  return [
    ...(password ? [{ ...newPassword('password'), isShown: ({ isPasskey }: Draft) => !isPasskey }] : []),
    {
      ...{ type: 'check', name: 'isPasskey', label: 'door.with_passkey', isWide: true },
      hint: ({ isPasskey }) => (isPasskey ? t('door.passkey_hint') : ''),
      isShown: () => canHave,
    },
  ];
}

/** Creates the first choice: a password where passwords are allowed. */
export const firstWay = ({ password, passkey }: SignInOptions['ways']): Draft => ({
  isPasskey: !password && passkey && canUsePasskeys(),
});

/** Sends the choice between a password and a passkey. */
export const sendWay = <Data>(draft: Draft, send: () => Promise<Outcome<Data> | undefined>) =>
  draft.isPasskey ? send() : sendPassword('password', draft, send);

/**
 * Lets the person make a passkey, if that is the choice.
 * @param path of the gateway's door for what the browser needs
 * @returns what the gateway gets of the choice; undefined if the person declined
 */
export async function madeWay(
  { isPasskey, password }: Draft,
  path: string,
  body: object,
): Promise<DoorOutcome<object> | undefined> {
  if (!isPasskey) return { ok: true, data: { password } };
  const options = await askDoor<PublicKeyCredentialCreationOptionsJSON>('POST', path, body);
  if (!options.ok) return options;
  const passkey = await makePasskey(options.data);
  return passkey && { ok: true, data: { passkey } };
}
