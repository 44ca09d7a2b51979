import { type Creator, callerOfWork, creatorColumns } from '../access/reach.js';
import type { Database } from '../db/connection/database.js';
import { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { deleteParts } from '../db/files/archive-parts.js';
import { type Attempt, type Claim, claimJobs, settleJob } from '../db/queue/jobs.js';
import { sweep } from '../db/queue/sweep.js';
import { raw, sql } from '../db/sql/sql.js';
import { expiryFrom } from './team-exports.js';

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
  const found = await database.query<Creator & ClaimedExport>(named('team_exports.claimed', statement));
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

/** Lets an export be made anew at a time. */
export function postponeExport(database: Database, attempt: Attempt, until: Date): Promise<boolean> {
  const values = sql`due_at = ${until}::timestamptz`;
  return database.inTransaction((tx) => settleJob(tx, 'team_exports', attempt, values));
}

/** Deletes expired exports with their bytes. */
export async function forgetExports(database: Database, now: Date): Promise<void> {
  const where = sql`expires_at <= ${now}::timestamptz`;
  const statement = sql`SELECT id FROM team_exports WHERE ${where} ORDER BY expires_at`;
  const expired = await database.query<{ id: string }>(named('team_exports.expired', statement));
  for (const archive of expired) await deleteParts(database, archive);
  await sweep(database, { table: 'team_exports', where, order: 'expires_at', page: 100 });
}
