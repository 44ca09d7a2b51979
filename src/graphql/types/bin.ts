import { type BinFilter, binEntries } from '../../records/bin/entries.js';
import { purgeEntry } from '../../records/bin/purge.js';
import { builder, Node } from '../builder.js';
import { linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { onVersion, versionArgument } from '../define/versions.js';
import { needs } from '../execution/selection.js';
import { RecordKind } from './record-kinds.js';

/** A deleted record, in the bin. */
const BinEntry = builder.prismaObject('BinEntry', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.field({
      type: RecordKind,
      description: 'The kind of the deleted record.',
      ...needs({ fields: ['typeId'] }),
      resolve: ({ typeId }) => typeId,
    }),
    recordId: t.exposeID('recordId'),
    name: t.exposeString('name', { nullable: true }),
    deletedAt: t.expose('deletedAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    deletedBy: t.field(
      linkTo('user', 'deletedById', 'The user who deleted it. Null if that user no longer exists.'),
    ),
    team: t.field(
      linkTo('team', 'teamId', 'The workspace that it was in. Null if the workspace no longer exists.'),
    ),
  }),
});

const BinFilterInput = builder.inputRef<BinFilter>('BinFilter').implement({
  description: 'Filters the bin.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the name, ignoring case.' }),
    kinds: t.field({ type: [RecordKind], description: 'Records of these kinds.' }),
    recordId: t.id({ description: 'The deleted record with this id.' }),
    teamId: t.id({ description: 'Records that were in this workspace.' }),
    deletedById: t.id({ description: 'Records deleted by this user.' }),
  }),
});

defineReads({
  type: BinEntry,
  resource: binEntries,
  names: ['binEntry', 'bin'],
  filter: BinFilterInput,
  order: { field: 'deletedAt', direction: 'desc' },
});

builder.mutationFields((t) => ({
  purgeBinEntry: t.field({
    type: BinEntry,
    nullable: true,
    description: 'Permanently deletes an entry in the bin with its files and returns it as it was.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: "The entry's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => purgeEntry(session, id)),
  }),
}));
