import type { Database } from '../../db/connection/database.js';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { notSilent } from '../../db/queue/loop.js';
import { notFrozen, takeTurn } from '../../db/queue/queue.js';
import { sql } from '../../db/sql/sql.js';
import { isDemoWorkspace } from '../../domain/text/demo.js';
import { seesSql } from '../../records/sees.js';
import { digestSettingSql } from '../queries/digest-settings.js';
import { watchedSubject } from '../send/queue.js';
import type { DecisionOptions } from './decide-items.js';
import { type Addressee, type Place, planNews } from './plan-deliveries.js';

/** Milliseconds for which news wait while records of their workspace are still evaluated. */
const patience = 10 * 60_000;

/** Milliseconds after which news that could not be sent are dropped. */
const keptFor = 48 * 3_600_000;

/** Milliseconds before retrying a workspace in which planning failed. */
const againAfter = 60_000;

/** A watch with news, and whoever it tells. Without an address, nobody may be told. */
type Watcher = Omit<Addressee, 'address'> & { readonly watchId: string; readonly address: string | null };

/**
 * Plans the mails of one workspace to those who watch its records. What many records lack
 * becomes one mail, because it waits until the workspace has been evaluated.
 * @returns whether there was something to do
 */
export function planWatched(
  database: Database,
  now: Date,
  { onFault }: Pick<DecisionOptions, 'onFault'> = {},
): Promise<boolean> {
  const claim = sql`
    SELECT mark.team_id AS "teamId", mark.organization_id AS "organizationId", team.timezone
    FROM reminder_marks AS mark JOIN teams AS team ON team.id = mark.team_id
    WHERE mark.team_id IN (
      SELECT team_id FROM (
        SELECT team_id, min(due_at) AS since FROM compliance_notices WHERE due_at <= ${now}::timestamptz GROUP BY team_id
      ) AS waiting
      WHERE since <= ${new Date(now.getTime() - patience)}::timestamptz OR NOT EXISTS (
        SELECT FROM compliance_turns AS turn WHERE turn.due_at <= now() AND turn.team_id = waiting.team_id
      ) AND NOT EXISTS (
        SELECT FROM holder_compliances AS own WHERE own.changes_at <= ${now}::timestamptz AND own.team_id = waiting.team_id
      )
    ) AND ${notFrozen('mark')} AND ${notSilent}
    LIMIT 1 FOR UPDATE OF mark SKIP LOCKED`;
  const again = ({ teamId }: Place) => sql`
    UPDATE compliance_notices SET due_at = ${new Date(now.getTime() + againAfter)}::timestamptz
    WHERE team_id = ${teamId}::uuid AND due_at <= ${now}::timestamptz`;
  return takeTurn<Place, boolean>(database, {
    claim: prepared('compliance_notices.claim', claim),
    work: async (tx, [workspace]) => {
      await planWorkspace(tx, workspace, now);
      return true;
    },
    putBack: ([workspace]) => prepared('compliance_notices.again', again(workspace)),
    ...{ onFault, idle: false, failed: true },
  });
}

/** Finds the watches with news, and whoever they tell. */
function findWatchers(tx: Transaction, { teamId, organizationId }: Place, now: Date): Promise<Watcher[]> {
  const key = sql`('mail:' || natural_key(person.email))`;
  const statement = sql`
    SELECT told.watch_id AS "watchId", ${key} AS "recipientKey", person.email AS address, person.timezone, person.home,
      coalesce(wish.mode, 'SINGLE') AS mode, coalesce(wish.weekday, 1) AS weekday, coalesce(wish.digest_time, '08:00') AS "digestTime"
    FROM (
      SELECT DISTINCT watch_id, team_id FROM compliance_notices WHERE team_id = ${teamId}::uuid AND due_at <= ${now}::timestamptz
    ) AS told
    JOIN watches AS watch ON watch.id = told.watch_id
    LEFT JOIN LATERAL (
      SELECT person.email, person.timezone, NULL::uuid AS home FROM users AS person WHERE person.id = watch.user_id AND ${seesSql}
      UNION ALL
      SELECT person.email, person.timezone, person.team_id FROM contacts AS person WHERE person.id = watch.contact_id AND person.is_active
    ) AS person ON watch.is_active AND natural_key(person.email) IS NOT NULL
    LEFT JOIN LATERAL (${digestSettingSql(sql`${organizationId}::uuid`, key)}) AS wish ON person.email IS NOT NULL`;
  return tx.run<Watcher>(prepared('compliance_notices.watchers', statement));
}

/** Plans the mails of a locked workspace. What nobody may or wants to hear is dropped. */
async function planWorkspace(tx: Transaction, workspace: Place, now: Date): Promise<void> {
  const { teamId, organizationId } = workspace;
  const due = sql`team_id = ${teamId}::uuid AND due_at <= ${now}::timestamptz`;
  const drop = sql`
    DELETE FROM compliance_notices
    WHERE ${due} AND (${isDemoWorkspace(teamId, organizationId)} OR created < ${new Date(now.getTime() - keptFor)}::timestamptz)`;
  await tx.run(prepared('compliance_notices.drop', drop));
  const watchers = await findWatchers(tx, workspace, now);
  const reached = watchers.flatMap(({ address, ...watcher }) =>
    address === null ? [] : [{ ...watcher, address }],
  );
  const lost = watchers.flatMap(({ address, watchId }) => (address === null ? [watchId] : []));
  const planned = await planNews(tx, workspace, watchedSubject, reached, now);
  const settle = sql`
    WITH lost AS (DELETE FROM compliance_notices WHERE ${due} AND watch_id = ANY(${lost}::uuid[]))
    UPDATE compliance_notices AS notice SET due_at = NULL, delivery_id = planned.delivery
    FROM unnest(${planned.map(({ target }) => target.watchId)}::uuid[], ${planned.map(({ deliveryId }) => deliveryId)}::uuid[])
      AS planned (watch, delivery)
    WHERE notice.${due} AND notice.watch_id = planned.watch`;
  await tx.run(prepared('compliance_notices.settle', settle));
}
