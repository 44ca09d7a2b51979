import { badField, GatewayError } from '../domain/errors.js';
import { camelCase } from '../domain/names.js';
import { Prisma } from '../generated/prisma/client.js';

/** PostgreSQL's name of the violated constraint, from the error that Prisma's driver adapter keeps. */
function constraintOf(error: Prisma.PrismaClientKnownRequestError): string {
  const cause = (
    error.meta?.driverAdapterError as { cause?: { constraint?: { index?: string } } } | undefined
  )?.cause;
  return cause?.constraint?.index ?? '';
}

/** Constraints are called `<table>_<column>_key`, `<table>_<column>_fkey` or `<table>_pkey`. */
function fieldOf(constraint: string, table: string): string {
  const column = constraint.slice(table.length + 1).replace(/_?f?p?key$/, '');
  return column === '' ? 'id' : camelCase(column);
}

/** Prisma's codes for a database that cannot be reached, or has no connection or time to spare. */
const unavailable = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037']);

/**
 * What a failed write to a table means to the caller; what is no fault of theirs comes back as it is.
 * A unique value that is taken is a CONFLICT, a reference to nothing a BAD_REQUEST, both naming the field;
 * a database that is away or overloaded is UNAVAILABLE.
 */
export function translateError(error: unknown, table: string): unknown {
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    if (error.code === 'P2002') {
      const path = [fieldOf(constraintOf(error), table)];
      return new GatewayError('CONFLICT', 'is already in use', { path, cause: error });
    }
    if (error.code === 'P2003') {
      return badField([fieldOf(constraintOf(error), table)], 'names no record that exists');
    }
    if (unavailable.has(error.code)) return away(error);
  }
  if (error instanceof Prisma.PrismaClientInitializationError) return away(error);
  return error;
}

function away(cause: unknown): GatewayError {
  return new GatewayError('UNAVAILABLE', 'The database cannot answer now; try again.', { cause });
}
