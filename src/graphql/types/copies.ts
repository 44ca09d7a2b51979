import { copyItem, copyRules } from '../../items/copy.js';
import { builder } from '../builder.js';
import { onVersion, versionArgument } from '../define/versions.js';
import { ExpirationItem } from './expiration-items.js';

const CopyExpirationItemInput = builder.inputType('CopyExpirationItemInput', {
  description: 'Values in which a copy differs from the original item.',
  extensions: { rules: copyRules },
  fields: (t) => ({
    name: t.string({ description: "The copy's name. Default: that of the original followed by ` (copy)`." }),
    expirationDate: t.field({
      type: 'Date',
      description: "The copy's expiration date. Default: that of the original.",
    }),
    withAttachments: t.boolean({
      description: 'True to copy the files as well, at most 256 MiB. Default: false.',
    }),
  }),
});

builder.mutationField('copyExpirationItem', (t) =>
  t.field({
    extensions: { checksInput: true },
    type: ExpirationItem,
    nullable: true,
    description:
      'Creates a new item with the values and links of another one, but without its renewals and history.',
    args: {
      id: t.arg.id({ required: true, description: "The item's id." }),
      input: t.arg({
        type: CopyExpirationItemInput,
        description: 'Values in which the copy differs from the original.',
      }),
      ...versionArgument(),
    },
    resolve: (_root, { id, input, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => copyItem(session, id, input ?? {})),
  }),
);
