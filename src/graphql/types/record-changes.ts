import { type ChangedKind, changedTables } from '../../db/changes/changed-records.js';
import { recordNames } from '../../db/sql/models.js';
import { capitalized, snakeCase, withArticle } from '../../domain/text/names.js';
import { type RecordChange as Change, listChanges, type RecordChanges } from '../../live/record-changes.js';
import { builder } from '../builder.js';

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
  description: 'What became of a record, for who asks.',
  values: {
    CREATED: { value: 'created', description: 'It is new, or has come into a workspace that is asked for.' },
    CHANGED: { value: 'changed', description: 'It, or what it links to, was changed.' },
    DELETED: {
      value: 'deleted',
      description: 'It is gone, or has left the workspaces that are asked for or that the caller sees.',
    },
  } as const,
});

/** A change of a record. */
export const RecordChange = builder.objectRef<Change>('RecordChange').implement({
  description:
    'A record that was created, changed or deleted, as it is now: ask for it by `nodes`. The same may be told more than once.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The record's id." }),
    kind: t.expose('kind', { type: ChangedRecordKind, description: "The record's kind." }),
    version: t.exposeString('version', {
      nullable: true,
      description:
        'The version that the record has now, opaque: it is another one after each change. Null when it is deleted.',
    }),
    change: t.expose('change', { type: ChangeKind, description: 'What became of it.' }),
    cursor: t.exposeString('cursor', {
      description: 'Where the change stands in the order of all: for `after`.',
    }),
  }),
});

const RecordChangeEdge = builder.objectRef<Change>('RecordChangeEdge').implement({
  description: 'A change, and where it stands.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: 'Where it stands: for `after`.' }),
    node: t.field({ type: RecordChange, description: 'The change.', resolve: (change) => change }),
  }),
});

const RecordChangeConnection = builder.objectRef<RecordChanges>('RecordChangeConnection').implement({
  description: 'A part of the changes of records, in their order.',
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
        'Whether there are more. `endCursor` is never null and moves on even where there is no change: a page may have fewer changes than asked for, or none, while `hasNextPage` is true.',
      resolve: ({ changes, ...page }) => ({ ...page, startCursor: changes[0]?.cursor ?? null }),
    }),
  }),
});

/** Arguments that narrow changes. */
export const changeArguments = builder.args((t) => ({
  kinds: t.field({
    type: [ChangedRecordKind],
    description: 'Only records of these kinds; all when left out.',
  }),
  teamIds: t.idList({
    description:
      'Only records in these workspaces; all that the caller sees when left out. Users belong to each.',
  }),
}));

builder.queryField('changes', (t) =>
  t.field({
    type: RecordChangeConnection,
    description:
      'What was created, changed and deleted, in an order in which nothing appears before a cursor any more. With `after`, it tells what came since; `last: 1` tells where to begin. Changes are kept for some days: a cursor that is older is refused, PRECONDITION_FAILED.',
    args: {
      after: t.arg.string({ description: 'Only changes after this cursor.' }),
      first: t.arg.int({ description: 'Changes from the start, at most 500; 100 when left out.' }),
      last: t.arg.int({ description: 'Changes from the end, at most 500.' }),
      ...changeArguments,
    },
    resolve: (_root, args, { session }) => listChanges(session, args),
  }),
);
