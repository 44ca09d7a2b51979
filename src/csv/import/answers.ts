import type { ShownImport } from '../../imports/imports.js';
import type { ImportResult } from '../../imports/results.js';
import { memberName } from '../../web/parameters.js';
import { writeCsv } from '../cells.js';
import { readFile } from './read-file.js';

/** Returns an import in the names of REST. */
export function shownByRest({ options, ...shown }: ShownImport): Record<string, unknown> {
  const { kind, state, preview, ...others } = shown;
  const members = Object.entries({ ...others, mode: options.mode.toLowerCase() }).map(([name, value]) => [
    memberName(name),
    value instanceof Date ? value.toISOString() : value,
  ]);
  return { ...Object.fromEntries(members), kind: kind.toLowerCase(), state: state.toLowerCase(), preview };
}

/** Writes the imported file with the outcome of each row. */
export async function writeResult({ content, options, results }: ImportResult): Promise<string> {
  const { headers, rows } = await readFile(content, options);
  const lines: string[][] = [[...headers, '_result', '_id', '_error']];
  for await (const { cells } of rows) {
    const [action = 'pending', id, error] = results[lines.length - 1] ?? [];
    // A row with fewer cells than headers would shift its outcome.
    const filled = [...cells, ...Array(Math.max(0, headers.length - cells.length)).fill('')];
    lines.push([...filled, action, id ?? '', error ?? '']);
  }
  return writeCsv(lines);
}
