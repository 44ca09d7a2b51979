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
  description: 'What became of a reminder.',
  values: {
    PENDING: { description: 'Decided, and under way.' },
    TOLD: { description: 'Somebody was told.' },
    SKIPPED: { description: 'It passed without being told.' },
    CANCELLED: { description: 'It was no longer right when it was to be sent.' },
  } as const,
});

const ReminderTargetType = builder.objectRef<Target>('ReminderTarget').implement({
  description: 'Somebody whom a reminder is for.',
  fields: (t) => ({
    address: t.string({
      description: 'The address; a word for a contact out of sight.',
      resolve: (target, _args, { session }) => shownAddress(session, target),
    }),
    reason: t.string({
      nullable: true,
      description: 'Why they are not told, in plain words; told when null.',
      resolve: ({ reason }) => reasonText(reason),
    }),
    reasonCode: t.field({
      type: NotToldReasonEnum,
      nullable: true,
      description: 'Code of why they are not told; told when null.',
      resolve: ({ reason }) => reasonCode(reason),
    }),
    delivery: t.field({
      type: typeOf('delivery'),
      nullable: true,
      description: 'The delivery that tells them.',
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
      description: 'Why it was skipped or cancelled, or whom it did not reach, in plain words.',
      ...needs({ fields: ['reason'] }),
      resolve: ({ reason }) => reasonText(reason),
    }),
    reasonCode: t.field({
      type: NotToldReasonEnum,
      nullable: true,
      description: 'Code of why it was skipped or cancelled, or whom it did not reach.',
      ...needs({ fields: ['reason'] }),
      resolve: ({ reason }) => reasonCode(reason),
    }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    teamId: t.exposeID('teamId'),
    targets: t.field({
      type: [ReminderTargetType],
      description: `Whom it is for, the first ${mostTargets}.`,
      ...needs({}),
      resolve: ({ id }, _args, { session }) => loadBatched(session, targetsByReminder, id),
    }),
    expirationItem: t.field(linkTo('expirationItem', 'itemId', 'The item; null when it is gone.')),
    team: t.field(linkTo('team', 'teamId', 'The workspace of its item.')),
  }),
});

const ReminderFilterInput = builder.inputRef<ReminderFilter>('ReminderFilter').implement({
  description: 'What a list of reminders is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: "Part of the item's name, in any letter case." }),
    state: t.field({ type: ReminderStateEnum, description: 'Reminders in a state.' }),
    since: t.field({ type: 'DateTime', description: 'Reminders that were due at this time or later.' }),
    isWithoutRecipient: t.boolean({
      description: 'Those that none of their own recipients could be told by, or none of them.',
    }),
    expirationItemId: t.id({ description: 'Reminders of an item.' }),
    deliveryId: t.id({ description: 'Reminders that a delivery tells.' }),
    teamId: t.id({ description: 'Reminders of a workspace.' }),
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
  description: 'The reminders of the item: what was decided.',
  list: { ...reminderList, kind: 'reminder' },
  link: byColumn('itemId'),
});

builder.mutationField('resendReminder', (t) =>
  t.field({
    type: Reminder,
    nullable: true,
    description:
      'Tells a reminder anew, to those whom its step names now. It is answered as a new reminder of the same date.',
    args: { id: t.arg.id({ required: true, description: "The reminder's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => resendReminder(session, id)),
  }),
);
