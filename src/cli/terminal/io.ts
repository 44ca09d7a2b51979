import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { GatewayError } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';

/** A stream to write to. A terminal has more properties. */
interface Output extends Writable {
  readonly isTTY?: boolean;
  /** Columns of a terminal's line. */
  readonly columns?: number;
  hasColors?(count: number, env: object): boolean;
}

/** Streams and environment of a command's process. */
export interface Io {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Defaults to the process's. */
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  /** An optional file with further settings for `env`. */
  readonly envFile?: string;
  /** Names of the settings from the file. */
  readonly fromFile?: ReadonlySet<string>;
  /** Emits SIGINT, SIGTERM and SIGHUP. Defaults to the process. */
  readonly signals?: NodeJS.EventEmitter;
}

/** The options that every command has. */
export interface GlobalOptions {
  /** Suppresses everything that was not asked for, except warnings and errors. */
  readonly quiet?: boolean;
  /** Reports each step on stderr. */
  readonly verbose?: boolean;
}

/** The options of a command that reports what it did. */
export interface ReportOptions extends GlobalOptions {
  readonly json?: boolean;
}

/** Returns whether a terminal can move its cursor; `TERM=dumb` means that it cannot. */
export function isLive(stream: Output, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** Returns the columns of a terminal's line; 80 if unknown. */
export function terminalWidth({ columns }: Output): number {
  return columns || 80;
}

/** Writes a line and waits until it is flushed. The process may end right after. */
export function print(stream: Writable, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/** Reports a command's result on stdout: one line of JSON, or text unless quiet. */
export async function report(io: Io, options: ReportOptions, value: unknown, text: string): Promise<void> {
  if (options.json) await print(io.stdout, JSON.stringify(value));
  else if (!options.quiet) await print(io.stdout, text);
}

/**
 * Returns a log on stderr for commands whose stdout is their answer. It has warnings, errors, and steps if
 * requested.
 */
export function quietLog(io: Io, { verbose }: GlobalOptions): Log {
  const write = (details: object, message: string) => {
    const { err } = details as { err?: Error };
    io.stderr.write(`${message}${err ? `: ${err.message}` : ''}\n`);
  };
  return { info: verbose ? write : () => {}, warn: write, error: write };
}

/**
 * Returns the input stream of a command.
 * @throws {GatewayError} BAD_REQUEST at a terminal, where it would wait for somebody to type
 */
export function input({ stdin = process.stdin }: Io): Readable {
  if (!stdin.isTTY) return stdin;
  throw new GatewayError(
    'BAD_REQUEST',
    '- reads stdin, which is a terminal: pipe or redirect something into it.',
  );
}

/** Formats the time between two dates in its largest whole unit. */
export function formatDuration(from: Date, to: Date): string {
  const minutes = Math.max(0, Math.floor((to.getTime() - from.getTime()) / 60_000));
  if (minutes < 60) return `${minutes}m`;
  return minutes < 1_440 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1_440)}d`;
}

/** A question to whoever sits at the terminal. */
interface Question {
  readonly text: string;
  /** Instructions for when nobody can be asked. */
  readonly otherwise: string;
}

/**
 * Asks a question at the terminal, and returns the answer.
 * @throws {GatewayError} BAD_REQUEST without a terminal
 */
export async function askQuestion(
  { stdin = process.stdin, stderr }: Io,
  { text, otherwise }: Question,
  signal?: AbortSignal,
): Promise<string> {
  if (!stdin.isTTY) throw new GatewayError('BAD_REQUEST', `Nobody can be asked here. ${otherwise}`);
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    return await lines.question(text, { ...(signal && { signal }) });
  } finally {
    lines.close();
  }
}
