/**
 * Vitest's configuration of a mutation run, in the root of the copied tree: the usual one, quickest files first.
 */
import { readFileSync } from 'node:fs';
import { env } from 'node:process';
import { BaseSequencer } from 'vitest/node';
// @ts-expect-error: it is in the folder to which this file is copied.
import usual from './vitest.config.ts';

class QuickestFirst extends BaseSequencer {
  /** @override @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    if (!env.DURATIONS) return super.sort(files);
    const durations = JSON.parse(readFileSync(env.DURATIONS, 'utf8'));
    return files.toSorted((a, b) => durations[a.moduleId] - durations[b.moduleId]);
  }
}

export default () => {
  const { test } = usual({ mode: 'test' });
  for (const project of test.projects) project.test.setupFiles = ['./mutation.setup.mjs'];
  return { test: { ...test, sequence: { sequencer: QuickestFirst } } };
};
