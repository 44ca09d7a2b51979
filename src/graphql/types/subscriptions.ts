import { eventTypeText } from '../../domain/events.js';
import {
  deliveriesSettled,
  eventsLogged,
  itemChanges,
  type Subscriber,
  uploadsFiled,
} from '../../live/feeds.js';
import { recordChanges } from '../../live/record-changes.js';
import { builder } from '../builder.js';
import type { Context } from '../context.js';
import { Delivery } from './deliveries.js';
import { EventLog, EventType } from './event-logs.js';
import { ExpirationItem } from './expiration-items.js';
import { changeArguments, RecordChange } from './record-changes.js';
import { UploadNotification } from './upload-notifications.js';

builder.subscriptionType({
  description:
    'What can be followed as it happens. A stream that the gateway has to end says why in its last result; what was missed is there to be queried.',
  authScopes: { read: true },
});

function createSubscriber({ session, stream }: Context): Subscriber {
  if (!stream) throw new Error('This door has no streams.');
  return { session, ...stream };
}

builder.subscriptionFields((t) => ({
  deliverySettled: t.field({
    type: Delivery,
    description: 'Deliveries as they are sent, given up or cancelled: those that the caller may see.',
    subscribe: (_root, _args, context) => deliveriesSettled(createSubscriber(context)),
    resolve: ({ value }) => value,
  }),
  eventLogged: t.field({
    type: EventLog,
    description: 'Entries of the event log as they are written: those that the caller may see.',
    args: {
      types: t.arg({ type: [EventType], description: 'Only events of these kinds.' }),
      typeIds: t.arg.intList({
        description: `Only events of these kinds. ${eventTypeText}`,
        deprecationReason: 'Send `types`. It goes in version 1.0.',
      }),
      entityId: t.arg.id({ description: 'Only events about this record.' }),
    },
    subscribe: (_root, args, context) => eventsLogged(createSubscriber(context), args),
    resolve: ({ value }) => value,
  }),
  expirationItemChanged: t.field({
    type: ExpirationItem,
    nullable: true,
    description:
      "An expiration item after each of its changes. Null, and then the stream's end, when it is deleted or no longer the caller's to see.",
    args: { id: t.arg.id({ required: true, description: "The item's id." }) },
    subscribe: (_root, { id }, context) => itemChanges(createSubscriber(context), id),
    resolve: ({ value }) => value,
  }),
  recordsChanged: t.field({
    type: RecordChange,
    description:
      'What is created, changed and deleted, whoever does it: those that the caller may see, and what has left its sight. It is told in the order of `changes`; with `after`, it begins with what came since that cursor.',
    args: {
      after: t.arg.string({ description: 'Begin after this cursor, of `changes` or of a change.' }),
      ...changeArguments,
    },
    subscribe: (_root, args, context) => recordChanges(createSubscriber(context), args),
    resolve: ({ value }) => value,
  }),
  uploadFiled: t.field({
    type: UploadNotification,
    description: 'Upload notifications as they are filed: those that the caller may see.',
    subscribe: (_root, _args, context) => uploadsFiled(createSubscriber(context)),
    resolve: ({ value }) => value,
  }),
}));
