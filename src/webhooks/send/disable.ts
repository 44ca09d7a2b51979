import { administersSql } from '../../access/administrators.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { type Sql, sql } from '../../db/sql/sql.js';
import type { DisabledCause } from '../../mail/account/webhook-texts.js';
import { logEvent } from '../../records/event-logs.js';
import { webhookDisabledSubject } from '../../reminders/send/webhook-disabled.js';

/** An endpoint, and the workspace of the message that failed last. */
export interface FailingEndpoint {
  readonly endpointId: string;
  readonly endpointName: string;
  readonly url: string;
  readonly organizationId: string;
  readonly teamId: string;
}

/** Texts of the causes, as the field `disabledReason` has them. */
const reasons: Readonly<Record<DisabledCause, string>> = {
  gone: 'The receiver asked for no more messages (410).',
  failing: 'All messages failed for five days.',
};

/**
 * Returns SQL that locks an endpoint, unless it is disabled. Who makes messages for it at the moment is waited
 * for, so that these are cancelled, too.
 */
const lockSql = (endpointId: string) => sql`
  SELECT FROM webhook_endpoints WHERE id = ${endpointId}::uuid AND state <> 'DISABLED' FOR UPDATE`;

/** Returns SQL that cancels what waits for an endpoint. What is on its way is settled by its sender. */
const cancelWaitingSql = (endpointId: string, now: Date) => sql`
  UPDATE webhook_deliveries SET state = 'CANCELLED', due_at = NULL, is_claimed = FALSE,
    settled_at = ${now}::timestamptz, modified = ${now}::timestamptz
  WHERE endpoint_id = ${endpointId}::uuid AND due_at IS NOT NULL
    AND NOT (is_claimed AND due_at > ${now}::timestamptz)`;

/** Returns SQL that queues a mail to each administrator. */
function mailsSql(
  { endpointId, endpointName, organizationId, teamId, url }: FailingEndpoint,
  cause: DisabledCause,
  now: Date,
): Sql {
  const payload = JSON.stringify({ name: endpointName, host: new URL(url).host, cause });
  return sql`
    INSERT INTO deliveries (id, organization_id, team_id, kind, dedupe_key, subject_kind, payload, address, due_at,
      created)
    SELECT md5(${endpointId} || ${now.toISOString()} || address)::uuid, ${organizationId}::uuid, ${teamId}::uuid, 'MAIL',
      ${`${webhookDisabledSubject} ${endpointId} ${now.toISOString()}`} || ' ' || address, ${webhookDisabledSubject},
      ${payload}::jsonb, address, ${now}::timestamptz, ${now}::timestamptz
    FROM (
      SELECT DISTINCT ON (natural_key(email)) email AS address FROM users AS person
      WHERE organization_id = ${organizationId}::uuid AND is_active AND natural_key(email) IS NOT NULL
        AND ${administersSql}
    ) AS admin
    ON CONFLICT DO NOTHING`;
}

/** Disables an endpoint whose receiver fails, cancels what waits for it, and tells administrators. */
export async function disableFailing(
  tx: Transaction,
  failing: FailingEndpoint,
  cause: DisabledCause,
  now: Date,
): Promise<void> {
  const { endpointId, endpointName, organizationId, teamId } = failing;
  const reason = reasons[cause];
  const [locked] = await tx.run(named('webhook_endpoints.lock_enabled', lockSql(endpointId)));
  if (!locked) return;
  const statement = sql`
    UPDATE webhook_endpoints SET state = 'DISABLED', disabled_reason = ${reason},
      modified = greatest(${now}::timestamptz, modified + interval '1 millisecond')
    WHERE id = ${endpointId}::uuid`;
  await tx.run(named('webhook_endpoints.disable', statement));
  await tx.run(named('webhook_deliveries.cancel', cancelWaitingSql(endpointId, now)));
  await tx.run(named('deliveries.webhook_disabled', mailsSql(failing, cause, now)));
  const author = { organizationId, teamIds: [teamId], user: { id: null, name: null } };
  await logEvent(
    tx,
    { caller: author, now },
    {
      ...{ type: 'webhook disabled', teamId, entities: [] },
      description: `Webhook endpoint ${JSON.stringify(endpointName)} was disabled: ${reason}`,
      details: {
        state: { before: 'ENABLED', after: 'DISABLED' },
        endpoint_id: { before: null, after: endpointId },
      },
    },
  );
}
