import { complianceOf } from '../../../compliance/ask.js';
import {
  type ComplianceSums,
  keptKind,
  type StateCount,
  sumCompliance,
} from '../../../compliance/compliances.js';
import { holderIdOf } from '../../../compliance/exemptions.js';
import type { RowOf } from '../../../db/sql/conditions.js';
import { load } from '../../../records/loaders.js';
import { builder, typeOf } from '../../builder.js';
import { needs } from '../../execution/selection.js';
import { HolderKindEnum, HolderUnion } from '../items/holders.js';
import { withTypeName } from '../records.js';
import { ComplianceStateEnum, ComplianceType, evaluationCost } from './compliance.js';

const names = needs({ fields: ['kind', 'vehicleId', 'contactId', 'companyId', 'locationId'] });

builder.objectFields(typeOf('holderCompliance'), (t) => ({
  holder: t.field({
    type: HolderUnion,
    nullable: true,
    description: 'The record, if the caller may see it.',
    ...names,
    resolve: async (row, _args, { session }) => {
      const kept = row as RowOf<'HolderCompliance'>;
      const kind = keptKind(kept);
      const record = await load(session, kind, holderIdOf(kept));
      return record && withTypeName(kind, record);
    },
  }),
  compliance: t.field({
    type: ComplianceType,
    nullable: true,
    description:
      'All requirements that apply to the record, computed for this answer, if the caller may see it.',
    extensions: { ...names.extensions, cost: evaluationCost },
    resolve: async (row, _args, { session }) => {
      const kept = row as RowOf<'HolderCompliance'>;
      const kind = keptKind(kept);
      const id = holderIdOf(kept);
      return (await load(session, kind, id)) && complianceOf(session, kind, id);
    },
  }),
}));

const StateCountType = builder.objectRef<StateCount>('ComplianceCount').implement({
  description: 'How many records of a kind are in a state.',
  fields: (t) => ({
    kind: t.expose('kind', { type: HolderKindEnum, description: 'The kind of record.' }),
    state: t.expose('state', { type: ComplianceStateEnum, description: 'The state.' }),
    count: t.exposeInt('count', { description: 'The number of records.' }),
  }),
});

const Sums = builder.objectRef<ComplianceSums>('ComplianceSummary').implement({
  description: 'Numbers of records by kind and state.',
  fields: (t) => ({
    countedAt: t.expose('countedAt', {
      type: 'DateTime',
      description: 'The time up to which all changes are counted. Normally it is now.',
    }),
    counts: t.field({
      type: [StateCountType],
      description: 'The numbers that are not 0, by kind and the worst first.',
      resolve: ({ counts }) => counts,
    }),
  }),
});

builder.queryField('complianceSummary', (t) =>
  t.field({
    type: Sums,
    description: 'Counts the records of workspaces that require something of their kind, by kind and state.',
    extensions: { cost: 100 },
    resolve: (_root, _args, { session }) => sumCompliance(session),
  }),
);
