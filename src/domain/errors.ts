import type { Naming } from './text/names.js';

interface ErrorKind {
  readonly status: number;
  readonly meaning: string;
}

/**
 * All errors that this service can answer. The key is the `code` of the REST error body and of GraphQL's
 * `extensions.code`; both APIs, the OpenAPI document and docs/use/errors.md use this table.
 */
export const errorKinds = {
  BAD_REQUEST: {
    status: 400,
    meaning: 'The request is malformed or breaks a rule; the message names the field.',
  },
  UNAUTHORIZED: { status: 401, meaning: 'No valid access token was sent.' },
  FORBIDDEN: { status: 403, meaning: "The token's role does not allow this." },
  NOT_FOUND: { status: 404, meaning: 'There is no such record, or none that this caller may see.' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'The path does not support this method; see `Allow`.' },
  NOT_ACCEPTABLE: { status: 406, meaning: '`Accept` allows none of the formats that the path can return.' },
  CONFLICT: {
    status: 409,
    meaning:
      'The id or a unique value is taken, a `test` operation failed, or a request with the same `Idempotency-Key` is still running.',
  },
  NOT_MODIFIED: { status: 304, meaning: 'Nothing changed. There is no body; the code is in `X-Error-Code`.' },
  GONE: {
    status: 410,
    meaning: 'The file exists, but its bytes are missing from their place or damaged.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    meaning:
      '`If-Match` or `ifVersion` does not match the current version of the record, or `If-None-Match` does.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The body is larger than the path accepts.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: 'The body is not JSON in UTF-8.' },
  UNPROCESSABLE: { status: 422, meaning: 'The `Idempotency-Key` was already used for a different request.' },
  TOO_MANY_REQUESTS: { status: 429, meaning: 'The rate limit is reached; see `Retry-After`.' },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'Something went wrong in the service. The details are in its log, not in the message.',
  },
  UNAVAILABLE: { status: 503, meaning: 'The service cannot answer now; try again.' },
} as const satisfies Record<string, ErrorKind>;

/** The upper snake case word that identifies an error in both APIs. */
export type ErrorCode = keyof typeof errorKinds;

/** Path to an invalid value in the input: member names and list indexes, outermost first. */
export type FieldPath = readonly (string | number)[];

/** The rules that an input value can violate, by name. A test compares docs/use/errors.md with this table. */
export const violationRules = {
  required: 'The value is missing, null or empty, but is required.',
  type: 'The value has the wrong type, such as a string for a number, or an object for a list.',
  format: 'The string is not in the expected format: a date, e-mail address, UUID, time zone or base64.',
  length: 'The string is too long or too short.',
  characters: 'The string contains characters that cannot be stored: NUL, or half of a surrogate pair.',
  entries: 'The list has too many entries, or its length differs from that of a related list.',
  range: 'The number or date is too small or too large.',
  depth: 'The JSON is nested too deeply.',
  reference: 'There is no such record, or the caller may not use it.',
  cycle: 'The record would be inside itself.',
  conflict: 'The value is taken, or is not the one that is stored.',
  unknown: 'There is no member with this name.',
  invalid: 'Another rule is broken; the message says which.',
} as const satisfies Record<string, string>;

export type ViolationRule = keyof typeof violationRules;

/** A single fault of an input. */
export interface Violation {
  /** Path in the input, in the schema's names. */
  readonly path: FieldPath;
  readonly message: string;
  readonly rule: ViolationRule;
}

/** The most violations that one error reports. */
export const maxViolations = 50;

/** The reason of an error, where clients handle it in a special way. */
type ErrorReason = 'UNCONFIRMED' | 'SECOND_FACTOR_MISSING' | 'NO_ROLE' | 'WAY_OFF' | 'AT_ISSUER';

/** A fault of a query parameter, by the name that its caller knows. */
interface ParameterFault {
  readonly name: string;
  readonly message: string;
}

/** Details of an error besides its code and message. */
interface GatewayErrorOptions {
  readonly reason?: ErrorReason;
  /** Path to the single invalid value; `violations` have their own paths. */
  readonly path?: FieldPath;
  readonly violations?: readonly Violation[];
  /** True if there may be more violations than reported. */
  readonly isMore?: boolean;
  /** Faults of query parameters. The message has the first one already. */
  readonly parameters?: readonly ParameterFault[];
  readonly headers?: Record<string, string>;
  readonly cause?: unknown;
  readonly current?: CurrentVersion;
  /** The id that names no record. */
  readonly missing?: string;
}

/** The current version of a record, of which the caller named another version. */
export interface CurrentVersion {
  readonly id: string;
  readonly version: string;
}

/**
 * An error whose message may be shown to the caller. Anything else that is thrown is an internal error: it is
 * logged and answered as `INTERNAL_ERROR` without its message.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  /**
   * Path to the invalid part of the input, in the schema's names. Each API renders it in its own. It is not
   * called `path`, because graphql-js treats an error with that property as its own.
   */
  readonly fieldPath: FieldPath;
  /** All known violations of the input. The first is the error's own. */
  readonly violations: readonly Violation[];
  /** True if there may be more violations than these. */
  readonly isMore: boolean;
  readonly parameters: readonly ParameterFault[];
  /** Headers that HTTP requires in an answer with this error. */
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: ErrorReason | undefined;
  /** The record whose version does not meet the caller's condition. */
  readonly current: CurrentVersion | undefined;
  /** The id that names no record. */
  readonly missing: string | undefined;

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    const { path = [], isMore = false } = options;
    const rule = code === 'CONFLICT' ? 'conflict' : 'invalid';
    const { violations = path.length > 0 ? [{ path, message, rule }] : [] } = options;
    this.violations = violations.slice(0, maxViolations);
    this.isMore = isMore || violations.length > maxViolations;
    this.fieldPath = options.path ?? violations[0]?.path ?? [];
    this.parameters = options.parameters ?? [];
    this.headers = options.headers ?? {};
    this.current = options.current;
    this.missing = options.missing;
    this.reason = options.reason;
  }

  get status(): number {
    return errorKinds[this.code].status;
  }
}

/** Answer to an internal error; the log has the details. */
export const internalError = new GatewayError(
  'INTERNAL_ERROR',
  'Something went wrong in the service; the details are in its log.',
);

/**
 * Creates the 400 for one field of the input. `path` is in GraphQL names; the message says what was expected.
 */
export function badField(path: FieldPath, expected: string, rule: ViolationRule = 'invalid'): GatewayError {
  return new GatewayError('BAD_REQUEST', expected, { violations: [{ path, message: expected, rule }] });
}

/**
 * Creates the 401 of RFC 6750 §3, with `WWW-Authenticate`. The header names the scheme, and the problem only
 * if a token was sent.
 * @param problem an error code of that section
 */
export function unauthorized(message: string, problem?: 'invalid_request' | 'invalid_token'): GatewayError {
  const challenge = problem === undefined ? 'Bearer' : `Bearer error="${problem}"`;
  return new GatewayError('UNAUTHORIZED', message, { headers: { 'WWW-Authenticate': challenge } });
}

/** Creates the 404 for a missing record. The answer is the same for a record that the caller may not see. */
export function notFound(what: string, id: string): GatewayError {
  const message = `There is no ${what} with the id ${JSON.stringify(id.slice(0, 64))}.`;
  return new GatewayError('NOT_FOUND', message, { missing: id });
}

/**
 * Creates an error about one argument whose message says enough without its name.
 * @param path in the arguments
 */
export function argumentError(
  code: ErrorCode,
  message: string,
  path: FieldPath,
  { rule = 'invalid', ...options }: GatewayErrorOptions & { readonly rule?: ViolationRule } = {},
): GatewayError {
  return new GatewayError(code, message, { ...options, path: [], violations: [{ path, message, rule }] });
}

/** Maximum characters of a message. */
export const longestMessage = 500;

/** Truncates a message. Some repeat the caller's input, which may have megabytes. */
export function truncateMessage(message: string): string {
  if (message.length <= longestMessage) return message;
  // The cut may split a surrogate pair.
  return `${message.slice(0, longestMessage - 1).toWellFormed()}…`;
}

/** Formats how many violations there are besides the first. */
function othersOf({ violations, isMore }: GatewayError): string {
  const others = violations.length - 1;
  if (isMore) return ` (and more than ${others} others)`;
  return others > 0 ? ` (and ${others} more)` : '';
}

/** Formats a path in an input, with the caller's names: `contacts[0].email`. */
export function formatPath(path: FieldPath, naming: Naming = (name) => name): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${naming(step)}`))
    .join('')
    .replace(/^\./, '');
}

/**
 * Formats an error's message for a client. It names the path of the fault as the caller's API spells it; of
 * several faults it shows the first, and the number of the others.
 */
export function messageOf(error: GatewayError, naming: Naming): string {
  const place = formatPath(error.fieldPath, naming);
  const message = place === '' ? error.message : `${place}: ${error.message}`;
  return `${truncateMessage(message)}${othersOf(error)}`;
}

/** Creates the 400 for several fields of the input. Its message is that of the first. */
export function badFields(violations: readonly Violation[], isMore = false): GatewayError {
  const [first] = violations;
  if (!first) throw new Error('Nothing is wrong.');
  return new GatewayError('BAD_REQUEST', first.message, { violations, isMore });
}

/**
 * Copies an error with its violations moved to other places of the input.
 * @param move returns what a violation becomes
 */
export function movedViolations(
  error: GatewayError,
  move: (violation: Violation) => Violation,
): GatewayError {
  if (error.violations.length === 0) return error;
  const violations = error.violations.map(move);
  const { code, message, isMore, fieldPath } = error;
  const path = fieldPath.length === 0 ? fieldPath : (violations[0]?.path ?? fieldPath);
  return new GatewayError(code, message, { path, violations, isMore, cause: error });
}

/**
 * Returns whether an error has violations of the input's own rules. After such an error, the rest of the
 * input can still be checked.
 */
const isOfInput = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && error.code === 'BAD_REQUEST' && error.violations.length > 0;

/** Returns whether a path equals another one or lies below it. */
const isWithin = (path: FieldPath, other: FieldPath) => other.every((step, at) => path[at] === step);

/** Collects the violations of an input, so that all are reported at once. */
export class Violations {
  readonly #found: Violation[] = [];
  readonly #known: readonly FieldPath[];
  #isMore = false;

  /** @param known earlier violations; values below them were not read, and are not reported again */
  constructor(known: readonly Violation[] = []) {
    this.#known = known.map(({ path }) => path);
    this.#found = [...known];
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** True if no more violations are reported, so that checking may stop. */
  get isFull(): boolean {
    return this.#found.length >= maxViolations;
  }

  get all(): readonly Violation[] {
    return this.#found;
  }

  add(path: FieldPath, message: string, rule: ViolationRule): void {
    this.addAll({ violations: [{ path, message, rule }], isMore: false });
  }

  addAll({ violations, isMore }: Pick<GatewayError, 'violations' | 'isMore'>): void {
    const room = maxViolations - this.#found.length;
    // A value that seems missing may be one that could not be read.
    const isKnown = ({ path, rule }: Violation) =>
      this.#known.some((known) => isWithin(path, known) || (rule === 'required' && isWithin(known, path)));
    const others = violations.filter((violation) => !isKnown(violation));
    this.#found.push(...others.slice(0, room));
    this.#isMore ||= isMore || others.length > room;
  }

  /**
   * Runs a part of a check, and collects the violations that it throws.
   * @returns undefined if there are any
   * @throws any other error
   */
  async collect<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isOfInput(error)) throw error;
      this.addAll(error);
      return undefined;
    }
  }

  /** Ends a check. @throws GatewayError BAD_REQUEST with all violations */
  end(): void {
    if (!this.isEmpty) throw this.toError();
  }

  toError(): GatewayError {
    return badFields(this.#found, this.#isMore);
  }
}

/** Creates the 400 with earlier violations, and those of another 400. */
export function withKnown(known: readonly Violation[], error: GatewayError): GatewayError {
  const all = new Violations(known);
  if (isOfInput(error)) all.addAll(error);
  return all.toError();
}
