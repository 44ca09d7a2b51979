import type { Session } from '../../db/connection/session.js';
import { isUuid } from '../../domain/rules.js';
import { folded } from '../../domain/text/names.js';
import { findTakenIds, findValueHolders, type ValueHolder } from '../../imports/matching.js';
import type { Resource } from '../../records/resource.js';
import { memberName } from '../../web/parameters.js';
import { idIn, textOf } from './match-rows.js';
import type { ParsedRow } from './read-rows.js';

/**
 * Ids and unique values that records or earlier rows of the file use. A value that a row gives
 * up stays in use until the import ends, so that records can be written in any order.
 */
export class UniqueValues {
  readonly #resource: Resource;
  readonly #holders = new Map<string, string>();
  readonly #takenIds = new Set<string>();

  constructor(resource: Resource) {
    this.#resource = resource;
  }

  /** Reads who has the ids and values of rows. */
  async load(session: Session, rows: readonly ParsedRow[]): Promise<void> {
    const [field = ''] = this.#resource.uniqueBy ?? [];
    const values = rows.flatMap((row) => textOf(row, memberName(field)) ?? []);
    this.add(await findValueHolders(session, this.#resource, [...new Set(values)]));
    const ids = [...new Set(rows.flatMap((row) => idIn(row) ?? []))].filter(isUuid);
    for (const id of await findTakenIds(session, this.#resource, ids)) this.#takenIds.add(id);
  }

  /** Adds records that have values. */
  add(holders: readonly ValueHolder[]): void {
    for (const { id, value, within } of holders) {
      const key = keyOf(value, within);
      if (key !== undefined) this.#holders.set(key, id);
    }
  }

  /**
   * Takes the values of a record for a row.
   * @returns the field whose value is in use already, if there is one
   */
  take(id: string, values: Readonly<Record<string, unknown>>, isNew: boolean): string | undefined {
    if (isNew && this.#takenIds.has(id)) return 'id';
    const [field, ...within] = this.#resource.uniqueBy ?? [];
    if (field === undefined) return undefined;
    const key = keyOf(
      values[field],
      within.map((name) => values[name]),
    );
    if (key === undefined) return undefined;
    if ((this.#holders.get(key) ?? id) !== id) return field;
    this.#holders.set(key, id);
    return undefined;
  }
}

/** Returns what a value is compared by, as in unique indexes. Undefined if it is no key. */
function keyOf(value: unknown, within: readonly unknown[]): string | undefined {
  const text = typeof value === 'string' ? folded(value.trim()) : '';
  return text === '' ? undefined : JSON.stringify([text, ...within.map((other) => other ?? null)]);
}
