import DataLoader from 'dataloader';
import type { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { type FieldPath, GatewayError } from '../../domain/errors.js';
import { entityNames } from '../../domain/events.js';
import { Violations } from '../../domain/input/violations.js';
import { groupBy } from '../../domain/load/grouping.js';
import { check, limits, unseenName } from '../../domain/rules.js';
import { isVisible } from '../../domain/text/names.js';
import { lookUpOnce } from '../loaders.js';
import type { Write } from '../resource.js';
import { findIds, type IdSearch, missingKeys, type NamedKind, type Wanted } from './named-ids.js';
import { newNamesIn, unusable } from './named-new.js';

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
      const values = check(kind.resource.rules, { [kind.key]: key }, at(index));
      found.set(index, newNamesIn(tx).ensure(tx, session, { kind, key, teamId, values, at: place }));
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      problems.addAll(error);
    }
  }
}
