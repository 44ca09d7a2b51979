import { parse } from 'graphql';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { TimeSlices } from '../../src/db/connection/bounds.js';
import { newId } from '../../src/domain/rules.js';
import { executeByPlan } from '../support/both-executors.js';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway();

/**
 * Creates items with a contact each, whose texts look like the ends of rows. They are a megabyte together.
 */
async function fill(count: number) {
  const { organizationId, teamId } = gateway;
  const { prisma } = gateway.database;
  const category = { id: newId(), organizationId, teamId, name: 'Licences' };
  await prisma.category.create({ data: category });
  const each = Array.from({ length: count }, (_, i) => i);
  const contacts = each.map((i) => {
    const id = newId();
    return { id, organizationId, teamId, email: `${id}@example.com`, name: `"],\n[${i}` };
  });
  await prisma.contact.createMany({ data: contacts });
  const items = each.map((i) => ({
    id: newId(),
    organizationId,
    teamId,
    categoryId: category.id,
    name: `Item ${String(i).padStart(4, '0')}`,
    details: `],\n[${i}, "\\n", null],\n`.repeat(100),
    expirationDate: new Date(Date.UTC(2027, 0, 1 + i)),
  }));
  await prisma.expirationItem.createMany({ data: items });
  await prisma.expirationItemContact.createMany({
    data: items.map(({ id: itemId }, i) => ({ itemId, contactId: contacts[i]?.id ?? '', position: 0 })),
  });
  return { items, contacts };
}

describe('a page of a megabyte', () => {
  let made: Awaited<ReturnType<typeof fill>>;
  beforeAll(async () => {
    made = await fill(450);
  });
  const expected = () =>
    made.items.map(({ id, name, details }, i) => ({
      id,
      name,
      details,
      contacts: [{ id: made.contacts[i]?.id, name: made.contacts[i]?.name }],
    }));

  test('has all rows in their order, with what they lead to', async () => {
    const { status, text, json } = await gateway.send('GET', '/v1/expirationitems?paging=500&sort=name');
    expect(status).toBe(200);
    expect(text.length).toBeGreaterThan(2 ** 20);
    expect(json).toMatchObject({ expiration_items: expected(), total: 450, page: 1, pages: 1 });
    // Written in parts, it is what is written at once.
    expect(text).toBe(JSON.stringify(json));
  });

  test('is the same over GraphQL, and has its errors', async () => {
    const query = `query ($id: ID!) {
      expirationItems(first: 500, orderBy: [{ field: NAME, direction: ASC }]) {
        nodes { id name details contacts { id name } } }
      expirationItem(id: $id) { notes(first: 501) { totalCount } } }`;
    const { data, errors } = await gateway.graphql(query, { id: made.items[0]?.id });
    expect(data).toEqual({ expirationItems: { nodes: expected() }, expirationItem: null });
    expect(errors).toMatchObject([
      { path: ['expirationItem', 'notes'], extensions: { code: 'BAD_REQUEST' } },
    ]);
  });

  test('is read in time slices', async () => {
    const slices = new TimeSlices();
    const next = vi.spyOn(slices, 'next');
    const document = parse('{ expirationItems(first: 500) { nodes { name details } } }');
    await executeByPlan(gateway, { document }, slices);
    // Execution goes on by other means: it is rows that wait for a turn.
    expect(next).toHaveBeenCalled();
  });

  test('is not sent again to a client that has it', async () => {
    const path = '/v1/expirationitems?paging=500';
    const etag = (await gateway.send('GET', path)).headers.get('etag') ?? '';
    expect(await gateway.send('GET', path, { headers: { 'If-None-Match': etag } })).toMatchObject({
      status: 304,
    });
  });
});
