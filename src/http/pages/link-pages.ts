import type { SharedQuotas } from '../../access/shared-quotas.js';
import { hashToken } from '../../access/tokens.js';
import { GatewayError } from '../../domain/errors.js';
import { costPerUse, waitForUse } from '../../domain/load/quota.js';
import { languages } from '../../domain/rules.js';
import { escapeHtml, type Language } from '../../mail/mail.js';
import { readParameters } from '../../web/parameters.js';

/** Names of the languages, each in its own words. */
const languageNames: Readonly<Record<Language, string>> = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
};

/** Renders the links that show a page in other languages. @param label names them for screen readers */
export function languageLinks(language: Language, label: string): string {
  const links = languages.map((code) =>
    code === language
      ? `<span aria-current="true" lang="${code}">${languageNames[code]}</span>`
      : `<a href="?lang=${code}" lang="${code}" hreflang="${code}">${languageNames[code]}</a>`,
  );
  return `<nav class="languages" aria-label="${escapeHtml(label)}">${links.join('\n')}</nav>`;
}

/** Returns the language that was chosen by such a link. */
export function chosenLanguage(query: string): Language | undefined {
  const wished = readParameters(query).get('lang');
  return languages.find((code) => code === wished);
}

interface LinkLimitOptions {
  readonly quotas: SharedQuotas;
  readonly uptime: () => number;
  /** Purpose of the links. Those of each are counted on their own. */
  readonly kind: string;
  readonly perMinute: number;
  /** Message of the error for too many uses. */
  readonly message: string;
}

/** Returns the name of a link in counts. It has nothing that opens the link. */
export const countedLink = (kind: string, secret: string): string =>
  `${kind}:${hashToken(secret).toString('base64url')}`;

/**
 * Creates the limit on links that open pages without signing in. A link has its own limit; only those that open nothing
 * count for the sender's address.
 * @returns a function that counts a use, and throws GatewayError TOO_MANY_REQUESTS
 */
export function limitLinks({ quotas, uptime, kind, perMinute, message }: LinkLimitOptions) {
  const cost = costPerUse(perMinute);
  return (secret: string, isKnown: boolean, sender: () => string): void => {
    const key = isKnown ? countedLink(kind, secret) : `${kind}-unknown:${sender()}`;
    const now = uptime();
    const wait = Math.ceil(waitForUse(quotas.of(key, cost), now) / 1000);
    if (wait > 0)
      throw new GatewayError('TOO_MANY_REQUESTS', message, { headers: { 'Retry-After': String(wait) } });
    quotas.use(key, cost, now);
  };
}
