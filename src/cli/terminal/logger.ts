import { constants, fstatSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from '../../config/config.js';
import { createLogOutput } from './log-output.js';

/**
 * Makes stdout non-blocking if it is a pipe or socket. A terminal stays blocking, because its user may pause
 * it.
 */
function keepFromWaiting(): void {
  if (process.stdout.isTTY) return;
  // Node has no public API for it; file streams lack it.
  const { _handle } = process.stdout as { _handle?: { setBlocking?(blocking: boolean): void } };
  _handle?.setBlocking?.(false);
}

/**
 * Opens stdout's pipe a second time, only for this process, and returns that file descriptor. Otherwise
 * another process that shares stdout could make it blocking between `keepFromWaiting` and the write, so that
 * a thread would wait for ever, and the process with it. Returns stdout itself if there is no such pipe, no
 * /proc, or no permission to open it.
 */
function openOwnStdout(): number {
  const { O_WRONLY, O_NONBLOCK } = constants;
  try {
    return fstatSync(1).isFIFO() ? openSync('/proc/self/fd/1', O_WRONLY | O_NONBLOCK) : 1;
  } catch {
    return 1;
  }
}

/** Output of a process: its log, and text for a person at the terminal. */
export interface ProcessOutput {
  readonly log: Logger;
  /** True if a person reads a pretty log at a terminal. Its level must be info or lower. */
  readonly isTerminal: boolean;
  /** Writes text between the log's lines, in order. */
  say(text: string): void;
}

/** A writer of log lines. */
interface Lines {
  write(line: string): void;
}

const isTerminal = (stdout: Writable): boolean => (stdout as Partial<WriteStream>).isTTY === true;

/** Converts the log's JSON to lines for people. It is loaded only when it is used. */
async function prettyLines(stdout: Writable, output: Lines): Promise<Lines> {
  const { prettyFactory } = await import('pino-pretty');
  const colorize = isTerminal(stdout) && (stdout as WriteStream).hasColors();
  const pretty = prettyFactory({ colorize, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
  return { write: (line) => output.write(pretty(line)) };
}

/**
 * Opens the service's log: JSON lines with level and time, or lines for people. Times are in UTC. No request
 * waits for its line; a process that ends, except by kill -9, has written all lines, unless nobody reads
 * them.
 * @param base properties of every line
 */
export async function openConsole(
  { logLevel: level, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>,
  stdout: Writable,
  base: object | null = null,
): Promise<ProcessOutput> {
  const options = {
    level,
    base,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const onLost = (lines: number) => log.warn({ lines }, 'Log lines were lost because nothing read them');
  let output: Lines = stdout;
  if (stdout === process.stdout) {
    const own = createLogOutput({ fd: openOwnStdout(), keepFromWaiting, onLost });
    process.once('exit', own.end);
    output = own;
  }
  const isPretty = (logFormat ?? (isTerminal(stdout) ? 'pretty' : 'json')) === 'pretty';
  const log = pino(options, isPretty ? await prettyLines(stdout, output) : output);
  const isGreeting = isPretty && isTerminal(stdout) && log.isLevelEnabled('info');
  return { log, isTerminal: isGreeting, say: (text) => output.write(`${text}\n`) };
}
