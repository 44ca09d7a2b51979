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
    data: items.map(({ id: itemId }, i) => ({ itemId, contactId: contacts[i]?.id ?? '', position: 0 })),
  });
}

const lists = ['expirationitems', 'categories', 'contacts', 'contacttypes', 'locations'];

test('no list takes more statements for 100 records than for 10', async () => {
  const counts = async () => {
    const sent: Record<string, number> = {};
    for (const list of lists) {
      for (const part of ['page=1', 'cursor=']) {
        const path = `/v1/${list}?paging=100&${part}`;
        sent[path] = (await namesOf(gateway, () => gateway.send('GET', path))).length;
      }
      // Cursors take no statement of their own.
      expect(sent[`/v1/${list}?paging=100&cursor=`]).toBe(sent[`/v1/${list}?paging=100&page=1`]);
    }
    return sent;
  };
  await fill(10);
  const few = await counts();
  await fill(90);
  expect(await counts()).toEqual(few);
});
