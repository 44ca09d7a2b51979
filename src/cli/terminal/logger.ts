import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from '../../config/config.js';

/** Buffered output of log lines. */
export interface LogOutput {
  /** Takes a whole line without waiting. It is written soon, unless the reader is slow. */
  write(line: string): void;
  /** Flushes the rest. It waits for a slow reader, but not for one that is gone or has stopped reading. */
  end(): void;
}

/**
 * Bytes that are written at once. Pipes accept them atomically (POSIX, PIPE_BUF), so that processes that
 * share one do not mix lines, except longer ones.
 */
const batchSize = 4_096;

/** Milliseconds that a line may wait to be written together with others. */
const interval = 100;

/** The most bytes that wait for a reader. Further lines are lost. */
const maxWaiting = 16 * 1024 * 1024;

/** Milliseconds between retries of a blocked write, and of the final wait. */
const delays = { again: 100, end: 1_000 };

const isFull = (error: NodeJS.ErrnoException) => error.code === 'EAGAIN' || error.code === 'EBUSY';

/** Blocks the thread. At the end of the process nothing else needs it. */
function blockThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** File descriptor that lines are written to. */
interface LogDestination {
  readonly fd: number;
  /**
   * Makes writes fail rather than block. It is called each time, because all processes that share a pipe also
   * share this setting, and Node resets it when one of them starts or ends.
   */
  readonly keepFromWaiting: () => void;
  /** Called with the number of lost lines once lines are accepted again. */
  readonly onLost: (lines: number) => void;
}

/**
 * Writes lines to a file descriptor in batches. A slow or missing reader never makes the process fail or
 * hang: pino's own destination keeps a process running while its pipe is full, or once its reader is gone.
 */
export function createLogOutput({ fd, keepFromWaiting, onLost }: LogDestination): LogOutput {
  let open: string[] = [];
  let openSize = 0;
  let waiting = 0;
  let lost = 0;
  /** Batch states: a batch is in progress, perhaps delayed; the system is writing it. */
  let [busy, handedOver] = [false, false];
  const batches: { readonly bytes: Buffer; readonly lines: number }[] = [];

  function seal(): void {
    if (open.length === 0) return;
    batches.push({ bytes: Buffer.from(open.join('')), lines: open.length });
    open = [];
    openSize = 0;
  }
  /** Drops the bytes that were written. After a permanent error, it drops the whole batch. */
  function advance(error: NodeJS.ErrnoException | null, written: number): void {
    const first = batches.shift();
    if (!first) return;
    const bytes = first.bytes.subarray(error ? first.bytes.length : written);
    waiting -= first.bytes.length - bytes.length;
    if (bytes.length > 0) batches.unshift({ ...first, bytes });
    if (error) lost += first.lines;
    else if (lost > 0) {
      const lines = lost;
      lost = 0;
      onLost(lines);
    }
  }
  function writeNext(): void {
    const [first] = batches;
    busy = first !== undefined;
    if (!first) return;
    handedOver = true;
    keepFromWaiting();
    write(fd, first.bytes, (error, written) => {
      handedOver = false;
      if (error && isFull(error)) return void setTimeout(writeNext, delays.again).unref();
      advance(error, written);
      writeNext();
    });
  }
  function flush(): void {
    seal();
    if (!busy) writeNext();
  }
  setInterval(flush, interval).unref();
  return {
    write(line) {
      const size = Buffer.byteLength(line);
      if (waiting + size > maxWaiting) {
        lost++;
        return;
      }
      if (openSize + size > batchSize) flush();
      open.push(line);
      openSize += size;
      waiting += size;
    },
    end() {
      seal();
      if (handedOver) batches.shift();
      busy = true;
      const until = performance.now() + delays.end;
      while (batches[0] && performance.now() < until) {
        keepFromWaiting();
        try {
          advance(null, writeSync(fd, batches[0].bytes));
        } catch (error) {
          if (!isFull(error as NodeJS.ErrnoException)) return;
          blockThread(10);
        }
      }
    },
  };
}

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
