import { describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { createItem } from '../rest/items.support.js';
import { useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { everything, listBin, make, remove, restore, restoring, withoutModified } from './bin.support.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();

const addUpload = (data: object) =>
  gateway.database.prisma.uploadNotification.create({
    data: {
      ...{ id: newId(), organizationId: gateway.organizationId, teamId: gateway.teamId },
      ...{ dedupeKey: newId(), state: 'FILED' as const },
      ...data,
    },
  });

/** Creates a record of each type that has all that can be deleted with it, and all that can point at it. */
async function makeWorld() {
  const { organizationId, teamId, user } = { ...gateway, user: gateway.userId };
  const top = await make(gateway, 'Location', { name: `Top ${newId()}` });
  const location = await make(gateway, 'Location', { name: `Yard ${newId()}`, parentLocationId: top.id });
  const inside = await make(gateway, 'Location', { name: 'Shelf', parentLocationId: location.id });
  const contactType = await make(gateway, 'ContactType', { name: `Driver ${newId()}` });
  const contact = await make(gateway, 'Contact', {
    ...{ email: `${newId()}@example.com`, typeId: contactType.id, locationId: location.id },
    ...{ name: 'Anna "Ü"', customFields: [{ name: 'a', value: '1e400 \\ \n' }] },
  });
  const company = await make(gateway, 'Company', {
    name: 'Fleet',
    taxId: newId(),
    primaryContactId: contact.id,
  });
  const vehicle = await make(gateway, 'Vehicle', {
    ...{ name: 'Van', vin: newId(), msrp: 0.1, locationId: location.id, assignedToContactId: contact.id },
  });
  const category = await make(gateway, 'Category', { name: `Insurance ${newId()}` });
  const tag = await make(gateway, 'Tag', { name: `urgent ${newId()}` });
  const item = await createItem(gateway, {
    ...{ noticeRule: { unit: 'MONTHS', count: 3 }, renewUntil: '2031-01-31', renewalsLeft: 2 },
    ...{ category: { id: category.id }, contacts: [{ id: contact.id }, { email: `${newId()}@example.com` }] },
    ...{
      tags: [{ id: tag.id }, { name: 'second' }],
      locations: [{ id: location.id }],
      contactId: contact.id,
    },
    attachments: [
      { name: 'a', content: Buffer.from([0, 255, 92, 39]).toString('base64') },
      { name: 'b', content: Buffer.alloc(100_000, 7).toString('base64') },
    ],
  });
  const renew = `mutation ($id: ID!) { renewExpirationItem(id: $id, input: { expirationDate: "2030-01-31" }) { id } }`;
  await ask(gateway, renew, item);
  const acknowledge = `mutation ($id: ID!, $about: ItemDate) {
    setAcknowledgement(id: $id, input: { about: $about, note: "Told" }) { note } }`;
  for (const about of ['NOTICE', 'EXPIRATION']) await ask(gateway, acknowledge, { id: item.id, about });
  await addUpload({ expirationItemId: item.id, attachmentId: item.attachments[0].id });
  const note = await make(gateway, 'Note', {
    ...{ name: 'Note', body: '<p>told</p>' },
    relations: [
      { entityId: item.id, entityType: 1 },
      { entityId: vehicle.id, entityType: 3 },
    ],
  });
  const team = await make(gateway, 'Team', { name: 'Depot', timezone: 'Europe/Paris' });
  await addUpload({
    teamId: team.id,
    uploadTags: { n: 1e21, '…': [null] },
    uploadTagsText: '{"n":1e400}',
    size: 2n ** 62n,
  });
  const emptyCategory = await make(gateway, 'Category', { name: `Unused ${newId()}` });
  return {
    ...{ ExpirationItem: item, Contact: contact, Location: location, Tag: tag, Vehicle: vehicle },
    ...{ Company: company, ContactType: contactType, Note: note, Team: team, Category: emptyCategory },
    ...{ inside, organizationId, teamId, user },
  } as unknown as Record<string, { id: string }>;
}

const types = {
  ...{ ExpirationItem: 'expiration_items', Contact: 'contacts', Location: 'locations', Tag: 'tags' },
  ...{ Vehicle: 'vehicles', Company: 'companies', ContactType: 'contact_types', Note: 'notes' },
  ...{ Team: 'teams', Category: 'categories' },
};

describe.each(Object.entries(types))('restore%s', (type, table) => {
  test('restores everything that the deletion took, to the last byte, and no more', async () => {
    const { id } = (await makeWorld())[type] as { id: string };
    const before = await everything(gateway);
    await remove(gateway, type, id);
    expect(await everything(gateway)).not.toEqual(before);
    expect(await restore(gateway, type, id)).toEqual({ __typename: type, id });
    const after = await everything(gateway);
    expect(withoutModified(after, table)).toEqual(withoutModified(before, table));
    expect(after[table]).not.toEqual(before[table]);
    // And once more, with what came back.
    await remove(gateway, type, id);
    await restore(gateway, type, id);
    expect(withoutModified(await everything(gateway), table)).toEqual(withoutModified(before, table));
    expect(await gateway.database.prisma.binRow.count()).toBe(0);
    await expectRefusal(refusal(gateway, restoring(type), { id }), 'NOT_FOUND', undefined, /The bin has no/);
  });
});

const contactOf = (input: object = {}) =>
  make(gateway, 'Contact', { email: `${newId()}@example.com`, ...input });

describe('a restored record', () => {
  test('has its event, after those that it had', async () => {
    const { id } = await make(gateway, 'Vehicle', { name: 'Told', vin: newId() });
    await remove(gateway, 'Vehicle', id);
    await restore(gateway, 'Vehicle', id);
    const query = `query ($id: ID!) { eventLogs(filter: { entityId: $id }) { nodes { typeId type description details relatedEntities { id } } } }`;
    const { nodes } = (await ask(gateway, query, { id })).eventLogs;
    expect(nodes.map(({ typeId }: { typeId: number }) => typeId)).toEqual([6, 4, 1]);
    expect(nodes[0]).toMatchObject({
      ...{
        type: 'RESTORED',
        description: 'Vehicle "Told" was restored from the bin',
        relatedEntities: [{ id }],
      },
    });
    expect(JSON.parse(nodes[0].details).name).toEqual({ before: null, after: 'Told' });
  });

  test('keeps when it was made, and moves on when it was changed', async () => {
    const { id } = await contactOf();
    const { prisma } = gateway.database;
    const was = await prisma.contact.findUniqueOrThrow({ where: { id } });
    await remove(gateway, 'Contact', id);
    await restore(gateway, 'Contact', id);
    const is = await prisma.contact.findUniqueOrThrow({ where: { id } });
    expect(is.created).toEqual(was.created);
    expect(is.modified.getTime()).toBe(was.modified.getTime() + 1);
  });

  test('is counted', async () => {
    const count = async () =>
      await ask(gateway, '{ vehicles { totalCount } expirationItems { totalCount } }');
    const vehicle = await make(gateway, 'Vehicle', { name: 'Counted' });
    const item = await createItem(gateway);
    const before = await count();
    await remove(gateway, 'Vehicle', vehicle.id);
    await remove(gateway, 'ExpirationItem', item.id);
    expect(await count()).not.toEqual(before);
    await restore(gateway, 'Vehicle', vehicle.id);
    await restore(gateway, 'ExpirationItem', item.id);
    expect(await count()).toEqual(before);
  });

  test('has no optional links to records deleted meanwhile', async () => {
    const contact = await contactOf({ name: 'Leaver' });
    const item = await createItem(gateway, {
      ...{ contactId: contact.id, contacts: [{ id: contact.id }, { email: 'stays@example.com' }] },
    });
    await remove(gateway, 'ExpirationItem', item.id);
    await remove(gateway, 'Contact', contact.id);
    await restore(gateway, 'ExpirationItem', item.id);
    const query = 'query ($id: ID!) { expirationItem(id: $id) { contactId contacts { email } } }';
    expect((await ask(gateway, query, item)).expirationItem).toEqual({
      ...{ contactId: null, contacts: [{ email: 'stays@example.com' }] },
    });
  });

  test('is not linked to again by what points elsewhere by now', async () => {
    const [first, second] = [await contactOf(), await contactOf()];
    const item = await createItem(gateway, { contactId: first.id });
    await remove(gateway, 'Contact', first.id);
    const update = `mutation ($id: ID!, $input: UpdateExpirationItemInput!) { updateExpirationItem(id: $id, input: $input) { id } }`;
    await ask(gateway, update, { id: item.id, input: { contactId: second.id } });
    await restore(gateway, 'Contact', first.id);
    const found = await gateway.database.prisma.expirationItem.findUniqueOrThrow({ where: { id: item.id } });
    expect(found.contactId).toBe(second.id);
  });

  test('is not linked by an item that has a hundred others by now', async () => {
    const contact = await contactOf();
    const item = await createItem(gateway, { contacts: [{ id: contact.id }] });
    await remove(gateway, 'Contact', contact.id);
    const contacts = Array.from({ length: 100 }, (_, index) => ({ email: `full-${index}@example.com` }));
    const update = `mutation ($id: ID!, $input: UpdateExpirationItemInput!) { updateExpirationItem(id: $id, input: $input) { id } }`;
    await ask(gateway, update, { id: item.id, input: { contacts } });
    await restore(gateway, 'Contact', contact.id);
    await ask(gateway, update, { id: item.id, input: { name: 'Still to be changed' } });
  });

  test('CONFLICT: while a record that it needs is in the bin, or gone for good', async () => {
    const category = await make(gateway, 'Category', { name: 'Permit of old' });
    const item = await createItem(gateway, { category: { id: category.id } });
    await remove(gateway, 'ExpirationItem', item.id);
    await remove(gateway, 'Category', category.id);
    const refused = () => refusal(gateway, restoring('ExpirationItem'), item);
    const named = new RegExp(
      `the document type "Permit of old" \\(${category.id}\\), .* is gone; restore it first`,
    );
    await expectRefusal(refused(), 'CONFLICT', undefined, named);
    const [{ id }] = (await listBin(gateway, '(filter: { term: "permit of OLD" })')).nodes;
    await ask(gateway, 'mutation ($id: ID!) { purgeBinEntry(id: $id) { id } }', { id });
    const gone = new RegExp(`the document type \\(${category.id}\\), which it belongs to, is gone\\.`);
    await expectRefusal(refused(), 'CONFLICT', undefined, gone);
  });

  test('comes back into a workspace that comes back first', async () => {
    const team = await make(gateway, 'Team', { name: 'Branch' });
    const { id } = await make(gateway, 'Vehicle', { teamId: team.id, name: 'Branch van' });
    await remove(gateway, 'Vehicle', id);
    await remove(gateway, 'Team', team.id);
    const refused = refusal(gateway, restoring('Vehicle'), { id });
    await expectRefusal(refused, 'CONFLICT', undefined, /the workspace "Branch" .* restore it first/);
    await restore(gateway, 'Team', team.id);
    await restore(gateway, 'Vehicle', id);
    const { vehicle } = await ask(gateway, 'query ($id: ID!) { vehicle(id: $id) { team { name } } }', { id });
    expect(vehicle.team.name).toBe('Branch');
  });

  const [vin, taxId, name] = ['1FTSW21P34ED0001', 'DE 1', 'Named'];
  test.each([
    [
      'Contact',
      { email: 'Again@example.com' },
      { email: 'again@EXAMPLE.com', name: 'Bert' },
      'email',
      '"Bert" ',
    ],
    ['Vehicle', { vin, name: 'Older' }, { vin, name: 'Newer' }, 'vin', '"Newer" '],
    ['Company', { taxId, name: 'Older' }, { taxId, name: 'Newer' }, 'taxId', '"Newer" '],
    ['ContactType', { name }, { name: 'NAMED ' }, 'name', '"NAMED '],
    ['Location', { name }, { name }, 'name', '"Named" '],
    ['Tag', { name }, { name }, 'name', '"Named" '],
    ['Category', { name }, { name }, 'name', '"Named" '],
  ])('CONFLICT: %s with a unique value that is taken by now', async (type, input, taken, field, title) => {
    const { id } = await make(gateway, type, input);
    await remove(gateway, type, id);
    const other = await make(gateway, type, taken);
    const named = new RegExp(`${title}.*${other.id}.* now has its \`${field}\``);
    await expectRefusal(refusal(gateway, restoring(type), { id }), 'CONFLICT', undefined, named);
    await remove(gateway, type, other.id);
    await restore(gateway, type, id);
  });

  test('CONFLICT: with an id that was given again; the newest of an id is restored', async () => {
    const id = newId();
    await make(gateway, 'Tag', { id, name: 'older' });
    await remove(gateway, 'Tag', id);
    await make(gateway, 'Tag', { id, name: 'newer' });
    const named = new RegExp(`the tag "newer" \\(${id}\\) now has its \`id\``);
    await expectRefusal(refusal(gateway, restoring('Tag'), { id }), 'CONFLICT', undefined, named);
    gateway.clock.now = new Date(gateway.clock.now.getTime() + 1_000);
    await remove(gateway, 'Tag', id);
    await restore(gateway, 'Tag', id.toUpperCase());
    expect((await ask(gateway, 'query ($id: ID!) { tag(id: $id) { name } }', { id })).tag.name).toBe('newer');
  });

  test('a location is not put inside of itself', async () => {
    const above = await make(gateway, 'Location', { name: 'Above' });
    const place = await make(gateway, 'Location', { name: 'Between', parentLocationId: above.id });
    const below = await make(gateway, 'Location', { name: 'Below', parentLocationId: place.id });
    await remove(gateway, 'Location', place.id);
    const move =
      'mutation ($id: ID!, $to: ID) { updateLocation(id: $id, input: { parentLocationId: $to }) { id } }';
    await ask(gateway, move, { id: above.id, to: below.id });
    await restore(gateway, 'Location', place.id);
    const rows = await gateway.database.prisma.location.findMany({
      where: { id: { in: [above.id, place.id, below.id] } },
    });
    const parents = new Map(rows.map((row) => [row.id, row.parentLocationId]));
    expect(parents).toEqual(
      new Map([
        [above.id, below.id],
        [place.id, above.id],
        [below.id, null],
      ]),
    );
  });

  test('comes back once, of two who ask at once', async () => {
    const { id } = await contactOf();
    await remove(gateway, 'Contact', id);
    const query = restoring('Contact');
    const answers = await Promise.all([1, 2, 3].map(() => gateway.graphql(query, { id })));
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
    const codes = answers.flatMap(({ errors }) => errors ?? []).map(({ extensions }) => extensions.code);
    expect(codes).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  });
});

describe('the statements', () => {
  test('a deletion takes no more of them than without a bin', async () => {
    const { id } = await contactOf();
    expect(await namesOf(gateway, () => remove(gateway, 'Contact', id))).toEqual([
      'contacts.lock',
      'contacts.delete',
      'COMMIT',
    ]);
  });

  test('of many records one puts them into the bin', async () => {
    const ids = [(await createItem(gateway)).id, (await createItem(gateway)).id];
    const query = 'mutation ($ids: [ID!]!) { deleteExpirationItems(ids: $ids) { id } }';
    const names = await namesOf(gateway, () => ask(gateway, query, { ids }));
    expect(names.filter((name) => name.startsWith('bin_'))).toEqual(['bin_entries.insert']);
    for (const id of ids) await restore(gateway, 'ExpirationItem', id);
  });
});
