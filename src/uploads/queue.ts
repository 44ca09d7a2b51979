import { roleWithinSql, teamIdsSql } from '../access/callers.js';
import type { Database } from '../db/connection/database.js';
import { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { type Attempt, type Claim, claimJobs } from '../db/queue/queue.js';
import { columnsSql, type RowOf, visibleRowSql } from '../db/sql/conditions.js';
import { raw, sql } from '../db/sql/sql.js';
import type { Caller, Role } from '../domain/caller.js';
import type { UploadQueue } from '../domain/uploads/upload.js';

/** An upload that a worker has claimed, and on whose behalf it is filed. */
export interface ClaimedUpload extends Attempt {
  readonly upload: RowOf<'UploadNotification'>;
  readonly session: Session;
  /** Locale of the organization, such as `de`. */
  readonly locale: string;
}

/**
 * Claims due uploads of a queue. A notification is its own job: settling it clears its `due_at`, and in the next queue it
 * is a new job.
 */
export async function claimUploads(
  database: Database,
  queue: UploadQueue,
  claim: Claim,
): Promise<ClaimedUpload[]> {
  const { now } = claim;
  const set = sql`modified = greatest(${now}::timestamptz, modified + interval '1 millisecond')`;
  const claimed = await claimJobs(database, 'upload_notifications', claim, {
    where: sql`queue = ${queue}::upload_queue`,
    set,
  });
  if (claimed.length === 0) return [];
  const ids = claimed.map(({ id }) => id);
  const [uploads, senders] = await Promise.all([readUploads(database, ids), sendersOf(database, ids)]);
  return uploads.map((upload) => {
    const sender = senders.get(upload.id);
    if (!sender) throw new Error(`The upload ${upload.id} has no sender.`);
    const { id, attempts } = upload;
    const session = new Session(database, { caller: toCaller(sender), now });
    return { id, attempts, upload, session, locale: sender.locale };
  });
}

/** Reads uploads, the first received first. */
function readUploads(database: Database, ids: readonly string[]): Promise<RowOf<'UploadNotification'>[]> {
  const statement = sql`
    SELECT ${columnsSql('UploadNotification')} FROM upload_notifications AS record
    WHERE id = ANY(${ids}::uuid[]) ORDER BY received_at, id`;
  return database.query(prepared('upload_notifications.claimed', statement));
}

/** Numbers of uploads that are not filed yet, up to `maxUploadsCounted` each. */
export interface QueueState {
  /** Uploads that wait to be filed, including claimed ones. What only waits to be read is not among them. */
  readonly queued: number;
  /** Queued uploads with at least one failed attempt. */
  readonly retrying: number;
  /** Time when the oldest queued upload was received; null if there is none. */
  readonly oldest: Date | null;
  /** Uploads that failed for good; each waits for a person. */
  readonly failed: number;
}

/** The most uploads that are counted. Counting a long queue must not slow it down further. */
export const maxUploadsCounted = 10_000;

/** Returns SQL that counts uploads to be filed and failed ones, over one index each. */
const countSql = (queued = sql`queue = 'FILING'`, failed = sql`state = 'FAILED'`) => sql`
  SELECT queue.*, failures.failed FROM (
    SELECT count(*)::int AS queued, count(error) FILTER (WHERE state = 'RECEIVED')::int AS retrying, min(received_at) AS oldest
    FROM (
      SELECT received_at, error, state FROM upload_notifications AS record
      WHERE due_at IS NOT NULL AND ${queued} ORDER BY due_at LIMIT ${raw(`${maxUploadsCounted}`)}
    ) AS waiting
  ) AS queue, (
    SELECT count(*)::int AS failed
    FROM (SELECT FROM upload_notifications AS record WHERE ${failed} LIMIT ${raw(`${maxUploadsCounted}`)}) AS stuck
  ) AS failures`;

const nothingQueued: QueueState = { queued: 0, retrying: 0, oldest: null, failed: 0 };

/**
 * Counts queued and failed uploads. In a long queue, only those due first are counted. A running attempt does
 * not change its upload's numbers: only a failure leaves an `error` behind.
 */
export async function queueState(database: Database): Promise<QueueState> {
  const [state] = await database.query<QueueState>(prepared('upload_notifications.queue', countSql()));
  return state ?? nothingQueued;
}

/** Counts the uploads that wait or have failed, in the workspaces that a caller sees. */
export async function readUploadHealth(session: Session): Promise<QueueState> {
  const queued = visibleRowSql(session, 'UploadNotification', { state: 'RECEIVED' });
  const failed = visibleRowSql(session, 'UploadNotification', { state: 'FAILED' });
  const statement = prepared('upload_notifications.health', countSql(queued, failed));
  return (await session.read<QueueState>(statement))[0] ?? nothingQueued;
}

interface Sender {
  readonly id: string;
  readonly tokenId: string | null;
  readonly role: Role | null;
  readonly organizationId: string;
  readonly locale: string;
  readonly teamId: string;
  readonly userId: string;
  readonly userName: string;
  readonly userEmail: string;
  readonly teamIds: string[];
}

/**
 * SQL for the role of an upload's sender. For a JWT, which is not stored, it is the sender's current role.
 */
const role = raw(
  `coalesce(${roleWithinSql('token.role', 'users.role')}, CASE WHEN upload.access_token_id IS NULL AND users.id = upload.user_id THEN users.role::text END)`,
);
const teamIds = raw(
  teamIdsSql({ role: role.sql, userId: 'upload.user_id', organizationId: 'upload.organization_id' }),
);

/**
 * Finds the senders of uploads, as the callers who file them. A caller has the workspaces that the sender
 * reaches now, and the one in which the upload was received. Revoking the token does not undo what was
 * received. The organization's first user replaces a deleted one.
 */
async function sendersOf(database: Database, ids: readonly string[]): Promise<Map<string, Sender>> {
  const statement = sql`
    SELECT
      upload.id,
      upload.access_token_id AS "tokenId",
      ${role} AS role,
      upload.organization_id AS "organizationId",
      organization.locale,
      upload.team_id AS "teamId",
      users.id AS "userId",
      users.name AS "userName",
      users.email AS "userEmail",
      ${teamIds} AS "teamIds"
    FROM upload_notifications AS upload
    LEFT JOIN access_tokens AS token ON token.id = upload.access_token_id
    JOIN organizations AS organization ON organization.id = upload.organization_id
    JOIN users ON users.id = coalesce(upload.user_id, (
      SELECT first.id FROM users AS first WHERE first.organization_id = upload.organization_id
      ORDER BY first.created, first.id LIMIT 1
    ))
    WHERE upload.id = ANY(${ids}::uuid[])`;
  const senders = await database.query<Sender>(prepared('upload_notifications.senders', statement));
  return new Map(senders.map((sender) => [sender.id, sender]));
}

function toCaller({ tokenId, role, organizationId, teamId, teamIds, ...sender }: Sender): Caller {
  return {
    tokenId: tokenId ?? '',
    role: role ?? 'UPLOADER',
    organizationId,
    teamIds: [...new Set([...teamIds, teamId])],
    user: { id: sender.userId, name: sender.userName, email: sender.userEmail, teamId },
  };
}
