import { useState } from 'preact/hooks';
import { saveText } from '../../../data/browser';
import { request } from '../../../data/client';
import { inWords } from '../../../data/fault';
import {
  BeginTotp,
  ConfirmTotp,
  CreateRecoveryCodes,
  RemoveTotp,
} from '../../../generated/operations/settings';
import { t } from '../../../i18n/i18n';
import { Form } from '../../../records/form/form';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { QrCode } from '../../../ui/qr-code';
import { Secret } from '../../../ui/secret';
import { Badge } from '../../../ui/status';
import { tell, tellFault } from '../../../ui/toast';
import { codeField, sendConfirmed } from './confirm';

/** Renders recovery codes, which are not shown again. */
export function RecoveryDialog({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Dialog title={t('signIn.recovery')}>
      <div class="stack">
        <p>{t('signIn.recovery_once')}</p>
        <ol class="codes" aria-label={t('signIn.recovery')}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <div class="line">
          <Button
            icon="copy"
            onClick={async () => {
              // A page that is not served over https cannot write to the clipboard.
              await navigator.clipboard?.writeText(text);
              if (navigator.clipboard) tell(t('common.copied'));
            }}
          >
            {t('common.copy')}
          </Button>
          <Button icon="download" onClick={() => saveText('recovery-codes.txt', 'text/plain', [text])}>
            {t('signIn.save_file')}
          </Button>
          <Button weight="first" onClick={onClose}>
            {t('signIn.recovery_kept')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface NewApp {
  readonly secret: string;
  readonly uri: string;
}

const fields = [codeField('code')];

/** Shows the secret of an app, and asks for the first code. */
function SetUpDialog({
  app,
  onDone,
  onClose,
}: {
  readonly app: NewApp;
  readonly onDone: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={t('signIn.app_add')} onClose={onClose}>
      <div class="stack">
        <p>{t('signIn.app_scan')}</p>
        <QrCode text={app.uri} label={t('signIn.qr')} />
        <details>
          <summary>{t('signIn.app_type')}</summary>
          <Secret text={app.secret} />
        </details>
        <Form
          fields={fields}
          action={t('signIn.app_confirm')}
          send={async ({ code }) => {
            const outcome = await sendConfirmed(() => request(ConfirmTotp, { code: String(code ?? '') }));
            return outcome && inWords(outcome, { code: t('session.wrong_code') });
          }}
          onDone={({ confirmAuthenticatorApp }) => onDone(confirmAuthenticatorApp?.recoveryCodes ?? [])}
        />
      </div>
    </Dialog>
  );
}

/** Renders the authenticator app and the recovery codes. */
export function AuthenticatorCard({
  hasApp,
  hasFactor,
  codesLeft,
  onDone,
}: {
  readonly hasApp: boolean;
  /** True if there is any second factor, for which recovery codes are. */
  readonly hasFactor: boolean;
  readonly codesLeft: number;
  readonly onDone: () => unknown;
}) {
  const [app, setApp] = useState<NewApp>();
  const [codes, setCodes] = useState<readonly string[]>();
  async function begin() {
    const outcome = await sendConfirmed(() => request(BeginTotp, {}));
    if (outcome?.ok) setApp(outcome.data.beginTotp ?? undefined);
    else if (outcome) tellFault(outcome.fault);
  }
  async function remove() {
    const outcome = await sendConfirmed(() => request(RemoveTotp, {}));
    if (!outcome) return;
    if (!outcome.ok) return tellFault(outcome.fault);
    tell(t('signIn.app_removed'));
    onDone();
  }
  async function renew() {
    const outcome = await sendConfirmed(() => request(CreateRecoveryCodes, {}));
    if (outcome?.ok) setCodes(outcome.data.renewRecoveryCodes?.recoveryCodes);
    else if (outcome) tellFault(outcome.fault);
  }
  return (
    <section class="card narrow stack">
      <div class="line">
        <h2>{t('signIn.app')}</h2>
        <Badge urgency={hasApp ? 'good' : 'plain'}>{t(hasApp ? 'signIn.is_on' : 'signIn.is_off')}</Badge>
      </div>
      <p class="soft">{t('signIn.app_text')}</p>
      <div class="line">
        {hasApp ? (
          <Button icon="trash" weight="bad" onClick={remove}>
            {t('signIn.app_remove')}
          </Button>
        ) : (
          <Button icon="plus" onClick={begin}>
            {t('signIn.app_add')}
          </Button>
        )}
      </div>
      {hasFactor && (
        <>
          <h3>{t('signIn.recovery')}</h3>
          <p class={codesLeft < 3 ? 'near-text' : 'soft'}>{t('signIn.recovery_left', { n: codesLeft })}</p>
          <div>
            <Button icon="renew" onClick={renew}>
              {t('signIn.recovery_renew')}
            </Button>
          </div>
        </>
      )}
      {app && (
        <SetUpDialog
          app={app}
          onClose={() => setApp(undefined)}
          onDone={(made) => {
            setApp(undefined);
            setCodes(made);
          }}
        />
      )}
      {codes && (
        <RecoveryDialog
          codes={codes}
          onClose={() => {
            setCodes(undefined);
            onDone();
          }}
        />
      )}
    </section>
  );
}
