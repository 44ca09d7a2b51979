import { purgeEntry } from '../../../records/bin/purge.js';
import { builder, typeOf } from '../../builder.js';
import { onVersion, versionArgument } from '../../define/versions.js';

builder.mutationFields((t) => ({
  purgeBinEntry: t.field({
    type: typeOf('binEntry'),
    nullable: true,
    description: 'Permanently deletes an entry in the bin with its files and returns it as it was.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: "The entry's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => purgeEntry(session, id)),
  }),
}));
