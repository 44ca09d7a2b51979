import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { signOut } from '../../../app/session';
import { useQuery } from '../../../data/answers';
import type { Outcome } from '../../../data/client';
import { askDoor, askForPasskey, canUsePasskeys } from '../../../data/door';
import { faultText } from '../../../data/fault';
import { SignInSettings } from '../../../generated/operations/settings';
import { t } from '../../../i18n/i18n';
import { Form } from '../../../records/form/form';
import type { FieldSpec } from '../../../records/record-type';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { Bones } from '../../../ui/state';
import { tellFault } from '../../../ui/toast';

/** The end of the current question who somebody is: true if they have proved it. */
const asked = signal<((isProved: boolean) => void) | undefined>(undefined);

/** Asks somebody to prove who they are. @returns whether they did */
export async function askForProof(): Promise<boolean> {
  const isProved = await new Promise<boolean>((resolve) => {
    asked.value = resolve;
  });
  asked.value = undefined;
  return isProved;
}

/**
 * Sends a change of how somebody signs in. If the gateway wants a proof who they are, they are asked for it,
 * and the change is sent again.
 * @returns undefined if they did not prove it
 */
export async function sendConfirmed<Data>(
  send: () => Promise<Outcome<Data>>,
): Promise<Outcome<Data> | undefined> {
  const outcome = await send();
  if (outcome.ok || outcome.fault.reason !== 'UNCONFIRMED') return outcome;
  return (await askForProof()) ? send() : undefined;
}

type Proof = 'password' | 'code' | 'recoveryCode';

/** Creates the field for a code of an authenticator app. */
export const codeField = (name: string): FieldSpec<unknown> => ({
  ...{ type: 'text', name, label: 'signIn.code', hint: 'session.code_hint', isWide: true },
  control: { autoComplete: 'one-time-code', inputMode: 'numeric', autoCapitalize: 'none', spellcheck: false },
});

const fieldsOf: Readonly<Record<Proof, readonly FieldSpec<unknown>[]>> = {
  password: [
    {
      ...{ type: 'password', name: 'password', label: 'signIn.current_password', isWide: true },
      autoComplete: 'current-password',
    },
  ],
  code: [codeField('code')],
  recoveryCode: [
    {
      ...{ type: 'text', name: 'recoveryCode', label: 'session.recovery_code', isWide: true },
      hint: 'signIn.recovery_code_hint',
      control: { autoComplete: 'off', autoCapitalize: 'none', spellcheck: false },
    },
  ],
};

/** Renders the ways in which somebody can prove who they are. Whoever has a second factor needs that one. */
function Proofs({ first, hasPasskey }: { readonly first: Proof | undefined; readonly hasPasskey: boolean }) {
  const [proof, setProof] = useState(first);
  const prove = () => asked.value?.(true);
  async function withPasskey() {
    const found = await askForPasskey('second-factor');
    if (!found) return;
    const outcome = found.ok ? await askDoor('POST', '/confirm', { passkey: found.data }) : found;
    if (outcome.ok) prove();
    else tellFault(outcome.fault);
  }
  const others = (
    <>
      {hasPasskey && (
        <Button weight={proof ? 'plain' : 'first'} icon="user" onClick={withPasskey}>
          {t('signIn.confirm_passkey')}
        </Button>
      )}
      {proof !== 'password' && proof !== 'recoveryCode' && (
        <Button weight="bare" onClick={() => setProof('recoveryCode')}>
          {t('session.use_recovery')}
        </Button>
      )}
    </>
  );
  if (!proof) return <div class="line">{others}</div>;
  const wrong = t(proof === 'password' ? 'signIn.wrong_password' : 'session.wrong_code');
  return (
    <Form
      key={proof}
      fields={fieldsOf[proof]}
      isFocused
      action={t('signIn.confirm')}
      send={async (input) => {
        const outcome = await askDoor('POST', '/confirm', { [proof]: '', ...input });
        if (outcome.ok || outcome.fault.kind !== 'invalid') return outcome;
        return { ok: false, fault: { ...outcome.fault, violations: new Map([[proof, wrong]]) } };
      }}
      onDone={prove}
      beside={others}
    />
  );
}

function ConfirmDialog() {
  const { data, fault } = useQuery(SignInSettings, {});
  const { signInMethods: methods, passkeys = [] } = data?.me ?? {};
  const hasFactor = methods?.totp || passkeys.length > 0;
  const first = methods?.totp ? 'code' : !hasFactor && methods?.password ? 'password' : undefined;
  return (
    <Dialog title={t('signIn.confirm_title')} onClose={() => asked.value?.(false)}>
      <div class="stack">
        {fault && <p class="late-text">{faultText(fault)}</p>}
        {!data && !fault && <Bones rows={2} />}
        {methods && (hasFactor || methods.password) && (
          <>
            <p>{t('signIn.confirm_text')}</p>
            <Proofs first={first} hasPasskey={passkeys.length > 0 && canUsePasskeys()} />
          </>
        )}
        {methods && !hasFactor && !methods.password && (
          <>
            <p>{t('signIn.confirm_again')}</p>
            <div>
              <Button
                weight="first"
                onClick={() => {
                  asked.value?.(false);
                  return signOut();
                }}
              >
                {t('session.sign_out')}
              </Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}

/** Renders the question who somebody is, while it is asked. */
export const Confirmation = () => (asked.value ? <ConfirmDialog /> : null);
