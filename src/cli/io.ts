import type { Writable } from 'node:stream';
import type { Log } from '../database/log.js';

/** What a command uses of its process. */
export interface Io {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** A file of settings that are added to `env`, if it is there. */
  readonly envFile?: string;
  /** The names of the settings that are from the file. */
  readonly fromFile?: ReadonlySet<string>;
  /** Tells of SIGINT, SIGTERM and SIGHUP; the process itself unless told. */
  readonly signals?: NodeJS.EventEmitter;
}

/** Writes a line and waits until it is out, as the process may end right after. */
export function print(stream: Writable, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/** Writes what a command came to on stdout: one line of JSON if that is asked for, else the text. */
export function report(
  io: Io,
  options: { readonly json?: boolean },
  value: unknown,
  text: string,
): Promise<void> {
  return print(io.stdout, options.json ? JSON.stringify(value) : text);
}

/** The log of commands whose stdout is their answer: warnings and errors as lines on stderr. */
export function quietLog(io: Io): Log {
  const write = (details: object, message: string) => {
    const { err } = details as { err?: Error };
    io.stderr.write(`${message}${err ? `: ${err.message}` : ''}\n`);
  };
  return { info: () => {}, warn: write, error: write };
}
