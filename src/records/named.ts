import DataLoader from 'dataloader';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { conditionSql, sourceSql, visibleSql } from '../db/sql/conditions.js';
import { scopeOf } from '../db/sql/models.js';
import { readByIndex } from '../db/sql/select.js';
import { join, raw, type Sql, sql } from '../db/sql/sql.js';
import { insertMissing } from '../db/sql/write.js';
import { groupBy } from '../domain/collections.js';
import { type FieldPath, GatewayError, Violations } from '../domain/errors.js';
import { entityNames } from '../domain/models.js';
import { check, isUuid, limits, newId, unseenName } from '../domain/rules.js';
import { folded, isVisible, snakeCase } from '../domain/text/names.js';
import { createdEvent, eventsSql } from './event-logs.js';
import { lookUpOnce } from './loaders.js';
import type { RecordBase, RecordValues, Resource, Write } from './resource.js';

/** A kind of records with a natural key. */
export interface NamedKind {
  readonly resource: Resource;
  /** Field of the natural key. */
  readonly key: 'email' | 'name' | 'vin';
  /** True if keys are unique per workspace, false if per organization. */
  readonly inWorkspace: boolean;
}

/** An entry of a list, as its record is looked for. */
interface Wanted {
  readonly index: number;
  readonly id: string | undefined;
  readonly key: string | undefined;
}

/** A list whose records are looked for, with the ids found so far. */
interface IdSearch {
  readonly kind: NamedKind;
  /** Workspace whose records come first. */
  readonly teamId: string;
  readonly wanted: readonly Wanted[];
  readonly found: Map<number, string>;
}

/** Returns the entries of a list whose natural keys have found no record yet. */
const missingKeys = ({ wanted, found }: IdSearch) =>
  wanted.flatMap(({ index, key }) => (key !== undefined && !found.has(index) ? [{ index, key }] : []));

/** An entry of one of several lists. */
interface Entry {
  readonly list: number;
  readonly index: number;
  readonly teamId: string;
  readonly text: string;
}

/** Returns the rows `wanted`: the place of each entry, and its id or key. */
function entriesSql(entries: readonly Entry[], type: 'uuid' | 'text'): Sql {
  const of = (member: keyof Entry) => entries.map((entry) => entry[member]);
  // The subqueries hide the number of entries from PostgreSQL's planner, which would plan anew for each.
  return sql`unnest((SELECT ${of('list')}::int[]), (SELECT ${of('index')}::int[]), (SELECT ${of('teamId')}::uuid[]),
    (SELECT ${of('text')}::${raw(type)}[])) AS wanted (list, index, team_id, text)`;
}

/** Finds the named records that are not found yet, with one statement. The caller must see them. */
async function findIds(tx: Transaction, session: Session, searches: readonly IdSearch[]): Promise<void> {
  const numbered = searches.map((search, list) => ({ ...search, list }));
  const branches = groupBy(numbered, ({ kind }) => kind.resource.kind).flatMap((alike) => {
    const kind = alike[0]?.kind;
    if (!kind) return [];
    const { resource, key, inWorkspace } = kind;
    const ids = alike.flatMap(({ list, teamId, wanted, found }) =>
      wanted.flatMap(({ index, id: text }) =>
        text !== undefined && !found.has(index) && isUuid(text) ? [{ list, index, teamId, text }] : [],
      ),
    );
    const keys = alike.flatMap((search) =>
      missingKeys(search).map(({ index, key: text }) => ({
        ...{ list: search.list, index, teamId: search.teamId, text },
      })),
    );
    const table = sql`${raw(resource.table)} AS found`;
    const visible = visibleSql(session, resource.kind, 'found');
    // The indexes of natural keys begin with the organization.
    const inScope = conditionSql('found', scopeOf(session.caller, resource.rows.model));
    const place = raw('wanted.list, wanted.index, found.id');
    // A UNION, so that each branch uses its own unique index. No single plan would look up all keys by index.
    const byId = sql`
      SELECT ${place} FROM ${entriesSql(ids, 'uuid')} JOIN ${table} ON found.id = wanted.text WHERE ${visible}`;
    const here = raw('found.team_id = wanted.team_id');
    const byKey = sql`
      SELECT ${place} FROM ${entriesSql(keys, 'text')} CROSS JOIN LATERAL (
        SELECT found.id FROM ${sourceSql(tx, resource.rows.model)} AS found
        WHERE natural_key(found.${raw(key)}) = natural_key(wanted.text) AND ${inScope}
          AND ${inWorkspace ? here : raw('TRUE')}
        ORDER BY NOT ${here}, found.created, found.id LIMIT 1
      ) AS found`;
    return [
      ...(ids.length > 0 ? [{ table: resource.table, query: byId }] : []),
      ...(keys.length > 0 ? [{ table: resource.table, query: byKey }] : []),
    ];
  });
  if (branches.length === 0) return;
  const [first, ...others] = new Set(branches.map(({ table }) => table));
  const queries = branches.map(({ query }) => query);
  const rows = await tx.run<{ list: number; index: number; id: string }>(
    prepared([`${first}.resolve`, ...others].join(' + '), join(queries, ' UNION ALL ')),
  );
  for (const { list, index, id } of rows) searches[list]?.found.set(index, id);
}

/** A record that an input names and that does not exist yet. */
interface NewNamed {
  readonly kind: NamedKind;
  readonly key: string;
  readonly row: RecordBase;
  /** Place of its key in the input that named it first. */
  readonly at: FieldPath;
}

/** Returns the ids in values, of which some may be records with a kind. */
const idsIn = (values: RecordValues): unknown[] =>
  Object.values(values)
    .flat()
    .map((value) => (value as { readonly id?: unknown } | null)?.id ?? value);

/**
 * Records that inputs name and that do not exist yet. They have their ids from the start, so that the inputs
 * can be checked before anything is written.
 */
export class NewNames {
  /** True if nothing may be written, or if one refusal must not undo the others. Refusals are then foreseen. */
  readonly isAhead: boolean;
  readonly #byKey = new Map<string, NewNamed>();
  readonly #byId = new Map<string, NewNamed>();
  /** The ids of those that others have created meanwhile. */
  readonly #others = new Map<string, string>();
  readonly #taken = new Map<string, boolean>();
  readonly #titles: ReadonlyMap<string, string>;
  /** Ids of the records that were created so far. */
  readonly created: string[] = [];
  /** Ids of records that inputs before these are going to create. */
  readonly expected = new Set<string>();

  /** @param titles names of records to be created, by their natural keys as they are compared */
  constructor({
    isAhead = false,
    titles = new Map(),
  }: { readonly isAhead?: boolean; readonly titles?: ReadonlyMap<string, string> } = {}) {
    this.isAhead = isAhead;
    this.#titles = titles;
  }

  /** Returns the id of a record to be created, by its natural key. The values may have an id. */
  ensure(
    tx: Transaction,
    session: Session,
    { kind, key, teamId, values, at }: Omit<NewNamed, 'row'> & { teamId: string; values: object },
  ): string {
    const name = [kind.resource.kind, kind.inWorkspace ? teamId : '', folded(key.trim())].join(' ');
    const { caller, now } = session;
    const base = { organizationId: caller.organizationId, teamId, created: now, modified: now };
    const { id: ownId } = values as { readonly id?: string };
    const known = this.#byKey.get(name) ?? {
      kind,
      key,
      at,
      row: { ...values, id: ownId ?? newId(), ...base },
    };
    const { id } = known.row;
    this.#byKey.set(name, known);
    this.#byId.set(id, known);
    // Whoever looks it up finds what is going to be there.
    tx.lookUps.set(`${kind.resource.kind} ${id}`, Promise.resolve(known.row));
    return id;
  }

  /** Returns the values of a record to be created. A contact with an address may have a name, too. */
  valuesOf({ kind, key }: Pick<NewNamed, 'kind' | 'key'>): Readonly<Record<string, string>> {
    const name = kind.key === 'email' ? this.#titles.get(folded(key.trim())) : undefined;
    return { [kind.key]: key, ...(name !== undefined && { name }) };
  }

  /** Returns a record to be created, by its id. */
  find(id: string): RecordBase | undefined {
    return this.#byId.get(id)?.row;
  }

  /** Lists those among the ids in values that have not been created yet. */
  among(records: readonly RecordValues[]): NewNamed[] {
    const ids = new Set(records.flatMap(idsIn));
    return [...ids].flatMap((id) => {
      const found = this.#byId.get(id as string);
      return found && !this.#others.has(found.row.id) ? found : [];
    });
  }

  /** Notes that a record exists, under its own id or another one. */
  settle({ row }: NewNamed, id: string): void {
    this.#others.set(row.id, id);
  }

  /** Replaces ids in values by those under which the records exist. */
  settled<Values extends RecordValues>(values: Values): Values {
    if (this.#others.size === 0) return values;
    const withId = (value: unknown): unknown => {
      const id = (value as { readonly id?: string } | null)?.id;
      if (id === undefined) return this.#others.get(value as string) ?? value;
      return { ...(value as object), id: this.#others.get(id) ?? id };
    };
    const replaced = (value: unknown): unknown =>
      Array.isArray(value) ? value.map(replaced) : withId(value);
    const entries = Object.entries(values).map(([field, value]) => [field, replaced(value)]);
    return Object.fromEntries(entries) as Values;
  }

  /** Returns which keys belong to records that the caller does not see. They cannot be created. */
  async takenAmong(session: Session, kind: NamedKind, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const name = (key: string) => `${kind.resource.kind} ${key}`;
    // Within a workspace, the caller sees all.
    const unknown = kind.inWorkspace ? [] : keys.filter((key) => !this.#taken.has(name(key)));
    if (unknown.length > 0) {
      const { table, uniqueBy: [, ...within] = [''] } = kind.resource;
      const column = raw(kind.key);
      const outside = raw(within.map((field) => ` AND found.${snakeCase(field)} IS NULL`).join(''));
      const statement = sql`
        SELECT wanted.key FROM unnest((SELECT ${unknown}::text[])) AS wanted (key) CROSS JOIN LATERAL (
          SELECT FROM ${raw(table)} AS found WHERE found.organization_id = ${session.caller.organizationId}::uuid
            AND natural_key(found.${column}) = natural_key(wanted.key) ${outside} LIMIT 1
        ) AS taken`;
      const found = await readByIndex<{ key: string }>(
        session.database,
        prepared(`${table}.taken`, statement),
      );
      const taken = new Set(found.map(({ key }) => key));
      for (const key of unknown) this.#taken.set(name(key), taken.has(key));
    }
    return new Set(keys.filter((key) => this.#taken.get(name(key))));
  }
}

const namesOf = new WeakMap<Transaction, NewNames>();

/** Returns the records that are going to be created in a transaction. */
export function newNamesIn(tx: Transaction): NewNames {
  const names = namesOf.get(tx) ?? new NewNames();
  namesOf.set(tx, names);
  return names;
}

/** Lets a transaction know the records that earlier ones were going to create. */
export function shareNewNames(tx: Transaction, names: NewNames): void {
  namesOf.set(tx, names);
}

/**
 * Creates the missing records that checked values name, with their events.
 * @returns the values, with the ids under which the records exist
 * @throws GatewayError BAD_REQUEST for a name of a record that the caller may not use
 */
export async function createNamed<Values extends RecordValues>(
  tx: Transaction,
  session: Session,
  records: readonly Values[],
): Promise<readonly Values[]> {
  const names = namesOf.get(tx);
  if (!names) return records;
  for (const alike of groupBy(names.among(records), ({ kind }) => kind.resource.kind)) {
    // In the order of their keys, so that two writers create what they both name in the same order.
    await create(
      tx,
      session,
      names,
      alike.sort((a, b) => (a.key < b.key ? -1 : 1)),
    );
  }
  return records.map((values) => names.settled(values));
}

async function create(tx: Transaction, session: Session, names: NewNames, wanted: NewNamed[]): Promise<void> {
  const [first] = wanted;
  if (!first) return;
  const { kind } = first;
  const events = wanted.map(({ row }) => createdEvent(kind.resource, row));
  const log = (inserted?: Sql) => eventsSql(session, events, inserted);
  const rows = wanted.map(({ row }) => ({ ...row }));
  const made = await insertMissing(tx, kind.resource.rows.model, rows, log);
  for (const one of wanted) if (made.has(one.row.id)) names.settle(one, one.row.id);
  names.created.push(...made);
  const others = wanted.filter(({ row }) => !made.has(row.id));
  if (others.length === 0) return;
  // Another writer has created these meanwhile, perhaps where the caller does not see them.
  const searches = others.map(({ key, row }) => ({
    ...{ kind, teamId: row.teamId, wanted: [{ index: 0, id: undefined, key }] },
    found: new Map<number, string>(),
  }));
  await findIds(tx, session, searches);
  const problems = new Violations();
  for (const [place, one] of others.entries()) {
    const id = searches[place]?.found.get(0);
    if (id === undefined) problems.add(one.at, unusable(kind), 'reference');
    else names.settle(one, id);
  }
  problems.end();
}

/** Returns what is said of a key whose record the caller may not use. */
export const unusable = ({ resource }: NamedKind): string =>
  `names a ${entityNames[resource.kind]} that you cannot use`;

/**
 * A nested record in an input, by id or natural key. If the natural key is unknown, the record is created.
 */
export interface NamedEntry {
  readonly id?: string | null;
  readonly [key: string]: string | null | undefined;
}

/** A list of nested records in the input of a record. */
export interface NamedList {
  readonly kind: NamedKind;
  readonly entries: readonly NamedEntry[];
  /** Returns the path of an entry in the input, or of its member, by index. */
  readonly at: (index: number, member?: string) => FieldPath;
  /** Ids that need no query, because the record already links to them. */
  readonly known?: readonly string[];
}

/** Ids of each list, in the order of its entries. Lists may belong to several records. */
type Ids = readonly (readonly string[])[];

/** A list whose entries have been read. */
interface Search extends NamedList, IdSearch {}

/** Lists of an input that is being checked. */
interface Request {
  readonly write: Write;
  readonly lists: readonly NamedList[];
}

const resolvers = new WeakMap<Transaction, DataLoader<Request, Ids>>();

/**
 * Resolves lists of nested records to ids, with one statement for each turn. Records
 * with unknown natural keys get an id, too: `createNamed` creates them before it is stored.
 * @throws GatewayError BAD_REQUEST naming the entries that refer to nothing, or to nothing that the caller
 *   may use
 */
export function resolveNamed(write: Write, lists: readonly NamedList[]): Promise<Ids> {
  const { tx } = write;
  const { expected } = newNamesIn(tx);
  const wanted = lists.map(({ known = [], ...list }) => {
    const ids = list.entries.flatMap(({ id }) => id?.toLowerCase() ?? []);
    const used = ids.filter((id) => known.includes(id) || expected.has(id));
    return { ...list, known: used };
  });
  const key = wanted.map(({ kind, entries, known }) => [kind.resource.kind, entries, known]);
  const resolver = resolvers.get(tx) ?? new DataLoader(resolveAll, { cache: false });
  resolvers.set(tx, resolver);
  return lookUpOnce(tx, JSON.stringify([write.teamId, key]), () => resolver.load({ write, lists: wanted }));
}

/** Resolves the lists of several inputs. @returns the ids of each, or what is wrong with it */
async function resolveAll(requests: readonly Request[]): Promise<(Ids | Error)[]> {
  // Read all entries first, before a long list costs a query.
  const read = requests.map(({ write, lists }) => {
    const problems = new Violations();
    return { write, problems, searches: lists.map((list) => readEntries(write, list, problems)) };
  });
  const [first] = read;
  if (!first) return [];
  const { tx, session } = first.write;
  const all = read.flatMap(({ searches }) => searches);
  await findIds(tx, session, all);
  const taken = await takenKeys(tx, session, all);
  return read.map(({ write, problems, searches }) => {
    noteUnknownIds(searches, problems);
    // Create nothing for an input that is rejected.
    if (problems.isEmpty) for (const search of searches) planMissing(write, search, taken, problems);
    return problems.isEmpty
      ? searches.map(({ wanted, found }) => wanted.map(({ index }) => found.get(index) ?? ''))
      : problems.toError();
  });
}

/** Finds the missing keys of records out of the caller's sight, if that is needed. */
async function takenKeys(
  tx: Transaction,
  session: Session,
  searches: readonly Search[],
): Promise<ReadonlyMap<NamedKind, ReadonlySet<string>>> {
  const names = newNamesIn(tx);
  const taken = new Map<NamedKind, ReadonlySet<string>>();
  if (!names.isAhead) return taken;
  for (const alike of groupBy(searches, ({ kind }) => kind.resource.kind)) {
    const keys = new Set(alike.flatMap((search) => missingKeys(search).map(({ key }) => key)));
    const kind = alike[0]?.kind;
    if (kind) taken.set(kind, await names.takenAmong(session, kind, [...keys]));
  }
  return taken;
}

/** Reports the ids of entries for which nothing was found. */
function noteUnknownIds(searches: readonly Search[], problems: Violations): void {
  for (const { kind, wanted, found, at } of searches) {
    for (const { index, id } of wanted) {
      if (id === undefined || found.has(index)) continue;
      problems.add(at(index, 'id'), `names no ${entityNames[kind.resource.kind]} that exists`, 'reference');
    }
  }
}

/** Reads the entries of a list and which records they name. Entries that name none are reported. */
function readEntries({ teamId }: Write, list: NamedList, problems: Violations): Search {
  const { kind, entries, at, known = [] } = list;
  if (entries.length > limits.entries) {
    problems.add(at(0).slice(0, 1), `must have at most ${limits.entries} entries`, 'entries');
    return { ...list, teamId, wanted: [], found: new Map() };
  }
  const rule = kind.resource.sortable.get(kind.key);
  const wanted = entries.map((entry, index): Wanted => {
    const id = entry.id?.toLowerCase() || undefined;
    const key = id === undefined ? entry[kind.key]?.trim() || undefined : undefined;
    if (id === undefined && key === undefined) {
      problems.add(at(index), `needs an id or ${kind.key}`, 'required');
    }
    if (key !== undefined && !isVisible(key)) {
      problems.add(at(index, kind.key), unseenName.error, unseenName.params.rule);
      return { index, id, key: undefined };
    }
    if (!rule || key === undefined) return { index, id, key };
    try {
      return { index, id, key: String(check(rule, key, at(index, kind.key))) };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      problems.addAll(error);
      return { index, id, key: undefined };
    }
  });
  const linked = wanted.flatMap(({ index, id }): [number, string][] =>
    id !== undefined && known.includes(id) ? [[index, id]] : [],
  );
  return { ...list, teamId, wanted, found: new Map(linked) };
}

/** Gives ids to the records that a list's unknown natural keys are going to create. */
function planMissing(
  { tx, session, teamId }: Write,
  search: Search,
  taken: ReadonlyMap<NamedKind, ReadonlySet<string>>,
  problems: Violations,
): void {
  const { kind, at, found } = search;
  for (const { index, key } of missingKeys(search)) {
    const place = at(index, kind.key);
    if (taken.get(kind)?.has(key)) {
      problems.add(place, unusable(kind), 'reference');
      continue;
    }
    try {
      const names = newNamesIn(tx);
      const values = check(kind.resource.rules, names.valuesOf({ kind, key }), at(index));
      found.set(index, names.ensure(tx, session, { kind, key, teamId, values, at: place }));
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      problems.addAll(error);
    }
  }
}
