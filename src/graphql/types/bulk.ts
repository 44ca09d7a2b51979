import { renewItems } from '../../items/renewals.js';
import { builder } from '../builder.js';
import { onVersions, versionsArgument } from '../define/versions.js';
import { atomic, idsArgument } from '../define/writes.js';
import { ExpirationItem } from './expiration-items.js';

builder.mutationField('renewExpirationItems', (t) =>
  t.field({
    type: [ExpirationItem],
    nullable: true,
    description: `Moves the expiration dates of several items forward and records the renewals in their histories. ${atomic}`,
    args: {
      ...idsArgument(),
      expirationDate: t.arg({
        type: 'Date',
        required: true,
        description: 'The new expiration date. It must be later than the current one of every item.',
      }),
      details: t.arg.string({ description: 'New details for the items. If omitted, they keep theirs.' }),
      ...versionsArgument(),
    },
    resolve: (_root, { ids, ifVersions, ...renewal }, { session }) =>
      onVersions(session, ids, ifVersions, () => renewItems(session, ids, renewal)),
  }),
);
