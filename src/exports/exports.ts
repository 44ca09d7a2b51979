import { type Creator, callerOfWork, creatorColumns } from '../access/callers.js';
import { createFileLink } from '../access/file-links.js';
import type { Database } from '../db/connection/database.js';
import { type OnPage, Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { sizeSql } from '../db/files/contents.js';
import { deleteParts } from '../db/files/file-parts.js';
import { type Attempt, type Claim, claimJobs, notFrozen, settleJob, sweep } from '../db/queue/queue.js';
import { columnsSql, type RowOf, recordsSql, shownFields, visibleRowSql } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { raw, type Sql, sql } from '../db/sql/sql.js';
import { insertReturning } from '../db/sql/write.js';
import { personOf } from '../domain/caller.js';
import { teamExportPath } from '../domain/doors/paths.js';
import { GatewayError, notFound } from '../domain/errors.js';
import { diskName } from '../domain/files.js';
import { isUuid, newId } from '../domain/rules.js';
import { groupByKey } from '../records/loaders.js';

/** Hours for which an export can be downloaded. */
const keptHours = 24;

/** Returns when an export that ends now is deleted. */
const expiryFrom = (now: Date): Date => new Date(now.getTime() + keptHours * 3_600_000);

/** Days after which an export is deleted that no worker has ended. */
const longestDays = 7;

/** Columns that only the gateway uses. A new one is shown, unless it is here. */
const hidden = ['organizationId', 'userId', 'role', 'teams', 'attempts', 'dueAt', 'contentLength'] as const;

/** An export of a workspace as its user sees it. */
export interface ShownExport extends Omit<RowOf<'TeamExport'>, (typeof hidden)[number]> {
  readonly size: bigint;
}

const shownSql = sql`${columnsSql('TeamExport', shownFields('TeamExport', hidden))}, record.content_length AS size`;

/** Returns SQL for the caller's own exports, as long as the caller sees the workspace. */
const ownSql = (session: Session, where: object = {}) =>
  visibleRowSql(session, 'TeamExport', {
    userId: personOf(session.caller).id,
    expiresAt: { gt: session.now },
    ...where,
  });

/** Finds one of the caller's exports. @throws GatewayError NOT_FOUND */
export async function findTeamExport(session: Session, id: string): Promise<ShownExport> {
  if (!isUuid(id)) throw notFound('export', id);
  const where = ownSql(session, { id: id.toLowerCase() });
  const statement = sql`SELECT ${shownSql} FROM team_exports AS record WHERE ${where}`;
  const [found] = await session.read<ShownExport>(prepared('team_exports.get', statement));
  if (!found) throw notFound('export', id);
  return found;
}

/** Seconds for which the link to an export works. */
const linkSeconds = 3600;

/** Creates the address of an export's file. It needs no token. @returns null if it cannot be downloaded yet */
export async function exportLink(
  session: Session,
  { id, state }: ShownExport,
  origin: string,
): Promise<string | null> {
  if (state !== 'DONE') return null;
  const link = await createFileLink(session, { kind: 'export', id }, linkSeconds);
  return `${origin}${teamExportPath(id)}?link=${link}`;
}

/** The most exports that a list shows. */
const maxShown = 100;

/** Lists the caller's exports, the newest first. */
export function listTeamExports(session: Session): Promise<ShownExport[]> {
  const statement = sql`
    SELECT ${shownSql} FROM team_exports AS record WHERE ${ownSql(session)}
    ORDER BY record.created DESC, record.id DESC LIMIT ${raw(String(maxShown))}`;
  return session.read(prepared('team_exports.list', statement));
}

/** Lets exports expire now. A worker deletes them, because that takes a while for gigabytes. */
const expireSql = ({ now }: Session, where: Sql) => sql`
  UPDATE team_exports AS record SET expires_at = ${now}::timestamptz, due_at = NULL, modified = ${now}::timestamptz
  WHERE ${where} RETURNING record.id`;

/**
 * Lets a worker export a workspace. While one is being made for the caller, this returns it. A new one replaces
 * the caller's last one of the workspace.
 * @throws GatewayError NOT_FOUND for a workspace that the caller does not see
 */
export async function createTeamExport(session: Session, teamId: string): Promise<ShownExport> {
  const { caller, now } = session;
  const where = { id: teamId.toLowerCase() };
  const [team] = isUuid(teamId) ? await readRows(session, 'Team', { where }, ['id']) : [];
  if (!team) throw notFound('workspace', teamId);
  const userId = personOf(caller).id;
  const id = await session.inTransaction(async (tx) => {
    // Two requests for the same workspace take turns.
    const lock = sql`SELECT pg_advisory_xact_lock(hashtextextended(${`export ${userId} ${team.id}`}, 0))`;
    await tx.run(prepared('team_exports.lock', lock));
    const own = ownSql(session, { teamId: team.id });
    const same = sql`SELECT record.id FROM team_exports AS record WHERE ${own} AND record.state = 'RUNNING'`;
    const [known] = await tx.run<{ id: string }>(prepared('team_exports.same', same));
    if (known) return known.id;
    await tx.run(prepared('team_exports.replace', expireSql(session, own)));
    const expiresAt = new Date(now.getTime() + longestDays * 86_400_000);
    const row = await insertReturning(tx, 'TeamExport', {
      ...{ id: newId(), organizationId: caller.organizationId, teamId: team.id, userId, role: caller.role },
      ...{ dueAt: now, expiresAt, created: now, modified: now },
      ...(caller.identity?.teams && { teams: [...caller.identity.teams] }),
    });
    return row.id;
  });
  return findTeamExport(session, id);
}

/** Deletes one of the caller's exports. If it is being made, that ends. @throws GatewayError NOT_FOUND */
export async function deleteTeamExport(session: Session, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound('export', id);
  const where = ownSql(session, { id: id.toLowerCase() });
  const statement = prepared('team_exports.delete', expireSql(session, where));
  const deleted = await session.inTransaction((tx) => tx.run(statement));
  if (deleted.length === 0) throw notFound('export', id);
}

/** An export that a worker has claimed, with its creator's rights. */
export interface ClaimedExport extends Attempt {
  readonly organizationId: string;
  readonly teamId: string;
  /** Undefined if the person may no longer read. */
  readonly session: Session | undefined;
}

/** Claims due exports. */
export async function claimExports(database: Database, claim: Claim): Promise<ClaimedExport[]> {
  const claimed = await claimJobs(database, 'team_exports', claim, { set: sql`modified = modified` });
  if (claimed.length === 0) return [];
  const statement = sql`
    SELECT export.id, export.attempts, export.team_id AS "teamId", ${raw(creatorColumns('export'))}
    FROM team_exports AS export JOIN users ON users.id = export.user_id
    WHERE export.id = ANY(${claimed.map(({ id }) => id)}::uuid[])`;
  const found = await database.query<Creator & ClaimedExport>(prepared('team_exports.claimed', statement));
  return found.map((row) => {
    const caller = callerOfWork(row.id, row, 'read');
    const { id, attempts, organizationId, teamId } = row;
    const session = caller && new Session(database, { caller, now: claim.now });
    return { id, attempts, organizationId, teamId, session };
  });
}

/** Begins an attempt, without the parts of those before it. @returns false if another worker has the export */
export async function beginAttempt(database: Database, attempt: Attempt): Promise<boolean> {
  const begun = await database.inTransaction((tx) =>
    noteProgress(tx, attempt, { progress: 0, fileCount: 0, size: 0 }),
  );
  // From now on, earlier attempts store nothing any more.
  if (begun) await deleteParts(database, attempt);
  return begun;
}

/** The progress of an export. */
export interface ExportProgress {
  /** In percent. */
  readonly progress: number;
  readonly fileCount: number;
  /** Bytes that are stored. */
  readonly size: number;
}

const progressSql = ({ progress, fileCount, size }: ExportProgress) => sql`
  progress = ${progress}, file_count = ${fileCount}, content_length = ${size}, modified = now()`;

/** Notes the progress of an export. @returns false if it was deleted, or another worker has it */
export const noteProgress = (tx: Transaction, attempt: Attempt, at: ExportProgress): Promise<boolean> =>
  settleJob(tx, 'team_exports', attempt, progressSql(at));

/** Ends an export that can be downloaded. */
export function settleExport(
  database: Database,
  attempt: Attempt,
  at: ExportProgress,
  now: Date,
): Promise<boolean> {
  const values = sql`
    ${progressSql(at)}, state = 'DONE', due_at = NULL, expires_at = ${expiryFrom(now)}::timestamptz`;
  return database.inTransaction((tx) => settleJob(tx, 'team_exports', attempt, values));
}

/** Ends an export that cannot be made. */
export function failExport(database: Database, attempt: Attempt, error: string, now: Date): Promise<boolean> {
  const values = sql`state = 'FAILED', error = ${error}, due_at = NULL, modified = now(),
    expires_at = ${expiryFrom(now)}::timestamptz`;
  return database.inTransaction((tx) => settleJob(tx, 'team_exports', attempt, values));
}

/** Deletes expired exports with their bytes. */
export async function forgetExports(database: Database, now: Date): Promise<void> {
  const where = sql`expires_at <= ${now}::timestamptz`;
  const statement = sql`
    SELECT id FROM team_exports AS export WHERE ${where} AND ${notFrozen('export')} ORDER BY expires_at`;
  const expired = await database.query<{ id: string }>(prepared('team_exports.expired', statement));
  for (const archive of expired) await deleteParts(database, archive);
  await sweep(database, { table: 'team_exports', where, order: 'expires_at', page: 100 });
}

/** The most files of an exported workspace. A ZIP file lists all of them at its end, so they are in memory. */
export const maxFiles = 100_000;

/** Files that one statement lists. */
const page = 5_000;

interface FoundFile {
  readonly id: string;
  readonly itemId: string;
  readonly itemName: string | null;
  readonly name: string | null;
  readonly contentType: string | null;
  readonly position: number;
  /** Size in bytes. */
  readonly size: number;
}

/** A file of a workspace, with its path in the archive. */
export interface TeamFile extends FoundFile {
  readonly path: string;
}

/** Returns the folder of an item's files. The end of its id makes it unique. */
const folderOf = ({ itemId, itemName }: FoundFile) =>
  `files/${diskName(itemName, 'item')} ${itemId.slice(-12)}`;

/**
 * Lists the files of a workspace that have bytes, item by item.
 * @throws GatewayError BAD_REQUEST if there are too many
 */
export async function listTeamFiles(onPage: OnPage, teamId: string): Promise<TeamFile[]> {
  const found: FoundFile[] = [];
  const joined = sql`
    JOIN attachment_contents AS stored ON stored.attachment_id = record.id
    JOIN expiration_items AS item ON item.id = record.item_id`;
  const read = (after: string) => (session: Session) =>
    session.read<FoundFile>(
      prepared(
        'attachments.of_team',
        sql`SELECT record.id, record.item_id AS "itemId", item.name AS "itemName", record.name,
          record.content_type AS "contentType", record.position, ${sizeSql} AS size
          ${recordsSql(session, 'attachment', { teamId, id: { gt: after } }, joined)}
          ORDER BY record.id LIMIT ${page}`,
      ),
    );
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await onPage(read(after));
    found.push(...rows);
    if (found.length > maxFiles)
      throw new GatewayError('BAD_REQUEST', `An export has at most ${maxFiles} attached files.`);
    after = rows.at(-1)?.id ?? after;
    if (rows.length < page) break;
  }
  const itemIds = [...new Set(found.map(({ itemId }) => itemId))];
  return groupByKey(itemIds, found, ({ itemId }) => itemId).flatMap((files) =>
    [...files]
      .sort((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1))
      .map((file, at) => ({ ...file, path: `${folderOf(file)}/${at + 1} ${diskName(file.name, 'file')}` })),
  );
}
