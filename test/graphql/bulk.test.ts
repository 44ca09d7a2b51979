import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { createItem, expectNothingStored, readItem } from '../rest/items.support.js';
import { useGateway } from '../support/gateway.js';
import { makeItems, remove, renew, update } from './bulk.support.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();
beforeEach(async () => {
  const { expirationItem, eventLog } = gateway.database.prisma;
  await expirationItem.deleteMany();
  await eventLog.deleteMany();
});

const run = async (operation: string, variables: object, token?: string) =>
  (await ask(gateway, operation, variables, token)).items;

/** Returns the events of items, as far as tests look at them. */
async function eventsOf(ids: readonly string[]) {
  const events = await gateway.database.prisma.eventLog.findMany({
    where: { entities: { some: { entityId: { in: [...ids] } } } },
    include: { entities: true },
    orderBy: { id: 'asc' },
  });
  return events.map(({ typeId, description, details, entities }) => {
    return { typeId, description, details: JSON.parse(details ?? 'null'), about: entities[0]?.entityId };
  });
}

describe('renewExpirationItems', () => {
  test('moves each date, stores each renewal and logs each', async () => {
    const first = await createItem(gateway, { name: 'First', details: 'old' });
    const second = await createItem(gateway, { name: 'Second', expirationDate: '2026-01-01' });
    const ids = [second.id, first.id, second.id.toUpperCase()];
    const items = await run(renew, { ids, expirationDate: '2028-06-01', details: 'new' });
    const renewal = { expirationDate: '2028-06-01', details: 'new', user: { id: gateway.userId } };
    expect(items).toEqual(
      [second, first].map(({ id, expirationDate }) => ({
        id,
        expirationDate: '2028-06-01',
        details: 'new',
        renewals: { nodes: [{ ...renewal, previousDate: expirationDate }] },
      })),
    );
    expect((await eventsOf(ids)).filter(({ typeId }) => typeId === 3)).toEqual([
      {
        typeId: 3,
        description: 'Expiration item "Second" was renewed: expiration_date, details',
        details: {
          expiration_date: { before: '2026-01-01', after: '2028-06-01' },
          details: { before: null, after: 'new' },
        },
        about: second.id,
      },
      expect.objectContaining({ typeId: 3, about: first.id }),
    ]);
  });

  test('keeps the details when none are sent', async () => {
    const { id } = await createItem(gateway, { details: 'kept' });
    const [item] = await run(renew, { ids: [id], expirationDate: '2028-06-01' });
    expect(item).toMatchObject({ details: 'kept', renewals: { nodes: [{ details: null }] } });
  });

  test('renews none when the date is not later than that of one, and names it', async () => {
    const early = await createItem(gateway, { expirationDate: '2027-01-01' });
    const late = await createItem(gateway, { expirationDate: '2029-01-01' });
    await expectNothingStored(gateway, () =>
      expectRefusal(
        refusal(gateway, renew, { ids: [early.id, late.id], expirationDate: '2028-01-01' }),
        'BAD_REQUEST',
        'expirationDate',
        new RegExp(`2029-01-01, of the item ${late.id}`),
      ),
    );
  });
});

describe('updateExpirationItems', () => {
  test('changes the given values of each, and logs those that changed', async () => {
    const item = await createItem(gateway, { name: 'A', tags: [{ name: 'old' }] });
    const done = await createItem(gateway, {
      name: 'B',
      isActive: false,
      tags: [{ name: 'New' }, { name: 'old' }],
    });
    const input = { isActive: false, tags: [{ name: 'new' }, { name: 'OLD' }] };
    const items = await run(update, { ids: [item.id, done.id], input });
    const tags = [{ name: 'New' }, { name: 'old' }];
    expect(items).toMatchObject([
      { id: item.id, name: 'A', isActive: false, tags },
      { id: done.id, name: 'B', isActive: false, tags },
    ]);
    expect(await readItem(gateway, item)).toMatchObject({ name: 'A', isActive: false, tags });
    const events = (await eventsOf([item.id, done.id])).filter(({ typeId }) => typeId !== 1);
    expect(events).toMatchObject([{ typeId: 5, about: item.id }]);
    expect(events[0]?.description).toBe('Expiration item "A" was archived: is_active, tags');
  });

  test('makes what it names once, and gives it to all', async () => {
    const ids = await makeItems(gateway, 3);
    const input = {
      contacts: [{ email: 'new@example.com' }],
      tags: [{ name: 'fresh' }],
      category: { name: 'Brand new' },
      customFields: [{ name: 'Number', value: '7' }],
    };
    const items = await run(update, { ids, input });
    expect(items).toHaveLength(3);
    for (const item of items) {
      expect(item).toMatchObject({
        contacts: [{ email: 'new@example.com' }],
        tags: [{ name: 'fresh' }],
        category: { name: 'Brand new' },
      });
    }
    const { contact, tag, category } = gateway.database.prisma;
    expect(await contact.count({ where: { email: 'new@example.com' } })).toBe(1);
    expect(await tag.count({ where: { name: 'fresh' } })).toBe(1);
    expect(await category.count({ where: { name: 'Brand new' } })).toBe(1);
  });

  test('moves items to another workspace with their files and history', async () => {
    const items = [
      await createItem(gateway, { attachments: [{ content: 'eA==' }] }),
      await createItem(gateway),
    ];
    const ids = items.map(({ id }) => id);
    await run(renew, { ids, expirationDate: '2031-01-01' });
    const moved = await run(update, { ids, input: { teamId: gateway.otherTeamId } });
    expect(moved.map(({ teamId }: { teamId: string }) => teamId)).toEqual([
      gateway.otherTeamId,
      gateway.otherTeamId,
    ]);
    const { attachment, renewal } = gateway.database.prisma;
    const where = { itemId: { in: ids }, teamId: gateway.otherTeamId };
    expect([await attachment.count({ where }), await renewal.count({ where })]).toEqual([1, 2]);
  });

  test('changes none when a value breaks a rule', async () => {
    const ids = [(await createItem(gateway)).id, (await createItem(gateway)).id];
    const wrong: [object, string][] = [
      [{ name: '' }, 'name'],
      [{ expirationDate: null }, 'expirationDate'],
      [{ assignedTo: { id: newId() } }, 'assignedTo.id'],
      [{ teamId: newId() }, 'teamId'],
      [{ tags: [{ name: 'made' }], contacts: [{}] }, 'contacts.0'],
    ];
    await expectNothingStored(gateway, async () => {
      for (const [input, field] of wrong) {
        await expectRefusal(refusal(gateway, update, { ids, input }), 'BAD_REQUEST', field);
      }
    });
  });
});

describe('deleteExpirationItems', () => {
  test('returns the items as they were, and logs each', async () => {
    const a = await createItem(gateway, { name: 'A', tags: [{ name: 'gone' }] });
    const b = await createItem(gateway, { name: 'B' });
    const kept = await createItem(gateway, { name: 'C' });
    expect(await run(remove, { ids: [b.id, a.id] })).toEqual([
      { id: b.id, name: 'B', tags: [] },
      { id: a.id, name: 'A', tags: [{ name: 'gone' }] },
    ]);
    const left = await gateway.database.prisma.expirationItem.findMany({ select: { id: true } });
    expect(left).toEqual([{ id: kept.id }]);
    const events = (await eventsOf([a.id, b.id])).filter(({ typeId }) => typeId === 4);
    expect(events.map(({ about }) => about)).toEqual([b.id, a.id]);
  });
});
