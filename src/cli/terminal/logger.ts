import { constants, fstatSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from '../../config/config.js';
import { createLogOutput } from './log-output.js';

/** Makes stdout non-blocking, if it is a pipe or a socket. Who uses a terminal may stop it. */
function keepFromWaiting(): void {
  if (process.stdout.isTTY) return;
  // Node has no other name for it; streams of files lack it.
  const { _handle } = process.stdout as { _handle?: { setBlocking?(blocking: boolean): void } };
  _handle?.setBlocking?.(false);
}

/**
 * Opens stdout's pipe a second time, for this process alone, and returns that file descriptor. Whether a write waits for
 * the reader is then not what another process that shares stdout has set: one that begins or ends between
 * `keepFromWaiting` and the write would have a thread wait for good, and the process with it. Returns stdout itself where
 * there is no such pipe, no /proc, or no right to open it.
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
  /** A person reads a pretty log of level info or lower at a terminal. */
  readonly isTerminal: boolean;
  /** Writes text beside the log, in its order. */
  say(text: string): void;
}

/** Takes lines of the log. */
interface Lines {
  write(line: string): void;
}

const isTerminal = (stdout: Writable): boolean => (stdout as Partial<WriteStream>).isTTY === true;

/** Makes lines for people of the log's JSON. Loaded where it is wanted: programs do without. */
async function prettyLines(stdout: Writable, output: Lines): Promise<Lines> {
  const { prettyFactory } = await import('pino-pretty');
  const colorize = isTerminal(stdout) && (stdout as WriteStream).hasColors();
  const pretty = prettyFactory({ colorize, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
  return { write: (line) => output.write(pretty(line)) };
}

/**
 * Opens the service's log: JSON lines with level and time, or lines for people. The time is in UTC. No
 * request waits until its line is out; a process that ends, but for kill -9, has written them all, unless
 * nobody reads them.
 * @param base what each line has, beyond what it tells
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
