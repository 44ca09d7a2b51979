import { copyItem, copyRules } from '../../items/copy.js';
import { builder } from '../builder.js';
import { onVersion, versionArgument } from '../define/versions.js';
import { ExpirationItem } from './expiration-items.js';

const CopyExpirationItemInput = builder.inputType('CopyExpirationItemInput', {
  description: 'What a copy of an item has of its own.',
  extensions: { rules: copyRules },
  fields: (t) => ({
    name: t.string({ description: "The copy's name; that of the item with ` (copy)` when left out." }),
    expirationDate: t.field({
      type: 'Date',
      description: "The copy's expiration date; that of the item when left out.",
    }),
    withAttachments: t.boolean({
      description: 'Whether the files are copied as well, at most 256 MiB; not when left out.',
    }),
  }),
});

builder.mutationField('copyExpirationItem', (t) =>
  t.field({
    extensions: { checksInput: true },
    type: ExpirationItem,
    nullable: true,
    description:
      'Makes a new item with the values and links of another one, without its renewals and its history.',
    args: {
      id: t.arg.id({ required: true, description: "The item's id." }),
      input: t.arg({ type: CopyExpirationItemInput, description: 'What the copy has of its own.' }),
      ...versionArgument(),
    },
    resolve: (_root, { id, input, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => copyItem(session, id, input ?? {})),
  }),
);
