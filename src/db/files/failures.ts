import { FileError } from '../../domain/files.js';

/** Reasons for which operations in stores fail, as metrics count them. */
export const failureReasons = [
  'missing',
  'damaged',
  'full',
  'denied',
  'busy',
  'timeout',
  'unavailable',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** Operations with objects of a store. */
export const storeOperations = ['read', 'write', 'remove'] as const;
export type StoreOperation = (typeof storeOperations)[number];

/** A failure, as the log and metrics tell it. */
export interface StoreFailure {
  readonly operation: StoreOperation;
  readonly reason: FailureReason;
  /** Address of the store; undefined for the database. */
  readonly store: string | undefined;
  /** Key of the object, or id of the row that has the bytes. */
  readonly key: string;
  /** Message of the store or the system. */
  readonly message: string;
}

/** Creates the 410 for an object that a store does not have. */
export const missingObject = ({ address }: { readonly address: string }, key: string): FileError =>
  new FileError('missing', new Error(`The file ${key} is not in ${address}.`));

/** Creates the 410 for bytes that are not those that were stored. */
export const damagedFile = (why: string): FileError => new FileError('damaged', new Error(why));

/** Creates the 503 for a store that does not answer. */
export const storeUnavailable = (cause: unknown): FileError => new FileError('unavailable', cause);

/** Codes of Node.js and of S3 by reason. Services write errors without a code as `HTTP <status>`. */
const reasonsByCode: Readonly<Record<string, FailureReason>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  QuotaExceeded: 'full',
  'HTTP 507': 'full',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  AccessDenied: 'denied',
  InvalidAccessKeyId: 'denied',
  SignatureDoesNotMatch: 'denied',
  'HTTP 401': 'denied',
  'HTTP 403': 'denied',
  SlowDown: 'busy',
  'HTTP 429': 'busy',
  EMFILE: 'busy',
  ENFILE: 'busy',
  ETIMEDOUT: 'timeout',
  TimeoutError: 'timeout',
  ABORT_ERR: 'timeout',
};

/** Returns why an operation failed. Codes that are not known count as `unavailable`, so that there are few reasons. */
export function reasonOf(error: unknown): FailureReason {
  if (error instanceof FileError && error.problem !== 'unavailable') return error.problem;
  const { code, name } = (causeOf(error) ?? {}) as { code?: unknown; name?: string };
  const known = typeof code === 'string' && Object.hasOwn(reasonsByCode, code) ? code : (name ?? '');
  return Object.hasOwn(reasonsByCode, known) ? (reasonsByCode[known] as FailureReason) : 'unavailable';
}

const causeOf = (error: unknown): unknown => (error as { cause?: unknown }).cause ?? error;

/** Returns what the store or the system said about a failure. */
export function causeText(error: unknown): string {
  const cause = causeOf(error);
  return cause instanceof Error ? cause.message : String(cause);
}
