import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { sql } from '../db/sql/sql.js';
import { insertRows } from '../db/sql/write.js';
import { formatDate } from '../domain/dates.js';
import { badField, GatewayError } from '../domain/errors.js';
import { noticeAfterRenewal } from '../domain/notice.js';
import { check, limits, newId, rules } from '../domain/rules.js';
import { declareList } from '../records/declare/declare.js';
import { exposed, link, unexposed } from '../records/declare/fields.js';
import { changeRecords } from '../records/delete.js';
import { copiedEvent, type Event } from '../records/event-logs.js';
import { lockRecord } from '../records/locks.js';
import { type ChangeOptions, changeRecord, storeNew, transact, type Written } from '../records/record.js';
import { writableValues } from '../records/resource.js';
import { readAttachments } from './attachments.js';
import { expirationItems } from './expiration-items.js';
import type { Item } from './item-rows.js';

/** Rules of a renewal, the same as the item's. */
export const renewalRules = z.object({ expirationDate: z.date(), details: rules.text.optional() });

/** Input of a renewal. Details, if sent, replace the item's. */
type RenewalInput = z.input<typeof renewalRules>;

/** Computes an item's values after a renewal. `which` adds the item to the error if there are several. */
function renewedValues(current: Item, { expirationDate, details }: RenewalInput, which = ''): object {
  const date = current.expirationDate;
  if (date && expirationDate <= date) {
    const expected = `must be later than the current one, ${formatDate(date)}`;
    throw badField(['expirationDate'], `${expected}${which}`, 'range');
  }
  return {
    ...writableValues(expirationItems, current),
    expirationDate,
    // A rule that is kept computes it anyway.
    ...(!current.noticeRule && { noticeDate: noticeAfterRenewal(current, expirationDate) }),
    ...(current.renewalsLeft && { renewalsLeft: current.renewalsLeft - 1 }),
    ...(details !== undefined && { details }),
  };
}

/** Creates the history entry of a renewal. */
function renewalRow({ caller, now }: Session, before: Item, after: Item, { details }: RenewalInput) {
  return {
    id: newId(),
    organizationId: caller.organizationId,
    teamId: after.teamId,
    itemId: after.id,
    previousDate: before.expirationDate,
    // A renewal always sets a date.
    expirationDate: after.expirationDate as Date,
    details: details ?? null,
    userId: caller.user.id,
    created: now,
  };
}

/** Returns the options of a renewal: its own event, and entries in the items' histories. */
function renewing(
  session: Session,
  renewal: RenewalInput,
  { event = 'renewed', tell }: Pick<ChangeOptions<Item>, 'event' | 'tell'> = {},
): ChangeOptions<Item> {
  return {
    event,
    ...(tell && { tell }),
    also: (tx, changed) =>
      insertRows(
        tx,
        'Renewal',
        changed.map(({ current, row }) => renewalRow(session, current, row, renewal)),
      ),
  };
}

/**
 * Renews an item: sets a later expiration date, and keeps the old one.
 * @param tell adds to the event
 * @throws GatewayError like `changeRecord`; BAD_REQUEST unless the date is later than the current one
 */
export function renewItem(
  session: Session,
  id: string,
  renewal: RenewalInput,
  tell?: ChangeOptions<Item>['tell'],
): Promise<Written<Item>> {
  const change = (current: Item) => renewedValues(current, renewal);
  return changeRecord(session, expirationItems, id, change, renewing(session, renewal, tell && { tell }));
}

/**
 * Renews an item automatically, as its document type specifies.
 * @param session of the gateway itself
 * @throws GatewayError like `renewItem`
 */
export function autoRenewItem(session: Session, id: string, expirationDate: Date): Promise<Written<Item>> {
  const renewal = { expirationDate };
  const change = (current: Item) => renewedValues(current, renewal);
  return changeRecord(
    session,
    expirationItems,
    id,
    change,
    renewing(session, renewal, { event: 'auto renewed' }),
  );
}

/**
 * Archives an item whose renewals have ended.
 * @param session of the gateway itself
 * @param why reason, which the event says
 * @throws GatewayError like `changeRecord`
 */
export function archiveAtEnd(session: Session, id: string, why: string): Promise<Written<Item>> {
  const change = (current: Item) => ({ ...writableValues(expirationItems, current), isActive: false });
  const tell = (event: Event): Event => ({ ...event, description: `${event.description}, because ${why}` });
  return changeRecord(session, expirationItems, id, change, { tell });
}

/**
 * Renews items: all of them or none.
 * @throws GatewayError like `changeRecords`; BAD_REQUEST unless the date is later than each item's
 */
export function renewItems(session: Session, ids: readonly string[], renewal: RenewalInput): Promise<Item[]> {
  const change = (current: Item) => renewedValues(current, renewal, `, of the item ${current.id}`);
  return changeRecords(session, expirationItems, ids, change, renewing(session, renewal));
}

/** Renewals of expiration items. */
export const renewals = declareList('Renewal', {
  fields: {
    id: exposed(),
    previousDate: exposed(),
    expirationDate: exposed(),
    details: exposed(undefined, { long: true }),
    created: exposed(),
    userId: unexposed(),
    user: link('userId', 'The user who renewed the item.', { door: 'both', hasNone: false }),
    itemId: unexposed(),
    expirationItem: link('itemId', 'The item it belongs to.'),
    teamId: unexposed(),
    team: link('teamId', 'The workspace of its item.', { door: 'hidden' }),
  },
  bounds: renewalRules,
  filter: {
    term: { in: ['details'], description: 'Part of the details, ignoring case.' },
    teamId: 'Renewals of items in this workspace.',
    expirationItemId: { column: 'itemId', description: 'Renewals of this item.' },
  },
  sortable: ['id', 'previousDate', 'expirationDate', 'created'],
  order: { field: 'created', direction: 'desc' },
  indexed: [],
  ranges: ['previousDate', 'expirationDate'],
  rest: {
    tag: 'Expiration items',
    model: 'RenewalModel',
    term: 'year',
    routes: {
      'GET /v1/expirationitems/{id}/renewals': {
        kind: 'list',
        origin: 'addition',
        field: 'renewals',
        of: 'expirationItem',
        errors: ['NOT_FOUND', 'BAD_REQUEST'],
        summary: 'Lists the renewals of an item, the newest first.',
      },
    },
  },
});

/** Rules of the values that a copy has of its own. */
export const copyRules = z.object({
  name: rules.name.nullish(),
  expirationDate: rules.date,
});

/** Values that a copy has of its own. */
interface CopyInput {
  readonly name?: string | null | undefined;
  readonly expirationDate?: Date | null | undefined;
  /** True to copy the files as well. */
  readonly withAttachments?: boolean | null | undefined;
}

const suffix = ' (copy)';

/** The most bytes of files in one copy. Copying more would delay other requests. */
const maxCopyBytes = 256 * 1024 * 1024;

/** Names a copy after its original, within the length limit of names. */
function copyName(name: string): string {
  const room = limits.line - suffix.length;
  // The cut may split a surrogate pair.
  const start = name.length <= room ? name : name.slice(0, room).replace(/[\uD800-\uDBFF]$/, '');
  return start + suffix;
}

/** Copies an item's files. Their bytes do not leave the database; objects of a store are shared. */
async function copyFiles(tx: Transaction, from: Item, to: Item): Promise<void> {
  const files = await readAttachments(tx, [from.id]);
  const copies = files.map((file) => ({ was: file.id, row: { ...file, id: newId(), itemId: to.id } }));
  const rows = copies.map(({ row }) => ({ ...row, created: to.created }));
  await insertRows(tx, 'Attachment', rows);
  const statement = sql`
    INSERT INTO attachment_contents (attachment_id, content, store, object_key, object_size, digest)
    SELECT copy.id, stored.content, stored.store, stored.object_key, stored.object_size, stored.digest
    FROM unnest(${copies.map(({ was }) => was)}::uuid[], ${copies.map(({ row }) => row.id)}::uuid[]) AS copy (was, id)
    JOIN attachment_contents AS stored ON stored.attachment_id = copy.was`;
  if (copies.length > 0) await tx.run(prepared('attachment_contents.copy', statement));
}

/**
 * Copies an item with its links, and with its files if requested. Renewals and history remain with the
 * original; the copy's event is about both items.
 * @returns the copy
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED; BAD_REQUEST naming the invalid member;
 *   PAYLOAD_TOO_LARGE if the files are too large to be copied together
 */
export function copyItem(session: Session, id: string, input: CopyInput): Promise<Item> {
  const { withAttachments, ...own } = input;
  const given = check(copyRules, own);
  if (input.expirationDate === null) throw badField(['expirationDate'], 'must not be null');
  return transact(session, expirationItems, async (tx) => {
    const original = await lockRecord<Item>(tx, session, expirationItems, id);
    const { attachments = [], ...values } = original;
    const size = attachments.reduce((sum, { contentLength }) => sum + Number(contentLength), 0);
    if (withAttachments && size > maxCopyBytes) {
      const maxBytes = `${maxCopyBytes / 1024 / 1024} MiB`;
      throw new GatewayError(
        'PAYLOAD_TOO_LARGE',
        `The files of the item are larger than ${maxBytes} in total: copy it without them.`,
      );
    }
    const expirationDate = given.expirationDate ?? original.expirationDate;
    const copy = {
      ...values,
      id: newId(),
      name: given.name ?? copyName(original.name),
      expirationDate,
      noticeDate: expirationDate ? noticeAfterRenewal(original, expirationDate) : original.noticeDate,
      created: session.now,
      modified: session.now,
      attachments: [],
    };
    // Its values come from an item, so they need no further checks.
    const row: Item = await storeNew(tx, session, expirationItems, copy, (made: Item) =>
      copiedEvent(expirationItems, made, original),
    );
    if (withAttachments) await copyFiles(tx, original, row);
    const parts = await expirationItems.readParts?.(tx, [row.id]);
    return { ...row, ...parts?.get(row.id) };
  });
}
