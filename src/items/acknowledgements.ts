import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { deleteRows, insertReturning } from '../db/sql/write.js';
import { formatDate, nextModified, todayIn } from '../domain/dates.js';
import { badField, notFound } from '../domain/errors.js';
import type { EventName } from '../domain/models.js';
import { type ItemDate, itemDates } from '../domain/reminders/policy.js';
import { check, isUuid, newId, rules } from '../domain/rules.js';
import { capitalized } from '../domain/text/names.js';
import { declareEndpoints } from '../records/declare/endpoints.js';
import { logEvent } from '../records/event-logs.js';
import { type BatchLoader, groupByKey, load } from '../records/loaders.js';
import { checkAbsence, checkVersion, lockRecord } from '../records/locks.js';
import { transact } from '../records/record.js';
import { expirationItems } from './expiration-items.js';
import type { Item } from './item-rows.js';

/** Rules of an acknowledgement. */
export const acknowledgementRules = z.object({
  about: z
    .enum(itemDates)
    .nullish()
    .transform((about) => about ?? 'EXPIRATION'),
  note: rules.text,
  silence: rules.flag(false),
  snoozeUntil: rules.date,
});

type Input = z.input<typeof acknowledgementRules>;

/** Returns an item's date that `about` names. */
const dateOf = ({ expirationDate, noticeDate }: Item, about: ItemDate): Date | null =>
  about === 'NOTICE' ? noticeDate : expirationDate;

/** Names what was acknowledged of an item. */
export const acknowledgedOf = (name: string, about: ItemDate): string =>
  `${about === 'NOTICE' ? 'the last day to give notice of ' : ''}expiration item "${name}"`;

/** A date of an item with the acknowledgement of it, if there is one. */
interface Acknowledged {
  readonly item: Item;
  readonly about: ItemDate;
  readonly date: Date | null;
  readonly known: RowOf<'Acknowledgement'> | undefined;
}

/** Locks an item, and reads the acknowledgement of one of its current dates. */
async function lockAcknowledged(
  tx: Transaction,
  session: Session,
  id: string,
  about: ItemDate,
  options: { readonly unconditional?: boolean } = {},
): Promise<Acknowledged> {
  const item = await lockRecord(tx, session, expirationItems, id, options);
  const date = dateOf(item, about);
  if (!date) return { item, about, date, known: undefined };
  const [known] = await readRows(tx, 'Acknowledgement', {
    where: { itemId: item.id, about, expirationDate: date },
  });
  return { item, about, date, known };
}

/** Writes an event about the acknowledgement of an item's date. */
function log(tx: Transaction, session: Session, item: Item, type: EventName, what: string): Promise<void> {
  return logEvent(tx, session, {
    type,
    teamId: item.teamId,
    description: what,
    details: null,
    entities: [{ kind: 'expirationItem', id: item.id }],
  });
}

/** Rejects a snooze until today or earlier in the workspace. It would hold nothing back. */
async function checkSnooze(tx: Transaction, session: Session, { teamId }: Item, until: Date): Promise<void> {
  const [team] = await readRows(tx, 'Team', { where: { id: teamId } });
  const today = todayIn(team?.timezone ?? 'UTC', session.now);
  if (until <= today) {
    const expected = `must be after today, which is ${formatDate(today)} in the workspace`;
    throw badField(['snoozeUntil'], expected, 'range');
  }
}

/** Stores an acknowledgement in place of the previous one. */
async function store(
  tx: Transaction,
  session: Session,
  { item, about, date: expirationDate, known }: Acknowledged,
  values: z.output<typeof acknowledgementRules>,
): Promise<RowOf<'Acknowledgement'>> {
  const { id: itemId, organizationId, teamId } = item;
  if (!expirationDate)
    throw badField(
      ['id'],
      `names an item without a ${about === 'NOTICE' ? 'last day to give notice' : 'date'}`,
    );
  if (values.snoozeUntil) await checkSnooze(tx, session, item, values.snoozeUntil);
  if (known) await deleteRows(tx, 'Acknowledgement', { id: known.id });
  const stored = await insertReturning(tx, 'Acknowledgement', {
    ...{ ...values, id: newId(), organizationId, teamId, itemId, about, expirationDate, via: 'API' as const },
    ...{
      userId: session.caller.user.id,
      created: known ? nextModified(session.now, known.created) : session.now,
    },
  });
  const what = capitalized(acknowledgedOf(item.name, about));
  await log(tx, session, item, 'acknowledged', `${what} was acknowledged`);
  return stored;
}

/**
 * Acknowledges a current date of an item. It replaces the acknowledgement of an earlier date.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; BAD_REQUEST for an item without a date, and a snooze
 *   until today or earlier
 */
export function acknowledgeItem(session: Session, id: string, input: Input): Promise<Item> {
  const values = check(acknowledgementRules, input);
  return transact(session, expirationItems, async (tx) => {
    const acknowledged = await lockAcknowledged(tx, session, id, values.about);
    await store(tx, session, acknowledged, values);
    return acknowledged.item;
  });
}

/**
 * Acknowledges a current date of an item. Version conditions apply to the existing acknowledgement.
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; BAD_REQUEST for an item without a date, and a snooze
 *   until today or earlier
 */
export function setAcknowledgement(
  session: Session,
  id: string,
  input: Input,
): Promise<RowOf<'Acknowledgement'>> {
  const values = check(acknowledgementRules, input);
  return transact(session, expirationItems, async (tx) => {
    const acknowledged = await lockAcknowledged(tx, session, id, values.about, { unconditional: true });
    const { item, known } = acknowledged;
    if (known) checkVersion(session, { id: item.id, created: known.created });
    else checkAbsence(session, item.id);
    return store(tx, session, acknowledged, values);
  });
}

/**
 * Deletes the acknowledgement of a current date of an item: its repetitions and escalations resume.
 * @returns the acknowledgement as it was
 * @throws GatewayError NOT_FOUND, also if there is none; PRECONDITION_FAILED
 */
export function deleteAcknowledgement(
  session: Session,
  id: string,
  about: ItemDate,
): Promise<RowOf<'Acknowledgement'>> {
  return transact(session, expirationItems, async (tx) => {
    const { item, known } = await lockAcknowledged(tx, session, id, about, { unconditional: true });
    if (!known) throw notFound('acknowledgement', item.id);
    checkVersion(session, { id: item.id, created: known.created });
    await deleteRows(tx, 'Acknowledgement', { id: known.id });
    const what = `The acknowledgement of ${acknowledgedOf(item.name, about)} was withdrawn`;
    await log(tx, session, item, 'updated', what);
    return known;
  });
}

/**
 * Finds the acknowledgement of a current date of an item. It is null if there is none or the item is out of
 * sight.
 */
export async function findAcknowledgement(
  session: Session,
  id: string,
  about: ItemDate,
): Promise<RowOf<'Acknowledgement'> | null> {
  const item = isUuid(id) ? await load(session, 'expirationItem', id.toLowerCase()) : null;
  const expirationDate = item && dateOf(item, about);
  if (!expirationDate) return null;
  const where = { itemId: item.id, about, expirationDate };
  const [known] = await readRows(session, 'Acknowledgement', { where });
  return known ?? null;
}

/** Loads the acknowledgements of items, one for each of their dates so far. */
export const acknowledgementsByItem: BatchLoader<RowOf<'Acknowledgement'>[]> = async (session, itemIds) => {
  const rows = await readRows(session, 'Acknowledgement', { where: { itemId: { in: itemIds } } });
  return groupByKey(itemIds, rows, ({ itemId }) => itemId);
};

/** Endpoints of acknowledgements, each by its item. */
export const acknowledgementEndpoints = declareEndpoints({
  model: 'Acknowledgement',
  list: 'acknowledgements',
  order: { field: 'created', direction: 'asc' },
  rest: {
    tag: 'Expiration items',
    model: 'AcknowledgementModel',
    members: [
      'expirationItemId',
      'about',
      'expirationDate',
      'note',
      'silence',
      'snoozeUntil',
      'user',
      'created',
    ],
    records: {
      '/v1/expirationitems/{id}/acknowledgement': {
        kind: 'item',
        name: 'Fleet insurance',
        deleted: 'Fire extinguisher check',
      },
    },
    routes: {
      'GET /v1/expirationitems/{id}/acknowledgement': {
        kind: 'read',
        origin: 'addition',
        field: 'acknowledgement',
        asked: ['about'],
        errors: ['NOT_FOUND', 'BAD_REQUEST'],
        summary: "Reads the acknowledgement of an item's current date.",
      },
      'POST /v1/expirationitems/{id}/acknowledgement': {
        kind: 'write',
        origin: 'addition',
        field: 'setAcknowledgement',
        errors: ['NOT_FOUND', 'BAD_REQUEST'],
        summary:
          "Acknowledges an item's current date and replaces an earlier acknowledgement. This stops repeated and escalated reminders.",
        example: { note: 'The broker sends the new policy.', silence: false },
      },
      'DELETE /v1/expirationitems/{id}/acknowledgement': {
        kind: 'delete',
        origin: 'addition',
        field: 'deleteAcknowledgement',
        asked: ['about'],
        errors: ['NOT_FOUND', 'BAD_REQUEST'],
        summary: "Withdraws the acknowledgement of an item's current date and returns it as it was.",
      },
    },
  },
});
