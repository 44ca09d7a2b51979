/**
 * Adds up Vitest's reports in a folder: `node .ci/count.mjs <folder> <exit status>`. It prints the files that took
 * longer than ten seconds, the longest first. The last line is `N passed, N failed`. What failed without a test that did,
 * such as a build, counts as one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { argv, cwd, stdout } from 'node:process';

const [, , folder = '.', status = '0'] = argv;
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
if (status !== '0') sum.failed ||= 1;
stdout.write(`${sum.passed} passed, ${sum.failed} failed\n`);
