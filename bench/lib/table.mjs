// Formats tables in Markdown, and stores results as JSON.
import { mkdirSync, writeFileSync } from 'node:fs';

/** Formats a table; columns of numbers are aligned right. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, at) => (typeof rows[0]?.[at] === 'string' && at === 0 ? '---' : '--:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** Formats what requests failed with; `–` if none failed. */
export function failuresText(failures) {
  const texts = Object.entries(failures).map(([outcome, times]) => `${outcome} (${times} times)`);
  return texts.join(', ') || '–';
}

/** Returns the median. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** Returns the value below which a part of all values are; undefined if there are none. */
export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];
}

const folder = new URL('../results/', import.meta.url);

/** Stores results in bench/results/. */
export function keep(name, results) {
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${name}-${new Date().toISOString().replace(/[:.]/g, '-')}.json`, folder);
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
  console.log(`\nKept in ${file.pathname}.`);
}
