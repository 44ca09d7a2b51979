import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * How V8 uses memory in this process.
 * - WebAssembly, which is Prisma's query compiler, is not optimized as it runs: it makes each plan once. That saves 13 MiB,
 *   which would not be given back.
 * - Nothing is placed into the old space in advance. V8 guesses so of objects that were there at a few collections,
 *   as those of requests in flight are; what they refer to then stays until a full collection, and each small one
 *   copied 136 KB a request for a page of items, where it is 20 now: a fifth of the gateway's processor time.
 * - A full collection comes when the heap has grown by a quarter, not when it is three times as large: 170 MiB in use
 *   in place of 310. As little becomes old (kept.ts), they are rare: it costs less than can be told from noise.
 *
 * The memory that is not V8's is the C library's: `MALLOC_ARENA_MAX=2`, as the image has it, keeps its threads
 * from taking 6 MiB more. It holds from a process's begin on, so that only who starts the gateway can set it.
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
const worthCollecting = 48 * 1024 * 1024;

/** The part of the time since the last look that the event loop may have been busy for. */
const busyAtMost = 0.2;

/** The readings and the action of an idle garbage collection. */
export interface Collecting {
  /** Bytes that JavaScript holds: values, buffers and garbage. */
  readonly used: () => number;
  /** The part of the time since the last call that the event loop was busy for, from 0 to 1. */
  readonly busy: () => number;
  readonly collect: () => void;
}

/**
 * Makes a look at the memory: a full garbage collection when the process is idle and much has come since the last one.
 * V8 collects while memory is asked for, so that what a large request leaves would stay for as long as nobody asks.
 */
export function collectorOf({ used, busy, collect }: Collecting): () => void {
  let least = used();
  return () => {
    const now = used();
    const isIdle = busy() < busyAtMost;
    least = Math.min(least, now);
    if (!isIdle || now - least < worthCollecting) return;
    collect();
    least = used();
  };
}

/** Has this process collect its garbage when it is idle, from now on. It keeps no process alive. */
export function collectWhenIdle(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  let last = performance.eventLoopUtilization();
  const look = collectorOf({
    used: () => {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    },
    busy: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    collect,
  });
  setInterval(look, interval).unref();
}
