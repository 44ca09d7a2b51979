import { beforeAll, describe, expect, test } from 'vitest';
import { entityTypes } from '../../src/domain/models.js';
import { useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import type { World } from './items.world.js';
import { makeNestedWorld } from './nested.world.js';
import { ask } from './support.js';

const gateway = useGateway();
let world: World;
beforeAll(async () => {
  world = await makeNestedWorld(gateway, 150);
});

describe('statements', () => {
  test('are the same for one parent and for many, at every level', async () => {
    const query = `query ($first: Int) {
      contacts(first: $first) { nodes { id
        expirationItems(first: 2, filter: { isActive: true }) { totalCount nodes {
          category { expirationItems(first: 1) { totalCount nodes { tags { expirationItems(last: 2) { nodes { id } } } } } }
          eventLogs(first: 3) { nodes { relatedEntities { record { ... on ExpirationItem { name } } } } }
          notes { totalCount }
        } }
      } } }`;
    const sent: string[][] = [];
    for (const first of [2, 34]) {
      sent.push((await namesOf(gateway, () => ask(gateway, query, { first }))).sort());
    }
    const nested = (names?: string[]) => names?.filter((name) => name.includes('nested'));
    expect(nested(sent[0])).toEqual([
      ...['event_logs.nested', ...Array(3).fill('expiration_items.nested')],
      ...['expiration_items.nested_count', 'expiration_items.nested_count', 'notes.nested_count'],
    ]);
    expect(sent[1]).toEqual(sent[0]);
  });

  test('read no row where only the count is asked for', async () => {
    const query = '{ categories { nodes { expirationItems { totalCount } } } vehicles { totalCount } }';
    const names = await namesOf(gateway, () => ask(gateway, query));
    expect(names.sort()).toEqual(['categories.list', 'expiration_items.nested_count', 'vehicles.count']);
  });

  test('of one list under two filters are two', async () => {
    const query = `{ categories { nodes {
      a: expirationItems(filter: { status: EXPIRED }) { totalCount }
      b: expirationItems(filter: { status: CURRENT }) { totalCount }
      c: expirationItems(filter: { status: CURRENT }, first: 1) { totalCount }
    } } }`;
    const names = await namesOf(gateway, () => ask(gateway, query));
    expect(names.filter((name) => name === 'expiration_items.nested_count')).toHaveLength(2);
  });
});

describe('Location.ancestors', () => {
  const query =
    'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Location { ancestors { nodes { name } } } } }';

  test('are the locations above, the outermost first', async () => {
    const ids = world.locations.map(({ id }) => id);
    const names = await namesOf(gateway, async () => {
      const { nodes } = await ask(gateway, query, { ids });
      const names = nodes.map(({ ancestors }: { ancestors: { nodes: { name: string }[] } }) =>
        ancestors.nodes.map(({ name }) => name),
      );
      expect(names).toEqual([[], ['0'], ['0'], ['0', '2'], []]);
    });
    expect(names).toHaveLength(3);
  });

  test('end where the caller sees no further', async () => {
    const { prisma } = gateway.database;
    const hide = (teamId: string) =>
      prisma.location.update({ where: { id: world.locations[0]?.id ?? '' }, data: { teamId } });
    await hide(gateway.otherTeamId);
    const { nodes } = await ask(gateway, query, { ids: [world.locations[3]?.id] }, gateway.member);
    expect(nodes).toEqual([{ ancestors: { nodes: [{ name: '2' }] } }]);
    await hide(gateway.teamId);
  });
});

describe('RelatedRecord', () => {
  test('is the record that a note or an event is about, of any type, or null', async () => {
    const { data } = await gateway.graphql(
      'mutation ($input: CreateVehicleInput!) { createVehicle(input: $input) { id } }',
      { input: { name: 'Subject', teamId: gateway.otherTeamId } },
    );
    const { id } = data.createVehicle;
    const gone = crypto.randomUUID();
    const relations = [
      { entityId: id, entityType: entityTypes.vehicle },
      // The id is a vehicle's, not a contact's.
      { entityId: id, entityType: entityTypes.contact },
      { entityId: gone, entityType: entityTypes.tag },
      { entityId: gateway.teamId, entityType: entityTypes.team },
    ];
    const input = { name: 'About', relations };
    const made = await ask(
      gateway,
      'mutation ($input: CreateNoteInput!) { createNote(input: $input) { id } }',
      { input },
    );
    const query = `query ($id: ID!) { note(id: $id) { relations { entityId record { __typename ... on Vehicle { label: name } ... on Team { title: name } } } } }`;
    const records = async (token?: string) => {
      const { note } = await ask(gateway, query, { id: made.createNote.id }, token);
      return note.relations.map(({ record }: { record: unknown }) => record);
    };
    const team = { __typename: 'Team', title: 'Acme Main' };
    expect(await records()).toEqual([{ __typename: 'Vehicle', label: 'Subject' }, null, null, team]);
    expect(await records(gateway.member)).toEqual([null, null, null, team]);
    const { eventLogs } = await ask(
      gateway,
      'query ($id: ID!) { eventLogs(filter: { entityId: $id, types: CREATED }) { nodes { team { id } relatedEntities { record { __typename } } } } }',
      { id },
    );
    const vehicle = [{ record: { __typename: 'Vehicle' } }];
    expect(eventLogs.nodes).toContainEqual({ team: { id: gateway.otherTeamId }, relatedEntities: vehicle });
  });
});
