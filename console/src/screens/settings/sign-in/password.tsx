import { useState } from 'preact/hooks';
import { isLongEnough, NewPassword, passwordFault } from '../../../app/door/reset';
import { caller } from '../../../app/session';
import { request } from '../../../data/client';
import type { Fault } from '../../../data/fault';
import { ChangePassword } from '../../../generated/operations/settings';
import { formatDay } from '../../../i18n/dates';
import { t } from '../../../i18n/i18n';
import { Button } from '../../../ui/button';
import { Check, PasswordField } from '../../../ui/field';
import { FaultNote } from '../../../ui/state';
import { tell } from '../../../ui/toast';
import { sendConfirmed } from './confirm';

/** Renders the form that changes the password, or sets the first one. */
export function PasswordCard({
  changedAt,
  onDone,
}: {
  /** Null if there is no password. */
  readonly changedAt: string | null;
  readonly onDone: () => unknown;
}) {
  const [current, setCurrent] = useState('');
  const [chosen, setChosen] = useState('');
  const [endOtherSessions, setEndOthers] = useState(true);
  const [fault, setFault] = useState<Fault>();
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  async function submit() {
    setTried(true);
    if (!isLongEnough(chosen)) return;
    setBusy(true);
    const input = {
      newPassword: chosen,
      endOtherSessions,
      ...(current && { currentPassword: current }),
    };
    const outcome = await sendConfirmed(() => request(ChangePassword, { input }));
    setBusy(false);
    if (!outcome) return;
    setFault(outcome.ok ? undefined : outcome.fault);
    if (!outcome.ok) return;
    setCurrent('');
    setChosen('');
    setTried(false);
    tell(t('signIn.password_changed'));
    onDone();
  }
  return (
    <section class="card narrow stack">
      <h2>{t('session.password')}</h2>
      <p class="soft">
        {changedAt
          ? t('signIn.password_since', { date: formatDay(changedAt.slice(0, 10)) })
          : t('signIn.no_password')}
      </p>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void submit();
        }}
      >
        {fault && fault.violations.size === 0 && <FaultNote fault={fault} />}
        <input type="email" autoComplete="username" value={caller.value?.me.email} readOnly hidden />
        {changedAt && (
          <PasswordField
            label={t('signIn.current_password')}
            hint={t('signIn.current_hint')}
            wrong={fault?.violations.has('currentPassword') ? t('signIn.wrong_password') : undefined}
            value={current}
            onInput={setCurrent}
            autoComplete="current-password"
          />
        )}
        <NewPassword
          value={chosen}
          onInput={setChosen}
          wrong={isTried ? passwordFault(chosen, fault, 'newPassword') : undefined}
        />
        <Check label={t('signIn.end_others_too')} checked={endOtherSessions} onChange={setEndOthers} />
        <div>
          <Button type="submit" weight="first" isBusy={isBusy}>
            {t(changedAt ? 'signIn.change_password' : 'signIn.set_password')}
          </Button>
        </div>
      </form>
    </section>
  );
}
