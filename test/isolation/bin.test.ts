import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { make, remove, restore, restoring } from '../graphql/bin.support.js';
import { expectRefusal, refusal } from '../graphql/support.js';
import { createTenant, useGateway } from '../support/gateway.js';

// Callers choose ids, and what is deleted gives its id back: to whoever asks for it next.

const gateway = useGateway();
let stranger: string;
beforeAll(async () => {
  stranger = (await createTenant(gateway.database, 'Globex')).admin;
});

const contactNamed = (name: string) => make(gateway, 'Contact', { name, email: `${newId()}@example.com` });

const unlinked = { contact: null, contacts: [], tags: [], locations: [] };

const linksOf = async (id: string) => {
  const item = await gateway.database.prisma.expirationItem.findUniqueOrThrow({
    where: { id },
    include: { contact: true, contacts: true, tags: true, locations: true },
  });
  const { contact, contacts, tags, locations } = item;
  return { contact, contacts, tags, locations };
};

test('a restored record has no links to records with the same ids in another organization', async () => {
  const contact = await contactNamed('Anna');
  const tag = await make(gateway, 'Tag', { name: 'urgent' });
  const location = await make(gateway, 'Location', { name: 'Yard' });
  const item = await make(gateway, 'ExpirationItem', {
    ...{ name: 'Permit', expirationDate: '2027-01-31', contactId: contact.id },
    ...{ contacts: [{ id: contact.id }], tags: [{ id: tag.id }], locations: [{ id: location.id }] },
  });
  await remove(gateway, 'ExpirationItem', item.id);
  const gone = Object.entries({ Contact: contact, Tag: tag, Location: location });
  for (const [type, { id }] of gone) await remove(gateway, type, id);
  for (const [type, { id }] of gone) {
    const email = type === 'Contact' ? { email: 'theirs@example.com' } : {};
    await make(gateway, type, { id, name: 'Theirs', ...email }, stranger);
  }
  await restore(gateway, 'ExpirationItem', item.id);
  expect(await linksOf(item.id)).toEqual(unlinked);
});

test('CONFLICT: a required record belongs to another organization', async () => {
  const category = await make(gateway, 'Category', { name: 'Licence' });
  const dated = { name: 'Licence', expirationDate: '2027-01-31', category: { id: category.id } };
  const item = await make(gateway, 'ExpirationItem', dated);
  await remove(gateway, 'ExpirationItem', item.id);
  await remove(gateway, 'Category', category.id);
  await make(gateway, 'Category', { id: category.id, name: 'Theirs' }, stranger);
  await expectRefusal(refusal(gateway, restoring('ExpirationItem'), item), 'CONFLICT');
});

test('records of another organization do not link to a restored one', async () => {
  const id = newId();
  const contact = await contactNamed('Anna');
  const dated = { id, name: 'Permit', expirationDate: '2027-01-31' };
  await make(gateway, 'ExpirationItem', {
    ...{ ...dated, contactId: contact.id, contacts: [{ id: contact.id }] },
  });
  await remove(gateway, 'Contact', contact.id);
  await remove(gateway, 'ExpirationItem', id);
  await make(gateway, 'ExpirationItem', dated, stranger);
  await restore(gateway, 'Contact', contact.id);
  expect(await linksOf(id)).toEqual(unlinked);
});
