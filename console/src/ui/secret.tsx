import { t } from '../i18n/i18n';
import { Button } from './button';
import { Dialog } from './dialog';
import { tell } from './toast';

/** Renders a secret that is not shown again, to be copied. */
export function Secret({ text }: { readonly text: string }) {
  return (
    <div class="secret">
      <code>{text}</code>
      <Button
        icon="copy"
        onClick={async () => {
          // A page that is not served over https cannot write to the clipboard; a click selects the text.
          await navigator.clipboard?.writeText(text);
          if (navigator.clipboard) tell(t('common.copied'));
        }}
      >
        {t('common.copy')}
      </Button>
    </div>
  );
}

/** Shows a secret, which is shown only this once. */
export function SecretDialog({
  title,
  text,
  secret,
  onClose,
}: {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        <p>{text}</p>
        <Secret text={secret} />
      </div>
    </Dialog>
  );
}
