import { setFlagsFromString } from 'node:v8';

/**
 * How V8 uses memory in this process. WebAssembly, which is Prisma's query compiler, is not optimized as it runs: it makes
 * each plan once. That saves 13 MiB, which would not be given back.
 *
 * More could be had: with `--heap-growing-percent=30` and `--max-semi-space-size=8` a process stays at 200 MiB where it
 * takes up to 350 now. But that costs 21 % more of the gateway's processor time for a page of items in GraphQL, and 32 % for one
 * of vehicles in REST (medians of 13 pairs on Node.js 20).
 */
export const v8Flags = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering', '--no-allocation-site-pretenuring'];

/** Has V8 use less memory; before anything is loaded that is to run so. */
export function saveMemory(): void {
  for (const flag of v8Flags) setFlagsFromString(flag);
}
