import { isVisible } from '../domain/text/names.js';
import type { Language } from './languages.js';
import { oneLine } from './template.js';

/** Text to show instead of a name without visible characters. */
const noName: Readonly<Record<Language, string>> = {
  de: '(ohne Namen)',
  en: '(no name)',
  es: '(sin nombre)',
  fr: '(sans nom)',
  it: '(senza nome)',
  nl: '(zonder naam)',
};

/** Returns a name on one line, for mails and pages. A name without visible characters becomes `(no name)`. */
export function shownName(language: Language, name: string): string {
  const line = oneLine(name);
  return isVisible(line) ? line : noName[language];
}
