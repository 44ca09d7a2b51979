import type { Fault } from '../../data/fault';
import { t } from '../../i18n/i18n';
import { PasswordField } from '../../ui/password-field';
import { signInOptions } from './options';

/** Returns the least number of characters of a password. Until it is known, only the gateway checks it. */
const leastLength = (): number => signInOptions.value?.passwordLength ?? 1;

/** Counts characters as the gateway does. */
const lengthOf = (password: string): number => [...password.normalize('NFC')].length;

/** Returns whether a password is long enough. */
export const isLongEnough = (password: string): boolean => lengthOf(password) >= leastLength();

/**
 * Says what is wrong with a new password, in the person's language.
 * @param field the password's name in the request
 */
export function passwordFault(
  password: string,
  fault: Fault | undefined,
  field = 'password',
): string | undefined {
  if (!isLongEnough(password)) return t('door.too_short', { n: leastLength() });
  if (!fault?.violations.has(field)) return undefined;
  return lengthOf(password) > 200 ? t('door.too_long') : t('door.too_easy');
}

/** Renders the field for a new password, which can be shown. */
export function NewPassword({
  value,
  onInput,
  wrong,
}: {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly wrong: string | undefined;
}) {
  return (
    <PasswordField
      label={t('door.new_password')}
      hint={t('door.password_hint', { n: leastLength() })}
      wrong={wrong}
      value={value}
      onInput={onInput}
      autoComplete="new-password"
    />
  );
}
