import { load } from '../../records/loaders.js';
import {
  createSuppression,
  deleteSuppression,
  type NewSuppression,
  type SuppressionFilter,
  type Suppression as SuppressionRow,
  suppressionRules,
  suppressions,
} from '../../reminders/shown/suppressions.js';
import { builder, Node, typeOf } from '../builder.js';
import { defineReads } from '../define/reads.js';
import { onVersion, versionArgument } from '../define/versions.js';
import { needs } from '../execution/selection.js';
import { ExpirationItem } from './expiration-items.js';

const SuppressionScopeEnum = builder.enumType('SuppressionScope', {
  description: 'What is not sent to an address.',
  values: {
    ALL: { description: 'Nothing is.' },
    CATEGORY: { description: 'Nothing about items of a document type.' },
    ITEM: { description: 'Nothing about an item.' },
  } as const,
});

const SuppressionReasonEnum = builder.enumType('SuppressionReason', {
  description: 'Why an address is not written to.',
  values: {
    UNSUBSCRIBED: { description: 'Its owner wants no such mails.' },
    REFUSED: { description: 'The mail server refused it.' },
    ADMIN: { description: 'An admin ended it.' },
  } as const,
});

const ofScope = (scope: SuppressionRow['scope']) => (row: SuppressionRow) =>
  row.scope === scope ? row.scopeId : null;
const [categoryOf, itemOf] = [ofScope('CATEGORY'), ofScope('ITEM')];
const scoped = needs({ fields: ['scope', 'scopeId'] });

/** An address that is not written to. */
export const Suppression = builder.prismaObject('Suppression', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    address: t.exposeString('addressKey'),
    scope: t.expose('scope', { type: SuppressionScopeEnum }),
    reason: t.expose('reason', { type: SuppressionReasonEnum }),
    until: t.expose('until', { type: 'DateTime', nullable: true }),
    created: t.expose('created', { type: 'DateTime' }),
    category: t.field({
      ...scoped,
      type: typeOf('category'),
      nullable: true,
      description: 'The document type that it is about.',
      resolve: (row, _args, { session }) => load(session, 'category', categoryOf(row)),
    }),
    expirationItem: t.field({
      ...scoped,
      type: ExpirationItem,
      nullable: true,
      description: 'The item that it is about.',
      resolve: (row, _args, { session }) => load(session, 'expirationItem', itemOf(row)),
    }),
  }),
});

const SuppressionFilterInput = builder.inputRef<SuppressionFilter>('SuppressionFilter').implement({
  description: 'What a list of suppressions is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the address, in any letter case.' }),
    address: t.string({ description: 'Suppressions of an address, in any letter case.' }),
    reason: t.field({ type: SuppressionReasonEnum, description: 'Suppressions for a reason.' }),
    scope: t.field({ type: SuppressionScopeEnum, description: 'Suppressions of a scope.' }),
  }),
});

defineReads({
  type: Suppression,
  resource: suppressions,
  names: ['suppression', 'suppressions'],
  filter: SuppressionFilterInput,
  order: { field: 'created', direction: 'desc' },
  right: 'administer',
});

const CreateSuppressionInput = builder.inputRef<NewSuppression>('CreateSuppressionInput').implement({
  description: 'An address that is to get no mails: none at all, unless it names what they are about.',
  extensions: { rules: suppressionRules },
  fields: (t) => ({
    address: t.string({ required: true, description: 'The address.' }),
    categoryId: t.id({ description: 'None about items of this document type.' }),
    expirationItemId: t.id({ description: 'None about this item.' }),
    until: t.field({ type: 'DateTime', description: 'When it ends; never when left out.' }),
  }),
});

builder.mutationFields((t) => ({
  createSuppression: t.field({
    type: Suppression,
    nullable: true,
    description: 'Ends mails to an address. One that is there already is answered as it is.',
    authScopes: { administer: true },
    args: { input: t.arg({ type: CreateSuppressionInput, required: true, description: 'Its values.' }) },
    resolve: (_root, { input }, { session }) => createSuppression(session, input),
  }),
  deleteSuppression: t.field({
    type: Suppression,
    nullable: true,
    description: 'Lets an address be written to again, and answers the suppression as it was.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: "The suppression's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => deleteSuppression(session, id)),
  }),
}));
