import type { Writable } from 'node:stream';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

/**
 * The service's log: JSON lines with a level and the time in UTC. They are written at once, so that none is lost
 * when the process ends.
 * @param level the least level to write, or `silent`
 */
export function createLog(level: string, stdout: Writable): Logger {
  // pino's own destination writes to the file descriptor directly, which is faster than through the stream.
  const destination: DestinationStream | undefined = stdout === process.stdout ? undefined : stdout;
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination ? pino(options, destination) : pino(options);
}
