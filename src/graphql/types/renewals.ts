import { renewalEndpoints } from '../../items/endpoints.js';
import { type RenewalFilter, renewalRules, renewals, renewItem } from '../../items/renewals.js';
import { builder } from '../builder.js';
import { defineReads } from '../define/reads.js';
import { onVersion, versionArgument } from '../define/versions.js';
import { ExpirationItem, Renewal } from './expiration-items.js';

const RenewExpirationItemInput = builder.inputType('RenewExpirationItemInput', {
  description: 'A renewal.',
  extensions: { rules: renewalRules },
  fields: (t) => ({
    expirationDate: t.field({
      type: 'Date',
      required: true,
      description: 'The new expiration date. It must be later than the current one.',
    }),
    details: t.string({ description: 'New details for the item. If omitted, it keeps its details.' }),
  }),
});

builder.mutationField('renewExpirationItem', (t) =>
  t.field({
    type: ExpirationItem,
    extensions: { checksInput: true },
    nullable: true,
    description: "Moves an item's expiration date forward and records the renewal in its history.",
    args: {
      id: t.arg.id({ required: true, description: "The item's id." }),
      input: t.arg({ type: RenewExpirationItemInput, required: true, description: 'The renewal.' }),
      ...versionArgument(),
    },
    resolve: async (_root, { id, input, ifVersion }, { session }) =>
      (await onVersion(session, ifVersion, () => renewItem(session, id, input))).row,
  }),
);

const RenewalFilterInput = builder.inputRef<RenewalFilter>('RenewalFilter').implement({
  description: 'Filters a list of renewals.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the details, ignoring case.' }),
    teamId: t.id({ description: 'Renewals of items in this workspace.' }),
    expirationItemId: t.id({ description: 'Renewals of this item.' }),
  }),
});

/** The list of renewals. */
export const renewalList = defineReads({
  type: Renewal,
  resource: renewals,
  names: ['renewal', 'renewals'],
  filter: RenewalFilterInput,
  order: renewalEndpoints.order,
});
