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
  description: 'The state of a delivery.',
  values: {
    QUEUED: { description: 'It is waiting for its time or for another attempt.' },
    SENT: { description: 'The mail server accepted it.' },
    FAILED: { description: 'The gateway gave up sending it. A person can retry it.' },
    SUPPRESSED: { description: 'Mails to its address are suppressed.' },
    CANCELLED: { description: 'Its content no longer applied.' },
  } as const,
});

const DeliveryKindEnum = builder.enumType('DeliveryKind', {
  description: 'How a delivery is sent.',
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
      description:
        'The address or endpoint that it is sent to. For a contact that the caller may not see, only a word.',
      ...needs({ fields: ['address', 'homeTeamId'] }),
      resolve: (delivery, _args, { session }) => shownAddress(session, delivery),
    }),
    subjectKind: t.exposeString('subjectKind'),
    attempts: t.exposeInt('attempts'),
    lastError: t.string({
      nullable: true,
      description: 'Why it did not arrive, in plain words.',
      ...needs({ fields: ['state', 'lastError', 'statusCode', 'homeTeamId'] }),
      resolve: (delivery, _args, { session }) => deliveryError(delivery, seesAddress(session, delivery)),
    }),
    reasonCode: t.field({
      type: NotToldReasonEnum,
      nullable: true,
      description: 'The code for why it did not arrive. Null if there is no problem.',
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
      linkTo('expirationItem', 'subjectId', 'The item that it is about. Null if there are several.'),
    ),
    expirationItemId: t.id(
      idOf(
        'expirationItem',
        'subjectId',
        'The id of the item that it is about, if the caller may see it. Null if there are several.',
      ),
    ),
    team: t.field(linkTo('team', 'teamId', 'The workspace that it belongs to.')),
  }),
});

nest({
  on: Delivery,
  field: 'reminders',
  description: 'The reminders that it contains.',
  list: { ...reminderList, kind: 'reminder' },
  link: remindersOfDelivery,
});

const DeliveryFilterInput = builder.inputRef<DeliveryFilter>('DeliveryFilter').implement({
  description: 'Filters a list of deliveries.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the address, ignoring case.' }),
    state: t.field({ type: DeliveryStateEnum, description: 'Deliveries in this state.' }),
    kind: t.field({ type: DeliveryKindEnum, description: 'Deliveries of this kind.' }),
    address: t.string({ description: 'Deliveries to this address, ignoring case.' }),
    since: t.field({ type: 'DateTime', description: 'Deliveries queued at or after this time.' }),
    expirationItemId: t.id({ description: 'Deliveries about this item.' }),
    teamId: t.id({ description: 'Deliveries in this workspace.' }),
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
    description: 'Retries a failed delivery for up to one day from now.',
    args: { id: t.arg.id({ required: true, description: "The delivery's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => retryDelivery(session, id)),
  }),
);
