import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { createItem, expectNothingStored, readItem } from '../rest/items.support.js';
import { createTenant, startGateway, type TestGateway } from '../support/gateway.js';
import { settle, shapesOf } from '../support/statements.js';
import { ask, expectRefusal, refusal } from './support.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  await settle(gateway);
});
beforeEach(async () => {
  const { expirationItem, eventLog } = gateway.database.prisma;
  await expirationItem.deleteMany();
  await eventLog.deleteMany();
});
afterAll(() => gateway.close());

const renew = `mutation ($ids: [ID!]!, $expirationDate: Date!, $details: String) {
  items: renewExpirationItems(ids: $ids, expirationDate: $expirationDate, details: $details) {
    id expirationDate details renewals { previousDate expirationDate details user { id } } } }`;
const update = `mutation ($ids: [ID!]!, $input: UpdateExpirationItemInput!) {
  items: updateExpirationItems(ids: $ids, input: $input) { id name isActive teamId tags { name } contacts { email } category { name } } }`;
const remove = `mutation ($ids: [ID!]!) { items: deleteExpirationItems(ids: $ids) { id name tags { name } } }`;

/** The same operation, of which no more than the ids are shown. */
const idsAlone = (operation: string) => `${operation.slice(0, operation.search(/\{\s*id /))} { id } }`;

const operations: [string, string, object][] = [
  ['renewExpirationItems', renew, { expirationDate: '2030-01-01' }],
  ['updateExpirationItems', update, { input: { isActive: false } }],
  ['deleteExpirationItems', remove, {}],
];

const run = async (operation: string, variables: object, token?: string) =>
  (await ask(gateway, operation, variables, token)).items;

/** Items of one workspace, made past the door. */
async function makeItems(count: number, row: object = {}): Promise<string[]> {
  const { prisma } = gateway.database;
  const { organizationId, teamId } = gateway;
  const place = { organizationId, teamId };
  const category = await prisma.category.upsert({
    where: { id: '11111111-1111-4111-8111-111111111111' },
    create: { ...place, id: '11111111-1111-4111-8111-111111111111', name: 'Bulk' },
    update: {},
  });
  const times = { created: gateway.clock.now, modified: gateway.clock.now };
  const rows = Array.from({ length: count }, (_, n) => {
    const expirationDate = new Date('2027-01-01');
    return {
      ...place,
      ...times,
      id: newId(),
      name: `Item ${n}`,
      expirationDate,
      categoryId: category.id,
      ...row,
    };
  });
  await prisma.expirationItem.createMany({ data: rows });
  return rows.map(({ id }) => id);
}

/** The events of items, as far as tests look at them. */
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
  test('moves each date on, keeps each renewal and tells of each', async () => {
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
        renewals: [{ ...renewal, previousDate: expirationDate }],
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
    expect(item).toMatchObject({ details: 'kept', renewals: [{ details: null }] });
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
  test('changes what is given of each, and tells of those that changed', async () => {
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
    const ids = await makeItems(3);
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
  test('answers the items as they were and tells of each', async () => {
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

describe.each(operations)('%s', (_, operation, rest) => {
  test('takes no id, and answers nothing', async () => {
    expect(await run(operation, { ids: [], ...rest })).toEqual([]);
  });

  test('takes 500 ids, each counted once, and no more', async () => {
    const ids = await makeItems(500);
    expect(await run(operation, { ids: [...ids, ...ids], ...rest })).toHaveLength(500);
    await expectRefusal(
      refusal(gateway, operation, { ids: [...ids, newId()], ...rest }),
      'BAD_REQUEST',
      'ids',
      /at most 500/,
    );
  });

  test('changes none when one is not there, or not for the caller, and names it', async () => {
    const foreign = await createTenant(gateway.database, 'Globex');
    const own = await createItem(gateway);
    const hidden = await createItem(gateway, { teamId: gateway.otherTeamId });
    const refused = (ids: string[], token?: string) => refusal(gateway, operation, { ids, ...rest }, token);
    await expectNothingStored(gateway, async () => {
      const unknown = newId();
      for (const id of [unknown, 'no-uuid']) {
        await expectRefusal(
          refused([own.id, id]),
          'NOT_FOUND',
          undefined,
          new RegExp(`expiration item .*"${id}"`),
        );
      }
      const named = new RegExp(hidden.id);
      await expectRefusal(refused([own.id, hidden.id], gateway.member), 'NOT_FOUND', undefined, named);
      await expectRefusal(refused([own.id], foreign.admin), 'NOT_FOUND', undefined, new RegExp(own.id));
      await expectRefusal(refused([own.id], gateway.viewer), 'FORBIDDEN');
      await expectRefusal(refused([own.id], gateway.uploader), 'FORBIDDEN');
    });
  });

  test('takes the same statements for 3 items and for 100', async () => {
    const shapes: string[][] = [];
    for (const count of [3, 100]) {
      const ids = await makeItems(count);
      shapes.push(await shapesOf(gateway, () => ask(gateway, idsAlone(operation), { ids, ...rest })));
    }
    expect(shapes[1]).toEqual(shapes[0]);
    expect(shapes[0]?.length).toBeLessThan(12);
  });

  test('two of the same items in other orders do not stop each other', async () => {
    const ids = await makeItems(100);
    const date = (year: number) => ({
      ...rest,
      ...('expirationDate' in rest && { expirationDate: `${year}-01-01` }),
    });
    const answers = await Promise.all(
      [ids, [...ids].reverse(), ids, [...ids].reverse()].map((order, n) =>
        gateway.graphql(operation, { ids: order, ...date(2030 + n) }),
      ),
    );
    const codes = answers.flatMap(
      ({ errors }) => errors?.map((error: { extensions: { code: string } }) => error.extensions.code) ?? [],
    );
    // Late comers may find the items gone, or renewed further.
    expect(codes.filter((code) => code !== 'NOT_FOUND' && code !== 'BAD_REQUEST')).toEqual([]);
    expect(answers.filter(({ errors }) => !errors).length).toBeGreaterThan(0);
  });
});

test('many names and links take as many statements for 3 items as for 60', async () => {
  const input = {
    category: { name: 'Shared' },
    tags: [{ name: 'x' }, { name: 'y' }],
    contacts: [{ email: 'z@example.com' }],
    locations: [{ name: 'Here' }],
    assignedTo: { id: gateway.userId },
    customFields: [{ id: newId(), name: 'Number', value: '7' }],
  };
  const counts: number[] = [];
  // What is named exists from the first time on.
  for (const count of [1, 3, 60]) {
    const ids = await makeItems(count);
    const shapes = await shapesOf(gateway, () => ask(gateway, idsAlone(update), { ids, input }));
    counts.push(shapes.length);
  }
  expect(counts[2]).toBe(counts[1]);
});
