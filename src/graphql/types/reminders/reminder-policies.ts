import { type RecipientKind, recipientKinds } from '../../../domain/reminders/policy.js';
import { builder } from '../../builder.js';

/** Descriptions of the parts that somebody can have in an item. */
const recipients: Record<(typeof recipientKinds)[number], string> = {
  CONTACTS: 'The contacts of the item.',
  MAIN_CONTACT: 'The main contact of the item.',
  ASSIGNEE: 'The user the item is assigned to.',
  WATCHERS: 'Everybody who watches the item.',
  WORKSPACE_MEMBERS: 'The members of the workspace.',
  ADMINS: 'The admins of the organization.',
  ADDRESSES: 'The addresses of the step.',
};

const RecipientKindEnum = builder.enumType('RecipientKind', {
  description: 'Recipients of a reminder step, by their relation to the item.',
  values: Object.fromEntries(
    recipientKinds.map((kind) => [kind, { description: recipients[kind] }]),
  ) as Record<(typeof recipientKinds)[number], { description: string }>,
});

/** A step, as it is stored or as it was just written. */
interface StepShape {
  readonly id: string;
  readonly offsetDays: number;
  readonly repeatEveryDays: number | null;
  readonly repeatCount: number | null;
  readonly onlyUnacknowledged: boolean;
  readonly recipients: readonly string[];
  readonly addresses: readonly string[];
  readonly channelIds: readonly string[];
}

/** A step of a reminder policy. */
export const ReminderStep = builder.objectRef<StepShape>('ReminderStep').implement({
  description: 'One step of a reminder policy: when to send a reminder, and to whom.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: "The step's id. It stays the same as long as the step's offset does.",
    }),
    offsetDays: t.exposeInt('offsetDays', {
      description: 'The number of days from the date. Negative means before it.',
    }),
    repeatEveryDays: t.exposeInt('repeatEveryDays', {
      nullable: true,
      description: 'The number of days between repetitions, until acknowledged. If null, it is not repeated.',
    }),
    repeatCount: t.exposeInt('repeatCount', {
      nullable: true,
      description: 'The maximum number of repetitions. Null means 365.',
    }),
    onlyUnacknowledged: t.exposeBoolean('onlyUnacknowledged', {
      description: 'True if the step is skipped once the date is acknowledged.',
    }),
    recipients: t.field({
      type: [RecipientKindEnum],
      description: 'The recipients, by their relation to the item.',
      // The rules let nothing else into it.
      resolve: ({ recipients }) => recipients as RecipientKind[],
    }),
    addresses: t.field({
      type: ['String'],
      description: 'Additional addresses to notify.',
      resolve: ({ addresses }) => [...addresses],
    }),
    channelIds: t.field({
      type: ['ID'],
      description: 'The chat channels to notify.',
      resolve: ({ channelIds }) => [...channelIds],
    }),
  }),
});

builder.inputType('ReminderStepInput', {
  description: 'One step of a reminder policy: when to send a reminder, and to whom.',
  fields: (t) => ({
    offsetDays: t.int({
      required: true,
      description: 'The number of days from the date, -3650 to 3650. Negative means before it.',
    }),
    repeatEveryDays: t.int({ description: 'The number of days between repetitions, until acknowledged.' }),
    repeatCount: t.int({ description: 'The maximum number of repetitions. Default: 365.' }),
    onlyUnacknowledged: t.boolean({
      description: 'True if the step is skipped once the date is acknowledged.',
    }),
    recipients: t.field({
      type: [RecipientKindEnum],
      description:
        'The recipients. Default: CONTACTS, MAIN_CONTACT, ASSIGNEE and WATCHERS. May be empty if there are channels.',
    }),
    addresses: t.stringList({ description: 'Additional addresses to notify.' }),
    channelIds: t.idList({ description: 'Chat channels to notify. They belong to the same workspace.' }),
  }),
});
