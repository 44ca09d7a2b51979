import type { Writable } from 'node:stream';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

/**
 * The service's log: JSON lines with a level and the time in UTC. No request waits until its line is out; a process
 * that ends, but for kill -9, has written them all.
 * @param level the least level to write, or `silent`
 * @param base what each line has, beyond what it tells
 */
export function createLog(level: string, stdout: Writable, base: object | null = null): Logger {
  // pino's own destination writes to the file descriptor directly, and many lines at once: about 4 KiB, or those
  // of 100 ms. A pipe takes that many bytes whole (POSIX, PIPE_BUF), so that processes that share it mix no lines.
  const destination: DestinationStream =
    stdout === process.stdout
      ? pino.destination({ dest: 1, sync: false, minLength: 3_072, maxWrite: 4_096, periodicFlush: 100 })
      : stdout;
  const options = {
    level,
    base,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, destination);
}
