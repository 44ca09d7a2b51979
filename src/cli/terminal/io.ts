import type { Readable, Writable } from 'node:stream';
import type { Log } from '../../db/embedded/log.js';

/** A stream to write to; a terminal tells more of itself. */
export interface Output extends Writable {
  readonly isTTY?: boolean;
  /** Cells of a line, of a terminal alone. */
  readonly columns?: number;
  hasColors?(count: number, env: object): boolean;
}

/** Streams and environment of a command's process. */
export interface Io {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  /** A file of settings that are added to `env`, if it is there. */
  readonly envFile?: string;
  /** The names of the settings that are from the file. */
  readonly fromFile?: ReadonlySet<string>;
  /** Tells of SIGINT, SIGTERM and SIGHUP; the process itself unless told. */
  readonly signals?: NodeJS.EventEmitter;
}

/** The options that every command has. */
export interface GlobalOptions {
  /** Says nothing that was not asked for; warnings and errors are said. */
  readonly quiet?: boolean;
  /** Says each step, on stderr. */
  readonly verbose?: boolean;
}

/** The options of a command that reports what it did. */
export interface ReportOptions extends GlobalOptions {
  readonly json?: boolean;
}

/** Tells if a terminal can move its cursor; `TERM=dumb` says that it cannot. */
export function isLive(stream: Output, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** Cells of a terminal's line; 80 where it does not know. */
export function terminalWidth({ columns }: Output): number {
  return columns || 80;
}

/** Writes a line and waits until it is out. The process may end right after. */
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

/** Returns a log on stderr for commands whose stdout is their answer. It has warnings, errors, and steps if asked for. */
export function quietLog(io: Io, { verbose }: GlobalOptions): Log {
  const write = (details: object, message: string) => {
    const { err } = details as { err?: Error };
    io.stderr.write(`${message}${err ? `: ${err.message}` : ''}\n`);
  };
  return { info: verbose ? write : () => {}, warn: write, error: write };
}
