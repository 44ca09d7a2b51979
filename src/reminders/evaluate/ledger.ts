import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { sql } from '../../db/sql/sql.js';
import type { Decision } from '../../domain/reminders/due.js';
import { newId } from '../../domain/rules.js';
import type { FoundItem } from './items.js';
import type { PolicyStep, Workspace } from './workspace.js';

/** A reminder that was just decided, and must be sent. */
export interface Told {
  readonly id: string;
  readonly itemId: string;
  readonly expirationDate: Date;
  readonly slot: Date;
  readonly step: PolicyStep;
}

/** A decision about an item. */
export interface Decided {
  readonly item: FoundItem;
  readonly decision: Decision;
}

/** New entries of the ledger: those to be sent, and the number of others. */
export interface NewEntries {
  readonly told: readonly Told[];
  readonly skipped: number;
}

/**
 * Writes decisions into the ledger. Existing entries are skipped: the ledger's unique key is what prevents
 * duplicate reminders.
 * @returns the new entries
 */
export async function writeLedger(
  tx: Transaction,
  { teamId, organizationId }: Workspace,
  decided: readonly Decided[],
  now: Date,
): Promise<NewEntries> {
  if (decided.length === 0) return { told: [], skipped: 0 };
  const rows = decided.map(({ item, decision }) => ({ id: newId(), item, decision }));
  const of = <T>(value: (row: (typeof rows)[number]) => T) => rows.map(value);
  const statement = sql`
    INSERT INTO reminders (id, organization_id, team_id, item_id, item_name, step_key, expiration_date, occurrence, slot,
      state, reason, decided_at)
    SELECT id, ${organizationId}::uuid, ${teamId}::uuid, item_id, name, step_key, date, occurrence, slot,
      state::reminder_state, reason, ${now}::timestamptz
    FROM unnest(${of(({ id }) => id)}::uuid[], ${of(({ item }) => item.id)}::uuid[], ${of(({ item }) => item.name)}::text[],
      ${of(({ decision }) => decision.stepKey)}::uuid[], ${of(({ item }) => item.expirationDate)}::date[],
      ${of(({ decision }) => decision.occurrence)}::int[], ${of(({ decision }) => decision.slot)}::timestamptz[],
      ${of(({ decision }) => decision.state)}::text[], ${of(({ decision }) => decision.reason)}::text[]
    ) AS decided (id, item_id, name, step_key, date, occurrence, slot, state, reason)
    ON CONFLICT DO NOTHING
    RETURNING id, state = 'PENDING' AS told`;
  const written = await tx.run<{ id: string; told: boolean }>(named('reminders.decide', statement));
  const isTold = new Set(written.filter((row) => row.told).map(({ id }) => id));
  const told = rows
    .filter(({ id }) => isTold.has(id))
    .map(({ id, item, decision }) => ({
      id,
      itemId: item.id,
      expirationDate: item.expirationDate,
      slot: decision.slot,
      // The step belongs to the item, which got it from the workspace's policies.
      step: decision.step as PolicyStep,
    }));
  return { told, skipped: written.length - told.length };
}
