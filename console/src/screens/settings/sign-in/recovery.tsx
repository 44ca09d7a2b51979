import { saveText } from '../../../data/save-file';
import { t } from '../../../i18n/i18n';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { tell } from '../../../ui/toast';

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
