import { useState } from 'preact/hooks';
import { t } from '../../i18n/i18n';
import { Form } from '../../records/form/form';
import { useEntry } from './entry';
import { newPassword, sendPassword } from './first-way';
import { DoorFrame } from './frame';
import { takeSecret } from './options';
import { SecondStep } from './second-factor';
import { isOver, LinkOver } from './trouble';

const fields = [newPassword('password')];

/** Renders the page of a link that sets a new password. */
export default function ResetPage() {
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
