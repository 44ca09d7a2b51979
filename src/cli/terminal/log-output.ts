import { write, writeSync } from 'node:fs';

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
const mostWaiting = 16 * 1024 * 1024;

/** Milliseconds between retries of a blocked write, and of the final wait. */
const delays = { again: 100, end: 1_000 };

const isFull = (error: NodeJS.ErrnoException) => error.code === 'EAGAIN' || error.code === 'EBUSY';

/** Blocks the thread. At the end of the process nothing else needs it. */
function blockThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** File descriptor that lines are written to. */
export interface LogDestination {
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
      if (waiting + size > mostWaiting) {
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
