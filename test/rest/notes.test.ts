import { describe, expect, test } from 'vitest';
import { entityKinds } from '../../src/domain/models.js';
import { ask } from '../graphql/support.js';
import { useGateway } from '../support/gateway.js';
import { eventsOf, expectBadRequest, expectError, nowhere } from './support.js';

const gateway = useGateway();

const wrongKind = new RegExp(`^relations\\[0\\]\\.entity_type: must be from 1 to ${entityKinds.size}`);

const ids = Array.from({ length: 101 }, (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`);
const relations = [
  { entity_id: ids[1], entity_type: 3 },
  { entity_id: ids[0], entity_type: 1 },
];
const full = {
  name: 'Inspection',
  body: '<p>Brakes <b>worn</b></p>',
  bodyText: 'Own words',
  relations: relations.map(({ entity_id, entity_type }) => ({
    entityId: entity_id,
    entityType: entity_type,
  })),
};

async function create(input: object = full, token?: string): Promise<{ id: string }> {
  const query = 'mutation ($input: CreateNoteInput!) { createNote(input: $input) { id } }';
  return (await ask(gateway, query, { input }, token)).createNote;
}

const put = (id: string, body: unknown, request = {}) =>
  gateway.send('PUT', `/v1/notes/${id}`, { body, ...request });
const patch = (id: string, body: unknown, request = {}) =>
  gateway.send('PATCH', `/v1/notes/${id}`, { body, ...request });

async function stored(id: string) {
  const { prisma } = gateway.database;
  const note = await prisma.note.findUnique({ where: { id }, include: { relations: true } });
  return { note, events: await prisma.eventLog.count() };
}

describe('PUT /v1/notes/{id}', () => {
  test.each<[sent: object, shown: object]>([
    [{}, {}],
    [{ id: nowhere, created: 'x', modified: 'y', unknown: 1 }, {}],
    [{ name: 'Other' }, { name: 'Other' }],
    [{ name: null }, { name: null }],
    [{ body: null }, { body: null, body_text: null }],
    [{ body: '<i>New</i><script>x</script>' }, { body: '<i>New</i>', body_text: 'New' }],
    [
      { body: '<i>New</i>', body_text: 'Own words' },
      { body: '<i>New</i>', body_text: 'New' },
    ],
    [
      { body: '<i>New</i>', body_text: 'Newer' },
      { body: '<i>New</i>', body_text: 'Newer' },
    ],
    [{ body_text: 'Only this' }, { body_text: 'Only this' }],
    [{ body_text: null }, { body_text: null }],
    [{ relations: null }, { relations: [] }],
    [{ relations: [] }, { relations: [] }],
    [{ relations: relations.toReversed() }, { relations: relations.toReversed() }],
    [{ relations: [...relations, { ...relations[0] }] }, {}],
    [
      { relations: [{ ENTITY_ID: ids[2]?.toUpperCase(), Entity_Type: 12 }] },
      { relations: [{ entity_id: ids[2], entity_type: 12 }] },
    ],
  ])('%j keeps missing values, and shows %j', async (sent, shown) => {
    const { id } = await create();
    const response = await put(id, sent);
    expect(response.status, response.text).toBe(200);
    const { bodyText, ...rest } = full;
    expect(response.json).toMatchObject({ ...rest, body_text: bodyText, relations, ...shown });
    expect((await put(id, {})).json).toEqual(response.json);
  });

  test('an unchanged note is not written', async () => {
    const { id } = await create();
    const before = await stored(id);
    expect((await put(id, { name: full.name, relations })).json.modified).toBe('2026-11-20T09:30:00.000Z');
    expect(await stored(id)).toEqual(before);
  });

  test('a body may have 65,536 characters as sent, however long it is when its characters are escaped', async () => {
    const { id } = await create();
    const body = '&'.repeat(65_536);
    expect((await put(id, { body })).json).toMatchObject({ body: '&amp;'.repeat(65_536), body_text: body });
    expect((await put(id, { name: 'Still to be written' })).status).toBe(200);
    expect((await patch(id, [{ op: 'replace', path: '/name', value: 'And patched' }])).status).toBe(200);
    expectBadRequest(await put(id, { body: `${body}.` }), /^body: must have at most 65536 characters/);
  });

  test.each([
    [{ name: 'x'.repeat(256) }, /^name: .*255/],
    [{ name: 5 }, /^name: /],
    [{ body: {} }, /^body: /],
    [{ body: 'a\0' }, /^body: .*NUL/],
    [{ body_text: 'x'.repeat(65_537) }, /^body_text: .*65536/],
    [{ relations: {} }, /^relations: must be a list/],
    [{ relations: [{ entity_id: nowhere }] }, /^relations\[0\]\.entity_type: is required/],
    [{ relations: [{ entity_type: 1 }] }, /^relations\[0\]\.entity_id: is required/],
    [{ relations: [{ entity_id: 'x', entity_type: 1 }] }, /^relations\[0\]\.entity_id: must be a UUID/],
    [{ relations: [{ entity_id: nowhere, entity_type: 0 }] }, wrongKind],
    [{ relations: [{ entity_id: nowhere, entity_type: entityKinds.size + 1 }] }, wrongKind],
    [{ relations: [{ entity_id: nowhere, entity_type: 1.5 }] }, /^relations\[0\]\.entity_type: /],
    [{ relations: ids.map((entity_id) => ({ entity_id, entity_type: 1 })) }, /^relations: .*100 entries/],
    [{ team_id: nowhere }, /^team_id: /],
    [[], /object/],
  ])('400 for %j, and nothing is written', async (body, message) => {
    const { id } = await create();
    const before = await stored(id);
    expectBadRequest(await put(id, body), message);
    expect(await stored(id)).toEqual(before);
  });
});

describe('PATCH /v1/notes/{id}', () => {
  test('relations are added, moved, changed and removed', async () => {
    const { id } = await create();
    const added = { entity_id: ids[5], entity_type: 2 };
    const operations = [
      { op: 'add', path: '/relations/-', value: added },
      { op: 'move', from: '/relations/0', path: '/relations/2' },
      { op: 'test', path: '/relations/2/entity_type', value: 3 },
      { op: 'replace', path: '/relations/2/entity_type', value: 4 },
      { op: 'remove', path: '/relations/0' },
    ];
    const response = await patch(id, operations);
    expect(response.status, response.text).toBe(200);
    expect(response.json.relations).toEqual([added, { ...relations[0], entity_type: 4 }]);
  });

  test.each<[operations: object[], shown: object]>([
    [[{ op: 'replace', path: '/body', value: '<u>New</u>' }], { body: '<u>New</u>', body_text: 'New' }],
    [
      [
        { op: 'replace', path: '/body', value: '<u>New</u>' },
        { op: 'replace', path: '/body_text', value: 'Newer' },
      ],
      { body: '<u>New</u>', body_text: 'Newer' },
    ],
    [[{ op: 'replace', path: '/body_text', value: 'Newer' }], { body: full.body, body_text: 'Newer' }],
    [[{ op: 'remove', path: '/body' }], { body: null, body_text: null }],
    [[{ op: 'remove', path: '/relations' }], { relations: [] }],
    [[{ op: 'copy', from: '/name', path: '/body' }], { body: 'Inspection', body_text: 'Inspection' }],
  ])('%j shows %j', async (operations, shown) => {
    const { id } = await create();
    expect((await patch(id, operations)).json).toMatchObject(shown);
  });

  test.each([
    ['an empty list', []],
    ['what is there already', [{ op: 'replace', path: '/name', value: full.name }]],
    ['a relation that is there already', [{ op: 'add', path: '/relations/-', value: relations[0] }]],
  ])('%s: 200, the unchanged note, and nothing is written', async (_what, operations) => {
    const { id } = await create();
    const before = await stored(id);
    const response = await patch(id, operations);
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({ id, name: full.name, modified: '2026-11-20T09:30:00.000Z' });
    expect(await stored(id)).toEqual(before);
  });

  test('400, 409, 412, 415 leave the note unchanged', async () => {
    const { id } = await create();
    const before = await stored(id);
    const value = { entity_id: nowhere, entity_type: entityKinds.size + 1 };
    expectBadRequest(
      await patch(id, [{ op: 'add', path: '/relations/-', value }]),
      new RegExp(`operation 0: .*1 to ${entityKinds.size}`),
    );
    expectBadRequest(await patch(id, [{ op: 'replace', path: '/created', value: 'x' }]), /read-only/);
    expectBadRequest(await patch(id, [{ op: 'add', path: '/color', value: 'x' }]), /operation 0/);
    expectBadRequest(await patch(id, {}));
    expectError(await patch(id, [{ op: 'test', path: '/name', value: 'x' }]), 409, 'CONFLICT');
    const stale = { headers: { 'If-Match': '"old"' } };
    expectError(await patch(id, [], stale), 412, 'PRECONDITION_FAILED');
    const text = { headers: { 'Content-Type': 'text/plain' } };
    expectError(await patch(id, [], text), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect(await stored(id)).toEqual(before);
  });
});

test('events tell what changed, and what the note was and is about', async () => {
  const { id } = await create();
  await put(id, { name: 'Renamed', relations: [relations[1], { entity_id: id, entity_type: 8 }] });
  const [created, updated] = await eventsOf(gateway, { id });
  const about = (event: typeof created) =>
    event?.entities.sort((a, b) => a.position - b.position).map(({ entityId, typeId }) => [entityId, typeId]);
  expect(about(created)).toEqual([
    [id, 8],
    [ids[1], 3],
    [ids[0], 1],
  ]);
  expect(about(updated)).toEqual([
    [id, 8],
    [ids[0], 1],
    [ids[1], 3],
  ]);
  expect(updated?.description).toBe('Note "Renamed" was updated: name, relations');
  expect(JSON.parse(updated?.details ?? '').relations).toEqual({
    before: relations,
    after: [relations[1], { entity_id: id, entity_type: 8 }],
  });
});
