import { badField, GatewayError } from '../../domain/errors.js';
import { camelCase } from '../../domain/text/names.js';
import { SecretKeyError } from '../secrets/secrets.js';

/** PostgreSQL's own error, as Prisma's driver adapter keeps it. */
interface AdapterCause {
  readonly kind?: string;
  /** SQLSTATE, or the code of a failed system call. */
  readonly originalCode?: string;
  readonly constraint?: { readonly index?: string };
}

function causeOf(error: unknown): AdapterCause {
  const { meta, cause } = error as {
    meta?: { driverAdapterError?: { cause?: AdapterCause } };
    cause?: AdapterCause;
  };
  return meta?.driverAdapterError?.cause ?? cause ?? {};
}

function constraintOf(error: unknown): string {
  const { constraint } = error as { constraint?: string };
  return causeOf(error).constraint?.index ?? constraint ?? '';
}

/** Constraints are named `<table>_<column>_key`, `<table>_<column>_fkey` or `<table>_pkey`. */
function fieldOf(constraint: string, table: string): string {
  const column = constraint.slice(table.length + 1).replace(/_?f?p?key$/, '');
  return column === '' ? 'id' : camelCase(column);
}

/**
 * Translates the error of a failed write for the caller. Errors that the caller did not cause are returned
 * unchanged. A unique value that is taken becomes a CONFLICT, a dangling reference a BAD_REQUEST; both name
 * the field.
 */
export function translateError(error: unknown, table: string): unknown {
  // The code is Prisma's or PostgreSQL's own.
  const { code } = error as { code?: string };
  const constraint = constraintOf(error);
  if (code === 'P2002' || code === '23505') {
    const path = [fieldOf(constraint, table)];
    return new GatewayError('CONFLICT', 'is already in use', { path, cause: error });
  }
  if (code !== 'P2003' && code !== '23503') return error;
  // A row written along with the record, such as a new document type, belongs to another table.
  const others = /(?<=_)[a-z]+_id_fkey$/.exec(constraint);
  const own = constraint.startsWith(`${table}_`) || !others;
  const field = own ? fieldOf(constraint, table) : fieldOf(`_${others[0]}`, '');
  return badField([field], 'names no record that exists', 'reference');
}

/** Translates the error of a failed deletion. A record that others need becomes a CONFLICT. */
export function translateDeletion(cause: unknown): unknown {
  const { code } = cause as { code?: string };
  // Since PostgreSQL 18, violations of ON DELETE RESTRICT have a code of their own.
  if (code !== 'P2003' && code !== '23503' && code !== '23001') return cause;
  const constraint = constraintOf(cause);
  if (constraint === 'requirements_any_of') {
    const { detail = '' } = cause as { detail?: string };
    const which = detail === '' ? 'a requirement' : `the requirement ${detail}`;
    return new GatewayError('CONFLICT', `It cannot be deleted: ${which} asks for it.`, { cause });
  }
  const others = constraint.replace(/_[a-z]+_id_fkey$/, '').replaceAll('_', ' ');
  return new GatewayError('CONFLICT', `It cannot be deleted: ${others} still belong to it.`, { cause });
}

/** Returns whether a transaction failed because of a deadlock or conflict. It may be retried. */
export function isDeadlock(error: unknown): boolean {
  const { code } = error as { code?: string };
  // Prisma's code, and PostgreSQL's own: a deadlock, or a serialization failure, which needs stricter
  // isolation.
  return code === 'P2034' || /^40(P01|001)$/.test(causeOf(error).originalCode ?? code ?? '');
}

/** Returns whether a statement of ours gave up waiting for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: string }).code === '55P03';
}

/** Returns whether a statement failed because the role lacks a right (insufficient_privilege). */
export function isDenied(error: unknown): boolean {
  return (error as { code?: string }).code === '42501';
}

/** Returns whether a statement failed because of a dangling reference (foreign_key_violation). */
export function isUnlinked(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '23503' || causeOf(error).originalCode === '23503';
}

/** Returns whether a deletion failed because other rows refer to what it deletes. PostgreSQL has two codes for it. */
export function isStillUsed(error: unknown): boolean {
  return isUnlinked(error) || causeOf(error).originalCode === '23001';
}

/** Prisma's error codes for a database that is unreachable or overloaded. */
const unavailable = new Set([
  'P1000',
  'P1001',
  'P1002',
  'P1003',
  'P1008',
  'P1010',
  'P1017',
  'P2024',
  'P2028',
  'P2034',
  'P2037',
]);

/**
 * SQLSTATE classes and system codes of a server that cannot serve now. They stand for: lost connections,
 * failed log-in, missing database, lack of resources such as disk space, operator intervention or a statement
 * timeout (57014), system errors; a standby that accepts no writes, an idle transaction that was ended,
 * repeated conflicts with other transactions, a database that is shut down, a lock timeout; and system codes
 * for an unreachable server.
 */
const unavailableStates =
  /^(08|28|3D000|53|57|58|25006|25P03|40001|40P01|55000|55P03|ECONN|EHOST|ENET|ENOENT|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE)/;

/** Names of the same errors in Prisma's driver adapter. They do not come from PostgreSQL. */
const unavailableKinds = new Set([
  'DatabaseNotReachable',
  'TooManyConnections',
  'SocketTimeout',
  'ConnectionClosed',
  'TlsConnectionError',
]);

/**
 * Returns whether a statement failed for a reason that passes by itself. The database is away or overloaded, or the
 * organization is frozen while it is moved.
 */
export function isTemporary(error: unknown): boolean {
  return isAway(error) || isFrozen(error);
}

/** SQLSTATE of a write to a frozen organization (`refuse_frozen`). */
const frozenState = 'EGF01';

const isFrozen = (error: unknown) =>
  (causeOf(error).originalCode ?? (error as { code?: string }).code) === frozenState;

/** Returns whether a database is unreachable, or cannot serve now. */
function isAway(error: unknown): boolean {
  const { code, message, name } = error as { code?: string; message?: string; name?: string };
  return (
    name === 'PrismaClientInitializationError' ||
    unavailable.has(code ?? '') ||
    unavailableKinds.has(causeOf(error).kind ?? '') ||
    unavailableStates.test(causeOf(error).originalCode ?? code ?? '') ||
    // node-postgres has no codes for errors of its pool and sockets.
    /timeout exceeded when trying to connect|Query read timeout|Connection terminated|connection error|connection is closed/i.test(
      message ?? '',
    )
  );
}

/** Creates the 503 for a write to an organization that is being moved. */
const frozen = (cause: unknown) =>
  new GatewayError(
    'UNAVAILABLE',
    'The organization is being moved to another database: it can be read, but not changed. Try again.',
    { cause, headers: { 'Retry-After': '5' } },
  );

/**
 * Creates the 503 for an outage of the database or of the secrets' key. A write to a frozen organization
 * counts as one. Returns undefined for other errors.
 */
export function unavailableOf(error: unknown): GatewayError | undefined {
  if (error instanceof SecretKeyError) {
    return new GatewayError('UNAVAILABLE', 'Signing secrets cannot be read or stored now.', {
      cause: error,
      // An administrator has to provide the key.
      headers: { 'Retry-After': '60' },
    });
  }
  if (isFrozen(error)) return frozen(error);
  return isAway(error)
    ? new GatewayError('UNAVAILABLE', 'The database cannot answer now; try again.', {
        cause: error,
        headers: { 'Retry-After': '1' },
      })
    : undefined;
}

/**
 * Returns whether an error hits all work alike. A statement that took too long (57014), a lock that could not be acquired, and
 * a frozen organization are errors of a single piece of work: the others need not wait for it.
 */
export function isOutage(error: unknown): boolean {
  const isOfOne = isFrozen(error) || isLockTimeout(error) || (error as { code?: string }).code === '57014';
  return !isOfOne && unavailableOf(error) !== undefined;
}
