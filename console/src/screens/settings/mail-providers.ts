import type { MailSecurity } from '../../generated/types';
import { t } from '../../i18n/i18n';
import type { Draft, FieldSpec } from '../../records/record-type';

/** A mail provider: its server, and what it wants as user and password. */
interface Provider {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly security: Exclude<MailSecurity, 'NONE'>;
  /** Way to sign in: as people do, or with a password for programs. */
  readonly signIn: 'address' | 'app_password' | 'allowed' | 'microsoft' | 'key' | 'sendgrid';
}

const withTls = { port: 465, security: 'TLS' } as const;
const withStartTls = { port: 587, security: 'STARTTLS' } as const;

/** Providers that many people have their mail at, by the value of the choice. */
const providers: Readonly<Record<string, Provider>> = {
  google: { name: 'Gmail, Google Workspace', host: 'smtp.gmail.com', ...withTls, signIn: 'app_password' },
  microsoft: { name: 'Microsoft 365', host: 'smtp.office365.com', ...withStartTls, signIn: 'microsoft' },
  apple: { name: 'iCloud', host: 'smtp.mail.me.com', ...withStartTls, signIn: 'app_password' },
  yahoo: { name: 'Yahoo', host: 'smtp.mail.yahoo.com', ...withTls, signIn: 'app_password' },
  gmx: { name: 'GMX', host: 'mail.gmx.net', ...withStartTls, signIn: 'allowed' },
  webde: { name: 'WEB.DE', host: 'smtp.web.de', ...withStartTls, signIn: 'allowed' },
  ionos: { name: 'IONOS (.de)', host: 'smtp.ionos.de', ...withTls, signIn: 'address' },
  strato: { name: 'STRATO', host: 'smtp.strato.de', ...withTls, signIn: 'address' },
  aruba: { name: 'Aruba', host: 'smtps.aruba.it', ...withTls, signIn: 'address' },
  fastmail: { name: 'Fastmail', host: 'smtp.fastmail.com', ...withTls, signIn: 'app_password' },
  brevo: { name: 'Brevo', host: 'smtp-relay.brevo.com', ...withStartTls, signIn: 'key' },
  sendgrid: { name: 'SendGrid', host: 'smtp.sendgrid.net', ...withStartTls, signIn: 'sendgrid' },
};

const providerOf = ({ provider }: Draft): Provider | undefined => providers[String(provider)];

/** Returns whether somebody has chosen a provider whose server is known. */
export const hasProvider = (draft: Draft): boolean => providerOf(draft) !== undefined;

/** Fills in the server of the chosen provider. */
export function withProvider(draft: Draft): Draft {
  const chosen = providerOf(draft);
  if (!chosen) return draft;
  const { host, port, security } = chosen;
  return { ...draft, host, security, port: String(port) };
}

/** The field that asks for the provider. The gateway is sent only what follows from it. */
export const providerField: FieldSpec<unknown> = {
  type: 'choice',
  name: 'provider',
  label: 'mail.provider',
  isNeeded: true,
  isWide: true,
  fact: false,
  choices: [
    { value: '', label: 'mail.provider_other' },
    ...Object.entries(providers).map(([value, { name }]) => ({ value, words: name })),
  ],
  hint(draft) {
    const chosen = providerOf(draft);
    if (!chosen) return '';
    const { host, port, signIn } = chosen;
    return `${host}, ${t('mail.port')} ${port}. ${t(`mail.provider_${signIn}`)}`;
  },
};
