/**
 * Adds up Vitest's reports in a folder: `node .ci/count.mjs <folder>`. It prints the files that took longer than ten
 * seconds, the longest first. The last line is `N passed, N failed`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { argv, cwd, stdout } from 'node:process';

const folder = argv[2] ?? '.';
const sum = { passed: 0, failed: 0 };
/** @type {{ name: string, seconds: number }[]} */
const slow = [];
for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
  const report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  sum.passed += report.numPassedTests;
  // A file that cannot be loaded has no tests that fail.
  sum.failed += report.numFailedTests || report.numFailedTestSuites;
  for (const { name: file, startTime, endTime } of report.testResults) {
    const seconds = (endTime - startTime) / 1000;
    if (seconds > 10) slow.push({ name: relative(cwd(), file), seconds });
  }
}
slow.sort((one, other) => other.seconds - one.seconds);
for (const { name, seconds } of slow) stdout.write(`${seconds.toFixed(0).padStart(4)} s  ${name}\n`);
stdout.write(`${sum.passed} passed, ${sum.failed} failed\n`);
