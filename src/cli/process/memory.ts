import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * V8 flags that keep a process's memory small.
 * - WebAssembly, which is Prisma's query compiler, is not optimized as it runs: it makes each plan once. That
 * saves 13 MiB, which would not be given back.
 * - Nothing is placed into the old space in advance. V8 guesses so of objects that were there at a few
 * collections, as those of requests in flight are; what they refer to then stays until a full collection, and
 * each small one copied 136 KB a request for a page of items, where it is 20 now: a fifth of the gateway's
 * processor time.
 * - A full collection comes when the heap has grown by a quarter, not when it is three times as large: 170
 * MiB in use in place of 310. As little becomes old (kept.ts), they are rare: it costs less than can be told
 * from noise.
 */
export const v8Flags = [
  '--no-wasm-tier-up',
  '--no-wasm-dynamic-tiering',
  '--no-allocation-site-pretenuring',
  '--heap-growing-percent=25',
];

/** Has V8 use less memory; before anything is loaded that is to run so. */
export function saveMemory(): void {
  for (const flag of v8Flags) setFlagsFromString(flag);
}

/** Milliseconds between two looks at the memory. */
const interval = 5_000;

/** Bytes of new garbage that a collection is worth: it takes some 50 ms. */
const worthCollecting = 32 * 1024 * 1024;

/** Bytes more in use that trimming is worth: it takes 5 to 20 ms. */
const worthTrimming = 24 * 1024 * 1024;

/** Most utilization of an event loop that counts as idle, since the last look. */
const busyAtMost = 0.2;

/** The readings and the actions of an idle garbage collection. */
export interface Collecting {
  /** Bytes that JavaScript holds: values, buffers and garbage. */
  readonly used: () => number;
  /** Bytes that the process has of the system. */
  readonly resident: () => number;
  /** Measures the event loop's utilization since the last call, from 0 to 1. */
  readonly busy: () => number;
  readonly collect: () => void;
  /** Gives memory that is free in the process back to the system. */
  readonly trim: () => void;
}

/**
 * Returns a function that frees memory of an idle process. It collects garbage and trims when the process
 * holds much more than before. V8 collects while memory is asked for, and the C library gives back no more
 * than the end of what it has, so that what large requests leave would stay. Trimming waits for the look
 * after a collection: buffers are freed meanwhile.
 */
export function createMemoryCollector({ used, resident, busy, collect, trim }: Collecting): () => void {
  let least = { used: used(), resident: resident() };
  let isCollected = false;
  return () => {
    const now = { used: used(), resident: resident() };
    const isIdle = busy() < busyAtMost;
    least = {
      used: Math.min(least.used, now.used),
      resident: Math.min(least.resident, now.resident),
    };
    if (!isIdle) return;
    if (now.used - least.used >= worthCollecting) {
      collect();
      isCollected = true;
      least.used = used();
    } else if (isCollected || now.resident - least.resident >= worthTrimming) {
      trim();
      isCollected = false;
      least.resident = resident();
    }
  };
}

/**
 * Loads glibc's `malloc_trim`, which returns free heap pages to the system. Without it, 130 MiB stay after 32
 * uploads of 16 MB. Where there is none, nothing is done: other libraries need none.
 */
function mallocTrim(): (keep: number) => number {
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi');
    return koffi.load('libc.so.6').func('int malloc_trim(size_t pad)');
  } catch {
    return () => 0;
  }
}

/** Has this process give memory back when it is idle, from now on. It keeps no process alive. */
export function collectWhenIdle(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  let last = performance.eventLoopUtilization();
  let malloc: ReturnType<typeof mallocTrim> | undefined;
  const look = createMemoryCollector({
    used: () => {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    },
    resident: () => process.memoryUsage.rss(),
    busy: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    collect,
    trim: () => {
      // Looked up when it is first needed: it takes 20 ms, which a start has no time for.
      malloc ??= mallocTrim();
      malloc(0);
    },
  });
  setInterval(look, interval).unref();
}
