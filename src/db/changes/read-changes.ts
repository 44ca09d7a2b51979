import type { Caller } from '../../domain/caller.js';
import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';
import { raw, type Sql, sql } from '../sql/sql.js';
import { type ChangedKind, kindByTable, type RecordState, readStates } from './changed-records.js';
import { beginEpoch, isOwnEpoch } from './epoch.js';
import { cursorTooOld, type FeedPosition } from './position.js';

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
export interface ChangesQuery {
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
  const read = () => database.query<Row>(named('record_changes.page', changesSql(query)), caller);
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
