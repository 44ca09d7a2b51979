import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { shortTexts } from './awkward.js';
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

const edgeDates = ['0001-01-01', '9999-12-31', '2028-02-29'];
const edgeNumbers = [5e-324, 1.7976931348623157e308, 0.1, -0, 123456.789012, 2 ** 53];

/**
 * Creates an item and a vehicle for each text that programs stumble over, with dates and numbers at the ends of
 * what they may be. The gateway refuses some of the texts.
 */
export async function createAwkward(gateway: TestGateway): Promise<void> {
  let made = 0;
  for (const [n, text] of shortTexts.entries()) {
    const customFields = [{ name: text, value: text }];
    const expirationDate = edgeDates[n % edgeDates.length];
    const msrp = edgeNumbers[n % edgeNumbers.length];
    for (const [kind, input] of [
      ['ExpirationItem', { name: text, details: text, expirationDate, customFields }],
      ['Vehicle', { name: text, make: text, color: text, year: 2 ** 31 - 1 - n, msrp, customFields }],
    ] as const) {
      const query = `mutation ($input: Create${kind}Input!) { create${kind}(input: $input) { id } }`;
      const { errors } = await gateway.graphql(query, { input });
      for (const { extensions } of errors ?? [])
        expect(extensions.code, JSON.stringify(text)).toBe('BAD_REQUEST');
      if (!errors) made++;
    }
  }
  expect(made).toBeGreaterThan(shortTexts.length / 2);
}
