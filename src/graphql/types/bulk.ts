import { expirationItems } from '../../items/expiration-items.js';
import { renewItems } from '../../items/renewals.js';
import { deleteRecords, largestBulk, updateRecords } from '../../records/bulk.js';
import { builder } from '../builder.js';
import { presentIn } from '../nil.js';
import { ExpirationItem, toItemValues, UpdateItemInput } from './expiration-items.js';

const atomic =
  'all of them, or none when one cannot be. They are answered in the order of the ids, each once.';

builder.mutationFields((t) => {
  const ids = t.arg.idList({ required: true, description: `The items' ids, at most ${largestBulk}.` });
  const items = { type: [ExpirationItem] as [typeof ExpirationItem], nullable: true as const };
  return {
    renewExpirationItems: t.field({
      ...items,
      description: `Moves the expiration date of items on, and keeps the renewals in their histories: ${atomic}`,
      args: {
        ids,
        expirationDate: t.arg({
          type: 'Date',
          required: true,
          description: 'The new expiration date, later than the current one of each.',
        }),
        details: t.arg.string({ description: "Become the items' details when sent." }),
      },
      resolve: (_root, { ids, ...renewal }, { session }) => renewItems(session, ids, renewal),
    }),
    updateExpirationItems: t.field({
      ...items,
      description: `Changes the same values of items and keeps the others: ${atomic}`,
      args: {
        ids,
        input: t.arg({ type: UpdateItemInput, required: true, description: 'The new values.' }),
      },
      resolve: (_root, { ids, input }, context) => {
        const values = toItemValues(presentIn(input, context, UpdateItemInput.name));
        return updateRecords(context.session, expirationItems, ids, values);
      },
    }),
    deleteExpirationItems: t.field({
      ...items,
      description: `Deletes items and answers them as they were: ${atomic}`,
      args: { ids },
      resolve: (_root, { ids }, { session }) => deleteRecords(session, expirationItems, ids),
    }),
  };
});
