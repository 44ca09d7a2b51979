import { sourceSql } from '../db/sql/conditions.js';
import type { OfCaller } from '../db/sql/models.js';
import { raw } from '../db/sql/sql.js';

/** Returns the condition that the row `person` administers the organization, by role or by token. */
export const administersBy = (of: Pick<OfCaller, 'rowSecurity'>) =>
  raw(`
  (person.role = 'ADMIN' OR EXISTS (
    SELECT FROM ${sourceSql(of, 'AccessToken').sql} AS token
    WHERE token.user_id = person.id AND token.role = 'ADMIN' AND token.revoked_at IS NULL))`);

/** The same condition, for work that is no caller's and for few people. */
export const administersSql = administersBy({});

/** SQL condition that a user (`person`) sees the workspace of `told`. Its members do, and all admins. */
export const seesSql = raw(`person.is_active AND (
  EXISTS (SELECT FROM memberships WHERE user_id = person.id AND memberships.team_id = told.team_id)
  OR ${administersSql.sql}
)`);
