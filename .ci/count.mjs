/** Adds up Vitest's reports in a folder: `node .ci/count.mjs <folder>`. The last line is `N passed, N failed`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, stdout } from 'node:process';

const folder = argv[2] ?? '.';
const sum = { passed: 0, failed: 0 };
for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
  const report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  sum.passed += report.numPassedTests;
  // A file that cannot be loaded has no tests that fail.
  sum.failed += report.numFailedTests || report.numFailedTestSuites;
}
stdout.write(`${sum.passed} passed, ${sum.failed} failed\n`);
