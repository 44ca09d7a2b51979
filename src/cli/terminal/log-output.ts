import { write, writeSync } from 'node:fs';

/** Buffered output of a log's lines. */
export interface LogOutput {
  /** Takes a whole line. It is out soon, unless nobody reads; nobody waits for it. */
  write(line: string): void;
  /** Flushes the rest. It waits for a reader who is slow, but not for one who is gone or stands still. */
  end(): void;
}

/**
 * Bytes that are written at once. A pipe takes them whole (POSIX, PIPE_BUF), so that processes that share it mix no
 * lines, unless one is longer.
 */
const batchSize = 4_096;

/** Milliseconds that a line may wait for others to be written with it. */
const interval = 100;

/** Bytes that wait for a reader; lines beyond that are lost. */
const mostWaiting = 16 * 1024 * 1024;

/** Milliseconds between retries of a blocked write, and of the wait at the end. */
const delays = { again: 100, end: 1_000 };

const isFull = (error: NodeJS.ErrnoException) => error.code === 'EAGAIN' || error.code === 'EBUSY';

/** Blocks the thread. The end of a process is no time for anything else. */
function blockThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** File descriptor that lines are written to. */
export interface LogDestination {
  readonly fd: number;
  /**
   * Sees to it that a write fails rather than waits. Asked each time: whether a pipe waits is the same for all
   * processes that share it, and Node makes it wait again as one of them begins or ends.
   */
  readonly keepFromWaiting: () => void;
  /** Told how many lines were lost, when lines are taken again. */
  readonly onLost: (lines: number) => void;
}

/**
 * Writes lines to a file descriptor, many at once. What becomes of the reader is no reason to fail, or not to end:
 * pino's own destination keeps a process from ending while its pipe is full, or once its reader is gone.
 */
export function createLogOutput({ fd, keepFromWaiting, onLost }: LogDestination): LogOutput {
  let open: string[] = [];
  let openSize = 0;
  let waiting = 0;
  let lost = 0;
  /** Batch states: one is under way, perhaps delayed; the system has it just now. */
  let [busy, handedOver] = [false, false];
  const batches: { readonly bytes: Buffer; readonly lines: number }[] = [];

  function seal(): void {
    if (open.length === 0) return;
    batches.push({ bytes: Buffer.from(open.join('')), lines: open.length });
    open = [];
    openSize = 0;
  }
  /** Drops the bytes that were written. After an error that will not pass, it drops all of a batch. */
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
