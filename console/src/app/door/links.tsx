import { useState } from 'preact/hooks';
import { t } from '../../i18n/i18n';
import { Form } from '../../records/form/form';
import { Button } from '../../ui/button';
import { newPassword, sendPassword } from './first-way';
import { DoorFrame, FormFault, isOver, LinkOver, useEntry } from './frame';
import { signInOptions, takeSecret } from './options';
import { SecondStep } from './sign-in';

/** Renders the page of a link that signs in. The button uses it, because programs preview links. */
export function LinkPage() {
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

const fields = [newPassword('password')];

/** Renders the page of a link that sets a new password. */
export function ResetPage() {
  const [secret] = useState(takeSecret);
  const { refused, factors, enter } = useEntry('/reset/use');
  if (factors) return <SecondStep lead={t('door.second_reset')} factors={factors} />;
  if (!secret || isOver(refused)) {
    return (
      <DoorFrame title={t('door.reset_title')}>
        <LinkOver text={t('door.link_over')} words={refused?.fault.message} />
      </DoorFrame>
    );
  }
  return (
    <DoorFrame title={t('door.reset_title')} lead={t('door.reset_lead')}>
      <Form
        fields={fields}
        action={t('door.set_password')}
        send={({ password }, _base, draft) =>
          sendPassword('password', draft, () => enter({ secret, password }))
        }
      />
    </DoorFrame>
  );
}
