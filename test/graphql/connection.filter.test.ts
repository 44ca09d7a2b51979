import { beforeAll, describe, expect, test } from 'vitest';
import { createLinked, nowhere } from '../rest/support.js';
import { createTenant, useGateway } from '../support/gateway.js';
import { insert, listOf, pages, readIds } from './lists.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();
let linked: Awaited<ReturnType<typeof createLinked>>;
beforeAll(async () => {
  linked = await createLinked(gateway, gateway);
  const { locationId, contactId } = linked;
  await insert(gateway, gateway, [
    { name: 'plain' },
    { name: 'archived', isArchived: true },
    { name: 'placed', locationId },
    { name: 'with a contact', assignedToContactId: contactId },
    { name: 'with a user', assignedToId: gateway.userId },
    { name: 'placed, with a user', locationId, assignedToId: gateway.userId },
    { name: 'OTHER %', teamId: gateway.otherTeamId },
    { vin: 'VIN_1' },
    { licensePlate: 'AB\\C' },
    { make: 'Ödland' },
    { model: '100%' },
    { color: 'searched by nobody' },
  ]);
  await insert(gateway, await createTenant(gateway.database, 'Globex'), [{ name: 'foreign' }]);
});

const shown = listOf('nodes { name vin licensePlate make model color } totalCount');

/** Returns what tells the vehicles of a list apart. */
async function listed(filter: object | null, token?: string): Promise<string[]> {
  const { nodes, totalCount } = (await ask(gateway, shown, { filter }, token)).vehicles;
  expect(totalCount).toBe(nodes.length);
  const texts = nodes.map((node: object) => Object.values(node).find((value) => value !== null));
  return texts.sort();
}

describe('filter', () => {
  test.each<[string, () => object, string[]]>([
    [
      'location in upper case',
      () => ({ locationId: linked.locationId.toUpperCase() }),
      ['placed', 'placed, with a user'],
    ],
    [
      'all at once',
      () => ({
        locationId: linked.locationId,
        assignedToId: gateway.userId,
        term: 'placed',
        isArchived: false,
      }),
      ['placed, with a user'],
    ],
    ['what excludes itself', () => ({ locationId: linked.locationId, isArchived: true }), []],
    ['a term beyond ASCII', () => ({ term: 'ödl' }), ['Ödland']],
    ['a percent sign, literally', () => ({ term: '%' }), ['100%', 'OTHER %']],
    ['an underscore, literally', () => ({ term: '_' }), ['VIN_1']],
    ['a backslash, literally', () => ({ term: '\\' }), ['AB\\C']],
    ['a text that is not searched', () => ({ term: 'nobody' }), []],
    ['a foreign name', () => ({ term: 'foreign' }), []],
  ])('%s', async (_, filter, expected) => {
    expect(await listed(filter())).toEqual(expected.sort());
  });

  const none = { term: null, isArchived: null, teamId: null, locationId: null, assignedToContactId: null };
  test.each([[null], [{}], [none], [{ term: '' }]])('%j does not narrow the list', async (filter) => {
    expect(await listed(filter)).toHaveLength(12);
  });

  test('a member’s list has its own workspaces only, and naming another one does not open it', async () => {
    expect(await listed({}, gateway.member)).toHaveLength(11);
    expect(await listed({ teamId: gateway.otherTeamId }, gateway.member)).toEqual([]);
    expect(await listed({ term: '%' }, gateway.viewer)).toEqual(['100%']);
  });

  test.each(['teamId', 'locationId', 'assignedToContactId', 'assignedToId'])(
    'rejects a %s that is not a UUID',
    async (field) => {
      for (const value of ['yard', '', `${nowhere}0`, '%']) {
        const refused = refusal(gateway, pages, { filter: { [field]: value } });
        await expectRefusal(refused, 'BAD_REQUEST', `filter.${field}`, /UUID/);
      }
    },
  );

  test.each([
    ['with a NUL', 'a\0', /NUL/],
    ['longer than any text', 'x'.repeat(256), /255/],
    ['with half a character', 'a\ud800', /Unicode/],
  ])('refuses a term %s', async (_, term, message) => {
    await expectRefusal(refusal(gateway, pages, { filter: { term } }), 'BAD_REQUEST', 'filter.term', message);
  });

  test('a wrong filter is also rejected if only the count is requested', async () => {
    const refused = refusal(gateway, listOf('totalCount'), { first: 0, filter: { teamId: 'x' } });
    await expectRefusal(refused, 'BAD_REQUEST', 'filter.teamId');
  });

  test('goes with an order and a cursor', async () => {
    const orderBy = { field: 'NAME', direction: 'DESC' } as const;
    const filter = { locationId: linked.locationId };
    const [one, two] = await readIds(gateway, { filter, orderBy });
    const { edges } = (await ask(gateway, pages, { filter, orderBy, first: 1 })).vehicles;
    expect(edges[0].node.id).toBe(one);
    expect(await readIds(gateway, { filter, orderBy, after: edges[0].cursor })).toEqual([two]);
  });
});
