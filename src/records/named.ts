import { named } from '../db/connection/statement.js';
import { visibleSql } from '../db/sql/conditions.js';
import { insertMissing } from '../db/sql/write-record.js';
import { type FieldPath, GatewayError } from '../domain/errors.js';
import { entityNames } from '../domain/events.js';
import { Violations } from '../domain/input/violations.js';
import { check, isUuid, limits, newId, unseenName } from '../domain/rules.js';
import { isVisible } from '../domain/text/names.js';
import { Prisma } from '../generated/prisma/client.js';
import { eventsSql } from './event-logs.js';
import { lookUpOnce } from './loaders.js';
import { createdEvent } from './record-events.js';
import type { Resource, Write } from './resource.js';

const { join, raw, sql } = Prisma;

/**
 * A nested record in an input, by id or natural key. If the natural key is unknown, the record is created.
 */
export interface NamedEntry {
  readonly id?: string | null;
  readonly [key: string]: string | null | undefined;
}

/** A kind of records with a natural key. */
export interface NamedKind {
  readonly resource: Resource;
  /** Field of the natural key. */
  readonly key: 'email' | 'name';
  /** True if keys are unique per workspace, false if per organization. */
  readonly inWorkspace: boolean;
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

interface Wanted {
  readonly index: number;
  readonly id: string | undefined;
  readonly key: string | undefined;
}

/** A list whose entries have been read, with the ids found by entry index. */
interface Search extends NamedList {
  readonly wanted: readonly Wanted[];
  readonly found: Map<number, string>;
}

/**
 * Resolves lists of nested records to ids, with one statement for all of them. Records with unknown natural
 * keys are created with their events, in one more statement per list.
 * @throws GatewayError BAD_REQUEST naming the entries that refer to nothing, or to nothing that the caller
 *   may use
 */
export function resolveNamed(write: Write, lists: readonly NamedList[]): Promise<Ids> {
  const wanted = lists.map(({ known = [], ...list }) => {
    const used = known.filter((id) => list.entries.some((entry) => entry.id?.toLowerCase() === id));
    return { ...list, known: used };
  });
  const key = wanted.map(({ kind, entries, known }) => [kind.resource.kind, entries, known]);
  return lookUpOnce(write.tx, JSON.stringify([write.teamId, key]), () => resolve(write, wanted));
}

async function resolve(write: Write, lists: readonly NamedList[]): Promise<Ids> {
  // Read all entries first, before a long list costs a query.
  const problems = new Violations();
  const searches = lists.map((list) => readEntries(list, problems));
  await findIds(write, searches);
  noteUnknownIds(searches, problems);
  // Create nothing for an input that is rejected.
  problems.end();
  // In sequence, so that two writers create what they both name in the same order.
  for (const search of searches) await makeMissing(write, search);
  const resolved = searches.map(({ kind, wanted, found, at }) =>
    wanted.map(({ index }) => {
      const id = found.get(index);
      const name = entityNames[kind.resource.kind];
      if (id === undefined)
        problems.add(at(index, kind.key), `names a ${name} that you cannot use`, 'reference');
      return id ?? '';
    }),
  );
  problems.end();
  return resolved;
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
function readEntries(list: NamedList, problems: Violations): Search {
  const { kind, entries, at, known = [] } = list;
  if (entries.length > limits.entries) {
    problems.add(at(0).slice(0, 1), `must have at most ${limits.entries} entries`, 'entries');
    return { ...list, wanted: [], found: new Map() };
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
  return { ...list, wanted, found: new Map(linked) };
}

/** Returns the entries of a list whose natural keys have found no record yet. */
const missingKeys = ({ wanted, found }: Search) =>
  wanted.flatMap(({ index, key }) => (key !== undefined && !found.has(index) ? [{ index, key }] : []));

/** Finds the named records that are not found yet. The caller must see them. */
async function findIds({ tx, session, teamId }: Write, searches: readonly Search[]): Promise<void> {
  const branches = searches.flatMap((search, list) => {
    const { wanted, found, kind } = search;
    const { resource, key, inWorkspace } = kind;
    const ids = wanted.flatMap(({ index, id }) =>
      id !== undefined && !found.has(index) && isUuid(id) ? [{ index, id }] : [],
    );
    const keys = missingKeys(search);
    const table = sql`${raw(resource.table)} AS found`;
    const visible = visibleSql(session, resource.kind, 'found');
    const place = sql`${raw(String(list))} AS list, wanted.index, found.id`;
    // A UNION, so that each branch uses its own unique index. No single plan would look up all keys by index.
    const byId = sql`
      SELECT ${place} FROM ${entriesSql(ids, 'id', 'uuid')} JOIN ${table} ON found.id = wanted.id WHERE ${visible}`;
    const here = sql`found.team_id = ${teamId}::uuid`;
    const byKey = sql`
      SELECT ${place} FROM ${entriesSql(keys, 'key', 'text')} CROSS JOIN LATERAL (
        SELECT found.id FROM ${table}
        WHERE natural_key(found.${raw(key)}) = natural_key(wanted.key) AND ${visible}
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
    named([`${first}.resolve`, ...others].join(' + '), join(queries, ' UNION ALL ')),
  );
  for (const { list, index, id } of rows) searches[list]?.found.set(index, id);
}

/** Returns the rows `wanted`: the index and the key of each entry. */
function entriesSql<Member extends string>(
  entries: readonly ({ readonly index: number } & Record<Member, string>)[],
  member: Member,
  type: 'uuid' | 'text',
): Prisma.Sql {
  const indexes = sql`(SELECT ${entries.map(({ index }) => index)}::int[])`;
  const names = sql`(SELECT ${entries.map((entry) => entry[member])}::${raw(type)}[])`;
  return sql`unnest(${indexes}, ${names}) AS wanted (index, ${raw(member)})`;
}

/** Creates records for the unknown natural keys of a list, with their events. */
async function makeMissing(write: Write, search: Search): Promise<void> {
  const { kind, at, found } = search;
  const { resource } = kind;
  const missing = missingKeys(search);
  if (missing.length === 0) return;
  const { tx, session, teamId } = write;
  const { caller, now } = session;
  const rows = missing.map(({ index, key }) => ({
    ...check(resource.rules, { [kind.key]: key }, at(index)),
    id: newId(),
    organizationId: caller.organizationId,
    teamId,
    created: now,
    modified: now,
  }));
  const events = rows.map((row) => createdEvent(resource, row));
  const log = (inserted?: Prisma.Sql) => eventsSql(session, events, inserted);
  const made = await insertMissing(tx, resource.rows.model, rows, log);
  for (const [place, { index }] of missing.entries()) {
    const id = rows[place]?.id ?? '';
    if (made.has(id)) found.set(index, id);
  }
  // Some keys may have been inserted by another writer, or by an earlier entry.
  if (made.size < missing.length) await findIds(write, [search]);
}
