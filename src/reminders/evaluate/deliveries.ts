import { v5 as uuidv5 } from 'uuid';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { sql } from '../../db/sql/sql.js';
import { formatDate } from '../../domain/dates.js';
import { localTime } from '../../domain/reminders/instants.js';
import { nextSlot } from '../../domain/reminders/slots.js';
import type { Told } from './ledger.js';
import type { FoundTarget } from './targets.js';
import type { Workspace } from './workspace.js';

interface Delivery {
  readonly id: string;
  readonly dedupeKey: string;
  readonly subjectKind: 'item' | 'digest';
  readonly subjectId: string | null;
  readonly address: string;
  readonly homeTeamId: string | null;
  readonly channelId: string | null;
  readonly dueAt: Date;
}

/** Returns the recipient's workspace if it is another one. Not everybody here may know the address. */
const homeOf = ({ home }: FoundTarget, { teamId }: Workspace) => (home === teamId ? null : home);

/** Returns when a recipient's next digest is sent. It uses the recipient's own clock if that is known. */
function nextDigest(
  { mode, weekday, digestTime, timezone }: FoundTarget,
  workspace: Workspace,
  now: Date,
): Date {
  const zone = timezone ?? workspace.timezone;
  let slot = nextSlot(now, zone, [digestTime]);
  const isDay = () => (new Date(localTime(slot.getTime(), zone)).getUTCDay() || 7) === weekday;
  for (let days = 0; mode === 'WEEKLY' && days < 7 && !isDay(); days++)
    slot = nextSlot(slot, zone, [digestTime]);
  return slot;
}

/** Returns when a channel gets a message: now, or after its quiet hours. */
function afterQuiet({ channel }: FoundTarget, { timezone }: Workspace, now: Date): Date {
  const { quietFrom, quietTo } = channel ?? {};
  if (!quietFrom || !quietTo) return now;
  const time = new Date(localTime(now.getTime(), timezone)).toISOString().slice(11, 16);
  const isWithin =
    quietFrom < quietTo ? quietFrom <= time && time < quietTo : time >= quietFrom || time < quietTo;
  return isWithin ? nextSlot(now, timezone, [quietTo]) : now;
}

/**
 * Returns the delivery that tells a channel of all items of one decision. A message for each would be a flood.
 */
function chatDelivery(target: FoundTarget, workspace: Workspace, now: Date): Delivery {
  const { recipientKey, address, channel } = target;
  const dedupeKey = `chat ${workspace.teamId} ${recipientKey} ${now.toISOString()}`;
  return {
    id: uuidv5(dedupeKey, workspace.organizationId),
    ...{ dedupeKey, subjectKind: 'digest', subjectId: null, address, homeTeamId: null },
    channelId: channel?.id ?? null,
    dueAt: afterQuiet(target, workspace, now),
  };
}

/**
 * Returns the delivery that reminds somebody of an item. It covers all steps of a slot, or a digest of items.
 */
function deliveryOf(target: FoundTarget, told: Told, workspace: Workspace, now: Date): Delivery {
  if (target.channel) return chatDelivery(target, workspace, now);
  const { recipientKey, address } = target;
  const isDigest = target.mode !== 'SINGLE';
  const dueAt = isDigest ? nextDigest(target, workspace, now) : now;
  const dedupeKey = isDigest
    ? `digest ${workspace.teamId} ${recipientKey} ${dueAt.toISOString()}`
    : `item ${told.itemId} ${formatDate(told.expirationDate)} ${recipientKey} ${told.slot.toISOString()}`;
  return {
    // Derived from its key, so that later additions find the digest.
    id: uuidv5(dedupeKey, workspace.organizationId),
    dedupeKey,
    subjectKind: isDigest ? 'digest' : 'item',
    subjectId: isDigest ? null : told.itemId,
    address,
    homeTeamId: homeOf(target, workspace),
    channelId: null,
    dueAt,
  };
}

/**
 * Removes duplicate deliveries. An address that somebody has in this workspace counts as this workspace's.
 */
function distinct(deliveries: readonly Delivery[]): Delivery[] {
  const known = new Map<string, Delivery>();
  for (const delivery of deliveries) {
    if (delivery.homeTeamId === null || !known.has(delivery.id)) known.set(delivery.id, delivery);
  }
  return [...known.values()];
}

/**
 * Stores the recipients of reminders, and their deliveries. Reminders without recipients are skipped.
 * @returns the number of skipped reminders
 */
export async function writeDeliveries(
  tx: Transaction,
  workspace: Workspace,
  told: readonly Told[],
  targets: readonly FoundTarget[],
  now: Date,
): Promise<number> {
  if (told.length === 0) return 0;
  const reminders = new Map(told.map((reminder) => [reminder.id, reminder]));
  const planned = targets.flatMap((target) => {
    const reminder = reminders.get(target.reminderId);
    if (!reminder) return [];
    const delivery = target.reason === null ? deliveryOf(target, reminder, workspace, now) : null;
    return [{ target, delivery }];
  });
  const deliveries = distinct(planned.flatMap(({ delivery }) => delivery ?? []));
  const of = <T>(value: (delivery: Delivery) => T) => deliveries.map(value);
  const insert = sql`
    INSERT INTO deliveries (id, organization_id, team_id, kind, dedupe_key, subject_kind, subject_id, address,
      home_team_id, channel_id, due_at, created)
    SELECT id, ${workspace.organizationId}::uuid, ${workspace.teamId}::uuid,
      CASE WHEN channel IS NULL THEN 'MAIL' ELSE 'CHAT' END::delivery_kind, key, kind, subject, address, home, channel,
      due, ${now}::timestamptz
    FROM unnest(${of(({ id }) => id)}::uuid[], ${of(({ dedupeKey }) => dedupeKey)}::text[],
      ${of(({ subjectKind }) => subjectKind)}::text[], ${of(({ subjectId }) => subjectId)}::uuid[],
      ${of(({ address }) => address)}::text[], ${of(({ homeTeamId }) => homeTeamId)}::uuid[],
      ${of(({ channelId }) => channelId)}::uuid[],
      ${of(({ dueAt }) => dueAt)}::timestamptz[]
    ) AS planned (id, key, kind, subject, address, home, channel, due)
    ON CONFLICT (organization_id, dedupe_key) DO NOTHING`;
  if (deliveries.length > 0) await tx.run(named('deliveries.insert', insert));
  const by = <T>(value: (one: (typeof planned)[number]) => T) => planned.map(value);
  const link = sql`
    INSERT INTO reminder_targets (reminder_id, recipient_key, channel_id, address, home_team_id, reason, delivery_id)
    SELECT * FROM unnest(${by(({ target }) => target.reminderId)}::uuid[],
      ${by(({ target }) => target.recipientKey)}::text[],
      ${by(({ target }) => target.channel?.id ?? null)}::uuid[], ${by(({ target }) => target.address)}::text[],
      ${by(({ target }) => homeOf(target, workspace))}::uuid[],
      ${by(({ target }) => target.reason)}::text[], ${by(({ delivery }) => delivery?.id ?? null)}::uuid[])`;
  if (planned.length > 0) await tx.run(named('reminder_targets.insert', link));
  return noteWithoutRecipient(tx, told, targets);
}

/** Records which reminders reach none of their own recipients. Those that reach nobody are skipped. */
async function noteWithoutRecipient(
  tx: Transaction,
  told: readonly Told[],
  targets: readonly FoundTarget[],
): Promise<number> {
  const reached = targets.filter(({ reason }) => reason === null);
  const own = new Set(reached.filter(({ isFallback }) => !isFallback).map(({ reminderId }) => reminderId));
  const any = new Set(reached.map(({ reminderId }) => reminderId));
  const alone = told.filter(({ id }) => !own.has(id)).map(({ id }) => id);
  if (alone.length === 0) return 0;
  const nobody = alone.filter((id) => !any.has(id));
  const statement = sql`
    UPDATE reminders SET reason = 'without recipient',
      state = CASE WHEN id = ANY(${nobody}::uuid[]) THEN 'SKIPPED' ELSE state END
    WHERE id = ANY(${alone}::uuid[])`;
  await tx.run(named('reminders.without_recipient', statement));
  return nobody.length;
}
