import type { Condition } from '../../db/sql/conditions.js';
import type { OfCaller } from '../../db/sql/models.js';
import { type Sql, sql } from '../../db/sql/sql.js';

/** Returns SQL for the records that an import made or changed. Those of others have none. */
const writtenBy = ({ caller }: OfCaller, importId: string): Sql => sql`
  SELECT (entry.result ->> 1)::uuid FROM imports AS import
    JOIN import_batches AS batch ON batch.import_id = import.id
    CROSS JOIN LATERAL jsonb_array_elements(batch.results) AS entry (result)
  WHERE import.id = ${importId}::uuid AND import.organization_id = ${caller.organizationId}::uuid
    AND import.user_id = ${caller.user.id}::uuid AND entry.result ->> 0 IN ('created', 'updated')`;

/**
 * Describes the member of a filter for the records that an import made or changed.
 * @param records what they are called
 */
export const importedIn = (records: string) => ({
  type: 'ID',
  description: `${records} that this import of the caller has made or changed.`,
  where: (importId: string, _all: object, session: OfCaller): Condition => ({
    id: { in: writtenBy(session, importId) },
  }),
});
