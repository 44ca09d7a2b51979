import { type ChangedKind, changedTables } from '../../db/changes/changes.js';
import { recordNames } from '../../db/sql/models.js';
import { eventTypeText } from '../../domain/models.js';
import { capitalized, snakeCase, withArticle } from '../../domain/text/names.js';
import {
  complianceChanges,
  deliveriesSettled,
  eventsLogged,
  itemChanges,
  requestChanges,
  type Subscriber,
  uploadsFiled,
} from '../../live/feeds.js';
import {
  type RecordChange as Change,
  listChanges,
  type RecordChanges,
  recordChanges,
} from '../../live/record-changes.js';
import { builder, typeOf } from '../builder.js';
import type { Context } from '../context.js';
import { listOf } from '../define/records.js';
import { EventType } from './records.js';

/** Kind of a record of which changes are told. */
const ChangedRecordKind = builder.enumType('ChangedRecordKind', {
  description: 'The kind of a record whose changes are reported.',
  values: Object.fromEntries(
    changedTables.map(([kind]) => [
      snakeCase(kind).toUpperCase(),
      { value: kind as ChangedKind, description: `${capitalized(withArticle(recordNames[kind]))}.` },
    ]),
  ) as Record<string, { value: ChangedKind; description: string }>,
});

const ChangeKind = builder.enumType('ChangeKind', {
  description: "What happened to a record, from the caller's point of view.",
  values: {
    CREATED: {
      value: 'created',
      description: 'It was created, or moved into one of the requested workspaces.',
    },
    CHANGED: { value: 'changed', description: 'It or a record that it links to was changed.' },
    DELETED: {
      value: 'deleted',
      description: 'It was deleted, or left the requested workspaces or those that the caller can see.',
    },
  } as const,
});

/** A change of a record. */
const RecordChange = builder.objectRef<Change>('RecordChange').implement({
  description:
    'A record that was created, changed or deleted. Query `nodes` for its current state. The same change may be reported more than once.',
  fields: (t) => ({
    recordId: t.exposeID('id', { description: "The record's id." }),
    id: t.exposeID('id', {
      description: "The record's id.",
      deprecationReason:
        'Ask for `recordId`. Caches take an `id` for that of the object, and show one change of a record for all. It goes in version 1.0.',
    }),
    kind: t.expose('kind', { type: ChangedRecordKind, description: "The record's kind." }),
    version: t.exposeString('version', {
      nullable: true,
      description:
        "The record's current version, an opaque text that differs after every change. Null if the record was deleted.",
    }),
    change: t.expose('change', { type: ChangeKind, description: 'What happened to it.' }),
    cursor: t.exposeString('cursor', {
      description: 'The position of the change in the list of all changes, for use as `after`.',
    }),
  }),
});

const RecordChangeEdge = builder.objectRef<Change>('RecordChangeEdge').implement({
  description: 'A change, with its cursor.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: 'The position of the entry, for use as `after`.' }),
    node: t.field({ type: RecordChange, description: 'The change.', resolve: (change) => change }),
  }),
});

const RecordChangeConnection = builder.objectRef<RecordChanges>('RecordChangeConnection').implement({
  description: 'A page of the changes of records, in order.',
  fields: (t) => ({
    edges: t.field({
      type: [RecordChangeEdge],
      description: 'The changes with their cursors.',
      resolve: ({ changes }) => [...changes],
    }),
    nodes: t.field({
      type: [RecordChange],
      description: 'The changes.',
      resolve: ({ changes }) => [...changes],
    }),
    pageInfo: t.field({
      type: builder.pageInfoRef(),
      description:
        'Tells whether there are more. `endCursor` is never null and advances even on a page without changes. A page may have fewer changes than requested, or none, while `hasNextPage` is true.',
      resolve: ({ changes, ...page }) => ({ ...page, startCursor: changes[0]?.cursor ?? null }),
    }),
  }),
});

/** Arguments that narrow changes. */
const changeArguments = builder.args((t) => ({
  kinds: t.field({
    type: [ChangedRecordKind],
    description: 'Returns only records of these kinds. Default: all kinds.',
  }),
  teamIds: t.idList({
    description:
      'Returns only records in these workspaces. Default: all that the caller may see. Users belong to every workspace.',
  }),
}));

builder.queryField('changes', (t) =>
  t.field({
    type: RecordChangeConnection,
    description:
      'Lists the records that were created, changed or deleted, in a stable order: new changes never appear before an existing cursor. Use `after` to get what changed since a cursor, and `last: 1` to get a starting point. Changes are kept for some days; an older cursor fails with PRECONDITION_FAILED.',
    args: {
      after: t.arg.string({ description: 'Returns only changes after this cursor.' }),
      first: t.arg.int({ description: 'Number of changes from the start, at most 500. Default: 100.' }),
      last: t.arg.int({ description: 'Number of changes from the end, at most 500.' }),
      ...changeArguments,
    },
    resolve: (_root, args, { session }) => listChanges(session, args),
  }),
);

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
  complianceChanged: t.field({
    type: typeOf('holderCompliance'),
    description:
      'Reports vehicles, people, companies and locations when their compliance changes, as they are then. The event `COMPLIANCE_CHANGED` says what it was before.',
    args: {
      filter: t.arg({
        type: listOf('holderCompliance').filter,
        description: 'Only records that match this filter after the change.',
      }),
    },
    subscribe: (_root, { filter }, context) => complianceChanges(createSubscriber(context), filter ?? {}),
    resolve: ({ value }) => value,
  }),
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
  documentRequestChanged: t.field({
    type: typeOf('documentRequest'),
    description: 'Reports requests for documents after each step, as they are then.',
    args: {
      filter: t.arg({
        type: listOf('documentRequest').filter,
        description: 'Only requests that match this filter after the step.',
      }),
    },
    subscribe: (_root, { filter }, context) => requestChanges(createSubscriber(context), filter ?? {}),
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
