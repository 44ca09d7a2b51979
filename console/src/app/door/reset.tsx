import { useState } from 'preact/hooks';
import type { Fault } from '../../data/fault';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { PasswordField } from '../../ui/field';
import { useEntry } from './entry';
import { DoorFrame } from './frame';
import { signInOptions, takeSecret } from './options';
import { SecondStep } from './second-factor';
import { FormFault, isOver, LinkOver } from './trouble';

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

/** Renders the page of a link that sets a new password. */
export default function ResetPage() {
  const [secret] = useState(takeSecret);
  const [password, setPassword] = useState('');
  const [isTried, setTried] = useState(false);
  const { refused, busy, factors, enter } = useEntry('/reset/use');
  if (factors) return <SecondStep lead={t('door.second_reset')} factors={factors} />;
  if (!secret || isOver(refused)) {
    return (
      <DoorFrame title={t('door.reset_title')}>
        <LinkOver text={t('door.link_over')} words={refused?.fault.message} />
      </DoorFrame>
    );
  }
  async function submit(event: Event) {
    event.preventDefault();
    setTried(true);
    if (isLongEnough(password)) await enter({ secret, password });
  }
  return (
    <DoorFrame title={t('door.reset_title')} lead={t('door.reset_lead')}>
      <form class="stack" onSubmit={submit}>
        <FormFault fault={refused?.fault} />
        <NewPassword
          value={password}
          onInput={setPassword}
          wrong={isTried ? passwordFault(password, refused?.fault) : undefined}
        />
        <Button type="submit" weight="first" isBusy={busy}>
          {t('door.set_password')}
        </Button>
      </form>
    </DoorFrame>
  );
}
