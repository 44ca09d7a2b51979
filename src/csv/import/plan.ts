import type { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { readRows } from '../../db/sql/select.js';
import { formatDate } from '../../domain/dates.js';
import { badField, GatewayError } from '../../domain/errors.js';
import type { RecordKind } from '../../domain/models.js';
import { formatNoticeRule, type NoticeRule } from '../../domain/notice.js';
import { isUuid } from '../../domain/rules.js';
import { folded } from '../../domain/text/names.js';
import { toValues } from '../../graphql/define/records.js';
import { readLocationPaths } from '../../imports/matches.js';
import type { DamagedColumn, ListKind, PreviewChange, RowError } from '../../imports/options.js';
import { type Holder, seenHolders } from '../../items/holders.js';
import type { Declared } from '../../records/declare/declare.js';
import { load } from '../../records/loaders.js';
import { lockVisible, readRecords } from '../../records/locks.js';
import { newNamesIn } from '../../records/named.js';
import { type CheckedChange, checkChange, checkNew, type NewRecord } from '../../records/record.js';
import { type RecordBase, type Resource, writableValues } from '../../records/resource.js';
import { circular } from '../../resources/locations.js';
import { fieldName } from '../../web/parameters.js';
import { customPrefix, listSeparator } from '../columns.js';
import { holderColumns, holderText, isHolderColumn } from '../holder-cells.js';
import { chosenHolder, HoldersByText } from './holders.js';
import {
  findLocation,
  type Identifier,
  idIn,
  LocationTree,
  type RowIdentity,
  UniqueValues,
} from './match.js';
import { type NewHolder, NewHolders } from './new-holders.js';
import {
  damageOf,
  type ImportTarget,
  isNumber,
  type ParsedRow,
  type RowReader,
  rowError,
  typeOfColumn,
} from './rows.js';

/** A record that exists, with the ids of what it links to. */
type Row = RecordBase & Readonly<Record<string, unknown>>;

/** A custom field as it is stored. */
interface StoredField {
  readonly id: string;
  readonly name: string | null;
  readonly value: string | null;
}

/** Sets custom fields by name, and keeps the others. An empty cell adds no field. */
function withCustom(stored: readonly StoredField[], custom: ReadonlyMap<string, string>): readonly object[] {
  const fields: object[] = [...stored];
  for (const [name, value] of custom) {
    const at = stored.findIndex((field) => field.name === name);
    if (at === -1) {
      if (value !== '') fields.push({ name, value });
    } else if ((stored[at]?.value ?? '') !== value) {
      fields[at] = { ...stored[at], value: value === '' ? null : value };
    }
  }
  return fields;
}

/** Lists of linked records in items, with their columns and the keys in cells. */
const linkLists = [
  { column: 'contacts', field: 'contactIds', model: 'Contact', key: 'email' },
  { column: 'locations', field: 'locationIds', model: 'Location', key: 'name' },
  { column: 'tags', field: 'tagIds', model: 'Tag', key: 'name' },
] as const;

/** Returns whether a cell says what the record has already. */
function isKept(
  kind: ListKind,
  record: Row,
  column: string,
  value: unknown,
  { cells }: ParsedRow,
  names: ReadonlyMap<string, string>,
): boolean {
  const list = linkLists.find((known) => known.column === column && kind === 'ITEMS');
  if (list) {
    const shown = (record[list.field] as string[]).map((id) => names.get(id) ?? id).join(listSeparator);
    return shown === cells.get(column)?.trim();
  }
  if (column === 'custom_fields' && kind === 'TYPES') {
    const stored = record.customFields as readonly { readonly name: string | null }[];
    return (
      stored.map(({ name }) => (name ?? '').replaceAll(';', ',')).join(listSeparator) === cells.get(column)
    );
  }
  if (value !== null) return false;
  const field = column === 'assigned_to' ? 'assignedToId' : fieldName(column);
  const had = record[field];
  return had === null || had === undefined || (typeof had === 'string' && had.trim() === '');
}

/** A contact in a row: its id or its address. */
interface NamedContact {
  readonly id?: string;
  readonly email?: string;
}

/** Returns a row's contacts with the main one first. Undefined if the row names none. */
function withMain(main: string | undefined, others: unknown): NamedContact[] | undefined {
  if (!main) return undefined;
  const first = isUuid(main) ? { id: main } : { email: main };
  const isOther = ({ id, email }: NamedContact) => folded(id ?? email ?? '') !== folded(main);
  return [first, ...((others ?? []) as NamedContact[]).filter(isOther)];
}

/** Makes the first contact the main one. */
const mainFirst = <Of extends object>(values: Of): Of => ({
  ...values,
  contactId: (values as { readonly contactIds?: readonly string[] }).contactIds?.[0] ?? null,
});

/** Returns the main contact that a row names. */
const mainContactOf = ({ cells }: ParsedRow): string | undefined =>
  cells.get('contact_email')?.trim() || undefined;

/** Returns the main contact that a row gives an item. Undefined if the item has it already. */
function newMainContact(record: Row, row: ParsedRow, names: ReadonlyMap<string, string>): string | undefined {
  const main = mainContactOf(row);
  const [first] = record.contactIds as string[];
  const had = (record.contactId as string | null) ?? first;
  const isSame =
    main !== undefined &&
    had !== undefined &&
    [had, names.get(had)].some((one) => folded(one ?? '') === folded(main));
  return isSame ? undefined : main;
}

/** Records that exist, and the names that their cells show. */
interface Current {
  readonly records: ReadonlyMap<string, Row>;
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Reads the records that exist, and what their cells would show.
 * @param isReading true if nothing is going to be written, so that nothing has to be locked
 */
async function readCurrent(
  tx: Transaction,
  session: Session,
  { kind }: Pick<ImportTarget, 'kind'>,
  resource: Resource,
  ids: readonly string[],
  isReading: boolean,
): Promise<Current> {
  const read = isReading ? readRecords(tx, resource, ids) : lockVisible(tx, session, resource, ids);
  // All kinds that can be imported have the columns of `Row`.
  const records = (await read) as ReadonlyMap<string, unknown> as ReadonlyMap<string, Row>;
  const names = new Map<string, string>();
  if (kind !== 'ITEMS') return { records, names };
  for (const { field, model, key } of linkLists) {
    const linked = new Set(
      [...records.values()].flatMap((record) => [
        ...(record[field] as string[]),
        ...(field === 'contactIds' && record.contactId ? [record.contactId as string] : []),
      ]),
    );
    if (linked.size === 0) continue;
    for (const row of await readRows(tx, model, { where: { id: { in: [...linked] } } })) {
      // `linkLists` names a column of text for each model.
      const { id, [key]: name } = row as unknown as Record<string, string | null> & { id: string };
      names.set(id, name === null || name === undefined || name.includes(';') ? id : name.trim() || id);
    }
  }
  return { records, names };
}

/** Values of a record, by field. */
type Values = Readonly<Record<string, unknown>>;

/** A column of links: the field of their ids, their kind, and their key. */
interface LinkColumn {
  readonly field: string;
  readonly to: RecordKind;
  readonly key: string;
}

/** Columns that name linked records by a key. All other columns of links have ids. */
const namedLinks: Readonly<Record<string, LinkColumn>> = {
  assigned_to: { field: 'assignedToId', to: 'user', key: 'email' },
  category_name: { field: 'categoryId', to: 'category', key: 'name' },
  contact_email: { field: 'contactIds', to: 'contact', key: 'email' },
  contacts: { field: 'contactIds', to: 'contact', key: 'email' },
  locations: { field: 'locationIds', to: 'location', key: 'name' },
  tags: { field: 'tagIds', to: 'tag', key: 'name' },
};

/** Returns whether the cells of a column name linked records. */
const isNamedLink = (column: string): boolean => Object.hasOwn(namedLinks, column);

function linkOf({ references }: Pick<Resource, 'references'>, column: string): LinkColumn | undefined {
  if (isNamedLink(column)) return namedLinks[column];
  const found = references.find(({ field }) => field === fieldName(column));
  return found && { ...found, key: 'id' };
}

/** Returns the text of a stored value; null if it is empty. */
function textOf(value: unknown): string | null {
  if (value instanceof Date) return formatDate(value);
  // The fields of a document type.
  if (Array.isArray(value))
    return value.map(({ name }: StoredField) => name ?? '').join(listSeparator) || null;
  if (value === null || value === undefined || value === '') return null;
  return typeof value === 'object' ? formatNoticeRule(value as NoticeRule) : String(value);
}

/**
 * Returns the text of a record in a column; null if it is empty. Links to records that the caller
 * does not see are not shown.
 */
async function shownValue(
  tx: Transaction,
  session: Session,
  resource: Pick<Resource, 'references'>,
  column: string,
  values: Values,
): Promise<string | null> {
  if (column.startsWith(customPrefix)) {
    const fields = (values.customFields ?? []) as readonly StoredField[];
    return textOf(fields.find(({ name }) => name === column.slice(customPrefix.length))?.value);
  }
  if (isHolderColumn(column)) {
    const kind = holderColumns[column];
    const holders = (values.holders ?? []) as readonly Holder[];
    const texts = await Promise.all(
      holders.map(async (holder) => {
        const isShown = !kind || holder.kind === kind;
        const record = isShown
          ? (newNamesIn(tx).find(holder.id) ?? (await load(session, holder.kind, holder.id)))
          : null;
        return record ? holderText(holder.kind, record as unknown as Values, column) : null;
      }),
    );
    return textOf(texts.filter((text) => text !== null).join(listSeparator));
  }
  const link = linkOf(resource, column);
  if (!link) return textOf(values[fieldName(column)]);
  const ids = [(values[link.field] ?? []) as string | readonly string[]].flat();
  const entries = await Promise.all(
    ids.map(async (id) => {
      const row = newNamesIn(tx).find(id) ?? (await load(session, link.to, id));
      const text = textOf((row as Values | null)?.[link.key])?.trim();
      return row && (!text || text.includes(';') ? id : text);
    }),
  );
  return textOf(entries.filter((entry) => entry !== null).join(listSeparator));
}

/** Values that a spreadsheet seems to have damaged, by their columns. */
export type Damages = ReadonlyMap<string, DamagedValue>;

type DamagedValue = Pick<DamagedColumn, 'before' | 'after' | 'damage'> & Pick<PreviewChange, 'leftOut'>;

/**
 * Finds the texts of a row that a spreadsheet seems to have damaged.
 * @param accepted columns whose damaged values are taken; undefined if no spreadsheet can have written the file
 */
async function findDamages(
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

/** A row with the values of its record before and after it. */
interface ChangingRow {
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
async function shownChanges(
  tx: Transaction,
  session: Session,
  resource: Pick<Resource, 'references'>,
  { row, before, after, damages }: ChangingRow,
  places: LocationTree | undefined,
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
  readonly #holders: HoldersByText;
  /** The holders that rows are going to make. */
  readonly newHolders = new NewHolders();
  #places: LocationTree | undefined;

  /**
   * @param accepted columns whose damaged values are taken; all if left out
   * @param holders knows which holders of rows do not exist yet
   */
  constructor(
    target: ImportTarget,
    resource: Resource & Declared,
    reader: RowReader,
    identifier: Identifier,
    accepted?: readonly string[],
    holders = new HoldersByText([]),
  ) {
    this.#accepted = accepted;
    this.#holders = holders;
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
    const found = await readLocationPaths(session);
    this.#places = new LocationTree(found);
    this.#unique.add(
      found.map(({ id, name, parentLocationId }) => ({ id, value: name ?? '', within: [parentLocationId] })),
    );
  }

  /** Notes rows that an earlier attempt has written. Others cannot be about the same records. */
  skip(rows: readonly ParsedRow[], ids: readonly (string | null)[]): void {
    for (const [at, row] of rows.entries()) {
      const place = this.#places && row.errors.length === 0 ? findLocation(this.#places, row) : undefined;
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
    await this.newHolders.foresee(
      tx,
      session,
      rows.flatMap(({ row }) => this.#newHoldersOf(row)),
    );
    const checked = await Promise.allSettled(
      rows.map(async ({ row, identity }): Promise<PlannedRow> => {
        if (row.errors.length === 0) return this.#check(tx, session, row, identity, current);
        return { row, errors: [...row.errors, ...(await this.#furtherErrors(tx, session, row))] };
      }),
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
    const place = this.#places && findLocation(this.#places, row);
    const found = place && 'id' in place ? place.id : undefined;
    return [own, found].filter((id) => id !== undefined && isUuid(id)) as string[];
  }

  /** Checks a location. Those after it may lie in it. */
  async #planPlace(
    tx: Transaction,
    session: Session,
    row: ParsedRow,
    places: LocationTree,
    current: Current,
  ): Promise<PlannedRow> {
    if (row.errors.length > 0) return { row, errors: row.errors };
    const found = findLocation(places, row);
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

  /** Finds further errors of a row whose cells cannot all be read. */
  async #furtherErrors(tx: Transaction, session: Session, row: ParsedRow): Promise<RowError[]> {
    // A record that exists may have what the row lacks.
    if (!this.#identifier.onlyCreates || row.errors.some(({ column }) => column === null)) return [];
    const told = new Set(row.errors.map(({ column }) => column));
    try {
      await this.#checkNew(tx, session, row);
      return [];
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status >= 500) throw error;
      return this.#reader.errorsOf(row, error).filter(({ column }) => column !== null && !told.has(column));
    }
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

  /** Lists the holders of a row that do not exist yet. */
  #newHoldersOf({ holders }: ParsedRow): NewHolder[] {
    const candidates = (holders?.entries ?? []).flatMap((entry) => entry.candidates);
    return candidates.flatMap((holder) => this.#holders.madeOf(holder) ?? []);
  }

  /**
   * Returns the holders that an item gets from a row. They are undefined if they stay as they are. A column of one kind leaves
   * holders of others alone.
   * @param stored what it is a paper of already
   * @throws GatewayError BAD_REQUEST for an entry that names several
   */
  async #holdersWith(
    tx: Transaction,
    session: Session,
    { holders, cells, body }: ParsedRow,
    stored: readonly Holder[],
    ownTeamId = session.caller.user.teamId,
  ): Promise<readonly Holder[] | undefined> {
    if (!holders) return undefined;
    const named = String(body.team_id ?? '').toLowerCase();
    const teamId = session.caller.teamIds.includes(named) ? named : ownTeamId;
    const wanted = new Map<string, Holder>();
    const storedIds = new Set(stored.map(({ id }) => id));
    for (const entry of holders.entries) {
      const holder = chosenHolder(entry, ({ id }) => storedIds.has(id) && !wanted.has(id));
      if (!holder && entry.isGuess) continue;
      if (!holder) throw badField([entry.column], `names several records: ${entry.text}`, 'conflict');
      const made = this.#holders.madeOf(holder);
      const at = [entry.column];
      const chosen = made ? await this.newHolders.plan(tx, session, made, teamId, at) : holder;
      wanted.set(chosen.id, chosen);
    }
    const isWhole = holders.leftOut.length === 0;
    const others = stored.filter(({ id, kind }) => !wanted.has(id) && !(isWhole && holders.kinds.has(kind)));
    const after = [...(await seenHolders({ tx, session }, others)), ...wanted.values()];
    // A column of one kind says nothing of the order among all.
    const kept = new Set(after.map(({ id }) => id));
    const isAsBefore =
      after.length === stored.length &&
      stored.every(({ id }, at) => (cells.has('holders') ? after[at]?.id === id : kept.has(id)));
    return isAsBefore ? undefined : after;
  }

  async #checkNew(tx: Transaction, session: Session, row: ParsedRow): Promise<NewRecord> {
    const { body, custom } = row;
    const holders = await this.#holdersWith(tx, session, row, []);
    const main = mainContactOf(row);
    const filled = Object.entries({
      ...body,
      ...(main && { contacts: withMain(main, body.contacts) }),
    }).filter(([, value]) => value !== null);
    const { id, ...input } = this.#reader.toInput(Object.fromEntries(filled), true);
    const hasCustom = this.#target.hasCustomFields && custom.size > 0;
    const values = {
      ...toValues(this.#resource)(input),
      // Files may name more holders than an input of the API.
      ...(holders && { holders }),
      ...(hasCustom && { customFields: withCustom([], custom) }),
    };
    if (id !== undefined && !isUuid(String(id))) {
      throw new GatewayError('BAD_REQUEST', '', {
        violations: [{ path: ['id'], message: 'must be a UUID', rule: 'format' }],
      });
    }
    const own = id === undefined ? undefined : String(id).toLowerCase();
    const made = await checkNew(tx, session, this.#resource, values, own);
    return main ? mainFirst(made) : made;
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

  async #checkChange(
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
    const main = kind === 'ITEMS' ? newMainContact(record, row, names) : undefined;
    if (main) {
      const stored = (record.contactIds as string[]).map(
        (id): NamedContact => ({ id, email: names.get(id) ?? id }),
      );
      const others =
        row.body.contacts ?? stored.map(({ id, email }) => (email?.includes('@') ? { email } : { id }));
      changed.push(['contacts', withMain(main, others)]);
    }
    const holders = await this.#holdersWith(
      tx,
      session,
      row,
      (record.holders ?? []) as readonly Holder[],
      record.teamId,
    );
    const customFields = withCustom((record.customFields ?? []) as StoredField[], row.custom);
    const hasCustom =
      hasCustomFields &&
      row.custom.size > 0 &&
      JSON.stringify(customFields) !== JSON.stringify(record.customFields);
    const values = {
      ...toValues(this.#resource)(this.#reader.toInput(Object.fromEntries(changed), false)),
      ...(holders && { holders }),
      ...(hasCustom && { customFields }),
    };
    const change = (current: RecordBase) => ({ ...writableValues(this.#resource, current), ...values });
    const checked = await checkChange(tx, session, this.#resource, record, change);
    return main ? { ...checked, values: mainFirst(checked.values) } : checked;
  }
}
