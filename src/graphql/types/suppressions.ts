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

const SuppressionScopeEnum = builder.enumType('SuppressionScope', {
  description: 'Which mails are not sent to an address.',
  values: {
    ALL: { description: 'All mails.' },
    CATEGORY: { description: 'Mails about items of a document type.' },
    ITEM: { description: 'Mails about an item.' },
  } as const,
});

const SuppressionReasonEnum = builder.enumType('SuppressionReason', {
  description: 'Why mails to an address were stopped.',
  values: {
    UNSUBSCRIBED: { description: 'The owner of the address unsubscribed.' },
    REFUSED: { description: 'The mail server refused the address.' },
    ADMIN: { description: 'An admin stopped them.' },
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
      type: typeOf('expirationItem'),
      nullable: true,
      description: 'The item that it is about.',
      resolve: (row, _args, { session }) => load(session, 'expirationItem', itemOf(row)),
    }),
  }),
});

const SuppressionFilterInput = builder.inputRef<SuppressionFilter>('SuppressionFilter').implement({
  description: 'Filters a list of suppressions.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the address, ignoring case.' }),
    address: t.string({ description: 'Suppressions of this address, ignoring case.' }),
    reason: t.field({ type: SuppressionReasonEnum, description: 'Suppressions for this reason.' }),
    scope: t.field({ type: SuppressionScopeEnum, description: 'Suppressions of this scope.' }),
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
    type: Suppression,
    nullable: true,
    description: 'Stops mails to an address. If this suppression already exists, returns it unchanged.',
    authScopes: { administer: true },
    args: { input: t.arg({ type: CreateSuppressionInput, required: true, description: 'Its values.' }) },
    resolve: (_root, { input }, { session }) => createSuppression(session, input),
  }),
  deleteSuppression: t.field({
    type: Suppression,
    nullable: true,
    description: 'Allows mails to an address again and returns the suppression as it was.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: "The suppression's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => deleteSuppression(session, id)),
  }),
}));
