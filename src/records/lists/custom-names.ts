import type { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import { rowsSql } from '../../db/sql/conditions.js';
import { raw, sql } from '../../db/sql/sql.js';
import { listCondition } from './filter.js';
import type { Readable } from './readable.js';

/**
 * Lists the names of the custom fields in a list, in order. Fields without a name are left out.
 * @param most the most names to return
 */
export async function customFieldNames(
  session: Session,
  resource: Readable,
  filter: object,
  most: number,
): Promise<string[]> {
  const where = await listCondition(resource, filter, session);
  const joined = sql`CROSS JOIN LATERAL jsonb_array_elements(record.custom_fields) AS field`;
  const { model } = resource.rows;
  const statement = sql`
    SELECT DISTINCT field ->> 'name' AS name ${rowsSql(session, model, where, { joined })}
      AND field ->> 'name' <> ''
    ORDER BY name LIMIT ${raw(String(most))}`;
  const rows = await session.read<{ name: string }>(named('custom_fields.names', statement));
  return rows.map(({ name }) => name);
}
