import type { Session } from '../../../db/connection/session.js';
import type { Transaction } from '../../../db/connection/transaction.js';
import type { PreviewChange } from '../../../imports/options.js';
import type { Resource } from '../../../records/resource.js';
import type { Places } from '../places.js';
import type { ParsedRow } from '../read-rows.js';
import type { Damages } from './damage.js';
import { shownValue, type Values } from './shown-values.js';

/** A row with the values of its record before and after it. */
export interface ChangingRow {
  readonly row: Pick<ParsedRow, 'cells'>;
  readonly before: Values;
  readonly after: Values;
  readonly damages?: Damages;
}

/**
 * Lists what a row changes, by the columns of the file. Values are as they will be stored: a date that was read in
 * an order is written `YYYY-MM-DD`.
 * @param places the locations, if the rows are about those
 */
export async function shownChanges(
  tx: Transaction,
  session: Session,
  resource: Pick<Resource, 'references'>,
  { row, before, after, damages }: ChangingRow,
  places: Places | undefined,
): Promise<PreviewChange[]> {
  const show = (column: string, values: Values) => {
    if (column !== 'path' || !places) return shownValue(tx, session, resource, column, values);
    const { name, parentLocationId } = values as { name?: string | null; parentLocationId?: string | null };
    return name ? places.pathOf(parentLocationId ?? null, name) : null;
  };
  const changes = [...row.cells.keys()].map(async (column): Promise<PreviewChange[]> => {
    const damaged = damages?.get(column);
    if (damaged) return [{ column, ...damaged }];
    const [was, is] = await Promise.all([show(column, before), show(column, after)]);
    // A record keeps its id, and a new one has none yet.
    if (was === is || column === 'id') return [];
    return [{ column, before: was, after: is, damage: null, leftOut: false }];
  });
  return (await Promise.all(changes)).flat();
}
