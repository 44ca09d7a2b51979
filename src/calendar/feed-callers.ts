import { usePrecision } from '../access/authenticate.js';
import { type CallerRow, callerWith, roleWithinSql, teamIdsSql } from '../access/reach.js';
import { hashToken } from '../access/tokens.js';
import type { Database } from '../db/connection/database.js';
import { prepared } from '../db/connection/statement.js';
import { type Caller, may, type Role, secretPattern } from '../domain/caller.js';

interface Found extends Omit<CallerRow, 'role'> {
  readonly id: string;
  /** Null if it has nothing in common with its user's role. */
  readonly role: Role | null;
  readonly lastUsedAt: Date | null;
}

const role = roleWithinSql('feed.role', 'users.role');

/** Workspaces that the feed is limited to; null if there is no limit. */
const limited =
  '(CASE WHEN feed.teams IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(feed.teams)) END)';

const query = `
  SELECT
    feed.id,
    ${role} AS role,
    feed.organization_id AS "organizationId",
    feed.last_used_at AS "lastUsedAt",
    users.id AS "userId",
    users.name AS "userName",
    users.email AS "userEmail",
    users.team_id AS "defaultTeamId",
    ${teamIdsSql({ role, userId: 'users.id', organizationId: 'feed.organization_id', named: limited })} AS "teamIds"
  FROM calendar_feeds AS feed JOIN users ON users.id = feed.user_id
    LEFT JOIN access_tokens AS token ON token.id = feed.access_token_id
  WHERE users.is_active AND feed.hash = $1
    AND (feed.expires_at IS NULL OR feed.expires_at > $2)
    AND (feed.access_token_id IS NULL OR (
      token.revoked_at IS NULL AND (token.expires_at IS NULL OR token.expires_at > $2)
    ))`;

/**
 * Finds whose calendar a secret opens, with the user's current rights.
 * @param onError called if the last use could not be stored. No request waits for that or fails because of it
 * @returns null if there is no such feed, its user may no longer read, or its token has ended
 */
export async function authenticateFeed(
  database: Database,
  secret: string,
  now: Date,
  onError: (error: unknown) => void = () => {},
): Promise<Caller | null> {
  if (!secretPattern.test(secret)) return null;
  const values = [hashToken(secret), now];
  const [found] = await database.query<Found>(
    prepared('calendar_feeds.authenticate', { text: query, values }),
  );
  if (!found?.role || !may(found.role, 'read')) return null;
  const used = found.lastUsedAt?.getTime() ?? 0;
  if (now.getTime() - used >= usePrecision) noteUse(database, found.id, now).catch(onError);
  return callerWith(found.id, { ...found, role: found.role });
}

/** Stores a feed's last use. Among concurrent requests, the condition lets only one write. */
async function noteUse(database: Database, id: string, now: Date): Promise<void> {
  await database.query(
    prepared('calendar_feeds.note_use', {
      text: `UPDATE calendar_feeds SET last_used_at = $1
     WHERE id = $2 AND (last_used_at IS NULL OR last_used_at <= $3)`,
      values: [now, id, new Date(now.getTime() - usePrecision)],
    }),
  );
}
