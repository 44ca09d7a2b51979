import { t } from '../i18n/i18n';
import { Button } from './button';
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
