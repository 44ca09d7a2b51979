import { type ExecutionResult, parse } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { createLinked } from '../rest/support.js';
import { executeByPlan, executeInSlices } from '../support/both-executors.js';
import { useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { insert, listOf } from './lists.js';
import { ask, create, createVehicle, patch, remove, replace, update } from './support.js';

const gateway = useGateway();

/** What is asked of a list, and what is read with its rows. */
const lists: [string, string, string][] = [
  [
    'of every link, and their links',
    `id
    assignedTo { name }
    location { name team { name } parentLocation { name team { name } parentLocation { name } } }
    assignedToContact { email location { name } team { name } assignedTo { name } }
    team { name }`,
    // The location's, its parent's and the contact's are branches of their own.
    'users + locations + teams + locations + teams + locations + contacts + locations + teams + users + teams',
  ],
  [
    'of links of links alone',
    'id assignedToContact { location { parentLocation { team { name } } } }',
    'contacts + locations + locations + teams',
  ],
];

/** Ways to ask for the same, which say more or less of it in conditions. */
const ways: readonly ((selection: string) => string)[] = [
  (selection) => `nodes { ${selection} }`,
  (selection) => `nodes @include(if: true) { ${selection} location @skip(if: true) { id } }`,
  (selection) => `...@skip(if: false) { nodes { ... on Vehicle @include(if: true) { ${selection} } } }`,
];

/** Makes vehicles of which each points at records of its own. */
async function makeVehicles(count: number): Promise<void> {
  const { prisma } = gateway.database;
  const { organizationId, teamId, userId } = gateway;
  const each = <Row>(make: (i: number) => Row) => Array.from({ length: count }, (_, i) => make(i));
  const place = (parents?: string[]) =>
    each((i) => ({
      id: newId(),
      organizationId,
      teamId,
      name: `${i}`,
      parentLocationId: parents?.[i] ?? null,
    }));
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const grandparents = place();
  const parents = place(ids(grandparents));
  const places = place(ids(parents));
  const contacts = each((i) => {
    const [id, locationId] = [newId(), places[i]?.id ?? null];
    return { id, organizationId, teamId, email: `${id}@example.com`, locationId, assignedToId: userId };
  });
  await prisma.location.createMany({ data: [...grandparents, ...parents, ...places] });
  await prisma.contact.createMany({ data: contacts });
  const link = (i: number) => ({
    locationId: places[i]?.id,
    assignedToContactId: contacts[i]?.id,
    assignedToId: userId,
  });
  await insert(gateway, gateway, each(link));
}

describe('a list', () => {
  test('is one statement, and one more to count', async () => {
    expect(
      await namesOf(gateway, () => ask(gateway, listOf('nodes { id name customFields { name } }'))),
    ).toEqual(['vehicles.list']);
    const both = await namesOf(gateway, () => ask(gateway, listOf('nodes { id } totalCount')));
    expect(both.sort()).toEqual(['vehicles.count', 'vehicles.list']);
  });
});

describe('a nested list', () => {
  describe.each([5, 100])('of %i vehicles', (count) => {
    beforeAll(async () => {
      const { vehicle, contact, location } = gateway.database.prisma;
      await vehicle.deleteMany();
      await contact.deleteMany();
      await location.deleteMany();
      await makeVehicles(count);
    });

    test.each(lists)('%s takes the same statements', async (_, selection, joined) => {
      const answers: unknown[] = [];
      for (const way of ways) {
        let vehicles: { nodes: Record<string, unknown>[]; totalCount?: number } = { nodes: [] };
        const sent = await namesOf(gateway, async () => {
          ({ vehicles } = await ask(gateway, listOf(`${way(selection)} totalCount`)));
        });
        expect(vehicles).toMatchObject({ nodes: { length: count }, totalCount: count });
        expect(JSON.stringify(vehicles.nodes)).not.toContain('null');
        expect(sent.sort()).toEqual(['vehicles.count', `vehicles.list + ${joined}`]);
        answers.push(vehicles);
      }
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    });

    test('takes the same statements when it is filled in several turns of the event loop', async () => {
      const document = parse(`{ locations(first: 300) { nodes { name
        vehicles(first: 2) { totalCount nodes { name location { vehicles { totalCount } } } } } } }`);
      const results: ExecutionResult[] = [];
      for (const execute of [executeByPlan, executeInSlices]) {
        const sent = await gateway.statementNames(async () => {
          results.push(await execute(gateway, { document }));
        });
        const [, ...read] = sent;
        expect(read.sort()).toEqual([
          'locations.find',
          'locations.list',
          'vehicles.nested',
          'vehicles.nested_count',
        ]);
      }
      expect(results[0]).toMatchObject({ data: { locations: { nodes: { length: 3 * count } } } });
      expect(results[1]).toEqual(results[0]);
    });
  });

  test('reads what the variables of this request include, and nothing else', async () => {
    const query = `query ($place: Boolean!, $team: Boolean = false) { vehicles { nodes { id
      location @include(if: $place) { name team @include(if: $team) { name } } team @skip(if: $place) { name } } } }`;
    const namesWith = (variables: object) => namesOf(gateway, () => ask(gateway, query, variables));
    expect(await namesWith({ place: true })).toEqual(['vehicles.list + locations']);
    expect(await namesWith({ place: true, team: true })).toEqual(['vehicles.list + locations + teams']);
    expect(await namesWith({ place: false })).toEqual(['vehicles.list + teams']);
  });

  test('under two names takes at most twice the lists', async () => {
    const query = `{ a: vehicles { nodes { location { name } team { name } } }
      b: vehicles(last: 3) { nodes { location { name } team { name } } } }`;
    const sent = await namesOf(gateway, () => ask(gateway, query));
    expect(sent).toEqual(Array(2).fill('vehicles.list + locations + teams'));
  });

  test('what the caller may not see is null, and takes no statement more', async () => {
    const { teamId, otherTeamId, database } = gateway;
    await database.prisma.vehicle.deleteMany();
    const hidden = await createLinked(gateway, gateway, otherTeamId);
    const open = await createLinked(gateway, gateway);
    await database.prisma.location.update({
      where: { id: open.locationId },
      data: { parentLocationId: hidden.locationId },
    });
    const links = [hidden, open].map(({ locationId, contactId }) => ({
      locationId,
      assignedToContactId: contactId,
    }));
    await insert(gateway, gateway, links);
    const asked =
      'locationId location { id parentLocationId parentLocation { id } } assignedToContact { id } team { id }';
    const orderBy = { field: 'ID', direction: 'ASC' };
    let seen: unknown;
    const sent = await namesOf(gateway, async () => {
      seen = await ask(gateway, listOf(`nodes { ${asked} }`), { orderBy }, gateway.member);
    });
    const location = { id: open.locationId, parentLocationId: hidden.locationId, parentLocation: null };
    const expected = {
      vehicles: {
        nodes: [
          { locationId: hidden.locationId, location: null, assignedToContact: null, team: { id: teamId } },
          {
            locationId: open.locationId,
            location,
            assignedToContact: { id: open.contactId },
            team: { id: teamId },
          },
        ],
      },
    };
    expect(sent).toEqual(['vehicles.list + locations + locations + contacts + teams']);
    expect(seen).toEqual(expected);
  });
});

describe('one record', () => {
  const plain = (text: string) => text.replace(/\{ \.\.\.All \}.*/s, '{ id name } }');
  const id = async () => (await createVehicle(gateway, { name: 'Before' })).id;
  const written = (...work: string[]) => [...work, 'COMMIT'];

  test.each<[string, string, () => Promise<object>, string[]]>([
    [
      'vehicle',
      'query ($id: ID!) { vehicle(id: $id) { id name } }',
      async () => ({ id: await id() }),
      ['vehicles.get'],
    ],
    ['createVehicle', create, async () => ({ input: { name: 'New' } }), written('vehicles.insert')],
    [
      'updateVehicle',
      update,
      async () => ({ id: await id(), input: { name: 'New' } }),
      written('vehicles.lock', 'vehicles.update'),
    ],
    [
      'updateVehicle, without a change',
      update,
      async () => ({ id: await id(), input: { name: 'Before' } }),
      written('vehicles.lock'),
    ],
    [
      'replaceVehicle',
      replace,
      async () => ({ id: await id(), input: { name: 'New' } }),
      written('vehicles.lock', 'vehicles.update'),
    ],
    [
      'patchVehicle',
      patch,
      async () => ({ id: await id(), operations: [{ op: 'add', path: '/color', value: 'red' }] }),
      written('vehicles.lock', 'vehicles.update'),
    ],
    ['deleteVehicle', remove, async () => ({ id: await id() }), written('vehicles.lock', 'vehicles.delete')],
    [
      'createVehicle with every link',
      create,
      async () => {
        const { locationId, contactId } = await createLinked(gateway, gateway);
        const assignedTo = { id: gateway.userId };
        return { input: { name: 'New', locationId, assignedToContactId: contactId, assignedTo } };
      },
      written('locations.find', 'contacts.find', 'users.find', 'vehicles.insert'),
    ],
    ['me', '{ me { name teams { name } } }', async () => ({}), ['teams.find']],
  ])('%s', async (_, query, prepare, expected) => {
    const variables = await prepare();
    expect(await namesOf(gateway, () => ask(gateway, plain(query), variables))).toEqual(expected);
  });

  test('a refused write ends its transaction', async () => {
    const sent = await namesOf(gateway, () =>
      gateway.graphql(plain(update), { id: newId(), input: { name: 'New' } }),
    );
    expect(sent).toEqual(['vehicles.lock', 'ROLLBACK']);
  });
});
