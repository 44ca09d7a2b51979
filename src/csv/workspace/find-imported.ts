import type { Session } from '../../db/connection/session.js';
import { readRows } from '../../db/sql/select.js';
import { folded } from '../../domain/text/names.js';
import { matchByKey, readLocationPaths } from '../../imports/matches.js';
import { unguarded } from '../columns.js';
import { keyColumns } from '../import/match.js';
import { batchesOf, batchRows } from '../import/process.js';
import { refuseZip } from './archive.js';
import {
  type ArchivedList,
  type ArchivedRow,
  type ImportedRecord,
  type ImportedRecords,
  importedId,
  maxRecords,
} from './lists.js';

/** A record that exists, with its workspace. */
interface Placed {
  readonly id: string;
  readonly teamId: string;
}

/** Reads which of some records exist, and in which workspace they are. */
async function readPlaced(
  session: Session,
  { resource }: ArchivedList,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Placed>> {
  if (ids.length === 0) return new Map();
  const where = { id: { in: [...new Set(ids)] } };
  // All kinds that can be imported have these columns.
  const rows = await readRows(session, resource.rows.model, { where }, ['id', 'teamId'] as never);
  return new Map((rows as readonly unknown[] as readonly Placed[]).map((row) => [row.id, row]));
}

/** Returns the text of a row's cell. */
function cellOf({ mapping }: ArchivedList, { cells }: ArchivedRow, column: string): string | null {
  return unguarded(cells[mapping.columns.indexOf(column)] ?? '').trim() || null;
}

/** Kinds whose records of other workspaces can be linked to. */
const sharedKinds = new Set(['CONTACTS', 'LOCATIONS']);

/** Finds the records of rows by their natural keys, where no id leads to one. */
async function findByKey(
  session: Session,
  list: ArchivedList,
  teamId: string,
  rows: readonly ArchivedRow[],
): Promise<ReadonlyMap<string, ImportedRecord>> {
  const [column, field] = keyColumns[list.kind] ?? [];
  if (column === undefined || field === undefined || rows.length === 0) return new Map();
  const keys = rows.map((row) => cellOf(list, row, column));
  const isShared = sharedKinds.has(list.kind);
  const matches = await matchByKey(session, list.resource, field, keys, isShared ? {} : { teamId });
  const placed = await readPlaced(session, list, [...matches.values()].flat());
  const found = new Map<string, ImportedRecord>();
  for (const [at, ids] of matches) {
    const record = ids.length === 1 ? placed.get(ids[0] ?? '') : undefined;
    const row = rows[at];
    if (record && row)
      found.set(row.id, { id: record.id, state: record.teamId === teamId ? 'here' : 'elsewhere' });
  }
  return found;
}

/** Notes the records of some rows. They exist here, were imported before, or are new. */
async function noteRows(
  session: Session,
  list: ArchivedList,
  targets: ImportedRecords,
  teamId: string,
  rows: readonly ArchivedRow[],
): Promise<readonly ArchivedRow[]> {
  const own = targets.of(list.of);
  const placed = await readPlaced(
    session,
    list,
    rows.flatMap(({ id }) => [id, importedId(teamId, id)]),
  );
  const isHere = (id: string) => placed.get(id)?.teamId === teamId;
  const rest: ArchivedRow[] = [];
  for (const row of rows) {
    const derived = importedId(teamId, row.id);
    if (own.has(row.id)) throw refuseZip(`line ${row.line} of ${list.name}.csv has the id of another row`);
    if (targets.count >= maxRecords) throw refuseZip(`it has more than ${maxRecords} records`);
    const known = isHere(row.id) ? row.id : isHere(derived) ? derived : undefined;
    own.set(row.id, { id: known ?? derived, state: known ? 'here' : 'new' });
    if (!known) rest.push(row);
  }
  for (const [id, target] of await findByKey(session, list, teamId, rest)) own.set(id, target);
  return rest;
}

/** A location in an archive, as far as its place is concerned. */
interface Place {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string | null;
}

const placeKey = (parentId: string | null, name: string | null) =>
  `${parentId ?? ''} ${folded(name?.trim() ?? '')}`;

/** The most locations that another one may lie in. */
const deepest = 100;

/** Returns how deep each location lies in others. @throws GatewayError BAD_REQUEST for a cycle, or too deep */
function depthsOf(places: ReadonlyMap<string, Place>): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const { id } of places.values()) {
    const path: string[] = [];
    let at: string | null = id;
    while (at !== null && places.has(at) && !depths.has(at)) {
      if (path.includes(at)) throw refuseZip(`the location ${at} lies in itself`);
      path.push(at);
      if (path.length > deepest) throw refuseZip(`its locations lie more than ${deepest} deep in each other`);
      at = places.get(at)?.parentId ?? null;
    }
    let depth = at === null ? 0 : (depths.get(at) ?? -1) + 1;
    for (const one of path.reverse()) depths.set(one, depth++);
    if (depth > deepest) throw refuseZip(`its locations lie more than ${deepest} deep in each other`);
  }
  return depths;
}

/**
 * Finds the records that locations are about. Names are unique within their parents, so they are found from
 * the outside inwards.
 * @returns how deep each lies in others
 */
async function findPlaces(
  session: Session,
  list: ArchivedList,
  targets: ImportedRecords,
  teamId: string,
): Promise<ReadonlyMap<string, number>> {
  const places = new Map<string, Place>();
  const own = targets.of(list.of);
  for await (const batch of batchesOf(list.rows, batchRows)) {
    await noteRows(session, list, targets, teamId, batch);
    for (const row of batch) {
      const parentId = cellOf(list, row, 'parent_location_id')?.toLowerCase() ?? null;
      places.set(row.id, { id: row.id, parentId, name: cellOf(list, row, 'name') });
    }
  }
  const depths = depthsOf(places);
  const existing = new Map(
    (await readLocationPaths(session))
      .filter(({ isVisible }) => isVisible)
      .map(({ id, name, parentLocationId }) => [placeKey(parentLocationId, name), id]),
  );
  const matched = new Map<string, string>();
  const inwards = [...places.values()].sort((a, b) => (depths.get(a.id) ?? 0) - (depths.get(b.id) ?? 0));
  for (const { id, parentId, name } of inwards) {
    if (own.get(id)?.state !== 'new') continue;
    const parent = parentId === null ? null : (own.get(parentId)?.id ?? parentId);
    const same = existing.get(placeKey(parent, name));
    if (same === undefined) continue;
    matched.set(id, same);
    own.set(id, { id: same, state: 'here' });
  }
  const placed = await readPlaced(session, list, [...matched.values()]);
  for (const [id, same] of matched)
    if (placed.get(same)?.teamId !== teamId) own.set(id, { id: same, state: 'elsewhere' });
  return depths;
}

/** Locations of an archive from the outside inwards. */
async function* inwards(
  list: ArchivedList,
  depths: ReadonlyMap<string, number>,
): AsyncGenerator<ArchivedRow> {
  const most = [...depths.values()].reduce((one, depth) => Math.max(one, depth), 0);
  for (let depth = 0; depth <= most; depth++)
    for await (const row of list.rows) if (depths.get(row.id) === depth) yield row;
}

/**
 * Finds the records that a list's rows are about, before any is written.
 * @returns the list, in the order in which its rows can be written
 * @throws GatewayError BAD_REQUEST for two rows with one id, locations in themselves, or too many records
 */
export async function findImported(
  session: Session,
  list: ArchivedList,
  targets: ImportedRecords,
  teamId: string,
  signal: AbortSignal,
): Promise<ArchivedList> {
  if (list.kind === 'LOCATIONS') {
    const depths = await findPlaces(session, list, targets, teamId);
    return { ...list, rows: { [Symbol.asyncIterator]: () => inwards(list, depths) } };
  }
  for await (const batch of batchesOf(list.rows, batchRows)) {
    signal.throwIfAborted();
    await noteRows(session, list, targets, teamId, batch);
  }
  return list;
}
