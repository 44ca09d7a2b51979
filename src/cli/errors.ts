import { CommanderError } from 'commander';
import { ConfigError } from '../config/parse.js';
import { remedyOfState } from '../db/server/remedies.js';
import { GatewayError } from '../domain/errors.js';

/** Outcome of a failed command. */
interface CommandFailure {
  /** Exit status, as docs/run/cli.md lists them. */
  readonly exitCode: number;
  /** Message for stderr, unless commander has written one already. */
  readonly message?: string;
}

/**
 * Error for a serving process that ended before it served. Unless a signal ended it, it has printed the
 * reason.
 */
export class ServingProcessFailure extends Error {
  override readonly name = 'WorkerFailure';
  /** Its exit status; null if a signal ended it. */
  readonly status: number | null;

  constructor(status: number | null, signal: string | null) {
    super(`A worker process ended before it could serve (${signal ?? `status ${status}`}).`);
    this.status = status;
  }
}

/** Error of a command that could do only a part of its work. */
export class PartialSuccess extends Error {
  override readonly name = 'PartialSuccess';
}

/** Converts an error to the exit status and message of a command. */
export function toFailure(error: unknown): CommandFailure {
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? 0 : 2 };
  if (error instanceof ConfigError) return { exitCode: 2, message: error.message };
  if (error instanceof GatewayError) {
    const field = error.fieldPath.length > 0 ? `${error.fieldPath.join('.')} ` : '';
    return { exitCode: error.code === 'BAD_REQUEST' ? 2 : 1, message: `error: ${field}${error.message}` };
  }
  if (error instanceof PartialSuccess) return { exitCode: 3, message: `error: ${error.message}` };
  if (error instanceof ServingProcessFailure && error.status) return { exitCode: error.status };
  if ((error as { code?: unknown }).code === 'EPIPE') {
    return { exitCode: 1, message: 'error: The program that read the output stopped before the end.' };
  }
  const todo = remedyOfState((error as { code?: string }).code);
  return { exitCode: 1, message: `error: ${oneLine(error)}${todo ? `. ${todo}` : ''}` };
}

/**
 * Joins an error's message into one line. Prisma's messages have several, and those about several addresses
 * are empty.
 */
function oneLine(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return oneLine(error.errors[0]);
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/\s+/g, ' ').trim();
}
