import type { Fault } from '../../data/fault';
import { type Language, language } from '../../i18n/i18n';
import type { MailValues } from '../mail-form';
import { newWay, type WayDraft } from './first-way';
import type { SignInOptions } from './options';

/** Answers of the first person, as they type them. */
export interface Draft {
  readonly organization: string;
  readonly name: string;
  readonly email: string;
  readonly way: WayDraft;
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
  readonly ways: SignInOptions['ways'];
}

/** Fields that the gateway may refuse, by the step that shows them. */
export const fieldsOfSteps: readonly (readonly string[])[] = [
  ['organization', 'name', 'email', 'password', 'passkey'],
  ['timezone', 'language', 'demo'],
  ['host', 'port', 'security', 'user', 'from', 'publicUrl'],
];

/** Creates the answers that the browser suggests. */
export const newDraft = (ways: SignInOptions['ways']): Draft => ({
  organization: '',
  name: '',
  email: '',
  way: newWay(ways),
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
  language: language.peek(),
  demo: true,
  mail: undefined,
});
