import { t } from '../../i18n/i18n';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { type Refusal, refuse, session, signOut } from '../session';
import { DoorFrame } from './frame';
import { acceptSignIn, neededFactors } from './options';
import { SecondFactorForm } from './second-factor';
import { Ways } from './ways';

/** Renders the step that signing in has come to. */
function Step(props: { readonly refusal: Refusal | undefined; readonly isAgain: boolean }) {
  if (!neededFactors.value) return <Ways {...props} />;
  const startOver = () => {
    neededFactors.value = undefined;
  };
  return (
    <SecondFactorForm
      factors={neededFactors.value}
      onDone={acceptSignIn}
      onLate={() => {
        startOver();
        refuse('late');
      }}
      onStartOver={startOver}
    />
  );
}

/** Renders the screen on which a person signs in. */
export function SignIn({ refusal }: { readonly refusal: Refusal | undefined }) {
  const lead = neededFactors.value ? t('session.second_lead') : t('session.lead');
  return (
    <DoorFrame title={t('session.title')} lead={lead}>
      <Step refusal={refusal} isAgain={false} />
    </DoorFrame>
  );
}

/**
 * Says that a second factor has become necessary. It is set up in another tab, so that unsaved input stays
 * here; that tab tells this one when it is done.
 */
function EnrollAgain() {
  return (
    <Dialog title={t('signIn.enroll_title')}>
      <div class="stack">
        <p>{t('signIn.enroll_lead')}</p>
        <a class="button first" href="/sign-in/enroll" target="_blank" rel="noopener">
          {t('door.next')}
        </a>
        <Button weight="bare" icon="leave" onClick={signOut}>
          {t('session.sign_out')}
        </Button>
      </div>
    </Dialog>
  );
}

/** Lets a person sign in again above the current page, which stays unchanged. */
export function SignInAgain() {
  const { value } = session;
  if (value.state !== 'in' || !value.over) return null;
  if (typeof value.over === 'object' && value.over.reason === 'SECOND_FACTOR_MISSING') return <EnrollAgain />;
  return (
    <Dialog title={t('session.again')}>
      <div class="stack">
        <p>{t('session.again_text')}</p>
        <Step refusal={value.over} isAgain />
        <Button weight="bare" icon="leave" onClick={signOut}>
          {t('session.sign_out')}
        </Button>
      </div>
    </Dialog>
  );
}
