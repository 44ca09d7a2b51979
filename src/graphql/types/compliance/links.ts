import {
  type ComplianceLink,
  complianceLinkAddress,
  complianceLinkLimits,
  complianceLinkRules,
  complianceLinksRules,
  createComplianceLink,
  createMissingComplianceLinks,
  revokeComplianceLink,
} from '../../../access/compliance-links.js';
import { holderIdOf } from '../../../compliance/exemptions.js';
import type { HolderKind } from '../../../items/holders.js';
import { load } from '../../../records/loaders.js';
import { builder, typeOf } from '../../builder.js';
import { onVersion, versionArgument } from '../../define/writes.js';
import { needs } from '../../execution/selection.js';
import { HolderKindEnum, HolderUnion } from '../items/holders.js';
import { withTypeName } from '../records.js';

builder.objectFields(typeOf('complianceLink'), (t) => ({
  holder: t.field({
    type: HolderUnion,
    nullable: true,
    description: 'The record that it shows, if the caller may see it.',
    ...needs({ fields: ['holderKind', 'vehicleId', 'contactId', 'companyId', 'locationId'] }),
    resolve: async (row, _args, { session }) => {
      const shown = row as ComplianceLink;
      const kind = shown.holderKind as HolderKind;
      const record = await load(session, kind, holderIdOf(shown));
      return record && withTypeName(kind, record);
    },
  }),
  url: t.string({
    nullable: true,
    description:
      'The secret address of its page, for a QR code. Null once it is revoked, for callers who may not write, and if the key of the gateway that encrypted it is gone.',
    ...needs({ fields: ['id', 'sealedSecret', 'revokedAt'] }),
    resolve: (row, _args, { session, origin = '' }) =>
      complianceLinkAddress(session, row as ComplianceLink, origin),
  }),
}));

const CreateComplianceLinkInput = builder.inputType('CreateComplianceLinkInput', {
  description: 'A link to the compliance of a record.',
  extensions: { rules: complianceLinkRules },
  fields: (t) => ({
    id: t.id({ description: 'The id of the new record, a UUID. If omitted, the server generates one.' }),
    holderKind: t.field({ type: HolderKindEnum, required: true, description: 'The kind of the record.' }),
    holderId: t.id({ required: true, description: 'The id of the record.' }),
    name: t.string({
      description: 'What tells it from other links of the record, such as where the sticker is.',
    }),
  }),
});

const CreateMissingComplianceLinksInput = builder.inputType('CreateMissingComplianceLinksInput', {
  description: 'Records of a kind that each need a link to their compliance.',
  extensions: { rules: complianceLinksRules },
  fields: (t) => ({
    holderKind: t.field({ type: HolderKindEnum, required: true, description: 'The kind of the records.' }),
    holderIds: t.idList({
      required: true,
      extensions: { entryLimit: complianceLinkLimits.holders },
      description: `The ids of the records, at most ${complianceLinkLimits.holders}.`,
    }),
  }),
});

builder.mutationFields((t) => ({
  createComplianceLink: t.field({
    type: typeOf('complianceLink'),
    nullable: true,
    description:
      'Creates an address at which whoever has it sees the name of a record, the state of its compliance and until when, without signing in. It works until it is revoked or the record is deleted.',
    args: {
      input: t.arg({ type: CreateComplianceLinkInput, required: true, description: 'The link.' }),
    },
    resolve: (_root, { input }, { session }) => createComplianceLink(session, input),
  }),
  createMissingComplianceLinks: t.field({
    type: [typeOf('complianceLink')],
    nullable: true,
    description:
      'Creates a link for each record that has none that works, and returns the newest one of each in the order of their ids: what a sheet of stickers needs.',
    args: {
      input: t.arg({
        type: CreateMissingComplianceLinksInput,
        required: true,
        description: 'The records.',
      }),
    },
    resolve: (_root, { input }, { session }) => createMissingComplianceLinks(session, input),
  }),
  revokeComplianceLink: t.field({
    type: typeOf('complianceLink'),
    nullable: true,
    description: 'Revokes a link. Its address opens nothing any more.',
    args: { id: t.arg.id({ required: true, description: "The link's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => revokeComplianceLink(session, id)),
  }),
}));
