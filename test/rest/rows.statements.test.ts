import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { namesOf, settle } from '../support/statements.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  await settle(gateway);
});
afterAll(() => gateway.close());

/** Makes some records of each kind that has a list. */
async function fill(count: number): Promise<void> {
  const { organizationId, teamId, userId } = gateway;
  const { prisma } = gateway.database;
  const rows = () =>
    Array.from({ length: count }, () => ({ id: newId(), organizationId, teamId, name: newId() }));
  const categories = rows();
  await prisma.category.createMany({ data: categories });
  await prisma.contactType.createMany({ data: rows() });
  await prisma.location.createMany({ data: rows() });
  const contacts = rows().map((row) => ({ ...row, email: `${row.id}@example.com`, assignedToId: userId }));
  await prisma.contact.createMany({ data: contacts });
  const expirationDate = new Date('2027-01-31');
  const items = rows().map((row, i) => ({ ...row, expirationDate, categoryId: categories[i]?.id ?? '' }));
  await prisma.expirationItem.createMany({ data: items });
  await prisma.expirationItemContact.createMany({
    data: items.flatMap(({ id: itemId }, i) => [
      { itemId, contactId: contacts[i]?.id ?? '', position: 0 },
      { itemId, contactId: owner, position: 1 },
    ]),
  });
  const files = items.map(({ id: itemId, name }) => ({ id: newId(), organizationId, teamId, itemId, name }));
  await prisma.attachment.createMany({
    data: files.map((file) => ({ ...file, contentLength: 1, position: 0 })),
  });
  const content = new Uint8Array([1]);
  await prisma.attachmentContent.createMany({ data: files.map(({ id }) => ({ attachmentId: id, content })) });
}

const owner = newId();
const lists = [
  'expirationitems?',
  'expirationitems?includeFileContent=true',
  'expirationitems?status=current&expiresWithinDays=9',
  `expirationitems/contact/${owner}?`,
  'attachments/expirationitem?',
  'attachments/expirationitem?includeFileContent=false',
  'attachments/search?',
  'categories?',
  'contacts?',
  'contacttypes?',
  'locations?',
];

test('no list takes more statements for 100 records than for 10', async () => {
  const { organizationId, teamId } = gateway;
  const data = { id: owner, organizationId, teamId, email: 'owner@example.com' };
  await gateway.database.prisma.contact.create({ data });
  const counts = async () => {
    const sent: Record<string, number> = {};
    for (const list of lists) {
      const names = await namesOf(gateway, async () => {
        expect((await gateway.send('GET', `/v1/${list}&paging=100`)).status).toBe(200);
      });
      sent[list] = names.length;
    }
    return sent;
  };
  await fill(10);
  const few = await counts();
  await fill(90);
  expect(await counts()).toEqual(few);
});
