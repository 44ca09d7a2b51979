import { Session } from '../../../db/connection/session.js';
import { preferIndexes } from '../../../db/sql/by-index.js';
import type { DamagedColumn, Preview, PreviewRow, RowError } from '../../../imports/options.js';
import { NewNames, shareNewNames } from '../../../records/named/named-new.js';
import { batchRows, type ImportWork, type OpenedImport, rowsOf } from '../open-import.js';
import type { PlannedRow } from '../plan-rows.js';
import { foresee } from '../write-rows.js';
import { countDamages } from './damage.js';

/** Milliseconds that checking a batch for a preview may take. */
export const longestPreviewMs = 15_000;

/** Errors and rows that a preview shows. */
export const previewLimits = { errors: 100, rows: 20 } as const;

/** Lists what is probably wrong in a row. What a spreadsheet has damaged is told on its own. */
const warningsOf = (planned: PlannedRow): RowError[] =>
  [...planned.row.warnings]
    .filter(([column]) => !('checked' in planned && planned.damages.has(column)))
    .map(([, warning]) => warning);

/** Finds out what an import would do, and writes nothing. */
export async function previewImport(
  { database, clock, batchRows: size = batchRows }: ImportWork,
  opened: OpenedImport,
  signal: AbortSignal,
): Promise<Preview> {
  const { session, table, columns, resource, planner } = opened;
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const [errors, warnings, rows]: [RowError[], RowError[], PreviewRow[]] = [[], [], []];
  const damaged = new Map<string, DamagedColumn>();
  const names = new NewNames({ isAhead: true });
  for await (const batch of rowsOf(opened, size, signal)) {
    const own = new Session(database, { caller: session.caller, now: clock() });
    // PostgreSQL itself refuses to write here.
    const { planned, changes } = await database.inSnapshot(
      (tx) =>
        own.within(tx, async () => {
          await preferIndexes(tx);
          shareNewNames(tx, names);
          const planned = await planner.plan(tx, own, batch, true);
          const first = planned.slice(0, previewLimits.rows - rows.length);
          return { planned, changes: await planner.show(tx, own, first) };
        }),
      session.caller,
      longestPreviewMs,
    );
    const outcomes = foresee(own, resource, planned);
    for (const { action } of outcomes) counts[action]++;
    const add = (to: RowError[], more: RowError[]) =>
      to.push(...more.slice(0, previewLimits.errors - to.length));
    add(
      errors,
      outcomes.flatMap((outcome) => outcome.errors),
    );
    add(warnings, planned.flatMap(warningsOf));
    countDamages(
      damaged,
      planned.flatMap((one) => ('checked' in one ? one.damages : [])),
    );
    for (const [at, shown] of changes.entries()) {
      const { row, action } = outcomes[at] ?? {};
      if (row && action)
        rows.push({ row: row.line, action, values: Object.fromEntries(row.cells), changes: shown });
    }
  }
  const headers = table.headers.map((header, at) => ({ header, column: columns[at] ?? null }));
  return { columns: headers, ...counts, errors, warnings, damaged: [...damaged.values()], rows };
}
