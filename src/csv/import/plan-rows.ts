import type { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { GatewayError } from '../../domain/errors.js';
import { isUuid } from '../../domain/rules.js';
import { toValues } from '../../graphql/define/inputs.js';
import { readPlaces } from '../../imports/matching.js';
import type { PreviewChange, RowError } from '../../imports/options.js';
import { type CheckedChange, checkChange } from '../../records/change.js';
import type { Declared } from '../../records/declare/declare.js';
import { checkNew, type NewRecord } from '../../records/record.js';
import { type RecordBase, type Resource, writableValues } from '../../records/resource.js';
import { circular } from '../../resources/locations.js';
import { customPrefix } from '../columns.js';
import { isKept, type Row, type StoredField, withCustom } from './compare.js';
import { type Current, readCurrent } from './current.js';
import type { ImportTarget } from './headers/mapping.js';
import { type Identifier, idIn, type RowIdentity } from './match-rows.js';
import { findPlace, Places } from './places.js';
import { type Damages, findDamages } from './preview/damage.js';
import { type ChangingRow, shownChanges } from './preview/shown-changes.js';
import { type ParsedRow, type RowReader, rowError } from './read-rows.js';
import { UniqueValues } from './unique-values.js';

/** A row with the record that it is about. Locations are found later, one after the other. */
export interface IdentifiedRow {
  readonly row: ParsedRow;
  readonly identity: RowIdentity | undefined;
}

/** A row that was checked: a new record, a change of one, or errors. */
export type PlannedRow = { readonly row: ParsedRow } & (
  | { readonly made: NewRecord }
  | {
      readonly checked: CheckedChange<RecordBase>;
      readonly damages: Damages;
    }
  | { readonly errors: readonly RowError[] }
);

/** Checks the rows of an import by all rules of writing, and writes nothing. */
export class RowPlanner {
  readonly #target: ImportTarget;
  readonly #resource: Resource & Declared;
  readonly #reader: RowReader;
  readonly #identifier: Identifier;
  readonly #unique: UniqueValues;
  readonly #accepted: readonly string[] | undefined;
  #places: Places | undefined;

  /** @param accepted columns whose damaged values are taken; all if left out */
  constructor(
    target: ImportTarget,
    resource: Resource & Declared,
    reader: RowReader,
    identifier: Identifier,
    accepted?: readonly string[],
  ) {
    this.#accepted = accepted;
    this.#target = target;
    this.#resource = resource;
    this.#reader = reader;
    this.#identifier = identifier;
    this.#unique = new UniqueValues(resource);
  }

  /** Reads everything that rows are compared with, before the first of them is written. */
  async identify(session: Session, rows: readonly ParsedRow[]): Promise<IdentifiedRow[]> {
    const readable = rows.filter(({ errors }) => errors.length === 0);
    if (this.#target.kind === 'LOCATIONS') {
      await this.#readPlaces(session);
      await this.#unique.load(session, readable);
      return rows.map((row) => ({ row, identity: undefined }));
    }
    await this.#unique.load(session, readable);
    const identities = await this.#identifier.identify(session, readable);
    const byRow = new Map(readable.map((row, at) => [row, identities[at]]));
    return rows.map((row) => ({ row, identity: byRow.get(row) }));
  }

  /** Reads all locations at once. Names are unique within their parents, and most of them are in paths. */
  async #readPlaces(session: Session): Promise<void> {
    if (this.#places) return;
    const found = await readPlaces(session);
    this.#places = new Places(found);
    this.#unique.add(
      found.map(({ id, name, parentLocationId }) => ({ id, value: name ?? '', within: [parentLocationId] })),
    );
  }

  /** Notes rows that an earlier attempt has written. Others cannot be about the same records. */
  skip(rows: readonly ParsedRow[], ids: readonly (string | null)[]): void {
    for (const [at, row] of rows.entries()) {
      const place = this.#places && row.errors.length === 0 ? findPlace(this.#places, row) : undefined;
      if (place && !('problem' in place)) this.#identifier.claim(row, place);
      const id = ids[at];
      if (id) this.#identifier.note([id], row.line);
    }
  }

  /**
   * Checks rows in a transaction.
   * @param isReading true if nothing is going to be written, so that nothing has to be locked
   * @returns a plan for each, in their order
   */
  async plan(
    tx: Transaction,
    session: Session,
    rows: readonly IdentifiedRow[],
    isReading: boolean,
  ): Promise<PlannedRow[]> {
    const ids = rows.flatMap(({ row, identity }) => this.#candidates(row, identity));
    const current = await readCurrent(
      tx,
      session,
      this.#target,
      this.#resource,
      [...new Set(ids)],
      isReading,
    );
    if (this.#places) {
      const planned: PlannedRow[] = [];
      for (const { row } of rows)
        planned.push(await this.#planPlace(tx, session, row, this.#places, current));
      return planned;
    }
    const checked = await Promise.allSettled(
      rows.map(({ row, identity }) => this.#check(tx, session, row, identity, current)),
    );
    return checked.map((result) => {
      // All have ended, so none sends a statement to a transaction that is over.
      if (result.status === 'rejected') throw result.reason;
      return this.#accept(result.value);
    });
  }

  /** Lists what planned rows change. It is called in the transaction in which they were planned. */
  show(tx: Transaction, session: Session, planned: readonly PlannedRow[]): Promise<PreviewChange[][]> {
    const changes = planned.map((one): ChangingRow | undefined => {
      if ('errors' in one) return undefined;
      if ('made' in one) return { row: one.row, before: {}, after: one.made };
      const { before, values } = one.checked;
      return { row: one.row, before, after: values, damages: one.damages };
    });
    return Promise.all(
      changes.map(async (one) =>
        one ? await shownChanges(tx, session, this.#resource, one, this.#places) : [],
      ),
    );
  }

  /** Lists the ids of the records that a row may be about. */
  #candidates(row: ParsedRow, identity: RowIdentity | undefined): string[] {
    if (row.errors.length > 0) return [];
    if (identity) return 'id' in identity && identity.id !== undefined ? [identity.id] : [];
    const own = idIn(row);
    const place = this.#places && findPlace(this.#places, row);
    const found = place && 'id' in place ? place.id : undefined;
    return [own, found].filter((id) => id !== undefined && isUuid(id)) as string[];
  }

  /** Checks a location. Those after it may lie in it. */
  async #planPlace(
    tx: Transaction,
    session: Session,
    row: ParsedRow,
    places: Places,
    current: Current,
  ): Promise<PlannedRow> {
    if (row.errors.length > 0) return { row, errors: row.errors };
    const found = findPlace(places, row);
    if ('problem' in found) return { row, errors: [rowError(row.line, ...found.problem)] };
    const own = idIn(row);
    const match = own === undefined ? found : { id: current.records.has(own) ? own : undefined, key: own };
    const identity = this.#identifier.claim(row, match);
    const body = { ...row.body, ...found.body };
    const parent = body.parent_location_id;
    // It is not there yet, but it is going to be.
    if (typeof parent === 'string' && places.isAdded(parent.toLowerCase()))
      tx.lookUps.set(`location ${parent.toLowerCase()}`, Promise.resolve({}));
    const checked = await this.#check(tx, session, { ...row, body }, identity, current);
    const planned = this.#accept({ ...checked, row });
    if ('errors' in planned) return planned;
    const values = 'made' in planned ? planned.made : planned.checked.values;
    const place = values as { name?: string | null; parentLocationId?: string | null };
    const parentLocationId = place.parentLocationId ?? null;
    if ('made' in planned) {
      const { id } = planned.made;
      places.add({ id, name: place.name ?? null, parentLocationId });
      this.#identifier.note([id], row.line);
      return planned;
    }
    const { id } = planned.checked.current;
    if (places.isWithin(parentLocationId, id)) return this.#refused(row, circular());
    places.move(id, parentLocationId);
    return planned;
  }

  /** Refuses a row that takes a value of another record. */
  #accept(planned: PlannedRow): PlannedRow {
    if ('errors' in planned) return planned;
    const [id, values] =
      'made' in planned
        ? [planned.made.id, planned.made]
        : [planned.checked.current.id, planned.checked.values];
    const field = this.#unique.take(id, values, 'made' in planned);
    if (field === undefined) return planned;
    return this.#refused(planned.row, new GatewayError('CONFLICT', 'is already in use', { path: [field] }));
  }

  #refused(row: ParsedRow, error: GatewayError): PlannedRow {
    return { row, errors: this.#reader.errorsOf(row, error) };
  }

  /** Checks the values of a row. */
  async #check(
    tx: Transaction,
    session: Session,
    row: ParsedRow,
    identity: RowIdentity | undefined,
    current: Current,
  ): Promise<PlannedRow> {
    const refuse = (message: string) => ({ row, errors: [rowError(row.line, null, null, message)] });
    if (row.errors.length > 0) return { row, errors: row.errors };
    if (!identity) return refuse('was not imported');
    if ('problem' in identity) return refuse(identity.problem);
    const record = identity.id === undefined ? undefined : current.records.get(identity.id);
    if (identity.id !== undefined && !record) return refuse('matches no record that exists');
    try {
      return record
        ? await this.#planChange(tx, session, row, record, current)
        : { row, made: await this.#checkNew(tx, session, row) };
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status >= 500) throw error;
      return this.#refused(row, error);
    }
  }

  #checkNew(tx: Transaction, session: Session, { body, cells, custom }: ParsedRow): Promise<NewRecord> {
    const email = cells.get('contact_email')?.trim();
    const contacts = email && !body.contacts ? { contacts: [{ email }] } : {};
    const filled = Object.entries({ ...body, ...contacts }).filter(([, value]) => value !== null);
    const { id, ...input } = this.#reader.toInput(Object.fromEntries(filled), true);
    const hasCustom = this.#target.hasCustomFields && custom.size > 0;
    const values = {
      ...toValues(this.#resource)(input),
      ...(hasCustom && { customFields: withCustom([], custom) }),
    };
    if (id !== undefined && !isUuid(String(id))) {
      throw new GatewayError('BAD_REQUEST', '', {
        violations: [{ path: ['id'], message: 'must be a UUID', rule: 'format' }],
      });
    }
    return checkNew(
      tx,
      session,
      this.#resource,
      values,
      id === undefined ? undefined : String(id).toLowerCase(),
    );
  }

  /** Plans a change of a record. Damaged values are left out unless they are accepted. */
  async #planChange(
    tx: Transaction,
    session: Session,
    row: ParsedRow,
    record: Row,
    current: Current,
  ): Promise<PlannedRow> {
    const damages = await findDamages(tx, session, this.#target, this.#resource, row, record, this.#accepted);
    const isTaken = (column: string) => !damages.get(column)?.leftOut;
    const body = Object.fromEntries(Object.entries(row.body).filter(([column]) => isTaken(column)));
    const custom = new Map([...row.custom].filter(([name]) => isTaken(`${customPrefix}${name}`)));
    const checked = await this.#checkChange(tx, session, { ...row, body, custom }, record, current);
    return { row, checked, damages };
  }

  #checkChange(
    tx: Transaction,
    session: Session,
    row: ParsedRow,
    record: Row,
    { names }: Current,
  ): Promise<CheckedChange<RecordBase>> {
    const { kind, hasCustomFields } = this.#target;
    const changed = Object.entries(row.body).filter(
      ([column, value]) => column !== 'id' && !isKept(kind, record, column, value, row, names),
    );
    const customFields = withCustom((record.customFields ?? []) as StoredField[], row.custom);
    const hasCustom =
      hasCustomFields &&
      row.custom.size > 0 &&
      JSON.stringify(customFields) !== JSON.stringify(record.customFields);
    const values = {
      ...toValues(this.#resource)(this.#reader.toInput(Object.fromEntries(changed), false)),
      ...(hasCustom && { customFields }),
    };
    const change = (current: RecordBase) => ({ ...writableValues(this.#resource, current), ...values });
    return checkChange(tx, session, this.#resource, record, change);
  }
}
