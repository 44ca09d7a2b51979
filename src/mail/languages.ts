import { languages } from '../domain/rules.js';

/** Language of mails, as a code of ISO 639-1. */
export type Language = (typeof languages)[number];

const isLanguage = (code: string | undefined): code is Language =>
  (languages as readonly unknown[]).includes(code);

/**
 * Picks the language of a message.
 * @param wishes language tags (BCP 47) by precedence, such as `de-CH`; unknown ones are skipped
 * @returns English if none is known
 */
export function pickLanguage(...wishes: readonly (string | null | undefined)[]): Language {
  const codes = wishes.map((tag) => tag?.toLowerCase().split(/[-_]/)[0]);
  return codes.find(isLanguage) ?? 'en';
}
