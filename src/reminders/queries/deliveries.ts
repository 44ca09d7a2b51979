import * as z from 'zod';
import { enums } from '../../../prisma/generated/columns.js';
import { invitationSubject } from '../../access/invitations.js';
import type { Session } from '../../db/connection/session.js';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import type { EnumOf, RowOf } from '../../db/sql/conditions.js';
import { defineRows } from '../../db/sql/select.js';
import { sql } from '../../db/sql/sql.js';
import { updateRows } from '../../db/sql/write.js';
import { signInLinkSubject } from '../../domain/caller.js';
import { nextModified } from '../../domain/dates.js';
import { GatewayError, notFound } from '../../domain/errors.js';
import { deliveryError, deliveryReason } from '../../domain/reminders/reasons.js';
import { isUuid, limits, newId } from '../../domain/rules.js';
import { isDemoWorkspace } from '../../domain/text/demo.js';
import { isEmail } from '../../domain/text/formats.js';
import { expirationItems } from '../../items/expiration-items.js';
import { declareList } from '../../records/declare/declare.js';
import { computed, exposed, link, unexposed, visibleId } from '../../records/declare/fields.js';
import type { Link } from '../../records/links.js';
import { checkVersion } from '../../records/locks.js';
import { transact } from '../../records/record.js';
import { findTargets, writeDeliveries } from '../evaluate/decide-items.js';
import {
  type FoundItem,
  type PolicyStep,
  readItems,
  readWorkspace,
  type Workspace,
  writeLedger,
} from '../evaluate/ledger.js';
import {
  addressSeen,
  noReminders,
  reminders,
  seenAddressSql,
  seesAddress,
  shownAddress,
} from './reminders.js';

/** Deliveries about an item. */
const deliveriesOfItem: Link = {
  pairs: sql`
    SELECT DISTINCT reminder.item_id, target.delivery_id
    FROM reminders AS reminder JOIN reminder_targets AS target ON target.reminder_id = reminder.id
    WHERE target.delivery_id IS NOT NULL`,
};

/** Messages to people, whether sent or not. */
export const deliveries = declareList('Delivery', {
  fields: {
    id: exposed(),
    kind: exposed(undefined, {
      enum: {
        about: 'How a delivery is sent.',
        values: { MAIL: 'By mail.', CHAT: 'To a chat.', WEBHOOK: 'To a webhook.' },
      },
    }),
    state: exposed(undefined, {
      enum: {
        about: 'The state of a delivery.',
        values: {
          QUEUED: 'It is waiting for its time or for another attempt.',
          SENT: 'The mail server accepted it.',
          FAILED: 'The gateway gave up sending it. A person can retry it.',
          SUPPRESSED: 'Mails to its address are suppressed.',
          CANCELLED: 'Its content no longer applied.',
        },
      },
    }),
    address: computed(
      'String!',
      ['address', 'homeTeamId'],
      'The address or endpoint that it is sent to. For a contact that the caller may not see, only a word.',
      (delivery: RowOf<'Delivery'>, session) => shownAddress(session, delivery),
      { door: 'both' },
    ),
    homeTeamId: unexposed(),
    channelId: unexposed(),
    subjectKind: exposed(),
    subjectId: unexposed(undefined, { to: 'expirationItem' }),
    expirationItemId: visibleId(
      'subjectId',
      'The id of the item that it is about, if the caller may see it. Null if there are several.',
    ),
    expirationItem: link('subjectId', 'The item that it is about. Null if there are several.', {
      hasNone: false,
    }),
    attempts: exposed(),
    lastError: computed(
      'String',
      ['state', 'lastError', 'statusCode', 'errorCode', 'homeTeamId'],
      'Why it did not arrive, in plain words.',
      (delivery: RowOf<'Delivery'>, session) => deliveryError(delivery, seesAddress(session, delivery)),
      { door: 'both' },
    ),
    errorCode: unexposed(),
    reasonCode: computed(
      'NotToldReason',
      ['state', 'lastError', 'statusCode', 'errorCode'],
      'The code for why it did not arrive. Null if there is no problem.',
      (delivery: RowOf<'Delivery'>) => deliveryReason(delivery),
    ),
    statusCode: exposed(),
    messageId: exposed(),
    dueAt: exposed(),
    firstTriedAt: unexposed(),
    settledAt: exposed(),
    teamId: exposed(),
    team: link('teamId', 'The workspace that it belongs to.'),
    created: exposed(),
    modified: exposed(),
    dedupeKey: unexposed(),
    payload: unexposed(),
  },
  // What a server has said is cut before it is kept.
  bounds: z.object({
    address: z.string().max(limits.line),
    subjectKind: z.string().max(limits.line),
    lastError: z.string().max(limits.address).nullable(),
    messageId: z.string().max(limits.line).nullable(),
  }),
  filter: {
    term: { in: ['address'], description: 'Part of the address, ignoring case.' },
    state: 'Deliveries in this state.',
    kind: 'Deliveries of this kind.',
    address: {
      description: 'Deliveries to this address, ignoring case.',
      where: (address) => ({ address: { key: address } }),
    },
    since: {
      type: 'DateTime',
      description: 'Deliveries queued at or after this time.',
      where: (moment) => ({ created: { gte: moment } }),
    },
    expirationItemId: {
      type: 'ID',
      description: 'Deliveries about this item.',
      by: ['expirationItem', deliveriesOfItem],
    },
    teamId: 'Deliveries in this workspace.',
  },
  only: (session, { term, address }) => (term || address ? addressSeen(session) : {}),
  sortable: ['id', 'attempts', 'dueAt', 'settledAt', 'created', 'modified'],
  order: { field: 'created', direction: 'desc' },
  orderKeys: {
    address: {
      rule: z.string().nullable(),
      column: (session) => ({ value: seenAddressSql(session) }),
    },
  },
  indexed: ['created'],
  ranges: ['dueAt', 'settledAt', 'attempts'],
  rows: defineRows('Delivery', (delivery) => delivery, ['payload']),
  rest: {
    tag: 'Deliveries',
    about: 'Messages to people, whether sent or not.',
    model: 'DeliveryModel',
    records: {
      '/v1/deliveries': { kind: 'delivery', name: 'Registration Truck 101' },
      '/v1/deliveries/{id}/retry': { kind: 'delivery', name: 'Trailer 501 rental insurance' },
    },
    term: 'mapleridge',
    routes: {
      'GET /v1/deliveries': {
        origin: 'addition',
        parameters: ['term', 'state', 'page', 'sort', 'sortDirection'],
        states: enums.DeliveryState,
        summary: 'Lists deliveries, the last queued first.',
      },
      'GET /v1/deliveries/{id}': {
        origin: 'addition',
      },
      'POST /v1/deliveries/{id}/retry': {
        kind: 'act',
        origin: 'addition',
        field: 'retryDelivery',
        errors: ['NOT_FOUND', 'CONFLICT'],
        summary: 'Retries a failed delivery for up to one day from now.',
      },
    },
  },
});

/** Reasons why a delivery cannot be retried, by its state. A failed one can. */
const refusals: Readonly<Partial<Record<EnumOf<'DeliveryState'>, string>>> = {
  QUEUED: 'The delivery is already queued.',
  SENT: 'The delivery was already sent; use `resendReminder` to send the reminder again.',
  SUPPRESSED: 'Mail to the address of the delivery was stopped.',
  CANCELLED: 'The delivery was cancelled because its content is no longer correct.',
};

/**
 * Puts a delivery that was given up back into the queue. Of concurrent requests, one succeeds.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; CONFLICT for one that was not given up, or whose
 *   address is suppressed
 */
export function retryDelivery(session: Session, id: string): Promise<RowOf<'Delivery'>> {
  return transact(session, expirationItems, async (tx) => {
    const delivery = isUuid(id) ? await deliveries.rows.lock(tx, id.toLowerCase()) : null;
    if (!delivery) throw notFound(deliveries.noun, id);
    checkVersion(session, delivery);
    const refusal = refusals[delivery.state];
    if (refusal) throw new GatewayError('CONFLICT', refusal);
    // Its link was deleted when it was given up.
    if (delivery.subjectKind === invitationSubject)
      throw new GatewayError('CONFLICT', 'The invitation could not be delivered: invite the user again.');
    if (delivery.subjectKind === signInLinkSubject)
      throw new GatewayError('CONFLICT', 'The link could not be delivered: ask for a new one.');
    await checkAddress(tx, delivery, session.now);
    await reopen(tx, delivery.id);
    const values = {
      ...{ state: 'QUEUED' as const, dueAt: session.now, settledAt: null },
      ...{ lastError: null, errorCode: null, statusCode: null },
      // It is retried for a day from now on. The attempts continue to count, so that claims of earlier ones
      // stay invalid.
      firstTriedAt: null,
      modified: nextModified(session.now, delivery.modified),
    };
    const [retried] = await updateRows(tx, 'Delivery', { id: delivery.id }, values);
    return retried ?? delivery;
  });
}

/** Rejects an address that would get no mail. */
async function checkAddress(
  tx: Transaction,
  { organizationId, address }: RowOf<'Delivery'>,
  now: Date,
): Promise<void> {
  const statement = sql`
    SELECT reason::text AS reason FROM suppressions
    WHERE organization_id = ${organizationId}::uuid AND address_key = natural_key(${address}) AND scope = 'ALL'
      AND (until IS NULL OR until > ${now}::timestamptz) LIMIT 1`;
  const [found] = await tx.run<{ reason: string }>(prepared('suppressions.of_address', statement));
  if (found)
    throw new GatewayError(
      'CONFLICT',
      `Nothing is sent to the address (${found.reason}) until an admin deletes its suppression.`,
    );
}

/** Reactivates the reminders of a delivery that failed. */
async function reopen(tx: Transaction, deliveryId: string): Promise<void> {
  const statement = sql`
    WITH reopened AS (
      UPDATE reminder_targets SET reason = NULL
      WHERE delivery_id = ${deliveryId}::uuid AND reason IN ('failed', 'refused', 'chat failed') RETURNING reminder_id
    )
    UPDATE reminders SET state = 'PENDING', reason = NULL
    WHERE id IN (SELECT reminder_id FROM reopened) AND state = 'SKIPPED' AND reason = 'without recipient'`;
  await tx.run(prepared('reminders.reopen', statement));
}

const conflict = (message: string) => new GatewayError('CONFLICT', message);

/** Finds the date of an item whose reminder may be sent again. */
async function itemOf(
  tx: Transaction,
  workspace: Workspace,
  reminder: RowOf<'Reminder'>,
): Promise<FoundItem> {
  const dates = await readItems(tx, workspace, [reminder.itemId]);
  const item = dates.find(({ about }) => about === reminder.about);
  if (!item)
    throw conflict(
      'The item gets no reminders: it was deleted, is archived or missing, has no date, or has reminders turned off.',
    );
  if (item.date.getTime() !== reminder.expirationDate.getTime())
    throw conflict('The date of the item has changed, and the new date has its own reminders.');
  if (item.acknowledged?.silence) throw conflict('All reminders for the date were stopped.');
  return item;
}

/** Milliseconds after a reminder in which none of its date is resent. They make a double click harmless. */
const retryDelayMs = 60_000;

/**
 * Rejects resending while a reminder of the date is on its way, and shortly afterwards. Of concurrent
 * requests, one succeeds.
 */
async function checkUnderWay(
  tx: Transaction,
  { itemId, teamId, about, expirationDate }: RowOf<'Reminder'>,
  now: Date,
): Promise<void> {
  const lock = sql`
    SELECT FROM expiration_items WHERE id = ${itemId}::uuid AND team_id = ${teamId}::uuid FOR NO KEY UPDATE`;
  await tx.run(prepared('reminders.lock_item', lock));
  const statement = sql`
    SELECT coalesce(bool_or(state = 'PENDING' AND EXISTS (
        SELECT FROM reminder_targets AS target JOIN deliveries AS delivery ON delivery.id = target.delivery_id
        WHERE target.reminder_id = reminder.id AND delivery.state = 'QUEUED')), false) AS "underWay",
      -- A mail may leave long after it was decided: when it left is what counts.
      coalesce(bool_or(state = 'TOLD' AND EXISTS (
        SELECT FROM reminder_targets AS target JOIN deliveries AS delivery ON delivery.id = target.delivery_id
        WHERE target.reminder_id = reminder.id AND delivery.state = 'SENT'
          AND delivery.settled_at > ${new Date(now.getTime() - retryDelayMs)}::timestamptz)), false) AS told
    FROM reminders AS reminder
    WHERE item_id = ${itemId}::uuid AND about = ${about}::item_date AND expiration_date = ${expirationDate}::date`;
  const [known] = await tx.run<{ underWay: boolean; told: boolean }>(
    prepared('reminders.under_way', statement),
  );
  if (known?.underWay) throw conflict('A reminder for this date is already on its way.');
  if (known?.told) throw conflict('A reminder for this date was sent less than a minute ago.');
}

/** Address that a reminder was sent to. */
type Earlier = Pick<RowOf<'ReminderTarget'>, 'recipientKey' | 'address' | 'homeTeamId'>;

/** Reads the addresses of a reminder. Those of people who were erased since are none any more. */
async function addressesOf(tx: Transaction, { id }: RowOf<'Reminder'>): Promise<Earlier[]> {
  const statement = sql`
    SELECT recipient_key AS "recipientKey", address, home_team_id AS "homeTeamId" FROM reminder_targets
    WHERE reminder_id = ${id}::uuid AND channel_id IS NULL ORDER BY recipient_key LIMIT 100`;
  const found = await tx.run<Earlier>(prepared('reminder_targets.addresses', statement));
  return found.filter(({ address }) => isEmail(address));
}

/** Reads the recipients with a pending mail of the date. It may be waiting for a retry or a digest. */
async function keysUnderWay(
  tx: Transaction,
  { itemId, about, expirationDate }: RowOf<'Reminder'>,
): Promise<Set<string>> {
  const statement = sql`
    SELECT target.recipient_key AS key FROM reminders AS reminder
    JOIN reminder_targets AS target ON target.reminder_id = reminder.id
    JOIN deliveries AS delivery ON delivery.id = target.delivery_id AND delivery.state = 'QUEUED'
    WHERE reminder.item_id = ${itemId}::uuid AND reminder.about = ${about}::item_date
      AND reminder.expiration_date = ${expirationDate}::date`;
  const rows = await tx.run<{ key: string }>(prepared('reminder_targets.under_way', statement));
  return new Set(rows.map(({ key }) => key));
}

/**
 * Finds the step whose recipients get the reminder. A deleted step is replaced by the addresses that it used.
 */
function stepOf({ steps }: Workspace, reminder: RowOf<'Reminder'>, earlier: readonly Earlier[]): PolicyStep {
  const known = [...steps.values()].flat().find(({ id }) => id === reminder.stepKey);
  if (known) return known;
  return {
    ...{ id: reminder.stepKey, policyId: reminder.stepKey, about: null, offsetDays: 0, timeOfDay: '00:00' },
    ...{ repeatEveryDays: null, repeatCount: null, onlyUnacknowledged: false, workingDaysOnly: false },
    recipients: ['ADDRESSES'],
    addresses: earlier.map(({ address }) => address),
    channelIds: [],
    asksForDocument: false,
  };
}

/**
 * Sends a reminder again, to the current recipients of its step. Each gets a separate mail, except those who
 * still wait for one. In the ledger it is a reminder of its own, because the ledger has each reminder of a
 * step only once.
 * @returns the new reminder
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; CONFLICT if the item or its date has no reminders any
 *   more, or a reminder of the date is on its way or was just sent
 */
export function resendReminder(session: Session, id: string): Promise<RowOf<'Reminder'>> {
  return transact(session, expirationItems, async (tx) => {
    const { now } = session;
    const reminder = isUuid(id) ? await reminders.rows.lock(tx, id.toLowerCase()) : null;
    if (!reminder || noReminders.includes(reminder.stepKey)) throw notFound(reminders.noun, id);
    checkVersion(session, reminder);
    const workspace = await readWorkspace(tx, reminder.teamId);
    if (!workspace) throw conflict('The workspace is not active.');
    await checkUnderWay(tx, reminder, now);
    const item = await itemOf(tx, workspace, reminder);
    const earlier = await addressesOf(tx, reminder);
    const step = stepOf(workspace, reminder, earlier);
    const decision = {
      ...{ stepKey: newId(), occurrence: 0, slot: now, step },
      ...{ state: 'PENDING' as const, reason: null, yieldsTo: [] },
      recipientKey: null,
    };
    const isDemo = isDemoWorkspace(workspace.teamId, workspace.organizationId);
    // A demo reminder goes to the same address as before, because the demo's people are fictitious.
    const only = isDemo ? earlier[0]?.address : undefined;
    if (isDemo && only === undefined)
      throw conflict('Reminders of the demo workspace go only to DEMO_MAIL_TO.');
    const waiting = await keysUnderWay(tx, reminder);
    const { told } = await writeLedger(tx, workspace, [{ item, decision }], now);
    const asked = told.map((one) => ({ ...one, workspace }));
    const all = await findTargets(tx, asked, now, { insteadOfAll: only });
    const targets = all.filter(({ recipientKey }) => !waiting.has(recipientKey));
    if (all.length > 0 && targets.length === 0)
      throw conflict('A reminder for this date is already on its way to all recipients.');
    // An address of a deleted step still belongs to the contact who had it.
    const homes = new Map(earlier.map(({ recipientKey, homeTeamId }) => [recipientKey, homeTeamId]));
    const single = targets.map((target) => ({
      ...{ ...target, mode: 'SINGLE' as const },
      home: step.policyId === step.id ? (homes.get(target.recipientKey) ?? null) : target.home,
    }));
    await writeDeliveries(tx, workspace, told, single, now);
    const made = await reminders.rows.find(tx, told[0]?.id ?? '');
    if (!made) throw new Error('A reminder was not written down.');
    return made;
  });
}
