import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import { visibleRowSql } from '../db/sql/conditions.js';
import { Prisma } from '../generated/prisma/client.js';
import { mostUploadsCounted, type QueueState } from './queue.js';

const { sql } = Prisma;

/** Counts the uploads that wait or have failed, in the workspaces that a caller sees. */
export async function readUploadHealth(session: Session): Promise<QueueState> {
  const queued = visibleRowSql(session, 'UploadNotification', { state: 'RECEIVED' });
  const failed = visibleRowSql(session, 'UploadNotification', { state: 'FAILED' });
  const statement = sql`
    SELECT queue.*, failures.failed FROM (
      SELECT count(*)::int AS queued, count(error)::int AS retrying, min(received_at) AS oldest
      FROM (
        SELECT received_at, error FROM upload_notifications AS record
        WHERE due_at IS NOT NULL AND ${queued} ORDER BY due_at LIMIT ${mostUploadsCounted}
      ) AS waiting
    ) AS queue, (
      SELECT count(*)::int AS failed
      FROM (SELECT FROM upload_notifications AS record WHERE ${failed} LIMIT ${mostUploadsCounted}) AS stuck
    ) AS failures`;
  const [state] = await session.read<QueueState>(named('upload_notifications.health', statement));
  return state ?? { queued: 0, retrying: 0, oldest: null, failed: 0 };
}
