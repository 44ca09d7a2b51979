// Runs every workload on every peer for a second: npm run bench -- smoke
import { Failure } from './lib/failure.mjs';
import { failuresText } from './lib/table.mjs';
import { compare } from './peers.mjs';

/** Returns the problem of a cell; undefined if every request was answered. */
function problemOf({ workload, peer, rate, failures }) {
  if (Object.keys(failures).length > 0) return `${workload}, ${peer}: ${failuresText(failures)}`;
  return rate > 0 ? undefined : `${workload}, ${peer}: no answer`;
}

/**
 * Runs all cells.
 * @throws Failure with everything that failed or was answered incorrectly
 */
export async function run(options) {
  const { cells, wrong } = await compare({ rounds: 1, duration: 1, warmup: 0, least: 16, ...options });
  const problems = [...wrong, ...cells.map(problemOf).filter((problem) => problem !== undefined)];
  if (problems.length > 0) throw new Failure(`Failed:\n${problems.join('\n')}`);
  console.log(`All ${cells.length} cells were answered, and alike by all peers.`);
}
