import { translateError } from '../../db/connection/errors.js';
import type { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { readRows } from '../../db/sql/select.js';
import { GatewayError } from '../../domain/errors.js';
import { isUuid } from '../../domain/rules.js';
import { resources } from '../../generated/resources.js';
import { toValues } from '../../graphql/define/inputs.js';
import type { ImportOptions, RowError } from '../../imports/imports.js';
import type { RowResult } from '../../imports/results.js';
import { changeLocked } from '../../records/change.js';
import type { Declared } from '../../records/declare/declare.js';
import { lockRecords } from '../../records/locking.js';
import { createIn } from '../../records/record.js';
import { type RecordBase, type Resource, writableValues } from '../../records/resource.js';
import { isKept, linkLists, type Row, type StoredField, withCustom } from './compare.js';
import type { ImportTarget } from './mapping.js';
import { type Match, matchRows } from './match-rows.js';
import { findPlace, Places } from './places.js';
import { type ParsedRow, type RowReader, rowError } from './read-rows.js';

/** The outcome of a row. */
export interface RowOutcome {
  readonly row: ParsedRow;
  readonly action: 'created' | 'updated' | 'unchanged' | 'failed';
  readonly id: string | null;
  readonly errors: readonly RowError[];
}

/** Returns the outcome as the result file shows it. */
export const resultOf = ({ action, id, errors }: RowOutcome): RowResult => [
  action,
  id,
  errors.length === 0
    ? null
    : errors.map(({ column, message }) => (column === null ? message : `${column}: ${message}`)).join('; '),
];

/** A row that can be written. */
interface Planned {
  readonly row: ParsedRow;
  readonly id: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Thrown to roll back what was only tried. */
class RolledBack extends Error {}

/** Writes the rows of an import, with all rules, locks and events of other writes. */
export class RowWriter {
  readonly #target: ImportTarget;
  readonly #resource: Resource & Declared;
  readonly #reader: RowReader;
  readonly #options: ImportOptions;
  /** Lines of the rows written so far, by what identifies them. */
  readonly #lines = new Map<string, number>();
  /** Locations that a preview would have created. */
  readonly #imagined: { id: string; name: string | null; parentLocationId: string | null }[] = [];

  constructor(target: ImportTarget, reader: RowReader, options: ImportOptions) {
    this.#target = target;
    this.#reader = reader;
    this.#options = options;
    // The declared resources differ in their columns, which only their own declarations use.
    this.#resource = resources.find(({ model }) => model === target.type) as never;
  }

  /**
   * Writes rows in a transaction. Rows that cannot be written do not affect others.
   * @returns an outcome for each, in their order
   */
  async write(tx: Transaction, session: Session, rows: readonly ParsedRow[]): Promise<RowOutcome[]> {
    return session.within(tx, async () => {
      const outcomes = new Map<ParsedRow, RowOutcome>();
      const readable = rows.filter((row) => row.errors.length === 0);
      for (const row of rows) if (row.errors.length > 0) outcomes.set(row, failed(row, row.errors));
      if (this.#target.kind === 'LOCATIONS') {
        await this.#writePlaces(tx, session, readable, outcomes);
      } else {
        const matches = await matchRows(tx, this.#target.kind, this.#resource, readable);
        const planned = readable.flatMap((row, at) => this.#plan(row, matches[at] as Match, outcomes) ?? []);
        for (const outcome of await this.#writeAll(tx, session, planned)) outcomes.set(outcome.row, outcome);
      }
      session.forgetLoaded();
      return rows.map(
        (row) => outcomes.get(row) ?? failed(row, [rowError(row.line, null, null, 'was not imported')]),
      );
    });
  }

  /** Checks that a row may be written in the chosen mode. */
  #plan(row: ParsedRow, match: Match, outcomes: Map<ParsedRow, RowOutcome>): Planned | undefined {
    const refuse = (message: string) => {
      outcomes.set(row, failed(row, [rowError(row.line, null, null, message)]));
      return undefined;
    };
    const { mode } = this.#options;
    const { id, isAmbiguous, key } = match;
    if (isAmbiguous) return refuse('matches several records: add their ids');
    const line = key === undefined ? undefined : this.#lines.get(key);
    if (line !== undefined && line !== row.line) return refuse(`is the same record as line ${line}`);
    if (key !== undefined) this.#lines.set(key, row.line);
    if (mode === 'CREATE_ONLY' && id !== undefined) return refuse(`exists already, with the id ${id}`);
    if (mode === 'UPDATE_ONLY' && id === undefined) return refuse('matches no record that exists');
    return { row, id, body: row.body };
  }

  /**
   * Writes rows at once, which sends their statements together. If one of them is refused, all are tried
   * again without it; if that fails in the database, one after the other.
   */
  async #writeAll(tx: Transaction, session: Session, planned: readonly Planned[]): Promise<RowOutcome[]> {
    const refused: RowOutcome[] = [];
    let left = planned;
    for (let attempt = 0; attempt < 2 && left.length > 0; attempt++) {
      const tried = await this.#tryAll(tx, session, left);
      if (tried.every((outcome) => outcome !== undefined)) {
        const bad = tried.filter(({ action }) => action === 'failed');
        if (bad.length === 0) return [...refused, ...tried];
        refused.push(...bad);
        const rows = new Set(bad.map(({ row }) => row));
        left = left.filter(({ row }) => !rows.has(row));
        continue;
      }
      break;
    }
    for (const one of left) refused.push(await this.#writeAlone(tx, session, one));
    return refused;
  }

  /** Tries rows at once. @returns their outcomes; nothing is kept if one of them is refused or unknown */
  async #tryAll(
    tx: Transaction,
    session: Session,
    planned: readonly Planned[],
  ): Promise<RowOutcome[] | undefined[]> {
    let outcomes: (RowOutcome | undefined)[] = [];
    try {
      await tx.inTransaction((part) =>
        session.within(part, async () => {
          const current = await this.#lock(part, session, planned);
          outcomes = await Promise.all(
            planned.map(async (one) => {
              try {
                return await this.#writeOne(part, session, one, current);
              } catch (error) {
                // What the database refuses aborts everything, so who is to blame is found out later.
                return error instanceof GatewayError
                  ? failed(one.row, this.#reader.errorsOf(one.row, error))
                  : undefined;
              }
            }),
          );
          if (outcomes.some((outcome) => !outcome || outcome.action === 'failed')) throw new RolledBack();
        }),
      );
    } catch (error) {
      if (!(error instanceof RolledBack)) return planned.map(() => undefined);
    }
    return outcomes as RowOutcome[];
  }

  async #writeAlone(tx: Transaction, session: Session, one: Planned): Promise<RowOutcome> {
    try {
      return await tx.inTransaction((part) =>
        session.within(part, async () => {
          const current = await this.#lock(part, session, [one]);
          return this.#writeOne(part, session, one, current);
        }),
      );
    } catch (error) {
      const told = translateError(error, this.#resource.table);
      if (!(told instanceof GatewayError) || told.status >= 500) throw error;
      return failed(one.row, this.#reader.errorsOf(one.row, told));
    }
  }

  /** Locks the records that exist, and reads what their cells would show. */
  async #lock(tx: Transaction, session: Session, planned: readonly Planned[]): Promise<Current> {
    const ids = planned.flatMap(({ id }) => id ?? []);
    // All kinds that can be imported have the columns of `Row`.
    const records = (await lockRecords(tx, session, this.#resource, ids)) as unknown as Row[];
    const names = new Map<string, string>();
    if (this.#target.kind === 'ITEMS') {
      for (const { field, model, key } of linkLists) {
        const linked = [...new Set(records.flatMap((record) => record[field] as string[]))];
        if (linked.length === 0) continue;
        for (const row of await readRows(tx, model, { where: { id: { in: linked } } })) {
          // `linkLists` names a column of text for each model.
          const { id, [key]: name } = row as unknown as Record<string, string | null> & { id: string };
          names.set(id, name === null || name === undefined || name.includes(';') ? id : name.trim() || id);
        }
      }
    }
    return { records: new Map(records.map((record) => [record.id, record])), names };
  }

  async #writeOne(
    tx: Transaction,
    session: Session,
    { row, id, body }: Planned,
    { records, names }: Current,
  ): Promise<RowOutcome> {
    const convert = toValues(this.#resource);
    const record = id === undefined ? undefined : records.get(id);
    const custom = this.#target.hasCustomFields && row.custom.size > 0;
    if (!record) {
      const email = row.cells.get('contact_email')?.trim();
      const contacts = email && !body.contacts ? { contacts: [{ email }] } : {};
      const filled = Object.entries({ ...body, ...contacts }).filter(([, value]) => value !== null);
      const given = Object.fromEntries(filled);
      const { id: chosen, ...input } = this.#reader.toInput(given, true);
      const values = { ...convert(input), ...(custom && { customFields: withCustom([], row.custom) }) };
      if (chosen !== undefined && !isUuid(String(chosen))) {
        throw new GatewayError('BAD_REQUEST', '', {
          violations: [{ path: ['id'], message: 'must be a UUID', rule: 'format' }],
        });
      }
      const made = await createIn(tx, session, this.#resource, values, {
        id: chosen === undefined ? undefined : String(chosen).toLowerCase(),
      });
      return { row, action: 'created', id: made.id, errors: [] };
    }
    const changed = Object.entries(body).filter(
      ([column, value]) => column !== 'id' && !isKept(this.#target.kind, record, column, value, row, names),
    );
    const values = {
      ...convert(this.#reader.toInput(Object.fromEntries(changed), false)),
      ...(custom && { customFields: withCustom(record.customFields as StoredField[], row.custom) }),
    };
    if (
      JSON.stringify((values as { customFields?: unknown }).customFields) ===
      JSON.stringify(record.customFields)
    )
      delete (values as { customFields?: unknown }).customFields;
    // The record is of this resource, which its type does not tell.
    const change = (current: RecordBase) => ({
      ...writableValues(this.#resource, current as never),
      ...values,
    });
    const done = await changeLocked(tx, session, this.#resource, [record as never], change, {});
    return { row, action: done.length > 0 ? 'updated' : 'unchanged', id: record.id, errors: [] };
  }

  /** Writes locations one after the other, because they may lie in those before them. */
  async #writePlaces(
    tx: Transaction,
    session: Session,
    rows: readonly ParsedRow[],
    outcomes: Map<ParsedRow, RowOutcome>,
  ): Promise<void> {
    const places = await Places.read(tx);
    for (const place of this.#imagined) places.add(place);
    for (const row of rows) {
      const found = findPlace(places, row);
      if ('problem' in found) {
        outcomes.set(row, failed(row, [rowError(row.line, ...found.problem)]));
        continue;
      }
      const byId = (await matchRows(tx, 'LOCATIONS', this.#resource, [row]))[0] as Match;
      const match = row.cells.get('id')?.trim() ? byId : found;
      const planned = this.#plan({ ...row, body: { ...row.body, ...found.body } }, match, outcomes);
      if (!planned) {
        const refused = [...outcomes.values()].at(-1);
        if (refused) outcomes.set(row, { ...refused, row });
        continue;
      }
      const isImagined = this.#imagined.some(({ id }) => id === found.body.parent_location_id);
      const body = isImagined ? { ...planned.body, parent_location_id: null } : planned.body;
      const outcome = await this.#writeAlone(tx, session, { ...planned, body });
      outcomes.set(row, { ...outcome, row });
      if (outcome.action === 'created' && outcome.id !== null) {
        const parent = (found.body.parent_location_id ?? null) as string | null;
        const place = { id: outcome.id, name: found.name, parentLocationId: parent };
        places.add(place);
        this.#created.push(place);
      }
    }
  }

  readonly #created: { id: string; name: string | null; parentLocationId: string | null }[] = [];

  /** Remembers what a preview would have written, before it is rolled back. */
  imagine(): void {
    this.#imagined.push(...this.#created.splice(0));
  }
}

/** Records that exist, and the names that their cells show. */
interface Current {
  readonly records: ReadonlyMap<string, Row>;
  readonly names: ReadonlyMap<string, string>;
}

const failed = (row: ParsedRow, errors: readonly RowError[]): RowOutcome => ({
  row,
  action: 'failed',
  id: null,
  errors,
});
