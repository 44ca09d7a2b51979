import type { Caller } from '../../domain/caller.js';
import { badField, GatewayError } from '../../domain/errors.js';
import { byKind, type RecordKind } from '../../domain/models.js';
import { isUuid } from '../../domain/rules.js';
import { recordVersion, versionTimes } from '../../domain/versions.js';
import type { Database } from '../connection/database.js';
import { prepared, type Statement } from '../connection/statement.js';
import { columnSql, modelFields } from '../sql/conditions.js';
import { modelInfo, modelName, recordNames } from '../sql/models.js';
import { join, raw, type Sql, sql } from '../sql/sql.js';

/**
 * Kinds of records whose changes are reported. The event log, the ledger of reminders and the queue of
 * deliveries only grow, and have streams or lists of their own; tokens, suppressions and webhooks
 * are only for administrators; a chat channel changes with each message, and a link to a record's compliance with each
 * use. Compliance follows from what is reported.
 */
export type ChangedKind = Exclude<RecordKind, ExcludedKind>;

const excludedKinds = [
  'eventLog',
  'reminder',
  'delivery',
  'accessToken',
  'suppression',
  'channel',
  'complianceLink',
  'webhookEndpoint',
  'webhookMessage',
  'webhookDelivery',
  'holderCompliance',
] as const;

type ExcludedKind = (typeof excludedKinds)[number];

const tableByKind = byKind<RecordKind, string>(({ noun, table }) => (noun ? table : undefined));

const excluded: ReadonlySet<string> = new Set(excludedKinds);

/** Kinds of records whose changes are reported, and their tables. */
export const changedTables = Object.entries(tableByKind).filter(([kind]) => !excluded.has(kind)) as [
  ChangedKind,
  string,
][];

const kindByTable: ReadonlyMap<string, ChangedKind> = new Map(
  changedTables.map(([kind, table]) => [table, kind]),
);

/** A changed record as it is now. */
interface RecordState {
  /** Its workspace; null if the whole organization sees it. */
  readonly teamId: string | null;
  readonly version: string;
}

/** Returns SQL for the workspace in which callers see a row. */
function teamSql(kind: ChangedKind): Sql {
  const { scope } = modelInfo[modelName(kind)];
  if (scope === 'organization') return raw('NULL::uuid');
  return columnSql('record', scope === 'own workspaces' ? 'id' : 'teamId');
}

/** Returns SQL for the time that serves as a row's version. */
function modifiedSql(kind: ChangedKind): Sql {
  const time = versionTimes.find((field) => modelFields(modelName(kind)).includes(field));
  if (!time) throw new Error(`Nothing tells when a ${recordNames[kind]} was changed.`);
  return columnSql('record', time);
}

interface StateRow {
  readonly id: string;
  readonly kind: ChangedKind;
  readonly teamId: string | null;
  readonly modified: Date;
}

/**
 * Reads the current state of changed records, with one statement by key.
 * @param send sends a statement; with row-level security, on the caller's behalf
 * @returns the states by kind and id (`vehicle 0198…`), without records that are gone
 */
async function readStates(
  send: <Row>(statement: Statement) => Promise<Row[]>,
  organizationId: string,
  records: readonly { readonly kind: ChangedKind; readonly id: string }[],
): Promise<ReadonlyMap<string, RecordState>> {
  if (records.length === 0) return new Map();
  const ids = new Map(changedTables.map(([kind]) => [kind, new Set<string>()]));
  for (const { kind, id } of records) ids.get(kind)?.add(id);
  // It covers all kinds, so that there is one prepared statement: looking up no ids costs nothing. IS NOT
  // DISTINCT FROM cannot use an index, so the planner always uses that of the ids.
  const selects = changedTables.map(
    ([kind, table]) => sql`
      SELECT record.id, ${raw(`'${kind}'`)} AS kind, ${teamSql(kind)} AS "teamId", ${modifiedSql(kind)} AS modified
      FROM ${raw(table)} AS record
      WHERE record.id = ANY(${[...(ids.get(kind) ?? [])]}::uuid[])
        AND record.organization_id IS NOT DISTINCT FROM ${organizationId}::uuid`,
  );
  const rows = await send<StateRow>(prepared('record_changes.states', join(selects, ' UNION ALL ')));
  return new Map(
    rows.map(({ id, kind, teamId, modified }) => [
      `${kind} ${id}`,
      { teamId, version: recordVersion(modified) },
    ]),
  );
}

/**
 * Returns the condition that the epoch's row was written here rather than copied. It stores its transaction's
 * number, whereas pg_dump or logical replication would have written it in another one.
 */
const isOwnEpoch = (row: string) =>
  raw(`${row}.xmin::text::numeric = mod(${row}.xid::text::numeric, 4294967296)`);

/**
 * Begins an epoch if there is none. That happens at first, after a crash, which empties unlogged tables, and
 * in a copy of the database. The rows of the old epoch are deleted before anybody has a position in the new
 * one. They are not truncated, because TRUNCATE would wait for every open writer and block all others behind
 * it. Several processes may call it.
 */
async function beginEpoch(database: Database): Promise<void> {
  const begin = sql`
    INSERT INTO record_change_epochs AS epoch (id) VALUES (gen_random_uuid())
    ON CONFLICT (single) DO UPDATE SET id = excluded.id, xid = excluded.xid, gone_to = excluded.gone_to
      WHERE NOT ${isOwnEpoch('epoch')}
    RETURNING id`;
  await database.inTransaction(async (transaction) => {
    const [begun] = await transaction.run(prepared('record_changes.epoch', begin));
    if (begun) await transaction.run(prepared('record_changes.empty', sql`DELETE FROM record_changes`));
  });
}

/** The most rows that one statement deletes, per organization and in total. */
const batch = { each: 2_000, all: 20_000 };

/**
 * Deletes rows of each organization that are older than a time. It records how far it got. Of an organization whose first
 * row is not that old, nothing else is read.
 */
const forgetSql = (before: Date) => sql`
  WITH old AS (
    SELECT oldest.* FROM organizations CROSS JOIN LATERAL (
      SELECT written FROM record_changes WHERE organization_id = organizations.id ORDER BY xid, seq LIMIT 1
    ) AS first CROSS JOIN LATERAL (
      SELECT organization_id, xid, seq, written FROM record_changes
      WHERE organization_id = organizations.id AND first.written < ${before}
      ORDER BY xid, seq LIMIT ${batch.each}
    ) AS oldest
    WHERE oldest.written < ${before} LIMIT ${batch.all}
  ), gone AS (
    DELETE FROM record_changes AS record USING old
    WHERE (record.organization_id, record.xid, record.seq) = (old.organization_id, old.xid, old.seq)
    RETURNING record.xid
  ), noted AS (
    UPDATE record_change_epochs AS epoch
    SET gone_to = greatest(gone_to, (SELECT xid FROM gone ORDER BY xid DESC LIMIT 1)), xid = pg_current_xact_id()
    WHERE EXISTS (SELECT FROM gone) AND ${isOwnEpoch('epoch')}
  )
  SELECT count(*)::int AS gone FROM gone`;

/**
 * Deletes changes that are older than a time. Positions before the last deleted change are rejected from then
 * on.
 */
export async function forgetChanges(database: Pick<Database, 'query'>, before: Date): Promise<void> {
  let gone: number;
  do {
    const [row] = await database.query<{ gone: number }>(
      prepared('record_changes.forget', forgetSql(before)),
    );
    gone = row?.gone ?? 0;
  } while (gone > 0);
}

/**
 * A position in the feed of changes, after everything written at or before it. Transactions are numbered in
 * the order in which they began to write; `seq` orders the rows of one transaction.
 */
export interface FeedPosition {
  /** The feed's epoch. The numbers are only meaningful within it. */
  readonly epoch: string;
  readonly xid: bigint;
  readonly seq: bigint;
}

/** Encodes a position as a cursor, which is opaque to clients. */
export function encodePosition({ epoch, xid, seq }: FeedPosition): string {
  return Buffer.from(JSON.stringify([epoch, String(xid), String(seq)])).toString('base64url');
}

/** Largest numbers of PostgreSQL's types `xid8` and `bigint`. */
const largest = { xid: 2n ** 64n - 1n, seq: 2n ** 63n - 1n };

function readNumber(text: unknown, most: bigint): bigint | undefined {
  if (typeof text !== 'string' || !/^\d{1,20}$/.test(text)) return undefined;
  const number = BigInt(text);
  return number <= most ? number : undefined;
}

/**
 * Decodes a cursor.
 * @throws GatewayError BAD_REQUEST for anything but a cursor of `encodePosition`
 */
export function decodePosition(cursor: string): FeedPosition {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    parts = undefined;
  }
  const [epoch, first, second] = Array.isArray(parts) ? parts : [];
  const [xid, seq] = [readNumber(first, largest.xid), readNumber(second, largest.seq)];
  if (typeof epoch !== 'string' || !isUuid(epoch) || xid === undefined || seq === undefined)
    throw badField(['after'], 'is not a cursor for changes');
  return { epoch, xid, seq };
}

/** Returns whether a position comes after another one of the same epoch. */
export function isBehind(one: FeedPosition, other: FeedPosition): boolean {
  return one.xid > other.xid || (one.xid === other.xid && one.seq > other.seq);
}

/** Creates the error for a cursor after which changes may be missing. */
const cursorTooOld = (why: string) =>
  new GatewayError(
    'PRECONDITION_FAILED',
    `${why} Load the lists again, and start with \`changes(last: 1)\`.`,
  );

/** Kind of a change, as its writer meant it. */
export type ChangeName = 'created' | 'changed' | 'deleted';

const names: Readonly<Record<number, ChangeName>> = { 1: 'created', 2: 'changed', 3: 'deleted' };

/** A change of a record, with the record's current state. */
export interface StoredChange {
  readonly position: FeedPosition;
  readonly kind: ChangedKind;
  readonly id: string;
  readonly change: ChangeName;
  /** The workspace that it was written to; null if the whole organization sees it. */
  readonly teamId: string | null;
  /** The workspace that it was moved from, if it was moved. */
  readonly fromTeamId: string | null;
  /** Null if the record is gone. */
  readonly state: RecordState | null;
}

/** The part of the feed to read. */
interface ChangesQuery {
  readonly organizationId: string;
  /** Workspaces whose changes to include; all by default. Changes without a workspace are always included. */
  readonly teamIds?: readonly string[] | undefined;
  /** Kinds to include; all by default. */
  readonly kinds?: readonly ChangedKind[] | undefined;
  readonly after?: FeedPosition | undefined;
  readonly limit: number;
  /** True to read the last changes. */
  readonly backward?: boolean;
  /** On whose behalf the feed is read; row-level security limits it to that caller's rows. */
  readonly caller?: Caller;
}

/** A part of the feed, in its order. */
export interface ChangesPage {
  readonly changes: readonly StoredChange[];
  /** True if there are, or may be, more changes in the direction of reading. */
  readonly more: boolean;
  /** Position from which to continue. It advances even if nothing was found. */
  readonly end: FeedPosition;
  /** True if older open transactions hold back committed changes. */
  readonly pending: boolean;
}

/** The most feed rows that one request scans. */
const maxScanned = 2_000;

interface Row {
  readonly epoch: string;
  readonly goneTo: string;
  readonly bound: string;
  readonly pending: boolean;
  readonly scanned: number;
  readonly edgeXid: string | null;
  readonly edgeSeq: bigint | null;
  /** Null if nothing was found. */
  readonly xid: string | null;
  readonly seq: bigint;
  readonly id: string;
  readonly table: string;
  readonly change: number;
  readonly teamId: string | null;
  readonly fromTeamId: string | null;
}

function wantedSql({ teamIds, kinds }: ChangesQuery): Sql {
  const tables = [...kindByTable]
    .filter(([, kind]) => !kinds || kinds.includes(kind))
    .map(([table]) => table);
  const ofKinds = kinds ? sql`table_name = ANY(${tables}::text[])` : sql`TRUE`;
  const ofTeams = teamIds
    ? sql`(team_id IS NULL OR team_id = ANY(${teamIds}::uuid[]) OR from_team_id = ANY(${teamIds}::uuid[]))`
    : sql`TRUE`;
  return sql`${ofKinds} AND ${ofTeams}`;
}

/**
 * SQL for the oldest open transaction, or else the next one. Below it, nothing can appear any more.
 * Transactions in other databases of the server write nothing here, so they are ignored where they can be
 * recognized.
 */
const boundSql = sql`
  SELECT coalesce(
    (
      SELECT open FROM pg_snapshot_xip(pg_current_snapshot()) AS open
      WHERE mod(open::text::numeric, 4294967296)::text NOT IN (
        SELECT backend_xid::text FROM pg_stat_activity
        WHERE backend_xid IS NOT NULL AND datname <> current_database()
      )
      ORDER BY open LIMIT 1
    ),
    pg_snapshot_xmax(pg_current_snapshot())
  ) AS xid`;

/**
 * Returns the statement that reads a range of an index. It reads a limited number of rows, however long the
 * feed is.
 */
function changesSql(query: ChangesQuery): Sql {
  const { organizationId, after, limit, backward, teamIds, kinds } = query;
  const scan = teamIds || kinds ? maxScanned : limit + 1;
  const order = raw(backward ? 'xid DESC, seq DESC' : 'xid, seq');
  return sql`
    WITH bound AS (${boundSql}), scanned AS MATERIALIZED (
      SELECT xid, seq, record_id, table_name, change, team_id, from_team_id FROM record_changes
      WHERE organization_id = ${organizationId}::uuid
        AND (xid, seq) > (${String(after?.xid ?? 0n)}::xid8, ${after?.seq ?? 0n}::bigint)
        AND xid < (SELECT xid FROM bound)
      ORDER BY ${order} LIMIT ${scan}
    ), found AS (
      SELECT * FROM scanned WHERE ${wantedSql(query)} ORDER BY ${order} LIMIT ${limit + 1}
    )
    SELECT epoch.id AS epoch, epoch.gone_to::text AS "goneTo", bound.xid::text AS bound,
      EXISTS (
        SELECT FROM record_changes WHERE organization_id = ${organizationId}::uuid AND xid >= bound.xid
      ) AS pending,
      (SELECT count(*)::int FROM scanned) AS scanned, edge.xid::text AS "edgeXid", edge.seq AS "edgeSeq",
      found.xid::text AS xid, found.seq, found.record_id AS id, found.table_name AS table, found.change,
      found.team_id AS "teamId", found.from_team_id AS "fromTeamId"
    FROM record_change_epochs AS epoch CROSS JOIN bound
      LEFT JOIN LATERAL (SELECT xid, seq FROM scanned ORDER BY xid DESC, seq DESC LIMIT 1) AS edge ON TRUE
      LEFT JOIN found ON TRUE
    WHERE ${isOwnEpoch('epoch')}
    ORDER BY found.xid, found.seq`;
}

/**
 * Reads a part of the feed from the primary, because replicas have no feed. The records' states are read
 * after the feed, so each change shows at least its own effect. The last change of a record shows its true
 * state, in whatever order its writers began.
 * @throws GatewayError PRECONDITION_FAILED for a position that is too old or of another epoch
 */
export async function readChanges(database: Database, query: ChangesQuery): Promise<ChangesPage> {
  const { after, limit, backward = false, organizationId, caller } = query;
  const read = () => database.query<Row>(prepared('record_changes.page', changesSql(query)), caller);
  let rows = await read();
  if (rows.length === 0) {
    await beginEpoch(database);
    rows = await read();
  }
  const [head] = rows;
  if (!head) throw new Error('The feed of changes has no epoch.');
  const { epoch } = head;
  if (after && after.epoch !== epoch)
    throw cursorTooOld(
      'The cursor is from before the database was restored, PostgreSQL had to recover, or another server took over.',
    );
  if (after && after.xid <= BigInt(head.goneTo))
    throw cursorTooOld('The cursor is too old: some changes after it are no longer stored.');
  const found = rows.filter(({ xid }) => xid !== null);
  const isFull = found.length > limit;
  // When reading backward, the extra row is the first.
  const kept = isFull ? (backward ? found.slice(1) : found.slice(0, -1)) : found;
  const at = (xid: string | null, seq: bigint | null): FeedPosition => ({
    epoch,
    xid: BigInt(xid ?? 0),
    seq: seq ?? 0n,
  });
  const heads = kept.flatMap(({ xid, seq, table, ...row }) => {
    const kind = kindByTable.get(table);
    return kind ? [{ ...row, kind, position: at(xid, seq) }] : [];
  });
  const states = await readStates((statement) => database.query(statement, caller), organizationId, heads);
  const changes = heads.map(({ position, kind, id, change, teamId, fromTeamId }) => ({
    ...{ position, kind, id, teamId, fromTeamId },
    change: names[change] ?? 'changed',
    state: states.get(`${kind} ${id}`) ?? null,
  }));
  const filtered = query.teamIds !== undefined || query.kinds !== undefined;
  const isCut = filtered && head.scanned >= maxScanned;
  const last = kept.at(-1);
  const bound = at(head.bound, 0n);
  const goesOn = isFull && last ? at(last.xid, last.seq) : isCut ? at(head.edgeXid, head.edgeSeq) : bound;
  return { changes, more: isFull || isCut, end: backward ? bound : goesOn, pending: head.pending };
}
