import { setFlagsFromString } from 'node:v8';

/**
 * How V8 uses memory in this process. None of it bounds what a process may take: large work gets what it needs.
 *
 * - Garbage of the old generation is collected when the heap has grown by two fifths since the last time. V8 would let it
 *   grow up to four times: 150 MiB more under load, in return for about a tenth of the processor time that lists take.
 * - WebAssembly, which is Prisma's query compiler, is not optimized as it runs. It makes each plan once, and optimizing
 *   it takes longer than all of them: 0.3 s of processor time, and 15 MiB that are not given back.
 *
 * `npm start` and the image set one more, which V8 heeds only on Node's command line: `--max-semi-space-size=8`, in MiB,
 * for new objects. It saves 14 MiB for 2 to 3 % of the processor time; on Node.js 24, whose own is larger, 80 MiB.
 */
export const v8Flags = ['--heap-growing-percent=40', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

/** Has V8 use less memory; before anything is loaded that is to run so. */
export function saveMemory(): void {
  for (const flag of v8Flags) setFlagsFromString(flag);
}
