import { remedyOfState } from '../server/remedies.js';

/**
 * Detects deadlocks and lock timeouts, which are temporary. The migration lost against a request of the
 * previous version, which keeps serving while a new one starts. "Write conflict" is the term of Prisma's
 * engine, which 0.1 had.
 */
export const isContention = (logs: string) => /\b(40P01|55P03)\b|write conflict|lock timeout/i.test(logs);

/** Detects SQLSTATE insufficient_privilege. */
const isDenied = (logs: string) => /\b42501\b|permission denied|must be owner/i.test(logs);

/** Returns the SQLSTATE in the reason that is kept of a failed migration. */
const stateIn = (logs: string) => /^Database error code: (\w{5})$/m.exec(logs)?.[1] ?? '';

/**
 * Detects failures of the surroundings, which are not the migration's own. They are a lack of space, memory or
 * connections (53), a stop or a cancelled statement (57), errors of files and disks (58), conflicts with other
 * sessions (40, 55), and a server that is read-only.
 */
const isOfSurroundings = (logs: string) => /^(40|53|55|57|58|25006)/.test(stateIn(logs));

/**
 * Describes why a failed migration may be tried again without a person. The cause may be gone. It is undefined
 * if the failure is the migration's own, or that of the data.
 * @param logs the reason that was kept; null if the process died first
 */
export function describeInterruption(logs: string | null): string | undefined {
  if (!logs) return 'interrupted';
  if (isDenied(logs)) return 'denied';
  if (isContention(logs)) return 'blocked by locks of another session';
  return isOfSurroundings(logs) ? 'stopped by the database server or its disk' : undefined;
}

/** Creates the error of a failed migration, with instructions. */
export function migrationFailure(name: string, logs: string, cause?: unknown): Error {
  // Prisma's engine logged a stack trace after its message.
  const reason = logs.replace(/\n\s*0: [\s\S]*$/, '').trim();
  return new Error(`The migration ${name} ${describe(logs, reason)}`, { cause });
}

function describe(logs: string, reason: string): string {
  if (isDenied(logs)) {
    return (
      `was denied: ${reason}\n` +
      'It was rolled back. Ask the administrator to make the role the owner of the tables, and start again.'
    );
  }
  if (describeInterruption(logs)) {
    const todo = remedyOfState(stateIn(logs)) ?? '';
    return `could not be applied now: ${reason}\nIt was rolled back, and the next start tries it again. ${todo}`.trim();
  }
  return (
    `failed: ${reason}\n` +
    'It was rolled back. When you have fixed the cause, run the command `migrate --retry`, which tries it again.'
  );
}
