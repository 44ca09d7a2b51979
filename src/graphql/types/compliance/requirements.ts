import {
  createExemption,
  type Exemption,
  endExemption,
  exemptionRules,
  holderIdOf,
} from '../../../compliance/exemptions.js';
import {
  type PreviewCount,
  previewRequirement,
  previewRules,
  type RequirementPreview,
} from '../../../compliance/preview.js';
import type { HolderKind } from '../../../items/holders.js';
import { load } from '../../../records/loaders.js';
import { builder, typeOf } from '../../builder.js';
import { onVersion, versionArgument } from '../../define/writes.js';
import { needs } from '../../execution/selection.js';
import { HolderKindEnum, HolderUnion } from '../items/holders.js';
import { withTypeName } from '../records.js';
import { RequirementStateEnum } from './compliance.js';

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

const PreviewCountType = builder.objectRef<PreviewCount>('RequirementPreviewCount').implement({
  description: 'For how many records a requirement would be in a state.',
  fields: (t) => ({
    state: t.expose('state', { type: RequirementStateEnum, description: 'The state.' }),
    count: t.exposeInt('count', { description: 'The number of records.' }),
  }),
});

const Preview = builder.objectRef<RequirementPreview>('RequirementPreview').implement({
  description: 'What a requirement would mean today.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'How many records it would apply to.' }),
    evaluated: t.exposeInt('evaluated', {
      description:
        'How many of them were evaluated: at most 500, chosen evenly. The other numbers are of these.',
    }),
    nonCompliant: t.exposeInt('nonCompliant', {
      description: 'How many of those evaluated would be non-compliant because of it.',
    }),
    counts: t.field({
      type: [PreviewCountType],
      description: 'The numbers that are not 0, by state.',
      resolve: ({ counts }) => counts,
    }),
  }),
});

const days = (what: string) => `${what} Default: 0.`;

const PreviewInput = builder.inputType('PreviewRequirementInput', {
  description: 'A requirement that need not be stored.',
  extensions: { rules: previewRules },
  fields: (t) => ({
    id: t.id({ description: 'The id of the requirement, if it is stored. Its exemptions count.' }),
    teamId: t.id({
      description: 'The workspace. Default: that of the stored requirement, or of the caller.',
    }),
    holderKind: t.field({ type: HolderKindEnum, required: true, description: 'The kind of the records.' }),
    applies: t.field({
      type: 'JSON',
      description: 'Which records of the kind: a filter with the members that their list has. Default: all.',
    }),
    anyOf: t.idList({
      required: true,
      description: 'The ids of the document types, one of which is enough.',
    }),
    validDays: t.int({ description: days('The days for which an item must be valid afterwards.') }),
    graceDays: t.int({ description: days('The days that a new record has.') }),
    needsFile: t.boolean({ description: 'True if an item counts only with a file.' }),
    allowNoDate: t.boolean({ description: 'True if an item without an expiration date counts.' }),
  }),
});

builder.queryField('previewRequirement', (t) =>
  t.field({
    type: Preview,
    nullable: true,
    description:
      'Says how many records a requirement would apply to, and how many would not meet it today. Nothing is stored.',
    args: { input: t.arg({ type: PreviewInput, required: true, description: 'The requirement.' }) },
    extensions: { cost: 2_000 },
    resolve: (_root, { input }, { session }) => previewRequirement(session, input),
  }),
);
