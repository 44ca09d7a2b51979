import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { signOut } from '../../../app/session';
import { useQuery } from '../../../data/answers';
import type { Outcome } from '../../../data/client';
import { askDoor, type DoorOutcome } from '../../../data/door';
import { type Fault, faultText } from '../../../data/fault';
import { askForPasskey, canUsePasskeys } from '../../../data/passkey';
import { SignInSettings } from '../../../generated/operations/settings';
import { t } from '../../../i18n/i18n';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { PasswordField, TextField } from '../../../ui/field';
import { Bones, FaultNote } from '../../../ui/state';

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

/** Renders the field of a proof that is typed. */
function ProofField({
  proof,
  ...field
}: {
  readonly proof: Proof;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly wrong: string | undefined;
}) {
  if (proof === 'password') {
    return <PasswordField label={t('signIn.current_password')} autoComplete="current-password" {...field} />;
  }
  const isCode = proof === 'code';
  return (
    <TextField
      key={proof}
      label={t(isCode ? 'signIn.code' : 'session.recovery_code')}
      hint={t(isCode ? 'session.code_hint' : 'signIn.recovery_code_hint')}
      control={{
        autoComplete: isCode ? 'one-time-code' : 'off',
        inputMode: isCode ? 'numeric' : 'text',
        autoCapitalize: 'none',
        spellcheck: false,
      }}
      {...field}
    />
  );
}

/** Renders the ways in which somebody can prove who they are. Whoever has a second factor needs that one. */
function Proofs({ first, hasPasskey }: { readonly first: Proof | undefined; readonly hasPasskey: boolean }) {
  const [proof, setProof] = useState(first);
  const [value, setValue] = useState('');
  const [fault, setFault] = useState<Fault>();
  async function settle(outcome: DoorOutcome<undefined>) {
    setFault(outcome.ok ? undefined : outcome.fault);
    if (outcome.ok) asked.value?.(true);
  }
  async function withPasskey() {
    const found = await askForPasskey('second-factor');
    if (!found) return;
    await settle(found.ok ? await askDoor('POST', '/confirm', { passkey: found.data }) : found);
  }
  const isWrong = fault?.kind === 'invalid';
  const wrongText = t(proof === 'password' ? 'signIn.wrong_password' : 'session.wrong_code');
  return (
    <form
      class="stack"
      noValidate
      onSubmit={async (event) => {
        event.preventDefault();
        if (proof) await settle(await askDoor('POST', '/confirm', { [proof]: value }));
      }}
    >
      {fault && !(isWrong && proof) && <FaultNote fault={fault} />}
      {proof && (
        <ProofField proof={proof} value={value} onInput={setValue} wrong={isWrong ? wrongText : undefined} />
      )}
      <div class="line">
        {proof && (
          <Button type="submit" weight="first">
            {t('signIn.confirm')}
          </Button>
        )}
        {hasPasskey && (
          <Button weight={proof ? 'plain' : 'first'} icon="user" onClick={withPasskey}>
            {t('signIn.confirm_passkey')}
          </Button>
        )}
        {proof !== 'password' && proof !== 'recoveryCode' && (
          <Button
            weight="bare"
            onClick={() => {
              setProof('recoveryCode');
              setValue('');
              setFault(undefined);
            }}
          >
            {t('session.use_recovery')}
          </Button>
        )}
      </div>
    </form>
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
