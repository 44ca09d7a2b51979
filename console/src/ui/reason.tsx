import type { NotToldReason, UploadReason } from '../generated/types';
import { hasText, type Key, t } from '../i18n/i18n';

/** Finds the sentence for a code. Codes that this version does not know share one. */
function sentenceOf(table: 'uploadReasons' | 'notTold', code: string | null): string {
  const key = `${table}.${code}`;
  return t(hasText(key) ? (key as Key) : `${table}.other`);
}

/** Says why an upload was not filed, and what to do about it. */
export const uploadReasonText = (code: UploadReason | null): string => sentenceOf('uploadReasons', code);

/** Says why somebody was not told, and what to do about it. */
export const notToldText = (code: NotToldReason | null): string => sentenceOf('notTold', code);

/** Renders a reason as a sentence, with the technical text behind a click. */
export function Reason({ text, details }: { readonly text: string; readonly details: string | null }) {
  return (
    <div class="reason">
      <p>{text}</p>
      {details && (
        <details class="small">
          <summary class="soft">{t('common.details')}</summary>
          <p class="soft">{details}</p>
        </details>
      )}
    </div>
  );
}
