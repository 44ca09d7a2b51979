import { type ChangedKind, changedTables } from '../../../db/changes/changed-records.js';
import { recordNames } from '../../../db/sql/models.js';
import { capitalized, snakeCase, withArticle } from '../../../domain/text/names.js';
import {
  type RecordChange as Change,
  listChanges,
  type RecordChanges,
} from '../../../live/record-changes.js';
import { builder } from '../../builder.js';

/** Kind of a record of which changes are told. */
export const ChangedRecordKind = builder.enumType('ChangedRecordKind', {
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
export const RecordChange = builder.objectRef<Change>('RecordChange').implement({
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
export const changeArguments = builder.args((t) => ({
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
