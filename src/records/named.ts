import { named } from '../db/connection/statement.js';
import { visibleSql } from '../db/sql/conditions.js';
import { insertRows } from '../db/sql/write.js';
import { badField, type FieldPath, GatewayError } from '../domain/errors.js';
import { entityNames } from '../domain/events.js';
import { check, isUuid, limits, newId } from '../domain/rules.js';
import { Violations } from '../domain/violations.js';
import { Prisma } from '../generated/prisma/client.js';
import { logEvents } from './event-logs.js';
import { lookUpOnce } from './loaders.js';
import { createdEvent } from './record-events.js';
import type { RecordBase, Resource, Values, Write } from './resource.js';

const { raw, sql } = Prisma;

/** A nested record as input: by id, or by natural key. A record with an unknown natural key is created. */
export interface NamedEntry {
  readonly id?: string | null;
  readonly [key: string]: string | null | undefined;
}

/** A kind of records with a natural key. */
export interface NamedKind {
  readonly resource: Resource;
  /** Field of the natural key. */
  readonly key: 'email' | 'name';
  /** True if keys are unique in a workspace, false if in the organization. */
  readonly inWorkspace: boolean;
}

interface Wanted {
  readonly index: number;
  readonly id: string | undefined;
  readonly key: string | undefined;
}

/**
 * Resolves nested records to ids, with a constant number of statements. Records with unknown natural keys are
 * created, each with its event.
 * @param at path of an entry in the input, by its index
 * @param known ids that need no query, because the record links to them already
 * @throws GatewayError BAD_REQUEST naming the entries that name nothing, or nothing that the caller may use
 */
export function resolveNamed(
  write: Write,
  kind: NamedKind,
  entries: readonly NamedEntry[],
  at: (index: number) => FieldPath,
  known: readonly string[] = [],
): Promise<string[]> {
  const used = known.filter((id) => entries.some((entry) => entry.id?.toLowerCase() === id));
  const key = JSON.stringify([kind.resource.kind, write.teamId, entries, used]);
  return lookUpOnce(write.tx, key, () => resolve(write, kind, entries, at, used));
}

async function resolve(
  write: Write,
  kind: NamedKind,
  entries: readonly NamedEntry[],
  at: (index: number) => FieldPath,
  known: readonly string[],
): Promise<string[]> {
  // Before anything is looked up or made, and so before a long list costs anything.
  if (entries.length > limits.entries) {
    throw badField(at(0).slice(0, 1), `must have at most ${limits.entries} entries`, 'entries');
  }
  const problems = new Violations();
  const rule = kind.resource.sortable.get(kind.key);
  const wanted = entries.map((entry, index): Wanted => {
    const id = entry.id?.toLowerCase() || undefined;
    const key = id === undefined ? entry[kind.key]?.trim() || undefined : undefined;
    if (id === undefined && key === undefined) {
      problems.add(at(index), `needs an id or ${kind.key}`, 'required');
    }
    if (!rule || key === undefined) return { index, id, key };
    try {
      return { index, id, key: String(check(rule, key, [...at(index), kind.key])) };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      problems.addAll(error);
      return { index, id, key: undefined };
    }
  });
  const found = await findIds(write, kind, wanted, known);
  const unknown = wanted.filter(({ index, key }) => key !== undefined && !found.has(index));
  // Nothing is made of an input that is refused.
  if (unknown.length > 0 && problems.isEmpty) {
    const made = await insertMissing(write, kind, unknown, at);
    for (const [index, id] of await findIds(write, kind, unknown, [])) found.set(index, id);
    await logInserted(write, kind, made, new Set(found.values()));
  }
  const name = entityNames[kind.resource.kind];
  const isRefused = !problems.isEmpty;
  const ids = wanted.map(({ index, id, key }) => {
    const resolved = found.get(index);
    if (resolved !== undefined) return resolved;
    if (id !== undefined) problems.add([...at(index), 'id'], `names no ${name} that exists`, 'reference');
    else if (key !== undefined && !isRefused) {
      problems.add([...at(index), kind.key], `names a ${name} that you cannot use`, 'reference');
    }
    return '';
  });
  problems.end();
  return ids;
}

/** Finds the wanted records that the caller may see: ids by entry index. */
async function findIds(
  { tx, session, teamId }: Write,
  { resource, key, inWorkspace }: NamedKind,
  wanted: readonly Wanted[],
  known: readonly string[],
): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const { index, id } of wanted) if (id !== undefined && known.includes(id)) found.set(index, id);
  const open = wanted.filter(({ index }) => !found.has(index));
  if (open.length === 0) return found;
  const ids = open.flatMap(({ index, id }) => (id !== undefined && isUuid(id) ? [{ index, id }] : []));
  const keys = open.flatMap((entry) =>
    entry.key !== undefined ? [{ index: entry.index, key: entry.key }] : [],
  );
  const table = raw(resource.table);
  const visible = visibleSql(session, resource.kind, 'found');
  // Two branches, so that each is answered by its own unique index.
  const statement = sql`
    SELECT wanted.index, found.id
    FROM unnest(${ids.map(({ index }) => index)}::int[], ${ids.map(({ id }) => id)}::uuid[]) AS wanted (index, id)
    JOIN ${table} AS found ON found.id = wanted.id
    WHERE ${visible}
    UNION ALL (
      SELECT DISTINCT ON (wanted.index) wanted.index, found.id
      FROM unnest(${keys.map(({ index }) => index)}::int[], ${keys.map((entry) => entry.key)}::text[])
        AS wanted (index, key)
      JOIN ${table} AS found ON natural_key(found.${raw(key)}) = natural_key(wanted.key)
      WHERE ${visible} AND (NOT ${inWorkspace} OR found.team_id = ${teamId}::uuid)
      ORDER BY wanted.index, found.team_id <> ${teamId}::uuid, found.created, found.id
    )`;
  const rows = await tx.run<{ index: number; id: string }>(named(`${resource.table}.resolve`, statement));
  for (const { index, id } of rows) found.set(index, id);
  return found;
}

/** Inserts records for unknown natural keys. One that another writer has just inserted is found afterwards. */
async function insertMissing(
  write: Write,
  kind: NamedKind,
  unknown: readonly Wanted[],
  at: (index: number) => FieldPath,
): Promise<(RecordBase & Values)[]> {
  const { caller, now } = write.session;
  const rows = unknown.map(({ index, key }) => ({
    ...check(kind.resource.rules, { [kind.key]: key }, at(index)),
    id: newId(),
    organizationId: caller.organizationId,
    teamId: write.teamId,
    created: now,
    modified: now,
  }));
  // The model is known when it runs only; the resource's rules have checked the values.
  await insertRows(write.tx, kind.resource.rows.model, rows as never, { skipDuplicates: true });
  return rows;
}

/** Writes the events of the records that were really inserted. */
async function logInserted(
  { tx, session }: Write,
  { resource }: NamedKind,
  rows: readonly (RecordBase & Values)[],
  used: ReadonlySet<string>,
): Promise<void> {
  const made = rows.filter(({ id }) => used.has(id));
  await logEvents(
    tx,
    session,
    made.map((row) => createdEvent(resource, row)),
  );
}
