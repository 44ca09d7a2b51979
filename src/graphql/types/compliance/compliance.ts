import { type Answer, type AnsweredCheck, askCompliance, complianceOf } from '../../../compliance/ask.js';
import type { ComplianceState, RequirementState } from '../../../domain/compliance.js';
import { holderKinds } from '../../../items/holders.js';
import { load } from '../../../records/loaders.js';
import { builder, typeOf } from '../../builder.js';
import { needs } from '../../execution/selection.js';
import { HolderKindEnum, HolderReference, HolderUnion } from '../items/holders.js';
import { withTypeName } from '../records.js';

/** The states of a requirement. */
export const RequirementStateEnum = builder.enumType('RequirementState', {
  description: 'State of a requirement for a record on a day.',
  values: {
    EXEMPT: { description: 'The record is exempt.' },
    DUE: { description: 'There is a valid item, and its first reminder is due.' },
    MET: { description: 'There is a valid item.' },
    PENDING: { description: 'The record is new, and has some days to meet the requirement.' },
    EXPIRED: { description: 'There is an item, but its date has passed or comes too soon.' },
    MISSING: { description: 'There is no item that could be valid.' },
  } satisfies Record<RequirementState, object>,
});

/** The states of a record. */
export const ComplianceStateEnum = builder.enumType('ComplianceState', {
  description: 'Whether a record has what it must have, worst first.',
  values: {
    NON_COMPLIANT: { description: 'A requirement is expired or missing.' },
    DUE: { description: 'All requirements are met, but one is due or pending.' },
    COMPLIANT: { description: 'All requirements are met.' },
    NOT_REQUIRED: { description: 'No requirement applies to the record.' },
  } satisfies Record<ComplianceState, object>,
});

const Check = builder.objectRef<AnsweredCheck>('ComplianceCheck').implement({
  description: 'The state of one requirement for a record.',
  fields: (t) => ({
    requirementId: t.exposeID('requirementId', { description: "The requirement's id." }),
    name: t.exposeString('name', { description: "The requirement's name." }),
    requirement: t.field({
      type: typeOf('requirement'),
      nullable: true,
      description: 'The requirement.',
      resolve: ({ requirementId }, _args, { session }) => load(session, 'requirement', requirementId),
    }),
    state: t.expose('state', { type: RequirementStateEnum, description: 'The state.' }),
    since: t.expose('since', {
      type: 'Date',
      nullable: true,
      description:
        'The first day of the state, as far as it follows from what is held now. Null if it has none.',
    }),
    until: t.expose('until', {
      type: 'Date',
      nullable: true,
      description: 'The last day of the state, if nothing changes. Null if it has no end.',
    }),
    isTooShort: t.exposeBoolean('isTooShort', {
      description: 'True if the item is valid on the day, but not for as many days more as it must be.',
    }),
    itemId: t.exposeID('itemId', {
      nullable: true,
      description: 'The id of the item that decides, the one that lasts longest, if the caller may see it.',
    }),
    item: t.field({
      type: typeOf('expirationItem'),
      nullable: true,
      description: 'The item that decides, if the caller may see it.',
      resolve: ({ itemId }, _args, { session }) => load(session, 'expirationItem', itemId),
    }),
  }),
});

/** An answer about the compliance of a record. */
export const ComplianceType = builder.objectRef<Answer>('Compliance').implement({
  description: 'Whether a vehicle, a person, a company or a location has what it must have on a day.',
  fields: (t) => ({
    holderKind: t.field({
      type: HolderKindEnum,
      description: 'The kind of the record.',
      resolve: ({ kind }) => kind,
    }),
    holderId: t.exposeID('id', { description: 'The id of the record.' }),
    name: t.exposeString('name', { nullable: true, description: 'What the record is called.' }),
    holder: t.field({
      type: HolderUnion,
      nullable: true,
      description: 'The record.',
      resolve: async ({ kind, id }, _args, { session }) => {
        const record = await load(session, kind, id);
        return record && withTypeName(kind, record);
      },
    }),
    on: t.expose('on', { type: 'Date', description: 'The day, in the time zone of the workspace.' }),
    isPast: t.exposeBoolean('isPast', {
      description:
        'True if the day is past. The answer is about what is held now, not about what was held then.',
    }),
    state: t.expose('state', { type: ComplianceStateEnum, description: 'The state.' }),
    compliant: t.exposeBoolean('compliant', { description: 'False if the state is `NON_COMPLIANT`.' }),
    until: t.expose('until', {
      type: 'Date',
      nullable: true,
      description:
        'The last day on which it is not yet non-compliant, if nothing changes. Null if it is already, or never will be.',
    }),
    gaps: t.field({
      type: [Check],
      description: 'The requirements that are pending, expired or missing.',
      resolve: ({ gaps }) => gaps,
    }),
    requirements: t.field({
      type: [Check],
      description: 'All requirements that apply, by name.',
      resolve: ({ requirements }) => requirements,
    }),
  }),
});

/** Cost of one evaluation: requirements, exemptions and items are read, and the filters evaluated. */
export const evaluationCost = 20;

const day = 'The day, which may be past or ahead. Default: today in the workspace of the record.';

builder.queryField('compliance', (t) =>
  t.field({
    type: ComplianceType,
    nullable: true,
    description:
      'Says whether a vehicle, a person, a company or a location has what it must have. A key that names several records that the caller sees is a `CONFLICT` with their ids.',
    args: {
      holder: t.arg({
        type: HolderReference,
        required: true,
        description: 'The record, by id or natural key.',
      }),
      on: t.arg({ type: 'Date', description: day }),
    },
    resolve: (_root, { holder, on }, { session }) => askCompliance(session, holder, on),
  }),
);

// The builder's types know a name only if it is written out.
for (const kind of holderKinds)
  builder.objectField(typeOf(kind) as never, 'compliance', (t) =>
    t.field({
      type: ComplianceType,
      description: 'Whether it has what it must have on a day.',
      args: { on: t.arg({ type: 'Date', description: day }) },
      extensions: { ...needs({}).extensions, cost: evaluationCost },
      resolve: (row, { on }, { session }) => complianceOf(session, kind, (row as { id: string }).id, on),
    }),
  );
