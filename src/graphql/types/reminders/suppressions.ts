import {
  createSuppression,
  deleteSuppression,
  type NewSuppression,
  suppressionRules,
} from '../../../reminders/shown/suppressions.js';
import { builder, typeOf } from '../../builder.js';
import { onVersion, versionArgument } from '../../define/versions.js';

const CreateSuppressionInput = builder.inputRef<NewSuppression>('CreateSuppressionInput').implement({
  description: 'Stops mails to an address. It stops all mails unless it names an item or a document type.',
  extensions: { rules: suppressionRules },
  fields: (t) => ({
    address: t.string({ required: true, description: 'The address.' }),
    categoryId: t.id({ description: 'Stops only mails about items of this document type.' }),
    expirationItemId: t.id({ description: 'Stops only mails about this item.' }),
    until: t.field({
      type: 'DateTime',
      description: 'When the suppression ends. If omitted, it never ends.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createSuppression: t.field({
    type: typeOf('suppression'),
    nullable: true,
    description: 'Stops mails to an address. If this suppression already exists, returns it unchanged.',
    authScopes: { administer: true },
    args: { input: t.arg({ type: CreateSuppressionInput, required: true, description: 'Its values.' }) },
    resolve: (_root, { input }, { session }) => createSuppression(session, input),
  }),
  deleteSuppression: t.field({
    type: typeOf('suppression'),
    nullable: true,
    description: 'Allows mails to an address again and returns the suppression as it was.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: "The suppression's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => deleteSuppression(session, id)),
  }),
}));
