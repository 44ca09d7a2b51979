import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { idsOf } from './world.js';

/** Says of records of a fuzz world what they have to do with one another. */
const links: readonly (readonly [string, Record<string, unknown>])[] = [
  ...[1, 2].flatMap((n) => {
    const at = (kind: Parameters<typeof idsOf>[0]) => idsOf(kind)[n - 1] ?? '';
    const relations = [
      { entityId: at('ExpirationItem'), entityType: 1 },
      { entityId: at('Vehicle'), entityType: 3 },
      { entityId: at('Contact'), entityType: 5 },
      { entityId: at('Location'), entityType: 7 },
      { entityId: at('Category'), entityType: 2 },
      { entityId: at('Company'), entityType: 4 },
      { entityId: at('Tag'), entityType: 10 },
    ];
    return [['Note', { id: at('Note'), relations }]] as const;
  }),
  // The first of two rows waits for what it is linked to, and the other has nothing to wait for.
  ['Contact', { id: idsOf('Contact')[0], locationId: idsOf('Location')[0], typeId: idsOf('ContactType')[0] }],
  ['Company', { id: idsOf('Company')[0], primaryContactId: idsOf('Contact')[0] }],
  [
    'Vehicle',
    { id: idsOf('Vehicle')[0], assignedToContactId: idsOf('Contact')[0], locationId: idsOf('Location')[0] },
  ],
  ['Location', { id: idsOf('Location')[1], parentLocationId: idsOf('Location')[0] }],
  ['Category', { id: idsOf('Category')[0], customFields: [{ name: 'Number' }] }],
  [
    'ExpirationItem',
    {
      id: idsOf('ExpirationItem')[0],
      category: { id: idsOf('Category')[0] },
      contacts: [{ id: idsOf('Contact')[0] }, { id: idsOf('Contact')[1] }],
      locations: [{ id: idsOf('Location')[1] }],
      tags: [{ id: idsOf('Tag')[0] }, { id: idsOf('Tag')[1] }],
      customFields: [{ name: 'Colour', value: 'red' }],
    },
  ],
];

/** Links the records of a fuzz world, so that lists have rows below rows of others. */
export async function linkRecords(gateway: TestGateway): Promise<void> {
  const run = async (query: string, variables: object) => {
    const { errors } = await gateway.graphql(query, variables);
    expect(errors, query).toBeUndefined();
  };
  for (const [kind, { id, ...input }] of links) {
    const query = `mutation ($id: ID!, $input: Update${kind}Input!) { update${kind}(id: $id, input: $input) { id } }`;
    await run(query, { id, input });
  }
  const renew =
    'mutation ($id: ID!) { renewExpirationItem(id: $id, input: {expirationDate: "2028-06-01"}) { id } }';
  await run(renew, { id: idsOf('ExpirationItem')[0] });
}
