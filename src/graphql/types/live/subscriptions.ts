import { eventTypeText } from '../../../domain/events.js';
import {
  deliveriesSettled,
  eventsLogged,
  itemChanges,
  type Subscriber,
  uploadsFiled,
} from '../../../live/feeds.js';
import { recordChanges } from '../../../live/record-changes.js';
import { builder, typeOf } from '../../builder.js';
import type { Context } from '../../context.js';
import { EventType } from '../records/related-records.js';
import { changeArguments, RecordChange } from './record-changes.js';

builder.subscriptionType({
  description:
    'The subscriptions. If the gateway has to end a stream, the last result says why. What was missed can be queried.',
  authScopes: { read: true },
});

function createSubscriber({ session, stream }: Context): Subscriber {
  if (!stream) throw new Error('This door has no streams.');
  return { session, ...stream };
}

builder.subscriptionFields((t) => ({
  deliverySettled: t.field({
    type: typeOf('delivery'),
    description: 'Reports deliveries that the caller may see when they are sent, given up or cancelled.',
    subscribe: (_root, _args, context) => deliveriesSettled(createSubscriber(context)),
    resolve: ({ value }) => value,
  }),
  eventLogged: t.field({
    type: typeOf('eventLog'),
    description: 'Reports new entries of the event log that the caller may see.',
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
    type: typeOf('expirationItem'),
    nullable: true,
    description:
      'Reports an expiration item after each change. If the item is deleted or the caller may no longer see it, the stream sends null and ends.',
    args: { id: t.arg.id({ required: true, description: "The item's id." }) },
    subscribe: (_root, { id }, context) => itemChanges(createSubscriber(context), id),
    resolve: ({ value }) => value,
  }),
  recordsChanged: t.field({
    type: RecordChange,
    description:
      'Reports records that are created, changed or deleted by anyone, if the caller may see them or no longer may. They come in the order of `changes`. With `after`, the stream begins with the changes since that cursor.',
    args: {
      after: t.arg.string({
        description: 'Begins after this cursor, which comes from `changes` or from a change.',
      }),
      ...changeArguments,
    },
    subscribe: (_root, args, context) => recordChanges(createSubscriber(context), args),
    resolve: ({ value }) => value,
  }),
  uploadFiled: t.field({
    type: typeOf('uploadNotification'),
    description: 'Reports upload notifications that the caller may see when they are filed.',
    subscribe: (_root, _args, context) => uploadsFiled(createSubscriber(context)),
    resolve: ({ value }) => value,
  }),
}));
