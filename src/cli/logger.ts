import type { Writable } from 'node:stream';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

/**
 * The service's log: JSON lines with a level and the time in UTC. No request waits until its line is out; a process
 * that ends, but for kill -9, has written them all.
 * @param level the least level to write, or `silent`
 */
export function createLog(level: string, stdout: Writable): Logger {
  // pino's own destination writes to the file descriptor directly, and many lines at once: every 4 KiB, or 100 ms.
  const destination: DestinationStream =
    stdout === process.stdout
      ? pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 100 })
      : stdout;
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, destination);
}
