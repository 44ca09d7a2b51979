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
      description: 'The new expiration date, later than the current one.',
    }),
    details: t.string({ description: "Becomes the item's details when sent." }),
  }),
});

builder.mutationField('renewExpirationItem', (t) =>
  t.field({
    type: ExpirationItem,
    extensions: { checksInput: true },
    nullable: true,
    description: "Moves an item's expiration date on and keeps the renewal in its history.",
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
  description: 'What a list of renewals is narrowed to.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the details, in any letter case.' }),
    teamId: t.id({ description: 'Renewals of items of a workspace.' }),
    expirationItemId: t.id({ description: 'Renewals of an item.' }),
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
