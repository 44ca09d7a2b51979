import { badField, GatewayError } from '../../domain/errors.js';
import { camelCase } from '../../domain/text/names.js';
import { Prisma } from '../../generated/prisma/client.js';
import { SecretKeyError } from '../secrets/secret-key.js';

/** PostgreSQL's own error, as Prisma's driver adapter keeps it. */
interface AdapterCause {
  readonly kind?: string;
  /** SQLSTATE, or the code of a system call that failed. */
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

/** Constraints are called `<table>_<column>_key`, `<table>_<column>_fkey` or `<table>_pkey`. */
function fieldOf(constraint: string, table: string): string {
  const column = constraint.slice(table.length + 1).replace(/_?f?p?key$/, '');
  return column === '' ? 'id' : camelCase(column);
}

/**
 * Translates the error of a failed write for the caller. What is no fault of theirs comes back as it is.
 * A unique value that is taken is a CONFLICT, a reference to nothing a BAD_REQUEST, both naming the field.
 */
export function translateError(error: unknown, table: string): unknown {
  // Prisma's word for it, or PostgreSQL's own.
  const { code } = error as { code?: string };
  const constraint = constraintOf(error);
  if (code === 'P2002' || code === '23505') {
    const path = [fieldOf(constraint, table)];
    return new GatewayError('CONFLICT', 'is already in use', { path, cause: error });
  }
  if (code !== 'P2003' && code !== '23503') return error;
  // A row that is written along, such as of a new document type, is of another table.
  const others = /(?<=_)[a-z]+_id_fkey$/.exec(constraint);
  const own = constraint.startsWith(`${table}_`) || !others;
  const field = own ? fieldOf(constraint, table) : fieldOf(`_${others[0]}`, '');
  return badField([field], 'names no record that exists', 'reference');
}

/** Translates the error of a failed deletion. A record that others cannot be without is a CONFLICT. */
export function translateDeletion(cause: unknown): unknown {
  const { code } = cause as { code?: string };
  // From PostgreSQL 18 on, what others restrict has a code of its own.
  if (code !== 'P2003' && code !== '23503' && code !== '23001') return cause;
  const others = constraintOf(cause)
    .replace(/_[a-z]+_id_fkey$/, '')
    .replaceAll('_', ' ');
  return new GatewayError('CONFLICT', `It cannot be deleted: ${others} still belong to it.`, { cause });
}

/** Tells whether a transaction failed by a deadlock or conflict. It may be tried again. */
export function isDeadlock(error: unknown): boolean {
  const { code } = error as { code?: string };
  // Prisma's word for it, and PostgreSQL's own: a deadlock, and what only stricter isolation can run into.
  return code === 'P2034' || /^40(P01|001)$/.test(causeOf(error).originalCode ?? code ?? '');
}

/** Tells whether a statement failed because a row points at nothing (foreign_key_violation). */
export function isUnlinked(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '23503' || causeOf(error).originalCode === '23503';
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
 * SQLSTATE classes and system codes of a server that cannot serve now. They are lost connections, no log-in, no such
 * database, no resources such as space on the disk, an operator's doing or a statement that took too long (57014), a failing system; a standby that
 * takes no writes, a transaction that was left idle, a conflict with other transactions that has lasted, a database
 * that is closed, a lock that was waited for too long; and the system's codes for a server that is not there.
 */
const unavailableStates =
  /^(08|28|3D000|53|57|58|25006|25P03|40001|40P01|55000|55P03|ECONN|EHOST|ENET|ENOENT|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE)/;

/** Names of the same in Prisma's driver adapter, where PostgreSQL has not said anything. */
const unavailableKinds = new Set([
  'DatabaseNotReachable',
  'TooManyConnections',
  'SocketTimeout',
  'ConnectionClosed',
  'TlsConnectionError',
]);

/** Makes the error 503 of an outage of the database or the secrets' key. It is undefined for others. */
export function unavailableOf(error: unknown): GatewayError | undefined {
  if (error instanceof SecretKeyError) {
    return new GatewayError('UNAVAILABLE', 'Signing secrets cannot be read or kept now.', {
      cause: error,
      // Somebody has to bring the key.
      headers: { 'Retry-After': '60' },
    });
  }
  const { code, message } = error as { code?: string; message?: string };
  const away =
    error instanceof Prisma.PrismaClientInitializationError ||
    unavailable.has(code ?? '') ||
    unavailableKinds.has(causeOf(error).kind ?? '') ||
    unavailableStates.test(causeOf(error).originalCode ?? code ?? '') ||
    // node-postgres has no codes for what its pool and its sockets run into.
    /timeout exceeded when trying to connect|Query read timeout|Connection terminated|connection error|connection is closed/i.test(
      message ?? '',
    );
  return away
    ? new GatewayError('UNAVAILABLE', 'The database cannot answer now; try again.', {
        cause: error,
        headers: { 'Retry-After': '1' },
      })
    : undefined;
}
