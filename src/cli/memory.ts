import { setFlagsFromString } from 'node:v8';

/**
 * How V8 uses memory in this process. None of it bounds what a process may take: large work gets as much as it needs.
 *
 * - Garbage of the old generation is collected when the heap has grown by half since the last time. V8 would let it
 *   grow up to four times, in return for 3 to 5 % of the processor time.
 * - Prisma's query compiler, WebAssembly, is not optimized while it runs. It makes each plan once, and optimizing takes
 *   longer than that, and memory that is not given back.
 */
const flags = ['--heap-growing-percent=50', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

/** Has V8 use less memory; before anything is loaded that is to run so. */
export function saveMemory(): void {
  for (const flag of flags) setFlagsFromString(flag);
}
