import * as z from 'zod';
import { deliveryError, deliveryReason } from '../../domain/reminders/reasons.js';
import { limits } from '../../domain/rules.js';
import { seesAddress, shownAddress } from '../../reminders/shown/addresses.js';
import {
  type DeliveryFilter,
  deliveries,
  deliveryEndpoints,
  retryDelivery,
} from '../../reminders/shown/deliveries.js';
import { remindersOfDelivery } from '../../reminders/shown/reminders.js';
import { builder, Node } from '../builder.js';
import { idOf, linkTo } from '../define/links.js';
import { nest } from '../define/nested.js';
import { defineReads } from '../define/reads.js';
import { onVersion, versionArgument } from '../define/versions.js';
import { needs } from '../execution/selection.js';
import { NotToldReasonEnum } from './reasons.js';
import { reminderList } from './reminder-ledger.js';

const DeliveryStateEnum = builder.enumType('DeliveryState', {
  description: 'How far a delivery has come.',
  values: {
    QUEUED: { description: 'It waits for its time, or for another try.' },
    SENT: { description: 'The mail server has taken it.' },
    FAILED: { description: 'It was given up. A person may have it tried again.' },
    SUPPRESSED: { description: 'Its address is not written to.' },
    CANCELLED: { description: 'What it was to tell did not hold any more.' },
  } as const,
});

const DeliveryKindEnum = builder.enumType('DeliveryKind', {
  description: 'How a delivery leaves.',
  values: {
    MAIL: { description: 'By mail.' },
    CHAT: { description: 'To a chat.' },
    WEBHOOK: { description: 'To a webhook.' },
  } as const,
});

/** Bounds of the texts that a delivery shows. What a server has said is cut before it is kept. */
const shownRules = z.object({
  address: z.string().max(limits.line),
  subjectKind: z.string().max(limits.line),
  lastError: z.string().max(limits.address).nullable(),
  messageId: z.string().max(limits.line).nullable(),
});

/** A delivery. */
export const Delivery = builder.prismaObject('Delivery', {
  interfaces: [Node],
  extensions: { rules: shownRules },
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: DeliveryKindEnum }),
    state: t.expose('state', { type: DeliveryStateEnum }),
    address: t.string({
      description: 'Address or endpoint that it goes to; a word for a contact out of sight.',
      ...needs({ fields: ['address', 'homeTeamId'] }),
      resolve: (delivery, _args, { session }) => shownAddress(session, delivery),
    }),
    subjectKind: t.exposeString('subjectKind'),
    attempts: t.exposeInt('attempts'),
    lastError: t.string({
      nullable: true,
      description: 'Why it has not arrived, in plain words.',
      ...needs({ fields: ['state', 'lastError', 'statusCode', 'homeTeamId'] }),
      resolve: (delivery, _args, { session }) => deliveryError(delivery, seesAddress(session, delivery)),
    }),
    reasonCode: t.field({
      type: NotToldReasonEnum,
      nullable: true,
      description: 'Code of why it has not arrived; null when there is nothing to say.',
      ...needs({ fields: ['state', 'lastError', 'statusCode', 'errorCode'] }),
      resolve: (delivery) => deliveryReason(delivery),
    }),
    statusCode: t.exposeInt('statusCode', { nullable: true }),
    messageId: t.exposeString('messageId', { nullable: true }),
    dueAt: t.expose('dueAt', { type: 'DateTime', nullable: true }),
    settledAt: t.expose('settledAt', { type: 'DateTime', nullable: true }),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    teamId: t.exposeID('teamId'),
    expirationItem: t.field(
      linkTo('expirationItem', 'subjectId', 'The item that it is about; null for several.'),
    ),
    expirationItemId: t.id(
      idOf(
        'expirationItem',
        'subjectId',
        'The id of the item that it is about, if visible; null for several.',
      ),
    ),
    team: t.field(linkTo('team', 'teamId', 'The workspace that it is of.')),
  }),
});

nest({
  on: Delivery,
  field: 'reminders',
  description: 'The reminders that it tells.',
  list: { ...reminderList, kind: 'reminder' },
  link: remindersOfDelivery,
});

const DeliveryFilterInput = builder.inputRef<DeliveryFilter>('DeliveryFilter').implement({
  description: 'What a list of deliveries is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the address, in any letter case.' }),
    state: t.field({ type: DeliveryStateEnum, description: 'Deliveries in a state.' }),
    kind: t.field({ type: DeliveryKindEnum, description: 'Deliveries of a kind.' }),
    address: t.string({ description: 'Deliveries to an address, in any letter case.' }),
    since: t.field({ type: 'DateTime', description: 'Deliveries queued at this time or later.' }),
    expirationItemId: t.id({ description: 'Deliveries that tell of an item.' }),
    teamId: t.id({ description: 'Deliveries of a workspace.' }),
  }),
});

defineReads({
  type: Delivery,
  resource: deliveries,
  names: ['delivery', 'deliveries'],
  filter: DeliveryFilterInput,
  order: deliveryEndpoints.order,
});

builder.mutationField('retryDelivery', (t) =>
  t.field({
    type: Delivery,
    nullable: true,
    description: 'Has a delivery that was given up tried again, for a day from now on.',
    args: { id: t.arg.id({ required: true, description: "The delivery's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => retryDelivery(session, id)),
  }),
);
