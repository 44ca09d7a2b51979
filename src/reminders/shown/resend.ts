import type { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import type { RowOf } from '../../db/sql/columns.js';
import { sql } from '../../db/sql/sql.js';
import { GatewayError, notFound } from '../../domain/errors.js';
import { isUuid, newId } from '../../domain/rules.js';
import { isDemoWorkspace } from '../../domain/text/demo.js';
import { isEmail } from '../../domain/text/formats.js';
import { expirationItems } from '../../items/expiration-items.js';
import { checkVersion } from '../../records/locking.js';
import { transact } from '../../records/record.js';
import { writeDeliveries } from '../evaluate/deliveries.js';
import { type FoundItem, readItems } from '../evaluate/items.js';
import { writeLedger } from '../evaluate/ledger.js';
import { findTargets } from '../evaluate/targets.js';
import { type PolicyStep, readWorkspace, type Workspace } from '../evaluate/workspace.js';
import { noReminders, reminders } from './reminders.js';

const conflict = (message: string) => new GatewayError('CONFLICT', message);

/** Finds the item of a reminder that may be sent again. */
async function itemOf(
  tx: Transaction,
  workspace: Workspace,
  reminder: RowOf<'Reminder'>,
): Promise<FoundItem> {
  const [item] = await readItems(tx, workspace, [reminder.itemId]);
  if (!item)
    throw conflict(
      'The item gets no reminders: it was deleted, is archived or missing, has no date, or has reminders turned off.',
    );
  if (item.expirationDate.getTime() !== reminder.expirationDate.getTime())
    throw conflict('The date of the item has changed, and the new date has its own reminders.');
  if (item.acknowledged?.silence) throw conflict('All reminders for the date were stopped.');
  return item;
}

/** Milliseconds after a reminder in which none of its date is resent. They make a double click harmless. */
const againMs = 60_000;

/**
 * Rejects resending while a reminder of the date is on its way, and shortly afterwards. Of concurrent
 * requests, one succeeds.
 */
async function checkUnderWay(
  tx: Transaction,
  { itemId, teamId, expirationDate }: RowOf<'Reminder'>,
  now: Date,
): Promise<void> {
  const lock = sql`
    SELECT FROM expiration_items WHERE id = ${itemId}::uuid AND team_id = ${teamId}::uuid FOR NO KEY UPDATE`;
  await tx.run(named('reminders.lock_item', lock));
  const statement = sql`
    SELECT coalesce(bool_or(state = 'PENDING' AND EXISTS (
        SELECT FROM reminder_targets AS target JOIN deliveries AS delivery ON delivery.id = target.delivery_id
        WHERE target.reminder_id = reminder.id AND delivery.state = 'QUEUED')), false) AS "underWay",
      -- A mail may leave long after it was decided: when it left is what counts.
      coalesce(bool_or(state = 'TOLD' AND EXISTS (
        SELECT FROM reminder_targets AS target JOIN deliveries AS delivery ON delivery.id = target.delivery_id
        WHERE target.reminder_id = reminder.id AND delivery.state = 'SENT'
          AND delivery.settled_at > ${new Date(now.getTime() - againMs)}::timestamptz)), false) AS told
    FROM reminders AS reminder
    WHERE item_id = ${itemId}::uuid AND expiration_date = ${expirationDate}::date`;
  const [known] = await tx.run<{ underWay: boolean; told: boolean }>(named('reminders.under_way', statement));
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
  const found = await tx.run<Earlier>(named('reminder_targets.addresses', statement));
  return found.filter(({ address }) => isEmail(address));
}

/** Reads the recipients with a pending mail of the date. It may be waiting for a retry or a digest. */
async function keysUnderWay(
  tx: Transaction,
  { itemId, expirationDate }: RowOf<'Reminder'>,
): Promise<Set<string>> {
  const statement = sql`
    SELECT target.recipient_key AS key FROM reminders AS reminder
    JOIN reminder_targets AS target ON target.reminder_id = reminder.id
    JOIN deliveries AS delivery ON delivery.id = target.delivery_id AND delivery.state = 'QUEUED'
    WHERE reminder.item_id = ${itemId}::uuid AND reminder.expiration_date = ${expirationDate}::date`;
  const rows = await tx.run<{ key: string }>(named('reminder_targets.under_way', statement));
  return new Set(rows.map(({ key }) => key));
}

/**
 * Finds the step whose recipients get the reminder. A deleted step is replaced by the addresses that it used.
 */
function stepOf({ steps }: Workspace, reminder: RowOf<'Reminder'>, earlier: readonly Earlier[]): PolicyStep {
  const known = [...steps.values()].flat().find(({ id }) => id === reminder.stepKey);
  if (known) return known;
  return {
    ...{ id: reminder.stepKey, policyId: reminder.stepKey, offsetDays: 0, timeOfDay: '00:00' },
    ...{ repeatEveryDays: null, repeatCount: null, onlyUnacknowledged: false, workingDaysOnly: false },
    recipients: ['ADDRESSES'],
    addresses: earlier.map(({ address }) => address),
    channelIds: [],
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
      ...{ itemId: item.id, stepKey: newId(), occurrence: 0, slot: now, step },
      ...{ state: 'PENDING' as const, reason: null },
    };
    const isDemo = isDemoWorkspace(workspace.teamId, workspace.organizationId);
    // A demo reminder goes to the same address as before, because the demo's people are fictitious.
    const only = isDemo ? earlier[0]?.address : undefined;
    if (isDemo && only === undefined)
      throw conflict('Reminders of the demo workspace go only to DEMO_MAIL_TO.');
    const waiting = await keysUnderWay(tx, reminder);
    const { told } = await writeLedger(tx, workspace, [{ item, decision }], now);
    const all = await findTargets(tx, workspace, told, now, { insteadOfAll: only });
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
