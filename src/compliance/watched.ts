import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { raw, sql } from '../db/sql/sql.js';
import type { HolderKind } from '../items/holders.js';

/** News about a record, which those who watch it are told once. */
export interface WatchedNews {
  readonly holderId: string;
  /** In how many days the record will lack something; 0 if it does. */
  readonly days: number;
  /** The last day before that. Null if it does already. */
  readonly until: Date | null;
  /** The requirements that are not met, or will not be. */
  readonly requirementIds: readonly string[];
}

/** SQL condition that a watch covers news about a record. Each member of its filter narrows the watch. */
const coversSql = raw(`(
  watch.holders->>'kind' IS NULL OR upper(watch.holders->>'kind') = own.kind::text
) AND (
  watch.holders->>'locationId' IS NULL OR watch.holders->>'locationId' = own.place_id::text
) AND (
  watch.holders->>'term' IS NULL OR strpos(lower(own.name), lower(watch.holders->>'term')) > 0
) AND (
  NOT watch.holders ? 'requirementIds'
  OR EXISTS (SELECT FROM unnest(news."requirementIds") AS id WHERE watch.holders->'requirementIds' ? id::text)
)`);

/** Notes news about records of a kind for each watch that covers them. Their mails are planned soon. */
export async function noteForWatches(
  tx: Transaction,
  kind: HolderKind,
  news: readonly WatchedNews[],
  now: Date,
): Promise<void> {
  if (news.length === 0) return;
  const insert = sql`
    INSERT INTO compliance_notices (organization_id, team_id, watch_id, compliance_id, days, until, requirement_ids, due_at, created)
    SELECT own.organization_id, own.team_id, watch.id, own.id, news.days, news.until, news."requirementIds",
      ${now}::timestamptz, ${now}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(news)}::jsonb) AS news ("holderId" uuid, days int, until date, "requirementIds" uuid[])
    JOIN holder_compliances AS own ON own.kind = ${raw(`'${kind.toUpperCase()}'::holder_kind`)} AND own.holder_id = news."holderId"
    JOIN watches AS watch ON watch.team_id = own.team_id AND watch.is_active AND watch.holders IS NOT NULL AND ${coversSql}
    ON CONFLICT DO NOTHING`;
  await tx.run(prepared(`compliance_notices.note_${kind}`, insert));
}
