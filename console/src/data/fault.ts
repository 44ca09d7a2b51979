import type { Key } from '../i18n/i18n';
import { t } from '../i18n/i18n';

/** Kinds of failures, by what a person can do about them. */
export type FaultKind =
  | 'offline'
  | 'signed-out'
  | 'forbidden'
  | 'gone'
  | 'changed'
  | 'taken'
  | 'invalid'
  | 'busy'
  | 'outdated'
  | 'failed';

/** A request that failed, as screens show it. */
export interface Fault {
  readonly kind: FaultKind;
  /** The gateway's own words, in English. */
  readonly message: string;
  /** Messages about wrong fields, by the path in the input, joined by points. */
  readonly violations: ReadonlyMap<string, string>;
  /** The version that a changed record has now. */
  readonly version?: string;
}

interface RawViolation {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly rule: string;
}

/** An error of GraphQL as the gateway answers it. */
export interface RawError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
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

/** Rules with a text of their own; the gateway's message says more of the others. */
const ruleTexts: Readonly<Record<string, Key>> = {
  required: 'fault.rule_required',
  length: 'fault.rule_length',
  reference: 'fault.rule_reference',
  cycle: 'fault.rule_cycle',
};

/** Makes a fault that has no more to it than its kind. */
export function faultOf(kind: FaultKind, message = ''): Fault {
  return { kind, message, violations: new Map() };
}

/** Reads an error of GraphQL. */
export function readError({ message, extensions = {} }: RawError): Fault {
  const unknown = /^PersistedQueryNot/.test(message);
  const told = extensions.violations ?? [];
  const violations = told.map(({ path, message: words, rule }): [string, string] => {
    const place = path[0] === 'input' ? path.slice(1) : path;
    const text = ruleTexts[rule];
    return [place.join('.'), text ? t(text) : words];
  });
  return {
    kind: unknown ? 'outdated' : (kinds[extensions.code ?? ''] ?? 'failed'),
    message,
    violations: new Map(violations.reverse()),
    ...(extensions.version !== undefined && { version: extensions.version }),
  };
}

/** Says in the person's language what has happened. */
export function faultText({ kind, message }: Fault): string {
  const text = t(`fault.${kind}`);
  // What these mean is in the gateway's message alone.
  return (kind === 'invalid' || kind === 'taken') && message ? `${text} ${message}` : text;
}
