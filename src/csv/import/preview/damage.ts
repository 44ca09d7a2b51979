import type { Session } from '../../../db/connection/session.js';
import type { Transaction } from '../../../db/connection/transaction.js';
import type { DamagedColumn, PreviewChange } from '../../../imports/options.js';
import type { Resource } from '../../../records/resource.js';
import { customPrefix } from '../../columns.js';
import type { Row } from '../compare.js';
import { type ImportTarget, typeOfColumn } from '../headers/mapping.js';
import type { ParsedRow } from '../read-rows.js';
import { isNamedLink, shownValue } from './shown-values.js';
import { damageOf, isNumber } from './spreadsheet.js';

/** Values that a spreadsheet seems to have damaged, by their columns. */
export type Damages = ReadonlyMap<string, DamagedValue>;

type DamagedValue = Pick<DamagedColumn, 'before' | 'after' | 'damage'> & Pick<PreviewChange, 'leftOut'>;

/**
 * Finds the texts of a row that a spreadsheet seems to have damaged.
 * @param accepted columns whose damaged values are taken; undefined if no spreadsheet can have written the file
 */
export async function findDamages(
  tx: Transaction,
  session: Session,
  target: ImportTarget,
  resource: Pick<Resource, 'references'>,
  { body, cells, custom }: ParsedRow,
  record: Row,
  accepted: readonly string[] | undefined,
): Promise<Damages> {
  const found = new Map<string, DamagedValue>();
  if (!accepted) return found;
  const texts = Object.keys(body)
    .filter((column) => isNamedLink(column) || typeOfColumn(target, column) === 'String')
    .map((column) => [column, String(cells.get(column) ?? body[column] ?? '')] as const);
  for (const [column, after] of [...texts, ...[...custom].map(withPrefix)]) {
    // Most texts are no numbers, and nothing is looked up for them.
    if (!isNumber(after)) continue;
    const before = await shownValue(tx, session, resource, column, record);
    const damage = before === null ? null : damageOf(before, after);
    if (before !== null && damage !== null)
      found.set(column, { before, after, damage, leftOut: !accepted.includes(column) });
  }
  return found;
}

const withPrefix = ([name, text]: readonly [string, string]) => [`${customPrefix}${name}`, text] as const;

/** Counts the damaged values of rows, by column and damage. */
export function countDamages(counted: Map<string, DamagedColumn>, damages: readonly Damages[]): void {
  for (const ofRow of damages) {
    for (const [column, { before, after, damage, leftOut }] of ofRow) {
      const key = `${damage} ${column}`;
      const known = counted.get(key) ?? { column, damage, cells: 0, before, after, accepted: !leftOut };
      counted.set(key, { ...known, cells: known.cells + 1 });
    }
  }
}
