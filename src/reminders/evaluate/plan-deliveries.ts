import { v5 as uuidv5 } from 'uuid';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { sql } from '../../db/sql/sql.js';
import { formatDate } from '../../domain/dates.js';
import type { Ending } from '../../domain/reminders/reasons.js';
import { dayAt, localTime, nextDigest, nextSlot } from '../../domain/reminders/slots.js';
import { newId } from '../../domain/rules.js';
import type { Notified, Workspace } from './ledger.js';

/** A recipient of a reminder, and how they want to receive it. */
export interface FoundTarget {
  readonly reminderId: string;
  readonly recipientKey: string;
  readonly address: string;
  /** Reason why they do not get it; null if they do. */
  readonly reason: Ending | null;
  /** True if the reminder has the recipient already. */
  readonly isKnown: boolean;
  /** True if they get it only because nobody else is left. */
  readonly isFallback: boolean;
  readonly mode: 'SINGLE' | 'DAILY' | 'WEEKLY';
  readonly weekday: number;
  readonly digestTime: string;
  readonly timezone: string | null;
  /** Workspace of a contact, which may differ from the item's. */
  readonly home: string | null;
  /** Set for a chat channel. */
  readonly channel?: {
    readonly id: string;
    readonly quietFrom: string | null;
    readonly quietTo: string | null;
  };
}

/** A recipient of deliveries, and when they want them. */
export type Addressee = Omit<FoundTarget, 'reminderId' | 'reason' | 'isKnown' | 'isFallback'>;

/** The properties of a workspace that its deliveries depend on. */
export type Place = Pick<Workspace, 'teamId' | 'organizationId' | 'timezone'>;

/** The properties of a reminder that its deliveries depend on. */
export type Told = Omit<Notified, 'step' | 'yieldsTo'>;

/** A message to queue. */
interface Delivery {
  readonly id: string;
  readonly teamId: string;
  readonly dedupeKey: string;
  readonly subjectKind: string;
  readonly subjectId: string | null;
  readonly address: string;
  readonly homeTeamId: string | null;
  readonly channelId: string | null;
  readonly dueAt: Date;
  /** Returns the digest to join instead, once this one is being sent. */
  readonly next?: () => Delivery;
}

/** A recipient of a reminder, with the delivery that tells them. It is null if they get nothing. */
interface Planned {
  readonly target: FoundTarget;
  readonly delivery: Delivery | null;
}

/** Time for which deliveries are planned. */
interface PlanTime {
  readonly now: Date;
  /** True if each slot has just come, or came while the gateway was down. */
  readonly isTimely: boolean;
  /** Times of digests that were computed. Thousands of recipients have the same. */
  readonly dues: Map<string, Date>;
}

/** The most mails that an address gets for the items of one moment. More of them become one. */
export const maxSingles = 5;

/** Returns the recipient's workspace if it is another one. Not everybody here may know the address. */
export const homeOf = ({ home }: Pick<Addressee, 'home'>, { teamId }: Place) =>
  home === teamId ? null : home;

/** Returns when a channel gets a message: now, or after its quiet hours. */
function afterQuiet({ channel }: Addressee, { timezone }: Place, now: Date): Date {
  const { quietFrom, quietTo } = channel ?? {};
  if (!quietFrom || !quietTo) return now;
  const time = new Date(localTime(now.getTime(), timezone)).toISOString().slice(11, 16);
  const isWithin =
    quietFrom < quietTo ? quietFrom <= time && time < quietTo : time >= quietFrom || time < quietTo;
  return isWithin ? nextSlot(now, timezone, [quietTo]) : now;
}

/** Creates a delivery. Its id is derived from its key, so that later additions find it. */
function toDelivery(
  workspace: Place,
  target: Addressee,
  dedupeKey: string,
  rest: Pick<Delivery, 'dueAt'> & Partial<Delivery>,
): Delivery {
  return {
    ...{ id: uuidv5(dedupeKey, workspace.organizationId), teamId: workspace.teamId },
    ...{ dedupeKey, subjectKind: 'digest', subjectId: null, address: target.address },
    homeTeamId: target.channel ? null : homeOf(target, workspace),
    channelId: target.channel?.id ?? null,
    ...rest,
  };
}

/** Returns the message that tells a recipient of all items of one decision. Another one for each would be a flood. */
function momentDelivery(target: Addressee, workspace: Place, now: Date): Delivery {
  const what = target.channel ? 'chat' : 'moment';
  const key = `${what} ${workspace.teamId} ${target.recipientKey} ${now.toISOString()}`;
  const dueAt = afterQuiet(target, workspace, now);
  const next = () => toDelivery(workspace, target, `${key} ${newId()}`, { dueAt });
  return toDelivery(workspace, target, key, { dueAt, next });
}

const zoneOf = (target: Addressee, workspace: Place) => target.timezone ?? workspace.timezone;

/**
 * Returns a daily or weekly digest. There is one for each day of the recipient's clock, also if the time zone changes
 * meanwhile.
 */
function digestDelivery(target: Addressee, workspace: Place, dueAt: Date): Delivery {
  const zone = zoneOf(target, workspace);
  const key = `digest ${workspace.teamId} ${target.recipientKey} ${formatDate(dayAt(dueAt, zone))}`;
  const after = new Date(dueAt.getTime() + 1);
  const next = () => digestDelivery(target, workspace, nextDigest(target, zone, after));
  return toDelivery(workspace, target, key, { dueAt, next });
}

const dayMs = 86_400_000;

/**
 * Returns when the digest for a reminder is due. A reminder whose slot has come joins the digest of that very time. Of
 * digests that the gateway has missed, only the last one is made up for.
 */
function digestDue(target: FoundTarget, { slot }: Told, zone: string, { now, isTimely }: PlanTime): Date {
  if (!isTimely || slot > now) return nextDigest(target, zone, now);
  const furthest = now.getTime() - (target.mode === 'WEEKLY' ? 8 : 2) * dayMs;
  let due = nextDigest(target, zone, new Date(Math.max(slot.getTime(), furthest)));
  for (let later = due; later <= now; later = nextDigest(target, zone, new Date(due.getTime() + 1)))
    due = later;
  return due;
}

/** Returns the key of a date of an item. The two dates differ in it, even on one day. */
export const dateKey = ({ about, date }: Pick<Told, 'about' | 'date'>): string =>
  `${formatDate(date)}${about === 'NOTICE' ? ' notice' : ''}`;

/** Returns the delivery that reminds somebody of an item. It may cover several steps, or several items. */
function deliveryOf(
  target: FoundTarget,
  told: Told,
  workspace: Place,
  time: PlanTime,
  isCrowded: boolean,
): Delivery {
  const { now, dues } = time;
  if (target.mode !== 'SINGLE') {
    const zone = zoneOf(target, workspace);
    const { mode, weekday, digestTime } = target;
    const key = [mode, weekday, digestTime, zone, told.slot.getTime()].join(' ');
    const due = dues.get(key) ?? digestDue(target, told, zone, time);
    dues.set(key, due);
    return digestDelivery(target, workspace, due);
  }
  if (target.channel || isCrowded) return momentDelivery(target, workspace, now);
  const { itemId, slot } = told;
  const key = `item ${itemId} ${dateKey(told)} ${target.recipientKey} ${slot.toISOString()}`;
  return toDelivery(workspace, target, key, { dueAt: now, subjectKind: 'item', subjectId: itemId });
}

/** Finds the recipients who would get more mails of this moment than anybody reads. */
function findCrowded(
  reminders: ReadonlyMap<string, Told>,
  targets: readonly FoundTarget[],
): ReadonlySet<string> {
  const items = new Map<string, Set<string>>();
  for (const { reminderId, recipientKey, reason, mode, channel } of targets) {
    const told = reminders.get(reminderId);
    if (reason !== null || mode !== 'SINGLE' || channel || !told) continue;
    const known = items.get(recipientKey) ?? new Set();
    items.set(recipientKey, known.add(`${told.itemId} ${dateKey(told)}`));
  }
  return new Set([...items].filter(([, own]) => own.size > maxSingles).map(([key]) => key));
}

/**
 * Removes duplicate deliveries. An address that somebody has in this workspace counts as this workspace's. They are in
 * one order, because several deliveries of a reminder may find a new recipient at the same time.
 */
function distinct(deliveries: readonly Delivery[]): Delivery[] {
  const known = new Map<string, Delivery>();
  for (const delivery of deliveries) {
    if (delivery.homeTeamId === null || !known.has(delivery.id)) known.set(delivery.id, delivery);
  }
  return [...known.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Queues deliveries that are not queued yet. A digest takes further items until it is first claimed, so that what a mail
 * says is what it is recorded to have said.
 * @returns the ids of those that can take the reminders
 */
async function queue(
  tx: Transaction,
  organizationId: string,
  deliveries: readonly Delivery[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const of = <T>(value: (delivery: Delivery) => T) => deliveries.map(value);
  const insert = sql`
    INSERT INTO deliveries (id, organization_id, team_id, kind, dedupe_key, subject_kind, subject_id, address,
      home_team_id, channel_id, due_at, created)
    SELECT id, ${organizationId}::uuid, team,
      CASE WHEN channel IS NULL THEN 'MAIL' ELSE 'CHAT' END::delivery_kind, key, kind, subject, address, home, channel,
      due, ${now}::timestamptz
    FROM unnest(${of(({ id }) => id)}::uuid[], ${of(({ teamId }) => teamId)}::uuid[], ${of(({ dedupeKey }) => dedupeKey)}::text[],
      ${of(({ subjectKind }) => subjectKind)}::text[], ${of(({ subjectId }) => subjectId)}::uuid[],
      ${of(({ address }) => address)}::text[], ${of(({ homeTeamId }) => homeTeamId)}::uuid[],
      ${of(({ channelId }) => channelId)}::uuid[],
      ${of(({ dueAt }) => dueAt)}::timestamptz[]
    ) AS planned (id, team, key, kind, subject, address, home, channel, due)
    -- One that was cancelled has something to tell again.
    ON CONFLICT (organization_id, dedupe_key) DO UPDATE SET state = 'QUEUED', settled_at = NULL,
      due_at = CASE WHEN deliveries.state = 'CANCELLED' THEN excluded.due_at ELSE deliveries.due_at END,
      first_tried_at = NULL, last_error = NULL, error_code = NULL
    WHERE deliveries.state = 'CANCELLED' OR deliveries.state = 'QUEUED' AND deliveries.attempts = 0
    RETURNING id`;
  const queued = await tx.run<{ id: string }>(prepared('deliveries.insert', insert));
  return new Set(queued.map(({ id }) => id));
}

/**
 * Plans and queues the deliveries of reminders: a mail for each item, or digests. Where a digest is already being sent,
 * the reminders join the one after it.
 */
export async function planDeliveries(
  tx: Transaction,
  workspace: Place,
  told: readonly Told[],
  targets: readonly FoundTarget[],
  { now, isTimely }: Omit<PlanTime, 'dues'>,
): Promise<Planned[]> {
  const time = { now, isTimely, dues: new Map() };
  const reminders = new Map(told.map((reminder) => [reminder.id, reminder]));
  const crowded = findCrowded(reminders, targets);
  const planned = targets.flatMap((target): Planned[] => {
    const reminder = reminders.get(target.reminderId);
    if (!reminder) return [];
    const isCrowded = crowded.has(target.recipientKey);
    const delivery = target.reason === null ? deliveryOf(target, reminder, workspace, time, isCrowded) : null;
    return [{ target, delivery }];
  });
  return queueAll(tx, workspace.organizationId, planned, now);
}

/** Queues deliveries that somebody has planned. Those that are being sent already are followed by their next ones. */
async function queueAll<One extends { readonly delivery: Delivery | null }>(
  tx: Transaction,
  organizationId: string,
  wanted: readonly One[],
  now: Date,
): Promise<One[]> {
  let planned = [...wanted];
  const queued = new Set<string>();
  const waiting = (only: (delivery: Delivery) => boolean) =>
    distinct(planned.flatMap(({ delivery }) => (delivery && only(delivery) ? delivery : [])));
  for (let open = waiting(() => true); open.length > 0; ) {
    for (const id of await queue(tx, organizationId, open, now)) queued.add(id);
    const later = new Map(
      open.flatMap(({ id, next }) => (next && !queued.has(id) ? [[id, next()] as const] : [])),
    );
    const follow = (delivery: Delivery | null) => (delivery && later.get(delivery.id)) ?? delivery;
    planned = planned.map((one) => ({ ...one, delivery: follow(one.delivery) }));
    const ids = new Set([...later.values()].map(({ id }) => id));
    open = waiting(({ id }) => ids.has(id) && !queued.has(id));
  }
  return planned;
}

/** Milliseconds in which news for somebody become one mail. */
const togetherMs = 5 * 60_000;

/** Time before which nobody gets news of a day that has just begun. */
const morning = '08:00';

/** Returns when news are sent: soon, but not at night. Whoever wants digests gets them at the same time. */
function newsDue(target: Addressee, zone: string, now: Date): Date {
  if (target.mode !== 'SINGLE') return nextDigest(target, zone, now);
  const soon = new Date((Math.floor(now.getTime() / togetherMs) + 1) * togetherMs);
  const time = new Date(localTime(soon.getTime(), zone)).toISOString().slice(11, 16);
  return time < morning ? nextSlot(soon, zone, [morning]) : soon;
}

/** Returns the mail that tells somebody the news of a workspace. What comes later joins it until it is sent. */
function newsDelivery(subjectKind: string, target: Addressee, workspace: Place, now: Date): Delivery {
  const dueAt = newsDue(target, zoneOf(target, workspace), now);
  const key = `${subjectKind} ${workspace.teamId} ${target.recipientKey} ${dueAt.toISOString()}`;
  const next = () => newsDelivery(subjectKind, target, workspace, new Date(dueAt.getTime() + 1));
  return toDelivery(workspace, target, key, { subjectKind, dueAt, next });
}

/**
 * Queues mails that tell recipients news, one for each address.
 * @param subjectKind kind of the deliveries
 * @returns the recipients with the ids of their deliveries
 */
export async function planNews<One extends Addressee>(
  tx: Transaction,
  workspace: Place,
  subjectKind: string,
  targets: readonly One[],
  now: Date,
): Promise<{ readonly target: One; readonly deliveryId: string }[]> {
  const wanted = targets.map((target) => ({
    target,
    delivery: newsDelivery(subjectKind, target, workspace, now),
  }));
  const planned = await queueAll(tx, workspace.organizationId, wanted, now);
  return planned.map(({ target, delivery }) => ({ target, deliveryId: delivery.id }));
}

/** A daily or weekly digest that waits, and when its recipient wants it now. */
export interface WaitingDigest extends Omit<Addressee, 'channel'> {
  readonly id: string;
  readonly teamId: string;
  /** Time zone of the workspace. */
  readonly ofTeam: string;
}

/**
 * Moves digests that wait to the time that is wanted now. Those of one recipient and workspace become one, in which what
 * is decided until then has its place.
 */
export async function moveDigests(
  tx: Transaction,
  organizationId: string,
  waiting: readonly WaitingDigest[],
  now: Date,
): Promise<void> {
  if (waiting.length === 0) return;
  const dues = new Map<string, Date>();
  const wanted = waiting.map((target) => {
    const { id, teamId, ofTeam, mode, weekday, digestTime } = target;
    const workspace = { organizationId, teamId, timezone: ofTeam };
    if (mode === 'SINGLE') return { id, delivery: momentDelivery(target, workspace, now) };
    const zone = zoneOf(target, workspace);
    const key = [mode, weekday, digestTime, zone].join(' ');
    const due = dues.get(key) ?? nextDigest(target, zone, now);
    dues.set(key, due);
    return { id, delivery: digestDelivery(target, workspace, due) };
  });
  const moved = await queueAll(tx, organizationId, wanted, now);
  const statement = sql`
    WITH moved AS (
      SELECT * FROM unnest(${moved.map(({ id }) => id)}::uuid[], ${moved.map(({ delivery }) => delivery.id)}::uuid[],
        ${moved.map(({ delivery }) => delivery.dueAt)}::timestamptz[]) AS moved (old, id, due)
    ), linked AS (
      UPDATE reminder_targets AS target SET delivery_id = moved.id FROM moved
      WHERE target.delivery_id = moved.old AND moved.id <> moved.old
    ), gone AS (
      DELETE FROM deliveries USING moved WHERE deliveries.id = moved.old AND moved.id <> moved.old
    )
    UPDATE deliveries SET due_at = moved.due FROM moved WHERE deliveries.id = moved.id`;
  await tx.run(prepared('digests.move', statement));
}
