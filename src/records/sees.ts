import { raw } from '../db/sql/sql.js';

/** Condition that the row `person` administers the organization, by role or by token. */
export const administersSql = raw(`
  (person.role = 'ADMIN' OR EXISTS (
    SELECT FROM access_tokens AS token
    WHERE token.user_id = person.id AND token.role = 'ADMIN' AND token.revoked_at IS NULL))`);

/** SQL condition that a user (`person`) sees the workspace of `told`. Its members do, and all admins. */
export const seesSql = raw(`person.is_active AND (
  EXISTS (SELECT FROM memberships WHERE user_id = person.id AND memberships.team_id = told.team_id)
  OR ${administersSql.sql}
)`);
