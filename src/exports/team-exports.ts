import { createFileLink } from '../access/file-links.js';
import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import type { EnumOf } from '../db/sql/columns.js';
import { visibleRowSql } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { raw, type Sql, sql } from '../db/sql/sql.js';
import { insertReturning } from '../db/sql/write.js';
import { personOf } from '../domain/caller.js';
import { teamExportPath } from '../domain/doors/exports.js';
import { notFound } from '../domain/errors.js';
import { isUuid, newId } from '../domain/rules.js';

/** Hours for which an export can be downloaded. */
export const keptHours = 24;

/** Returns when an export that ends now is deleted. */
export const expiryFrom = (now: Date): Date => new Date(now.getTime() + keptHours * 3_600_000);

/** Days after which an export is deleted that no worker has ended. */
const longestDays = 7;

/** An export of a workspace as its user sees it. */
export interface ShownExport {
  readonly id: string;
  readonly teamId: string;
  readonly state: EnumOf<'TeamExportState'>;
  readonly error: string | null;
  readonly progress: number;
  readonly fileCount: number;
  readonly size: bigint;
  readonly created: Date;
  readonly modified: Date;
  readonly expiresAt: Date;
}

const shownSql = raw(`record.id, record.team_id AS "teamId", record.state, record.error, record.progress,
  record.file_count AS "fileCount", record.content_length AS size, record.created, record.modified,
  record.expires_at AS "expiresAt"`);

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
  const [found] = await session.read<ShownExport>(named('team_exports.get', statement));
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
const mostShown = 100;

/** Lists the caller's exports, the newest first. */
export function listTeamExports(session: Session): Promise<ShownExport[]> {
  const statement = sql`
    SELECT ${shownSql} FROM team_exports AS record WHERE ${ownSql(session)}
    ORDER BY record.created DESC, record.id DESC LIMIT ${raw(String(mostShown))}`;
  return session.read(named('team_exports.list', statement));
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
    await tx.run(named('team_exports.lock', lock));
    const own = ownSql(session, { teamId: team.id });
    const same = sql`SELECT record.id FROM team_exports AS record WHERE ${own} AND record.state = 'RUNNING'`;
    const [known] = await tx.run<{ id: string }>(named('team_exports.same', same));
    if (known) return known.id;
    await tx.run(named('team_exports.replace', expireSql(session, own)));
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
  const statement = named('team_exports.delete', expireSql(session, where));
  const deleted = await session.inTransaction((tx) => tx.run(statement));
  if (deleted.length === 0) throw notFound('export', id);
}
