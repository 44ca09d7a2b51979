import type { Reporter, TestModule } from 'vitest/node';
import type { Figures } from './check.js';

const head = [
  ...['Scenario', 'Acknowledged', 'Found', 'Lost', 'Doubled'],
  ...['Answered 503', 'Not answered', 'Recovery in ms, median (worst)'],
];

/** Returns a row of a Markdown table. */
const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;

function recoveryOf({ recovery }: Figures): string {
  const sorted = [...recovery].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  return median === undefined ? '–' : `${median} (${sorted.at(-1)})`;
}

/** Prints the figures of all scenarios, at the end, as one Markdown table: a reporter of Vitest's. */
export default class Table implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap(({ children }) => [...children.allTests()]);
    const figures = tests.flatMap((test) => test.meta().figures ?? []);
    const rows = figures.map((of) => [
      ...[of.scenario, of.acknowledged, of.found, of.lost, of.doubled],
      ...[of.refused, of.unanswered, recoveryOf(of)],
    ]);
    const lines = [head, head.map(() => '---'), ...rows].map(row);
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
}
