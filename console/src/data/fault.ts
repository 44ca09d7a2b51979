import type { Key } from '../i18n/i18n';
import { t } from '../i18n/i18n';

/** Kinds of failures, by what a person can do about them. */
export type FaultKind =
  | 'offline'
  | 'signed-out'
  | 'forbidden'
  | 'gone'
  | 'changed'
  | 'unreadable'
  | 'taken'
  | 'invalid'
  | 'busy'
  | 'outdated'
  | 'failed';

/** A request that failed, as screens show it. */
export interface Fault {
  readonly kind: FaultKind;
  /** The gateway's own message, in English. */
  readonly message: string;
  /** Messages about invalid fields, by the path in the input, joined by dots. */
  readonly violations: ReadonlyMap<string, string>;
  /** The current version of a record that has changed. */
  readonly version?: string;
  /** The gateway's word for the reason, where clients handle it in a special way. */
  readonly reason?: string;
}

interface RawViolation {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly rule: string;
}

/** A GraphQL error as the gateway sends it. */
export interface RawError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
    readonly reason?: string;
    readonly version?: string;
    readonly violations?: readonly RawViolation[];
  };
}

const kinds: Readonly<Record<string, FaultKind>> = {
  UNAUTHORIZED: 'signed-out',
  FORBIDDEN: 'forbidden',
  NOT_FOUND: 'gone',
  PRECONDITION_FAILED: 'changed',
  CONFLICT: 'taken',
  BAD_REQUEST: 'invalid',
  PAYLOAD_TOO_LARGE: 'invalid',
  TOO_MANY_REQUESTS: 'busy',
  UNAVAILABLE: 'busy',
};

/** Rules with a text of their own. For the others, the gateway's message says more. */
const ruleTexts: Readonly<Record<string, Key>> = {
  required: 'fault.rule_required',
  length: 'fault.rule_length',
  reference: 'fault.rule_reference',
  cycle: 'fault.rule_cycle',
};

/** Creates a fault that consists only of its kind. */
export function faultOf(kind: FaultKind, message = ''): Fault {
  return { kind, message, violations: new Map() };
}

/** Kinds of faults whose violations are about what a person has entered. The others are about a record. */
const entered: ReadonlySet<FaultKind> = new Set(['invalid', 'taken']);

/** Converts a GraphQL error to a fault. */
export function readError({ message, extensions = {} }: RawError): Fault {
  const unknown = /^PersistedQueryNot/.test(message);
  const kind = unknown ? 'outdated' : (kinds[extensions.code ?? ''] ?? 'failed');
  const told = entered.has(kind) ? (extensions.violations ?? []) : [];
  const violations = told.map(({ path, message: words, rule }): [string, string] => {
    const place = path[0] === 'input' ? path.slice(1) : path;
    const text = ruleTexts[rule];
    return [place.join('.'), text ? t(text) : words];
  });
  return {
    kind,
    message,
    violations: new Map(violations.reverse()),
    ...(extensions.version !== undefined && { version: extensions.version }),
    ...(extensions.reason !== undefined && { reason: extensions.reason }),
  };
}

/** Gives errors of fields the texts of a form, where it has its own. */
export function inWords<Data>(
  outcome: { readonly ok: true; readonly data: Data } | { readonly ok: false; readonly fault: Fault },
  texts: Readonly<Record<string, string>>,
) {
  if (outcome.ok) return outcome;
  const violations = [...outcome.fault.violations].map(([field, words]): [string, string] => [
    field,
    texts[field] ?? words,
  ]);
  return { ...outcome, fault: { ...outcome.fault, violations: new Map(violations) } };
}

/** Reasons with a text of their own. */
const reasonTexts: Readonly<Record<string, Key>> = {
  AT_ISSUER: 'session.at_issuer',
  NO_ROLE: 'session.no_role',
  NOT_KEPT: 'fault.not_kept',
  NOT_SENT: 'fault.not_sent',
  SECOND_FACTOR_MISSING: 'signIn.enroll_title',
  WAY_OFF: 'session.way_off',
};

/** Describes a fault in the person's language. */
export function faultText({ kind, message, reason = '' }: Fault): string {
  const known = reasonTexts[reason];
  if (known) return t(known);
  const text = t(`fault.${kind}`);
  // For these kinds, only the gateway's message has the details.
  return (kind === 'invalid' || kind === 'taken') && message ? `${text} ${message}` : text;
}
