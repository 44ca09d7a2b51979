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
    deletedBy: t.field(linkTo('user', 'deletedById', 'Who deleted it; null when the user is gone.')),
    team: t.field(linkTo('team', 'teamId', 'The workspace it was in; null when that is gone.')),
  }),
});

const BinFilterInput = builder.inputRef<BinFilter>('BinFilter').implement({
  description: 'What the bin is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the name, in any letter case.' }),
    kinds: t.field({ type: [RecordKind], description: 'Records of these kinds.' }),
    recordId: t.id({ description: 'A record, by its id.' }),
    teamId: t.id({ description: 'Records that were in a workspace.' }),
    deletedById: t.id({ description: 'What a user has deleted.' }),
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
    description: 'Deletes an entry of the bin for good, with its files, and answers it as it was.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: "The entry's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => purgeEntry(session, id)),
  }),
}));
