import { recipientKinds } from '../../domain/reminders/policy.js';
import { builder } from '../builder.js';

/** Ways in which an item follows its reminder policy. */
export const ReminderModeEnum = builder.enumType('ReminderMode', {
  description: 'Whether reminders for an item are sent.',
  values: {
    INHERIT: {
      description: 'The item follows its own reminder policy, or that of its document type or workspace.',
    },
    OFF: { description: 'No reminders are sent for the item.' },
  } as const,
});

/** Days on which reminders go out. */
export const DeliverOnEnum = builder.enumType('DeliverOn', {
  description: 'The days on which reminders are sent.',
  values: {
    ANY: { description: 'Every day.' },
    WORKING_DAYS: {
      description:
        'Only the working days of the workspace. A reminder for another day is sent on the working day before it, or, if it is after the expiration date, on the working day after it.',
    },
  } as const,
});

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

/** Recipients of a step of a policy. */
export const RecipientKindEnum = builder.enumType('RecipientKind', {
  description: 'Recipients of a reminder step, by their relation to the item.',
  values: Object.fromEntries(
    recipientKinds.map((kind) => [kind, { description: recipients[kind] }]),
  ) as Record<(typeof recipientKinds)[number], { description: string }>,
});
