import { useState } from 'preact/hooks';
import { newPassword, sendPassword } from '../../../app/door/first-way';
import { caller } from '../../../app/session';
import { request } from '../../../data/client';
import { inWords } from '../../../data/fault';
import { ChangePassword } from '../../../generated/operations/settings';
import { formatDay } from '../../../i18n/dates';
import { t } from '../../../i18n/i18n';
import { Form } from '../../../records/form/form';
import type { Draft, FieldSpec, Input } from '../../../records/record-type';
import { tell } from '../../../ui/toast';
import { sendConfirmed } from './confirm';

const others: readonly FieldSpec<unknown>[] = [
  newPassword('newPassword'),
  { type: 'check', name: 'endOtherSessions', label: 'signIn.end_others_too', isWide: true },
];

const all: readonly FieldSpec<unknown>[] = [
  {
    ...{ type: 'password', autoComplete: 'current-password', isWide: true },
    ...{ name: 'currentPassword', label: 'signIn.current_password', hint: 'signIn.current_hint' },
  },
  ...others,
];

const change = ({ newPassword, ...input }: Input, _base: unknown, draft: Draft) =>
  sendPassword('newPassword', draft, async () => {
    const sent = { ...input, newPassword: String(newPassword) };
    const outcome = await sendConfirmed(() => request(ChangePassword, { input: sent }));
    return outcome && inWords(outcome, { currentPassword: t('signIn.wrong_password') });
  });

interface PasswordCardProps {
  /** Null if there is no password. */
  readonly changedAt: string | null;
  readonly onDone: () => unknown;
}

/** Renders the form that changes the password, or sets the first one. */
export function PasswordCard({ changedAt, onDone }: PasswordCardProps) {
  const [turn, setTurn] = useState(0);
  return (
    <section class="card narrow stack">
      <h2>{t('session.password')}</h2>
      <p class="soft">
        {changedAt
          ? t('signIn.password_since', { date: formatDay(changedAt.slice(0, 10)) })
          : t('signIn.no_password')}
      </p>
      <Form
        key={turn}
        fields={changedAt ? all : others}
        initial={{ endOtherSessions: true }}
        action={t(changedAt ? 'signIn.change_password' : 'signIn.set_password')}
        send={change}
        onDone={() => {
          // The passwords do not stay on the screen.
          setTurn(turn + 1);
          tell(t('signIn.password_changed'));
          onDone();
        }}
      >
        <input type="email" autoComplete="username" value={caller.value?.me.email} readOnly hidden />
      </Form>
    </section>
  );
}
