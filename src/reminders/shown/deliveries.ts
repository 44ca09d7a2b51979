import * as z from 'zod';
import { invitationSubject } from '../../access/invitations.js';
import type { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { defineRows } from '../../db/sql/select.js';
import { updateRows } from '../../db/sql/write.js';
import { nextModified } from '../../domain/dates.js';
import { GatewayError, notFound } from '../../domain/errors.js';
import { isUuid, rules } from '../../domain/rules.js';
import { type Delivery, DeliveryKind, DeliveryState, Prisma } from '../../generated/prisma/client.js';
import { expirationItems } from '../../items/expiration-items.js';
import { declareEndpoints } from '../../records/declare/endpoints.js';
import { type Link, linkCondition } from '../../records/links.js';
import { filterCondition } from '../../records/lists/filter.js';
import { inColumn } from '../../records/lists/links.js';
import { linkedNames } from '../../records/lists/order.js';
import type { Readable } from '../../records/lists/readable.js';
import { checkVersion } from '../../records/locking.js';
import { transact } from '../../records/record.js';
import { addressSeen, seenAddressSql } from './addresses.js';

const { sql } = Prisma;

/** Deliveries about an item. */
const deliveriesOfItem: Link = {
  pairs: sql`
    SELECT DISTINCT reminder.item_id, target.delivery_id
    FROM reminders AS reminder JOIN reminder_targets AS target ON target.reminder_id = reminder.id
    WHERE target.delivery_id IS NOT NULL`,
};

/** States of a delivery, as its rows have them. */
export const deliveryStates: readonly string[] = Object.values(DeliveryState);

const deliveryFilter = z.object({
  term: rules.line,
  state: z.enum(DeliveryState).nullish(),
  kind: z.enum(DeliveryKind).nullish(),
  address: rules.line,
  since: rules.date,
  expirationItemId: rules.uuid,
  teamId: rules.uuid,
});

/** Filter of the list of deliveries. */
export type DeliveryFilter = z.input<typeof deliveryFilter>;

/** Deliveries as a readable resource. */
export const deliveries: Readable<Delivery> = {
  noun: 'delivery',
  sortable: new Map<string, z.ZodType>([
    ['id', z.guid()],
    ['attempts', z.int32()],
    ['dueAt', z.date().nullable()],
    ['settledAt', z.date().nullable()],
    ['created', z.date()],
    ['modified', z.date()],
  ]),
  indexed: ['created'],
  orderKeys: {
    ...linkedNames({ expirationItem: ['subjectId', 'expirationItem'], team: ['teamId', 'team'] }),
    address: {
      rule: z.string().nullable(),
      column: (session) => ({ value: seenAddressSql(session) }),
    },
  },
  ranges: { dueAt: 'DateTime', settledAt: 'DateTime', attempts: 'Int' },
  manyOf: { teamIds: inColumn('teamId') },
  where: (filter: DeliveryFilter, session) => {
    const condition = filterCondition(deliveryFilter, filter, ['address'], {
      address: (address) => ({ address: { key: address } }),
      since: (moment) => ({ created: { gte: moment } }),
      expirationItemId: (id) => linkCondition(deliveriesOfItem, id),
    });
    return filter.term || filter.address ? { AND: [condition, addressSeen(session)] } : condition;
  },
  rows: defineRows('Delivery', (delivery) => delivery, ['payload']),
};

/** Reasons why a delivery cannot be retried, by its state. A failed one can. */
const refusals: Readonly<Partial<Record<DeliveryState, string>>> = {
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
export function retryDelivery(session: Session, id: string): Promise<Delivery> {
  return transact(session, expirationItems, async (tx) => {
    const delivery = isUuid(id) ? await deliveries.rows.lock(tx, id.toLowerCase()) : null;
    if (!delivery) throw notFound(deliveries.noun, id);
    checkVersion(session, delivery);
    const refusal = refusals[delivery.state];
    if (refusal) throw new GatewayError('CONFLICT', refusal);
    // Its link was deleted when it was given up.
    if (delivery.subjectKind === invitationSubject)
      throw new GatewayError('CONFLICT', 'The invitation could not be delivered: invite the user again.');
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
  { organizationId, address }: Delivery,
  now: Date,
): Promise<void> {
  const statement = sql`
    SELECT reason::text AS reason FROM suppressions
    WHERE organization_id = ${organizationId}::uuid AND address_key = natural_key(${address}) AND scope = 'ALL'
      AND (until IS NULL OR until > ${now}::timestamptz) LIMIT 1`;
  const [found] = await tx.run<{ reason: string }>(named('suppressions.of_address', statement));
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
      WHERE delivery_id = ${deliveryId}::uuid AND reason IN ('failed', 'refused') RETURNING reminder_id
    )
    UPDATE reminders SET state = 'PENDING', reason = NULL
    WHERE id IN (SELECT reminder_id FROM reopened) AND state = 'SKIPPED' AND reason = 'without recipient'`;
  await tx.run(named('reminders.reopen', statement));
}

/** Endpoints of deliveries. */
export const deliveryEndpoints = declareEndpoints({
  model: 'Delivery',
  list: 'deliveries',
  order: { field: 'created', direction: 'desc' },
  rest: {
    tag: 'Deliveries',
    about: 'Messages to people, whether sent or not.',
    model: 'DeliveryModel',
    members: [
      'id',
      'kind',
      'state',
      'address',
      'subjectKind',
      'expirationItemId',
      'attempts',
      'lastError',
      'statusCode',
      'messageId',
      'dueAt',
      'settledAt',
      'teamId',
      'created',
      'modified',
    ],
    records: {
      '/v1/deliveries': { kind: 'delivery', name: 'Registration Truck 101' },
      '/v1/deliveries/{id}/retry': { kind: 'delivery', name: 'Trailer 501 rental insurance' },
    },
    term: 'mapleridge',
    routes: {
      'GET /v1/deliveries': {
        kind: 'list',
        origin: 'addition',
        field: 'deliveries',
        parameters: ['term', 'state', 'page', 'sort', 'sortDirection'],
        states: deliveryStates,
        summary: 'Lists deliveries, the last queued first.',
      },
      'GET /v1/deliveries/{id}': {
        kind: 'read',
        origin: 'addition',
        field: 'delivery',
        summary: 'Reads a delivery.',
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
