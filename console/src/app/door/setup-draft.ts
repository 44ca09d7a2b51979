import type { Fault } from '../../data/fault';
import { type Language, language } from '../../i18n/i18n';

/** Security of the connection to a mail server. */
export const securities = ['STARTTLS', 'TLS', 'NONE'] as const;

/** A mail server as somebody types it. */
export interface MailDraft {
  readonly host: string;
  readonly port: string;
  readonly security: (typeof securities)[number];
  readonly user: string;
  readonly password: string;
  readonly from: string;
}

/** Answers of the first person, as they type them. */
export interface Draft {
  readonly organization: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly timezone: string;
  readonly language: Language;
  readonly demo: boolean;
  /** Undefined to set mail up later. */
  readonly mail: MailDraft | undefined;
}

/** Properties of each step of the page. */
export interface StepProps {
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
  readonly fault: Fault | undefined;
  /** True once somebody has tried to go on. */
  readonly isTried: boolean;
}

/** Fields that the gateway may refuse, by the step that shows them. */
export const fieldsOfSteps: readonly (readonly string[])[] = [
  ['organization', 'name', 'email', 'password'],
  ['timezone', 'language', 'demo'],
  ['host', 'port', 'security', 'user', 'from', 'publicUrl'],
];

/** Creates the answers that the browser suggests. */
export const newDraft = (): Draft => ({
  organization: '',
  name: '',
  email: '',
  password: '',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
  language: language.peek(),
  demo: true,
  mail: undefined,
});

/** A mail server of which nothing is typed yet. */
export const newMail: MailDraft = {
  host: '',
  port: '',
  security: 'STARTTLS',
  user: '',
  password: '',
  from: '',
};

/** Returns the mail server as the gateway takes it. Links in mails begin with this page's address. */
export function mailOf({ mail }: Draft): object | null {
  if (!mail) return null;
  const { port, ...rest } = mail;
  return { ...rest, port: port ? Number(port) : null, publicUrl: location.origin };
}
