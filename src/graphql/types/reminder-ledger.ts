import { reasonCode, reasonText } from '../../domain/reminders/reasons.js';
import { byColumn } from '../../records/links.js';
import { load, loadBatched } from '../../records/loaders.js';
import { shownAddress } from '../../reminders/shown/addresses.js';
import {
  mostTargets,
  type ReminderFilter,
  reminders,
  type Target,
  targetsByReminder,
} from '../../reminders/shown/reminders.js';
import { resendReminder } from '../../reminders/shown/resend.js';
import { builder, Node, typeOf } from '../builder.js';
import { linkTo } from '../define/links.js';
import { nest } from '../define/nested.js';
import { defineReads } from '../define/reads.js';
import { onVersion, versionArgument } from '../define/versions.js';
import { needs } from '../execution/selection.js';
import { ExpirationItem } from './expiration-items.js';
import { NotToldReasonEnum } from './reasons.js';

const ReminderStateEnum = builder.enumType('ReminderState', {
  description: 'The state of a reminder.',
  values: {
    PENDING: { description: 'It was decided and is being sent.' },
    TOLD: { description: 'Somebody was notified.' },
    SKIPPED: { description: 'It passed without being sent.' },
    CANCELLED: { description: 'It no longer applied when it was due to be sent.' },
  } as const,
});

const ReminderTargetType = builder.objectRef<Target>('ReminderTarget').implement({
  description: 'A recipient of a reminder.',
  fields: (t) => ({
    address: t.string({
      description: 'The address. For a contact that the caller may not see, only a word.',
      resolve: (target, _args, { session }) => shownAddress(session, target),
    }),
    reason: t.string({
      nullable: true,
      description: 'Why they are not notified, in plain words. Null if they are.',
      resolve: ({ reason }) => reasonText(reason),
    }),
    reasonCode: t.field({
      type: NotToldReasonEnum,
      nullable: true,
      description: 'The code for why they are not notified. Null if they are.',
      resolve: ({ reason }) => reasonCode(reason),
    }),
    delivery: t.field({
      type: typeOf('delivery'),
      nullable: true,
      description: 'The delivery that notifies them.',
      resolve: ({ deliveryId }, _args, { session }) => load(session, 'delivery', deliveryId),
    }),
  }),
});

/** A reminder. */
export const Reminder = builder.prismaObject('Reminder', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    itemName: t.exposeString('itemName'),
    expirationDate: t.expose('expirationDate', { type: 'Date' }),
    occurrence: t.exposeInt('occurrence'),
    slot: t.expose('slot', { type: 'DateTime' }),
    state: t.expose('state', { type: ReminderStateEnum }),
    reason: t.string({
      nullable: true,
      description: 'Why it was skipped or cancelled, or who was not reached, in plain words.',
      ...needs({ fields: ['reason'] }),
      resolve: ({ reason }) => reasonText(reason),
    }),
    reasonCode: t.field({
      type: NotToldReasonEnum,
      nullable: true,
      description: 'The code for why it was skipped or cancelled, or for who was not reached.',
      ...needs({ fields: ['reason'] }),
      resolve: ({ reason }) => reasonCode(reason),
    }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    teamId: t.exposeID('teamId'),
    targets: t.field({
      type: [ReminderTargetType],
      description: `The recipients, at most the first ${mostTargets}.`,
      ...needs({}),
      resolve: ({ id }, _args, { session }) => loadBatched(session, targetsByReminder, id),
    }),
    expirationItem: t.field(linkTo('expirationItem', 'itemId', 'The item. Null if it no longer exists.')),
    team: t.field(linkTo('team', 'teamId', 'The workspace of its item.')),
  }),
});

const ReminderFilterInput = builder.inputRef<ReminderFilter>('ReminderFilter').implement({
  description: 'Filters a list of reminders.',
  fields: (t) => ({
    term: t.string({ description: "Part of the item's name, ignoring case." }),
    state: t.field({ type: ReminderStateEnum, description: 'Reminders in this state.' }),
    since: t.field({ type: 'DateTime', description: 'Reminders due at or after this time.' }),
    isWithoutRecipient: t.boolean({
      description:
        'If true, only reminders that reached none of their own recipients. If false, only the others.',
    }),
    expirationItemId: t.id({ description: 'Reminders of this item.' }),
    deliveryId: t.id({ description: 'Reminders in this delivery.' }),
    teamId: t.id({ description: 'Reminders in this workspace.' }),
  }),
});

/** The list of reminders. */
export const reminderList = defineReads({
  type: Reminder,
  resource: reminders,
  names: ['reminder', 'reminders'],
  filter: ReminderFilterInput,
  order: { field: 'slot', direction: 'desc' },
});

nest({
  on: ExpirationItem,
  field: 'reminders',
  description: 'The reminders that were decided for the item.',
  list: { ...reminderList, kind: 'reminder' },
  link: byColumn('itemId'),
});

builder.mutationField('resendReminder', (t) =>
  t.field({
    type: Reminder,
    nullable: true,
    description:
      'Sends a reminder again, to the current recipients of its step. Returns a new reminder for the same date.',
    args: { id: t.arg.id({ required: true, description: "The reminder's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => resendReminder(session, id)),
  }),
);
