import { describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { useGateway } from '../support/gateway.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();

const fields = 'id ownership ownershipId primaryMeterType primaryMeterTypeId';
const create = `mutation ($input: CreateVehicleInput!) { createVehicle(input: $input) { ${fields} } }`;
const named = (input: object) => ({ name: 'Van', ...input });
const made = async (input: object) => (await ask(gateway, create, { input: named(input) })).createVehicle;

describe('words for numbers of a vehicle', () => {
  test('are accepted in place of the numbers, and returned beside them', async () => {
    expect(await made({ ownership: 'LEASED', primaryMeterType: 'HR' })).toMatchObject({
      ownership: 'LEASED',
      ownershipId: 2,
      primaryMeterType: 'HR',
      primaryMeterTypeId: 3,
    });
    expect(await made({ ownershipId: 4 })).toMatchObject({ ownership: 'CUSTOMER', primaryMeterType: null });
  });

  test.each([0, 5, -1, 2_147_483_647])('are null for a number of the caller: %s', async (number) => {
    expect(await made({ ownershipId: number, primaryMeterTypeId: number })).toMatchObject({
      ownership: null,
      ownershipId: number,
      primaryMeterType: null,
      primaryMeterTypeId: number,
    });
  });

  test('belong only to their numbers', async () => {
    expect(await made({ ownership: 'OWNED', ownershipId: 1 })).toMatchObject({ ownershipId: 1 });
    const input = named({ ownership: 'OWNED', ownershipId: 2 });
    await expectRefusal(refusal(gateway, create, { input }), 'BAD_REQUEST', 'ownership');
  });

  test('are kept, changed and cleared', async () => {
    const { id } = await made({ ownership: 'RENTED', primaryMeterType: 'KM' });
    const update = `mutation ($id: ID!, $input: UpdateVehicleInput!) { updateVehicle(id: $id, input: $input) { ${fields} } }`;
    const changed = await ask(gateway, update, { id, input: { ownership: null } });
    expect(changed.updateVehicle).toMatchObject({ ownershipId: null, primaryMeterType: 'KM' });
    const patch = `mutation ($id: ID!, $operations: [PatchOperationInput!]!) { patchVehicle(id: $id, operations: $operations) { ${fields} } }`;
    const operations = [
      { op: 'test', path: '/primaryMeterType', value: 'KM' },
      { op: 'replace', path: '/primaryMeterType', value: 'MI' },
      { op: 'replace', path: '/ownershipId', value: 9 },
    ];
    const patched = await ask(gateway, patch, { id, operations });
    expect(patched.patchVehicle).toMatchObject({ primaryMeterTypeId: 2, ownership: null, ownershipId: 9 });
  });

  test('are nothing to REST, which ignores what it does not know', async () => {
    const body = { name: 'Van', ownership: 'nonsense', primary_meter_type: 7, ownership_id: 2 };
    const { status, json } = await gateway.send('POST', '/v1/vehicles', { body });
    expect(status).toBe(201);
    expect(json.ownership_id).toBe(2);
    expect(json).not.toHaveProperty('ownership');
    const patch = [{ op: 'replace', path: '/ownership', value: 'OWNED' }];
    expect((await gateway.send('PATCH', `/v1/vehicles/${json.id}`, { body: patch })).status).toBe(400);
  });
});

describe('an item without a date', () => {
  test('is found by both words, and shown by the present one', async () => {
    const { organizationId, teamId } = gateway;
    const { prisma } = gateway.database;
    const category = { id: newId(), organizationId, teamId, name: 'Scans' };
    await prisma.category.create({ data: category });
    const item = { id: newId(), organizationId, teamId, name: 'Scan', categoryId: category.id };
    await prisma.expirationItem.create({ data: item });
    const query = `query ($status: [ExpirationStatus!]) {
      expirationItems(filter: { status: $status }) { nodes { id status } }
    }`;
    for (const status of [['NODATE'], ['NO_DATE'], ['NODATE', 'NO_DATE']]) {
      const { expirationItems } = await ask(gateway, query, { status });
      expect(expirationItems.nodes).toEqual([{ id: item.id, status: 'NO_DATE' }]);
    }
    const { json } = await gateway.send('GET', '/v1/expirationitems?status=nodate');
    expect(json.expirationitems ?? json.expiration_items).toHaveLength(1);
  });
});

describe('kinds of records', () => {
  test('of notes and events are words beside their numbers, also in filters', async () => {
    const { id } = await made({ name: 'Van' });
    const note = `mutation ($input: CreateNoteInput!) { createNote(input: $input) { id relations { kind entityType } } }`;
    const input = { name: 'About it', relations: [{ entityId: id, entityType: 3 }] };
    const { createNote } = await ask(gateway, note, { input });
    expect(createNote.relations).toEqual([{ kind: 'VEHICLE', entityType: 3 }]);
    const related = (relation: object) => ({ input: { relations: [{ entityId: id, ...relation }] } });
    for (const relation of [{ kind: 'VEHICLE' }, { kind: 'VEHICLE', entityType: 3 }]) {
      const { createNote } = await ask(gateway, note, related(relation));
      expect(createNote.relations).toEqual([{ kind: 'VEHICLE', entityType: 3 }]);
    }
    const differing = refusal(gateway, note, related({ kind: 'TAG', entityType: 3 }));
    await expectRefusal(differing, 'BAD_REQUEST', 'relations.0.kind');
    await expectRefusal(refusal(gateway, note, related({})), 'BAD_REQUEST', 'relations.0.entityType');
    const query = `query ($notes: NoteFilter, $events: EventLogFilter) {
      notes(filter: $notes) { totalCount }
      eventLogs(filter: $events) { nodes { type relatedEntities { kind typeId } } }
    }`;
    const about = { entityId: id, entityKind: 'VEHICLE' };
    const found = await ask(gateway, query, { notes: { entityKind: 'VEHICLE' }, events: about });
    expect(found.notes.totalCount).toBe(3);
    expect(found.eventLogs.nodes[0].relatedEntities).toContainEqual({ kind: 'VEHICLE', typeId: 3 });
    const none = await ask(gateway, query, {
      notes: { entityKind: 'TEAM' },
      events: { ...about, entityKind: 'TAG' },
    });
    expect(none).toEqual({ notes: { totalCount: 0 }, eventLogs: { nodes: [] } });
    const wrong = { notes: { entityKind: 'TEAM', entityType: 3 } };
    await expectRefusal(refusal(gateway, query, wrong), 'BAD_REQUEST', 'filter.entityKind');
  });
});

test('scalars of our own say where they are specified', async () => {
  const { __schema } = await ask(gateway, '{ __schema { types { kind name specifiedByURL } } }');
  const own = __schema.types.filter(
    ({ kind, name }: { kind: string; name: string }) =>
      kind === 'SCALAR' && !['Int', 'Float', 'String', 'Boolean', 'ID'].includes(name),
  );
  expect(own.length).toBeGreaterThan(4);
  for (const { specifiedByURL, name } of own) expect(specifiedByURL, name).toMatch(/^https:/);
});
