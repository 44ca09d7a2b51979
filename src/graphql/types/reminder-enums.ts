import { recipientKinds } from '../../domain/reminders/policy.js';
import { builder } from '../builder.js';

/** Ways in which an item follows its reminder policy. */
export const ReminderModeEnum = builder.enumType('ReminderMode', {
  description: 'Whether reminders of an item go out.',
  values: {
    INHERIT: { description: 'By its reminder policy, its document type’s, or its workspace’s.' },
    OFF: { description: 'Nothing is told of it.' },
  } as const,
});

/** Days on which reminders go out. */
export const DeliverOnEnum = builder.enumType('DeliverOn', {
  description: 'Days on which reminders go out.',
  values: {
    ANY: { description: 'Every day.' },
    WORKING_DAYS: {
      description:
        'Working days of the workspace. Another day’s reminder goes out on the working day before, after the date on the one after.',
    },
  } as const,
});

/** Descriptions of the parts that somebody can have in an item. */
const recipients: Record<(typeof recipientKinds)[number], string> = {
  CONTACTS: 'The contacts of the item.',
  MAIN_CONTACT: 'The main contact of the item.',
  ASSIGNEE: 'The user the item is assigned to.',
  WATCHERS: 'Who watches the item.',
  WORKSPACE_MEMBERS: 'The members of the workspace.',
  ADMINS: 'The admins of the organization.',
  ADDRESSES: 'The addresses of the step.',
};

/** Recipients of a step of a policy. */
export const RecipientKindEnum = builder.enumType('RecipientKind', {
  description: 'Whom a step of a reminder policy tells, by their part in the item.',
  values: Object.fromEntries(
    recipientKinds.map((kind) => [kind, { description: recipients[kind] }]),
  ) as Record<(typeof recipientKinds)[number], { description: string }>,
});
