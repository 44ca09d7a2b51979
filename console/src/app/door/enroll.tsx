import { tellSignIn } from '../../../../public/session.js';
import { useQuery } from '../../data/answers';
import { SignInSettings } from '../../generated/operations/settings';
import { t } from '../../i18n/i18n';
import { AuthenticatorCard } from '../../screens/settings/sign-in/authenticator';
import { askForProof, Confirmation } from '../../screens/settings/sign-in/confirm';
import { PasskeysCard } from '../../screens/settings/sign-in/passkeys';
import '../../screens/settings.css';
import { Button } from '../../ui/button';
import { FaultNote } from '../../ui/state';
import { signOut } from '../session';
import { DoorFrame, enterConsole } from './frame';

/** Renders the page on which somebody sets up the second factor that their organization requires. */
export default function EnrollPage() {
  const done = () => {
    tellSignIn();
    enterConsole();
  };
  const { data, fault, reload } = useQuery(SignInSettings, {});
  const { signInMethods: methods, passkeys = [] } = data?.me ?? {};
  // Somebody who has a factor already proves it, and adds no other.
  const hasFactor = methods?.totp || passkeys.length > 0;
  return (
    <DoorFrame
      title={t('signIn.enroll_title')}
      lead={t(hasFactor ? 'signIn.confirm_text' : 'signIn.enroll_lead')}
    >
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      {methods && hasFactor && (
        <Button weight="first" onClick={async () => (await askForProof()) && done()}>
          {t('signIn.confirm')}
        </Button>
      )}
      {methods && !hasFactor && (
        <>
          <AuthenticatorCard
            hasApp={methods.totp}
            hasFactor={false}
            codesLeft={methods.recoveryCodesLeft}
            onDone={done}
          />
          <PasskeysCard passkeys={passkeys} onDone={done} />
        </>
      )}
      <Button
        weight="bare"
        icon="leave"
        onClick={async () => {
          await signOut();
          enterConsole();
        }}
      >
        {t('session.sign_out')}
      </Button>
      <Confirmation />
    </DoorFrame>
  );
}
