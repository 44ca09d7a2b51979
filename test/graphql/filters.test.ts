import { beforeAll, describe, expect, test } from 'vitest';
import { entityTypes } from '../../src/domain/models.js';
import { newId } from '../../src/domain/rules.js';
import { useGateway } from '../support/gateway.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();

/** Returns what a filtered list finds, as the words that its rows are told apart by. */
async function find(list: string, type: string, word: string, filter: object, token?: string) {
  const query = `query ($filter: ${type}Filter) { ${list}(filter: $filter) { totalCount nodes { ${word} } } }`;
  const { totalCount, nodes } = (await ask(gateway, query, { filter }, token))[list];
  expect(totalCount).toBe(nodes.length);
  return nodes.map((node: Record<string, unknown>) => node[word]).sort();
}

describe('locations(filter: { isRoot })', () => {
  beforeAll(async () => {
    const { organizationId, teamId, otherTeamId, database } = gateway;
    const [city, house, hidden, room] = [newId(), newId(), newId(), newId()];
    const row = (id: string, name: string, parentLocationId: string | null, team = teamId) => {
      return { id, organizationId, teamId: team, name, parentLocationId };
    };
    await database.prisma.location.createMany({
      data: [
        row(city, 'City', null),
        row(house, 'House', city),
        row(hidden, 'Hidden', city, otherTeamId),
        row(room, 'Room', hidden),
      ],
    });
  });
  const names = (isRoot: boolean, token?: string) => find('locations', 'Location', 'name', { isRoot }, token);

  test('is where trees begin, or the rest of them', async () => {
    expect(await names(true)).toEqual(['City']);
    expect(await names(false)).toEqual(['Hidden', 'House', 'Room']);
  });

  test('a tree begins where its reader sees nothing above', async () => {
    expect(await names(true, gateway.member)).toEqual(['City', 'Room']);
    expect(await names(false, gateway.member)).toEqual(['House']);
  });
});

describe('what rows are about', () => {
  const id = newId();
  const other = newId();
  const { vehicle, contact } = entityTypes;

  test('notes, by the record and by its kind', async () => {
    const about: [string, [string, number][]][] = [
      ['vehicle', [[id, vehicle]]],
      ['contact', [[id, contact]]],
      [
        'both',
        [
          [id, contact],
          [other, vehicle],
        ],
      ],
      ['nothing', []],
    ];
    for (const [name, entries] of about) {
      const relations = entries.map(([entityId, entityType]) => ({ entityId, entityType }));
      await ask(gateway, 'mutation ($input: CreateNoteInput!) { createNote(input: $input) { id } }', {
        input: { name, relations },
      });
    }
    const names = (filter: object) => find('notes', 'Note', 'name', filter);
    expect(await names({ entityId: id })).toEqual(['both', 'contact', 'vehicle']);
    expect(await names({ entityType: vehicle })).toEqual(['both', 'vehicle']);
    expect(await names({ entityId: id, entityType: vehicle })).toEqual(['vehicle']);
  });

  test('events, by the record and by its kind, by type and workspace', async () => {
    const { organizationId, teamId, otherTeamId, database } = gateway;
    const event = async (description: string, entityId: string, typeId: number, team = teamId) => {
      const row = { id: newId(), organizationId, teamId: team, typeId: 3, description };
      await database.prisma.eventLog.create({ data: row });
      await database.prisma.eventLogEntity.create({
        data: { eventId: row.id, entityId, typeId, position: 0 },
      });
    };
    await event('vehicle', other, vehicle);
    await event('contact', other, contact);
    await event('elsewhere', other, contact, otherTeamId);
    const found = (filter: object, token?: string) =>
      find('eventLogs', 'EventLog', 'description', filter, token);
    expect(await found({ entityId: other, types: ['RENEWED'] })).toEqual(['contact', 'elsewhere', 'vehicle']);
    expect(await found({ entityId: other, entityType: contact, typeIds: [3] })).toEqual([
      'contact',
      'elsewhere',
    ]);
    expect(await found({ entityType: contact, types: ['RENEWED'] }, gateway.member)).toEqual(['contact']);
    expect(await found({ entityId: other, entityType: contact, teamId: otherTeamId })).toEqual(['elsewhere']);
    expect(await found({ entityId: other, types: ['CREATED'], entityType: contact })).toEqual([]);
  });

  test.each(['Note', 'EventLog'])('%s: an unknown kind is rejected', async (type) => {
    const list = type === 'Note' ? 'notes' : 'eventLogs';
    const query = `query ($filter: ${type}Filter) { ${list}(filter: $filter) { totalCount } }`;
    for (const entityType of [0, Math.max(...Object.values(entityTypes)) + 1]) {
      await expectRefusal(
        refusal(gateway, query, { filter: { entityType } }),
        'BAD_REQUEST',
        'filter.entityType',
      );
    }
  });
});
