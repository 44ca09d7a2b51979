import { useState } from 'preact/hooks';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { useEntry } from './entry';
import { DoorFrame } from './frame';
import { isLongEnough, NewPassword, passwordFault } from './new-password';
import { SecondStep } from './second-factor';
import { takeSecret } from './secret';
import { FormFault, isOver, LinkOver } from './trouble';

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
