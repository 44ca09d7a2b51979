import { renewalRules, renewItem } from '../../items/renewals.js';
import { builder } from '../builder.js';
import { ExpirationItem } from './expiration-items.js';

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
    nullable: true,
    description: "Moves an item's expiration date on and keeps the renewal in its history.",
    args: {
      id: t.arg.id({ required: true, description: "The item's id." }),
      input: t.arg({ type: RenewExpirationItemInput, required: true, description: 'The renewal.' }),
    },
    resolve: async (_root, { id, input }, { session }) => (await renewItem(session, id, input)).row,
  }),
);
