import {
  createExemption,
  type Exemption,
  endExemption,
  exemptionRules,
  holderIdOf,
} from '../../../compliance/exemptions.js';
import type { HolderKind } from '../../../items/holders.js';
import { load } from '../../../records/loaders.js';
import { builder, typeOf } from '../../builder.js';
import { onVersion, versionArgument } from '../../define/writes.js';
import { needs } from '../../execution/selection.js';
import { HolderKindEnum, HolderUnion } from '../items/holders.js';
import { withTypeName } from '../records.js';

builder.objectField(typeOf('exemption'), 'holder', (t) =>
  t.field({
    type: HolderUnion,
    nullable: true,
    description: 'The record that is exempt, if the caller may see it.',
    ...needs({ fields: ['holderKind', 'vehicleId', 'contactId', 'companyId', 'locationId'] }),
    resolve: async (row, _args, { session }) => {
      const exemption = row as Exemption;
      const kind = exemption.holderKind as HolderKind;
      const record = await load(session, kind, holderIdOf(exemption));
      return record && withTypeName(kind, record);
    },
  }),
);

const CreateExemptionInput = builder.inputType('CreateExemptionInput', {
  description: 'An exemption of a record from a requirement.',
  extensions: { rules: exemptionRules },
  fields: (t) => ({
    id: t.id({ description: 'The id of the new record, a UUID. If omitted, the server generates one.' }),
    requirementId: t.id({ required: true, description: 'The requirement that need not be met.' }),
    holderKind: t.field({
      type: HolderKindEnum,
      required: true,
      description: 'The kind of the record, which is that of the requirement.',
    }),
    holderId: t.id({ required: true, description: 'The id of the record that is exempt.' }),
    from: t.field({ type: 'Date', description: 'The first day. Default: today in the workspace.' }),
    until: t.field({ type: 'Date', description: 'The last day. Without one, the exemption has no end.' }),
    reason: t.string({ required: true, description: 'Why the record is exempt.' }),
  }),
});

builder.mutationFields((t) => ({
  createExemption: t.field({
    type: typeOf('exemption'),
    nullable: true,
    description:
      'Exempts a record from a requirement. An exemption is not edited: end it, and create another.',
    args: {
      input: t.arg({ type: CreateExemptionInput, required: true, description: 'The exemption.' }),
    },
    resolve: (_root, { input }, { session }) => createExemption(session, input),
  }),
  endExemption: t.field({
    type: typeOf('exemption'),
    nullable: true,
    description: 'Ends an exemption. It no longer holds from today in its workspace.',
    args: {
      id: t.arg.id({ required: true, description: "The exemption's id." }),
      ...versionArgument(),
    },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => endExemption(session, id)),
  }),
}));
