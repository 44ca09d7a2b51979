import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';
import { raw, type Sql, sql } from '../sql/sql.js';

/**
 * Returns the SQL condition that a row's organization is not frozen. Only then may its work be claimed. Frozen
 * organizations are read once for the statement, so that the order of the queue still comes from its index.
 * @param row name of the row, which has the organization's id
 */
export const notFrozen = (row: string): Sql => sql`
  ${raw(row)}.organization_id <> ALL (ARRAY(SELECT id FROM organizations WHERE frozen_at IS NOT NULL))`;

/** Returns those of some organizations that are frozen. */
export async function findFrozen(
  database: Pick<Database, 'query'>,
  organizationIds: readonly string[],
): Promise<string[]> {
  const found = await database.query<{ id: string }>(
    named('organizations.frozen', {
      text: 'SELECT id FROM organizations WHERE frozen_at IS NOT NULL AND id = ANY($1::uuid[])',
      values: [organizationIds],
    }),
  );
  return found.map(({ id }) => id);
}
