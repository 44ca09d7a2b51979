import { useState } from 'preact/hooks';
import { newPassword, sendPassword } from '../../app/door/first-way';
import { caller, may, signOut } from '../../app/session';
import { useQuery } from '../../data/answers';
import { credentials, request } from '../../data/client';
import { inWords } from '../../data/fault';
import {
  ChangePassword,
  SignInPolicy,
  SignInSettings,
  UpdateSignInPolicy,
} from '../../generated/operations/settings';
import type { SignInPolicyRowFragment, SignInWay } from '../../generated/types';
import { formatDay } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { Form } from '../../records/form/form';
import type { Draft, FieldSpec, Input } from '../../records/record-type';
import { Button } from '../../ui/button';
import { Bones, FaultNote } from '../../ui/state';
import { tell } from '../../ui/toast';
import { AuthenticatorCard } from './sign-in/authenticator';
import { sendConfirmed } from './sign-in/confirm';
import { PasskeysCard } from './sign-in/passkeys';
import { SessionsCard } from './sign-in/sessions';

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
function PasswordCard({ changedAt, onDone }: PasswordCardProps) {
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

const ways: readonly SignInWay[] = ['PASSWORD', 'PASSKEY', 'LINK', 'OIDC'];

/** Lists what a policy decides. */
function fieldsOf({ possibleWays }: SignInPolicyRowFragment): readonly FieldSpec<SignInPolicyRowFragment>[] {
  const wordsOf = (way: SignInWay) =>
    possibleWays.includes(way)
      ? t(`signIn.way_${way}`)
      : `${t(`signIn.way_${way}`)} – ${t('signIn.way_impossible')}`;
  return [
    {
      type: 'choices',
      name: 'ways',
      label: 'signIn.policy_ways',
      choices: ways.map((value) => ({ value, words: wordsOf(value) })),
    },
    { type: 'check', name: 'secondFactorRequired', label: 'signIn.policy_factor', isWide: true },
    {
      type: 'check',
      name: 'issuerAlone',
      label: 'signIn.policy_issuer',
      isWide: true,
      isShown: () => possibleWays.includes('OIDC'),
    },
  ];
}

/** Renders how people of the organization may sign in. */
function PolicyCard() {
  const { data, fault, reload } = useQuery(SignInPolicy, {});
  const policy = data?.organization.signInPolicy;
  return (
    <section class="card narrow stack">
      <h2>{t('signIn.policy')}</h2>
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      {!policy && !fault && <Bones rows={5} />}
      {policy && (
        <Form
          fields={fieldsOf(policy)}
          row={policy}
          send={async (input) => {
            const outcome = await sendConfirmed(() => request(UpdateSignInPolicy, { input }));
            return outcome && inWords(outcome, { ways: t('signIn.policy_no_way') });
          }}
          onDone={async () => {
            await reload();
            tell(t('common.saved'));
          }}
        />
      )}
      <p class="soft small">{t('signIn.policy_ends')}</p>
    </section>
  );
}

/** Says why the settings cannot be changed with a token. */
function TokenNote() {
  return (
    <div class="note">
      <p>{t('signIn.with_token')}</p>
      <Button data-leaves onClick={signOut}>
        {t('session.sign_in')}
      </Button>
    </div>
  );
}

/** Renders how somebody signs in, and for administrators how everybody does. */
export function SignInPart() {
  const { data, fault, reload } = useQuery(SignInSettings, {});
  const isSession = credentials.token === undefined;
  const { signInMethods: methods, passkeys = [], sessions = [], calendarFeeds = [] } = data?.me ?? {};
  return (
    <>
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      {!isSession && <TokenNote />}
      {!data && !fault && <Bones rows={8} />}
      {methods?.issuer && <p>{t('signIn.issuer', { issuer: methods.issuer })}</p>}
      {methods && isSession && (
        <>
          {methods.ways.includes('PASSWORD') && (
            <PasswordCard changedAt={methods.passwordChangedAt} onDone={reload} />
          )}
          <PasskeysCard passkeys={passkeys} onDone={reload} />
          <AuthenticatorCard
            hasApp={methods.totp}
            hasFactor={methods.totp || passkeys.length > 0}
            codesLeft={methods.recoveryCodesLeft}
            onDone={reload}
          />
        </>
      )}
      {methods && <SessionsCard sessions={sessions} feeds={calendarFeeds} onDone={reload} />}
      {may('ADMINISTER') && <PolicyCard />}
    </>
  );
}
