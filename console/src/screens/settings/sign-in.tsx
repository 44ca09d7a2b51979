import { may, signOut } from '../../app/session';
import { useQuery } from '../../data/answers';
import { credentials } from '../../data/client';
import { SignInSettings } from '../../generated/operations/settings';
import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Bones, FaultNote } from '../../ui/state';
import { AuthenticatorCard } from './sign-in/authenticator';
import { PasskeysCard } from './sign-in/passkeys';
import { PasswordCard } from './sign-in/password';
import { PolicyCard } from './sign-in/policy';
import { SessionsCard } from './sign-in/sessions';

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
