import type { Parameters } from 'fast-check';

/** Seed of the random inputs. A failure can be reproduced with it; the names of the tests show it. */
export const seed = Number(process.env.FUZZ_SEED ?? 20_261_120);

/** Inputs per property, unless `FUZZ_RUNS` demands more; `npm run test:system` has seconds for each. */
export const runs = (usual: number): number => Math.max(usual, Number(process.env.FUZZ_RUNS ?? 0));

/**
 * Inputs of a property that seldom finds anything: a quarter of them for each change, and all of them with
 * `FUZZ_RUNS`, as each night.
 */
export const some = (all: number): number => (process.env.FUZZ_RUNS ? all : Math.ceil(all / 4));

/**
 * Settings of a property. Its inputs change the database, so a counterexample is shrunk only as long as it
 * still fails there, at most for a minute.
 */
export function settings(usual: number): Parameters<unknown> {
  return { seed, numRuns: runs(usual), interruptAfterTimeLimit: 60_000 * Math.ceil(runs(usual) / usual) };
}

/** Milliseconds that a property may take, including its last input, setup and teardown. */
export const patience = 120_000 * (process.env.FUZZ_RUNS ? 60 : 1);
