import { useState } from 'preact/hooks';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { useEntry } from './entry';
import { DoorFrame } from './frame';
import { signInOptions, takeSecret } from './options';
import { SecondStep } from './second-factor';
import { FormFault, isOver, LinkOver } from './trouble';

/** Renders the page of a link that signs in. The button uses it, because programs preview links. */
export default function LinkPage() {
  const [secret] = useState(takeSecret);
  const { refused, busy, factors, enter } = useEntry('/link/use');
  if (factors) return <SecondStep lead={t('door.second_link')} factors={factors} />;
  if (!secret || isOver(refused)) {
    return (
      <DoorFrame title={t('session.sign_in')}>
        <LinkOver text={t('door.link_over')} words={refused?.fault.message} />
      </DoorFrame>
    );
  }
  return (
    <DoorFrame title={t('session.sign_in')} lead={t('door.link_lead')}>
      <FormFault fault={refused?.fault} />
      {signInOptions.value?.isSignedIn && <p class="note">{t('door.link_other')}</p>}
      <Button weight="first" isBusy={busy} onClick={() => enter({ secret })}>
        {t('session.sign_in')}
      </Button>
    </DoorFrame>
  );
}
