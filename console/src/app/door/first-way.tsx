import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { askDoor, type DoorOutcome } from '../../data/door';
import type { Fault } from '../../data/fault';
import { canUsePasskeys, makePasskey } from '../../data/passkey';
import { t } from '../../i18n/i18n';
import { Check } from '../../ui/field';
import type { SignInOptions } from './options';
import { isLongEnough, NewPassword, passwordFault } from './reset';

/** Choice of how a new person signs in. */
export interface WayDraft {
  readonly password: string;
  readonly isPasskey: boolean;
}

/** Creates the first choice: a password where passwords are allowed. */
export const newWay = ({ password, passkey }: SignInOptions['ways']): WayDraft => ({
  password: '',
  isPasskey: !password && passkey && canUsePasskeys(),
});

/** Returns whether the choice is complete. */
export const isChosen = ({ isPasskey, password }: WayDraft): boolean => isPasskey || isLongEnough(password);

/** Renders the choice between a password and a passkey. */
export function FirstWayFields({
  way,
  ways,
  change,
  fault,
  isTried,
}: {
  readonly way: WayDraft;
  readonly ways: SignInOptions['ways'];
  readonly change: (changes: Partial<WayDraft>) => void;
  readonly fault: Fault | undefined;
  readonly isTried: boolean;
}) {
  const hasChoice = ways.password && ways.passkey && canUsePasskeys();
  return (
    <>
      {way.isPasskey ? (
        <p class="soft">{t('door.passkey_hint')}</p>
      ) : (
        <NewPassword
          value={way.password}
          onInput={(password) => change({ password })}
          wrong={isTried ? passwordFault(way.password, fault) : undefined}
        />
      )}
      {hasChoice && (
        <Check
          label={t('door.with_passkey')}
          checked={way.isPasskey}
          onChange={(isPasskey) => change({ isPasskey })}
        />
      )}
    </>
  );
}

/**
 * Lets the person make a passkey, if that is the choice.
 * @param path of the gateway's door for what the browser needs
 * @returns what the gateway gets of the choice; undefined if the person declined
 */
export async function madeWay(
  { isPasskey, password }: WayDraft,
  path: string,
  body: object,
): Promise<DoorOutcome<object> | undefined> {
  if (!isPasskey) return { ok: true, data: { password } };
  const options = await askDoor<PublicKeyCredentialCreationOptionsJSON>('POST', path, body);
  if (!options.ok) return options;
  const passkey = await makePasskey(options.data);
  return passkey && { ok: true, data: { passkey } };
}
