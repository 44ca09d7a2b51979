import { expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { createTenant, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { ask, expectRefusal, refusal, serverId } from './support.js';

const gateway = useGateway();

const fields = 'id name body bodyText teamId relations { entityId entityType } created modified team { id }';
const create = `mutation ($input: CreateNoteInput!) { note: createNote(input: $input) { ${fields} } }`;
const update = `mutation ($id: ID!, $input: UpdateNoteInput!) { note: updateNote(id: $id, input: $input) { ${fields} } }`;
const replace = `mutation ($id: ID!, $input: ReplaceNoteInput!) { note: replaceNote(id: $id, input: $input) { ${fields} } }`;
const patch = `mutation ($id: ID!, $operations: [PatchOperationInput!]!) { note: patchNote(id: $id, operations: $operations) { ${fields} } }`;
const remove = `mutation ($id: ID!) { note: deleteNote(id: $id) { ${fields} } }`;
const read = `query ($id: ID!) { note(id: $id) { ${fields} } }`;
const list = `query ($filter: NoteFilter) { notes(filter: $filter) { totalCount nodes { id relations { entityId entityType } } } }`;

async function createNote(input: object = {}, token?: string) {
  return (await ask(gateway, create, { input }, token)).note;
}
const relationsTo = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ entityId: newId(), entityType: (i % 12) + 1 }));

test('a new note has its defaults, and is read back', async () => {
  const note = await createNote();
  expect(note).toStrictEqual({
    id: serverId,
    name: null,
    body: null,
    bodyText: null,
    teamId: gateway.teamId,
    relations: [],
    created: '2026-11-20T09:30:00.000Z',
    modified: '2026-11-20T09:30:00.000Z',
    team: { id: gateway.teamId },
  });
  const full = await createNote({
    name: 'N',
    body: '<p>1 &lt; 2</p><script>x</script>',
    relations: relationsTo(100),
  });
  expect(full).toMatchObject({ body: '<p>1 &lt; 2</p>', bodyText: '1 < 2' });
  expect((await ask(gateway, read, { id: full.id })).note).toEqual(full);
});

test.each([
  [{ body: '<p>a</p>' }, 'a'],
  [{ body: '<p>a</p>', bodyText: null }, 'a'],
  [{ body: '<p>a</p>', bodyText: '' }, ''],
  [{ body: '<p>a</p>', bodyText: 'b' }, 'b'],
  [{ bodyText: 'b' }, 'b'],
])('the plain text of a note made of %j is %j', async (input, bodyText) => {
  expect((await createNote(input)).bodyText).toBe(bodyText);
});

test('update keeps missing values, replace does not, patch reaches into the relations', async () => {
  const relations = relationsTo(2);
  const { id } = await createNote({ name: 'N', body: 'B', relations });
  const updated = (await ask(gateway, update, { id, input: { body: 'C' } })).note;
  expect(updated).toMatchObject({ name: 'N', body: 'C', bodyText: 'C', relations });
  const operations = [{ op: 'replace', path: '/relations/0/entityType', value: 12 }];
  const patched = (await ask(gateway, patch, { id, operations })).note;
  expect(patched.relations).toEqual([{ ...relations[0], entityType: 12 }, relations[1]]);
  const replaced = (await ask(gateway, replace, { id, input: { body: 'C' } })).note;
  expect(replaced).toMatchObject({ name: null, body: 'C', bodyText: 'C', relations: [] });
  expect((await ask(gateway, remove, { id })).note).toEqual(replaced);
  expect((await ask(gateway, read, { id })).note).toBeNull();
});

test('an id that is taken is a CONFLICT, and does not change the other note’s relations', async () => {
  const relations = relationsTo(1);
  const { id } = await createNote({ relations });
  await expectRefusal(refusal(gateway, create, { input: { id, relations } }), 'CONFLICT', 'id');
  expect((await ask(gateway, read, { id })).note.relations).toEqual(relations);
});

test('lists are narrowed by term, workspace and what the notes are about', async () => {
  const tenant = await createTenant(gateway.database, 'Initech');
  const relations = relationsTo(3);
  const [entityId] = relations.map((relation) => relation.entityId);
  const a = await createNote({ name: 'Brake check', relations }, tenant.admin);
  const b = await createNote({ body: '<p>brakes <b>worn</b></p>', teamId: tenant.otherTeamId }, tenant.admin);
  const ids = async (filter: object, token = tenant.admin) =>
    (await ask(gateway, list, { filter }, token)).notes.nodes.map(({ id }: { id: string }) => id).sort();
  expect(await ids({})).toEqual([a.id, b.id].sort());
  expect(await ids({ term: 'BRAKE' })).toEqual([a.id, b.id].sort());
  expect(await ids({ term: 'brakes worn' })).toEqual([b.id]);
  expect(await ids({ entityId })).toEqual([a.id]);
  expect(await ids({ teamId: tenant.otherTeamId })).toEqual([b.id]);
  expect(await ids({}, tenant.member)).toEqual([a.id]);
});

test('statements do not grow with notes or relations', async () => {
  const { id } = await createNote({ relations: relationsTo(1) });
  for (const count of [1, 100]) {
    const input = { name: `${count}`, relations: relationsTo(count) };
    const creating = await namesOf(gateway, () => createNote(input));
    expect(creating).toEqual(['notes.insert + teams', 'note_relations.insert', 'COMMIT']);
    const changing = await namesOf(gateway, () => ask(gateway, update, { id, input }));
    expect(changing).toEqual([
      ...['notes.lock', 'note_relations.find'],
      ...['note_relations.delete', 'note_relations.insert', 'notes.update + teams', 'COMMIT'],
    ]);
  }
  const renaming = await namesOf(gateway, () => ask(gateway, update, { id, input: { name: 'x' } }));
  expect(renaming).toEqual([...['notes.lock', 'note_relations.find', 'notes.update + teams', 'COMMIT']]);
  const listing = await namesOf(gateway, () => ask(gateway, list));
  expect(listing.sort()).toEqual(['note_relations.find', 'notes.count', 'notes.list']);
});
