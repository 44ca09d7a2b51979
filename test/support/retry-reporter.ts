import type { Reporter, TestModule } from 'vitest/node';

/** Names the tests that passed only when they were tried again: each has a race, in itself or in what it tests. */
export default class RetryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests('passed')) {
        if (test.diagnostic()?.flaky)
          process.stdout.write(
            `Passed only when tried again: ${module.relativeModuleId}: ${test.fullName}\n`,
          );
      }
    }
  }
}
