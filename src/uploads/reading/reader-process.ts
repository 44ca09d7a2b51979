import { type ExecFileException, execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ReadingProblem } from '../../domain/documents/finding.js';
import { statuses, tooCostly } from './guard.mjs';

export interface ReaderLimits {
  /** Milliseconds. */
  readonly time: number;
  /** Bytes of the process. */
  readonly memory: number;
  /** Bytes of V8's heap. */
  readonly heap: number;
  /** Bytes that it writes. */
  readonly output: number;
}

/** The output of a reading program, and why it is not complete. */
interface ReaderOutput {
  readonly bytes: Buffer;
  readonly problem: ReadingProblem | null;
}

/** Signals with which somebody else ends a process. It may be an administrator, or a kernel without memory. */
const interruptions: ReadonlySet<unknown> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL']);

/** Error of a reading program that somebody else has ended. Another attempt may succeed. */
export class ReaderEnded extends Error {
  override readonly name = 'ReaderEnded';
}

/** V8 ends a process with this status, or with SIGABRT, when its heap is full. */
const heapIsFull = 134;

function problemOf({ code, signal, killed }: ExecFileException): ReadingProblem {
  if (killed || signal || code === heapIsFull) return 'TOO_COSTLY';
  const known = Object.entries(statuses).find(([, status]) => status === code);
  return known ? (known[0] as ReadingProblem) : 'DAMAGED';
}

/** Tests run the sources. Programs are TypeScript there, which Node.js needs a package for. */
const isSource = import.meta.url.endsWith('.ts');

/** Returns the arguments with which Node.js runs a program beside this file. */
function argumentsOf(program: string): string[] {
  const isTypeScript = isSource && program.endsWith('.js');
  const file = isTypeScript ? program.replace(/js$/, 'ts') : program;
  const path = fileURLToPath(new URL(file, import.meta.url));
  return isTypeScript ? ['--import', 'jiti/register', path] : [path];
}

/**
 * Runs a program beside this file that reads a document, in its own process. A malicious file can make V8 run out of
 * memory, which ends the process, or decompress to more than fits: with a thread, the gateway would die as well.
 * @param program name of the program; it gets the limits as JSON
 * @param env the variables that it may see; of our environment, which contains secrets, it gets no others
 * @param signal ends the process
 * @returns its output so far, and the problem if it fails or is too costly
 * @throws {ReaderEnded} if somebody else ends it, whatever the document
 * @throws {Error} if it cannot be started or is told to stop, whatever the document
 */
export function runReader(
  program: string,
  bytes: Uint8Array,
  limits: ReaderLimits,
  { env = {}, signal }: { env?: Readonly<Record<string, string>>; signal?: AbortSignal | undefined } = {},
): Promise<ReaderOutput> {
  const heap = Math.ceil(limits.heap / 2 ** 20);
  const flags = [`--max-old-space-size=${heap}`, '--disallow-code-generation-from-strings'];
  const { SystemRoot } = process.env;
  const options = {
    timeout: limits.time,
    killSignal: 'SIGKILL',
    maxBuffer: limits.output,
    encoding: 'buffer',
    env: { ...env, ...(SystemRoot && { SystemRoot }) },
    windowsHide: true,
    ...(signal && { signal }),
  } as const;
  return new Promise((resolve, reject) => {
    const end = (error: ExecFileException | null, output: Buffer, said: Buffer) => {
      if (!error) resolve({ bytes: output, problem: null });
      else if (signal?.aborted) reject(signal.reason);
      else if ('syscall' in error) reject(error);
      else if (interruptions.has(error.signal) && !error.killed && !said.includes(tooCostly))
        reject(new ReaderEnded(`The program that reads documents was ended (${error.signal}).`));
      else resolve({ bytes: output, problem: problemOf(error) });
    };
    const child = execFile(
      process.execPath,
      [...flags, ...argumentsOf(program), JSON.stringify(limits)],
      options,
      end,
    );
    // A process that has ended reads no further; its exit tells the reason.
    child.stdin?.on('error', () => {}).end(bytes);
  });
}

/** Parses the complete lines of a program's output. */
export function linesOf<T>({ bytes }: ReaderOutput): T[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as T);
}
