import * as z from 'zod';
import type { Session } from '../../db/connection/session.js';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { columnsSql, type EnumOf, type RowOf } from '../../db/sql/conditions.js';
import { sql } from '../../db/sql/sql.js';
import { deleteRows } from '../../db/sql/write.js';
import { badField, notFound } from '../../domain/errors.js';
import { check, isUuid, newId, rules } from '../../domain/rules.js';
import { declareList } from '../../records/declare/declare.js';
import { computed, exposedInGraphql, unexposed } from '../../records/declare/fields.js';
import { type Event, logEvent } from '../../records/event-logs.js';
import { findLinked, load } from '../../records/loaders.js';
import { checkVersion } from '../../records/locks.js';

/** Returns the id that a suppression names, if it has a scope. */
const idOf = ({ scope, scopeId }: RowOf<'Suppression'>, wanted: EnumOf<'SuppressionScope'>) =>
  scope === wanted ? scopeId : null;

/** Addresses that get no mails. */
export const suppressions = declareList('Suppression', {
  fields: {
    id: exposedInGraphql(),
    addressKey: unexposed(),
    address: computed(
      'String!',
      ['addressKey'],
      'The address, in normalized form.',
      ({ addressKey }: RowOf<'Suppression'>) => addressKey,
    ),
    scope: exposedInGraphql(undefined, {
      enum: {
        about: 'Which mails are not sent to an address.',
        values: {
          ALL: 'All mails.',
          CATEGORY: 'Mails about items of a document type.',
          ITEM: 'Mails about an item.',
        },
      },
    }),
    scopeId: unexposed(),
    category: computed(
      'Category',
      ['scope', 'scopeId'],
      'The document type that it is about.',
      (row: RowOf<'Suppression'>, session) => load(session, 'category', idOf(row, 'CATEGORY')),
    ),
    expirationItem: computed(
      'ExpirationItem',
      ['scope', 'scopeId'],
      'The item that it is about.',
      (row: RowOf<'Suppression'>, session) => load(session, 'expirationItem', idOf(row, 'ITEM')),
    ),
    reason: exposedInGraphql(undefined, {
      enum: {
        about: 'Why mails to an address were stopped.',
        values: {
          UNSUBSCRIBED: 'The owner of the address unsubscribed.',
          REFUSED: 'The mail server refused the address.',
          ADMIN: 'An admin stopped them.',
        },
      },
    }),
    until: exposedInGraphql(),
    created: exposedInGraphql(),
  },
  filter: {
    term: { in: ['addressKey'], description: 'Part of the address, ignoring case.' },
    address: {
      type: 'String',
      description: 'Suppressions of this address, ignoring case.',
      where: (address) => ({ addressKey: { key: address } }),
    },
    reason: 'Suppressions for this reason.',
    scope: 'Suppressions of this scope.',
  },
  right: 'administer',
  sortable: ['id', 'until', 'created'],
  order: { field: 'created', direction: 'desc' },
  indexed: [],
  ranges: ['until'],
});

/** Rules of a suppression that an admin creates. */
export const suppressionRules = z.object({
  address: rules.email,
  categoryId: rules.uuid,
  expirationItemId: rules.uuid,
  until: rules.date,
});

/** Values of a new suppression. */
export type NewSuppression = z.input<typeof suppressionRules>;

/** Returns the scope of a suppression, by what it names. */
async function scopeOf(
  tx: Transaction,
  { categoryId, expirationItemId }: z.output<typeof suppressionRules>,
): Promise<Pick<RowOf<'Suppression'>, 'scope' | 'scopeId'>> {
  if (categoryId && expirationItemId)
    throw badField(['expirationItemId'], 'cannot be combined with a document type: name one of them');
  if (categoryId && !(await findLinked(tx, 'category', categoryId)))
    throw badField(['categoryId'], 'names no document type that exists', 'reference');
  if (expirationItemId && !(await findLinked(tx, 'expirationItem', expirationItemId)))
    throw badField(['expirationItemId'], 'names no expiration item that exists', 'reference');
  if (categoryId) return { scope: 'CATEGORY', scopeId: categoryId };
  return expirationItemId ? { scope: 'ITEM', scopeId: expirationItemId } : { scope: 'ALL', scopeId: null };
}

/** Writes the event of a suppression. It is about no record, so it belongs to the admin's own workspace. */
function log(tx: Transaction, { caller, now }: Session, type: Event['type'], description: string) {
  const event = { type, description, teamId: caller.user.teamId, details: null, entities: [] };
  return logEvent(tx, { caller, now }, event);
}

/** A suppression that is about to be stored. */
interface SuppressedAddress extends Pick<RowOf<'Suppression'>, 'scope' | 'scopeId' | 'reason' | 'until'> {
  readonly organizationId: string;
  readonly address: string;
}

/** Returns whether a suppression replaces a current one. What people have decided outlasts a refusal. */
function replaces({ reason, until }: SuppressedAddress, known: RowOf<'Suppression'>): boolean {
  if (reason === 'REFUSED') return known.reason === 'REFUSED';
  return known.until !== null && (until === null || until > known.until);
}

/**
 * Stores the suppression of an address. An address has one entry of each scope, so that releasing it releases it,
 * however often it was refused.
 * @returns the entry, and whether it was changed: a stronger one stays as it is
 */
export async function suppressAddress(
  tx: Transaction,
  suppressed: SuppressedAddress,
  now: Date,
): Promise<{ readonly row: RowOf<'Suppression'>; readonly isChanged: boolean }> {
  const { organizationId, address, scope, scopeId, reason, until } = suppressed;
  const lock = sql`
    SELECT pg_advisory_xact_lock(hashtextextended('suppression ' || natural_key(${address}), 0))`;
  await tx.run(prepared('suppressions.lock', lock));
  // A version before this one may have made several.
  const known = sql`
    SELECT ${columnsSql('Suppression')} FROM suppressions AS record
    WHERE record.organization_id = ${organizationId}::uuid AND record.address_key = natural_key(${address})
      AND record.scope = ${scope}::suppression_scope AND record.scope_id IS NOT DISTINCT FROM ${scopeId}::uuid
    ORDER BY record.until DESC NULLS FIRST, record.id`;
  const [found, ...others] = await tx.run<RowOf<'Suppression'>>(prepared('suppressions.known', known));
  if (others.length > 0) {
    const ids = others.map(({ id }) => id);
    const statement = sql`DELETE FROM suppressions WHERE id = ANY(${ids}::uuid[])`;
    await tx.run(prepared('suppressions.merge', statement));
  }
  const isCurrent = found && (found.until === null || found.until > now);
  if (isCurrent && !replaces(suppressed, found)) return { row: found, isChanged: false };
  const store = sql`
    INSERT INTO suppressions AS record (id, organization_id, address_key, scope, scope_id, reason, until, created)
    VALUES (${found?.id ?? newId()}::uuid, ${organizationId}::uuid, natural_key(${address}),
      ${scope}::suppression_scope, ${scopeId}::uuid, ${reason}::suppression_reason, ${until}::timestamptz,
      ${now}::timestamptz)
    ON CONFLICT (id) DO UPDATE SET reason = excluded.reason, until = excluded.until, created = excluded.created
    RETURNING ${columnsSql('Suppression')}`;
  const [row] = await tx.run<RowOf<'Suppression'>>(prepared('suppressions.insert', store));
  if (!row) throw new Error('A suppression was not stored.');
  return { row, isChanged: true };
}

/**
 * Suppresses mails to an address, optionally only those about a document type or an item. An existing
 * suppression is returned unchanged.
 * @throws GatewayError BAD_REQUEST naming the invalid value
 */
export function createSuppression(session: Session, input: NewSuppression): Promise<RowOf<'Suppression'>> {
  const values = check(suppressionRules, input);
  const { address, until } = values;
  if (until && until <= session.now) throw badField(['until'], 'must be in the future', 'range');
  const { organizationId } = session.caller;
  return session.inTransaction(async (tx) => {
    const { scope, scopeId } = await scopeOf(tx, values);
    const { row: made, isChanged } = await suppressAddress(
      tx,
      { organizationId, address, scope, scopeId, reason: 'ADMIN', until },
      session.now,
    );
    if (!isChanged) return made;
    await log(tx, session, 'created', `Mails to ${made.addressKey} were stopped`);
    return made;
  });
}

/**
 * Allows mails to an address again.
 * @returns the suppression as it was
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED
 */
export function deleteSuppression(session: Session, id: string): Promise<RowOf<'Suppression'>> {
  return session.inTransaction(async (tx) => {
    const suppression = isUuid(id) ? await suppressions.rows.lock(tx, id.toLowerCase()) : null;
    if (!suppression) throw notFound(suppressions.noun, id);
    checkVersion(session, suppression);
    const { addressKey, scope, scopeId } = suppression;
    await deleteRows(tx, 'Suppression', { addressKey, scope, scopeId });
    await log(tx, session, 'deleted', `Mails to ${suppression.addressKey} are sent again`);
    return suppression;
  });
}
