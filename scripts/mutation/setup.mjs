/**
 * Vitest's setup file of a mutation run: breaks the condition `MUTANT`, or records which conditions a test file reaches.
 */
import { appendFileSync } from 'node:fs';
import { env } from 'node:process';
import { afterAll, beforeAll, expect } from 'vitest';

const broken = Number(env.MUTANT ?? 0);
/** @type {Set<number>} */
const atLoad = new Set();
/** @type {Set<number>} */
const inTests = new Set();
let isLoading = true;

/** @param {number} id */
function record(id) {
  (isLoading ? atLoad : inTests).add(id);
  return false;
}

// The switches in the copied sources ask this.
Object.assign(globalThis, { isBroken: broken ? (/** @type {number} */ id) => id === broken : record });

beforeAll(() => {
  isLoading = false;
});

afterAll(() => {
  const row = { file: expect.getState().testPath, atLoad: [...atLoad], inTests: [...inTests] };
  if (env.REACHED) appendFileSync(env.REACHED, `${JSON.stringify(row)}\n`);
});
