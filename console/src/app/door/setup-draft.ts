import type { Fault } from '../../data/fault';
import { type Language, language } from '../../i18n/i18n';
import type { MailValues } from '../mail-form';

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
  readonly mail: MailValues | undefined;
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
