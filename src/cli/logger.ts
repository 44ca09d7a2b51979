import type { Writable } from 'node:stream';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import { createLogOutput } from './log-output.js';

/** Has stdout refuse what it cannot take at once, if it is a pipe or a socket: who uses a terminal may stop it. */
function keepFromWaiting(): void {
  if (process.stdout.isTTY) return;
  // Node has no other name for it; streams of files lack it.
  const { _handle } = process.stdout as { _handle?: { setBlocking?(blocking: boolean): void } };
  _handle?.setBlocking?.(false);
}

/**
 * The service's log: JSON lines with a level and the time in UTC. No request waits until its line is out; a process
 * that ends, but for kill -9, has written them all, unless nobody reads them.
 * @param level the least level to write, or `silent`
 * @param base what each line has, beyond what it tells
 */
export function createLog(level: string, stdout: Writable, base: object | null = null): Logger {
  const options = {
    level,
    base,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (stdout !== process.stdout) return pino(options, stdout);
  const onLost = (lines: number) => log.warn({ lines }, 'Lines of the log were lost: nobody took them');
  const output = createLogOutput({ fd: 1, keepFromWaiting, onLost });
  process.once('exit', output.end);
  const log = pino(options, output);
  return log;
}
