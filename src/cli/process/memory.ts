import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * V8 flags that keep a process's memory small.
 * - WebAssembly, which is Prisma's query compiler, is not optimized at run time, because each plan is made
 *   only once. That saves 13 MiB that would never be returned.
 * - Nothing is placed into the old space in advance (pretenuring). V8 does so for objects that survive a few
 *   collections, such as those of requests in flight; everything that they refer to then stays until a full
 *   collection, and each minor collection copied 136 KB per request for a page of items, instead of 20 KB: a
 *   fifth of the gateway's processor time.
 * - A full collection runs when the heap has grown by a quarter, not when it is three times as large: 170 MiB
 *   in use instead of 310. Because little becomes old (kept.ts), full collections are rare, and their cost is
 *   not measurable.
 */
export const v8Flags = [
  '--no-wasm-tier-up',
  '--no-wasm-dynamic-tiering',
  '--no-allocation-site-pretenuring',
  '--heap-growing-percent=25',
];

/** Makes V8 use less memory. Call it before loading any code that this should apply to. */
export function saveMemory(): void {
  for (const flag of v8Flags) setFlagsFromString(flag);
}

/** Milliseconds between two checks of the memory. */
const interval = 5_000;

/** Bytes of new garbage that make a collection worthwhile, which takes about 50 ms. */
const worthCollecting = 32 * 1024 * 1024;

/** Additional bytes in use that make trimming worthwhile, which takes 5 to 20 ms. */
const worthTrimming = 24 * 1024 * 1024;

/** The highest event loop utilization, since the last check, that counts as idle. */
const busyAtMost = 0.2;

/** Measurements and actions of the idle garbage collection. */
interface Collecting {
  /** Returns the bytes that JavaScript holds: values, buffers and garbage. */
  readonly used: () => number;
  /** Returns the bytes that the process has from the system (RSS). */
  readonly resident: () => number;
  /** Measures the event loop's utilization since the last call, from 0 to 1. */
  readonly busy: () => number;
  readonly collect: () => void;
  /** Returns free memory of the process to the system. */
  readonly trim: () => void;
}

/**
 * Returns a function that frees memory of an idle process. It collects garbage and trims when the process
 * holds much more than before. V8 collects only while memory is allocated, and the C library returns only the
 * end of its heap, so what large requests leave would stay. Trimming waits for the check after a collection,
 * because buffers are freed in between.
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
 * uploads of 16 MB. With other C libraries nothing is done, because they do not need it.
 */
function mallocTrim(): (keep: number) => number {
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi');
    return koffi.load('libc.so.6').func('int malloc_trim(size_t pad)');
  } catch {
    return () => 0;
  }
}

/** Makes this process free memory whenever it is idle. It does not keep the process running. */
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
      // Loaded on first use, because it takes 20 ms, which would delay the start.
      malloc ??= mallocTrim();
      malloc(0);
    },
  });
  setInterval(look, interval).unref();
}
