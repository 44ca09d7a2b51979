import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { sql } from '../db/sql/sql.js';
import { insertRows } from '../db/sql/write.js';
import { badField, GatewayError } from '../domain/errors.js';
import { check, limits, newId, rules } from '../domain/rules.js';
import { lockRecord } from '../records/locking.js';
import { storeNew, transact } from '../records/record.js';
import { copiedEvent } from '../records/record-events.js';
import { readAttachments } from './attachments/attachments.js';
import { expirationItems } from './expiration-items.js';
import type { Item } from './storage.js';

/** Rules of the values that a copy has of its own. */
export const copyRules = z.object({
  name: rules.name.nullish(),
  expirationDate: rules.date,
});

/** Values that a copy has of its own. */
export interface CopyInput {
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
  if (copies.length > 0) await tx.run(named('attachment_contents.copy', statement));
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
    const copy = {
      ...values,
      id: newId(),
      name: given.name ?? copyName(original.name),
      expirationDate: given.expirationDate ?? original.expirationDate,
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
