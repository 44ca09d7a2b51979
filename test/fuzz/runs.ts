import type { Parameters } from 'fast-check';

/** Where the random inputs begin: a failure is found again by its seed, which the names of the tests show. */
export const seed = Number(process.env.FUZZ_SEED ?? 20_261_120);

/** Inputs that a property is tried with, unless `FUZZ_RUNS` wants more; `npm run test:system` has seconds for each. */
export const runs = (usual: number): number => Number(process.env.FUZZ_RUNS ?? usual);

/**
 * How a property is run. What it sends changes the database, so a counterexample is made smaller only as far as it
 * still fails there; a minute of that is enough.
 */
export function settings(usual: number): Parameters<unknown> {
  return { seed, numRuns: runs(usual), interruptAfterTimeLimit: 60_000 * Math.ceil(runs(usual) / usual) };
}

/** Milliseconds that a property may take, its last input and what comes before and after it included. */
export const patience = 120_000 * (process.env.FUZZ_RUNS ? 60 : 1);
