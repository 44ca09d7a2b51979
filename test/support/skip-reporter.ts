import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/** Returns what a skipped test says about itself. */
function reasonOf(test: TestCase): string | undefined {
  const { note } = test.result() as { note?: string };
  const { lacks } = test.meta();
  return note ?? (lacks && `need ${lacks}`);
}

/** Prints one line about the tests that were skipped, and why. A skipped test that gives no reason fails the run. */
export default class SkipReporter implements Reporter {
  private isFiltered = false;

  onInit(vitest: Vitest): void {
    // Tests that `-t` leaves out count as skipped.
    this.isFiltered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const reason = reasonOf(test);
        if (reason === undefined && this.isFiltered) continue;
        if (reason === undefined) process.exitCode = 1;
        const words =
          reason ?? `give no reason, which fails the run (${module.relativeModuleId}: ${test.fullName})`;
        counts.set(words, (counts.get(words) ?? 0) + 1);
      }
    }
    const told = [...counts].map(([reason, count]) => `${count} ${reason}`).join('; ');
    const sum = [...counts.values()].reduce((all, count) => all + count, 0);
    process.stdout.write(`${sum} skipped${told && `: ${told}`}\n`);
  }
}
