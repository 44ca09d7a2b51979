import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { computeStatus, statusIds } from '../../src/domain/dates.js';
import { newId } from '../../src/domain/rules.js';
import { createTenant, useGateway } from '../support/gateway.js';
import { makeWorld, type World } from './items.world.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();
let world: World;
const values = new Map<string, string | null>();
beforeAll(async () => {
  world = await makeWorld(gateway, 60);
  const { prisma } = gateway.database;
  for (const [n, { id }] of world.items.entries()) {
    if (n % 3 === 0) continue;
    const value = n % 3 === 1 ? null : `${n % 4}`;
    values.set(id, value);
    const fields = [
      { id: newId(), name: 'Other', value: 'x' },
      { id: '15111111-1111-4111-8111-111111111111', name: 'Pólicy', value },
    ];
    await prisma.expirationItem.update({ where: { id }, data: { customFields: fields } });
  }
});

interface Key {
  readonly field: string;
  readonly direction: 'ASC' | 'DESC';
  readonly customField?: string;
}

const list = `query ($orderBy: [ExpirationItemOrder!], $first: Int, $after: String, $last: Int, $before: String, $filter: ExpirationItemFilter) {
  expirationItems(orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before, filter: $filter) {
    nodes { id } pageInfo { hasNextPage hasPreviousPage endCursor startCursor }
  }
}`;

/** Walks a list from either end; the ids in the list's own order. */
async function walk(
  orderBy: readonly Key[],
  size: number,
  backward = false,
  filter = {},
  token = gateway.admin,
) {
  const pages: string[][] = [];
  for (let cursor: string | null = null, more = true; more; ) {
    const window = backward ? { last: size, before: cursor } : { first: size, after: cursor };
    const { expirationItems } = await ask(gateway, list, { orderBy, filter, ...window }, token);
    pages.push(expirationItems.nodes.map(({ id }: { id: string }) => id));
    const { pageInfo } = expirationItems;
    cursor = backward ? pageInfo.startCursor : pageInfo.endCursor;
    more = backward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage;
  }
  return (backward ? pages.reverse() : pages).flat();
}

/** Returns what an item has of each key, told from the rows that Prisma reads. */
async function keysOf(): Promise<Map<string, Record<string, string | number | null>>> {
  const rows = await gateway.database.prisma.expirationItem.findMany({
    include: { category: true, contact: true, team: true, assignedTo: true },
  });
  return new Map(
    rows.map((row) => [
      row.id,
      {
        CATEGORY_NAME: row.category.name,
        CONTACT_NAME: row.contact?.name ?? null,
        TEAM_NAME: row.team.name,
        ASSIGNED_TO_NAME: row.assignedTo?.name ?? null,
        STATUS_NUMBER: statusIds[computeStatus(row, row.team, gateway.clock.now)],
        CUSTOM_FIELD: values.get(row.id) ?? null,
        IS_ACTIVE: Number(row.isActive),
        EXPIRATION_DATE: row.expirationDate?.getTime() ?? null,
        ID: row.id,
      },
    ]),
  );
}

function compare(a: string | number | null | undefined, b: typeof a): number {
  if (a === b) return 0;
  if (a == null) return 1;
  if (b == null) return -1;
  return a < b ? -1 : 1;
}

const key = fc.record({
  field: fc.constantFrom(
    'CATEGORY_NAME',
    'CONTACT_NAME',
    'TEAM_NAME',
    'ASSIGNED_TO_NAME',
    'STATUS_NUMBER',
    'CUSTOM_FIELD',
    'IS_ACTIVE',
    'EXPIRATION_DATE',
    'ID',
  ),
  direction: fc.constantFrom('ASC' as const, 'DESC' as const),
});

describe('orderBy', () => {
  test('any keys: all in one page, or page by page from either end', async () => {
    const keys = await keysOf();
    const property = fc.asyncProperty(
      fc.uniqueArray(key, { minLength: 1, maxLength: 4, selector: ({ field }) => field }),
      fc.integer({ min: 20, max: 40 }),
      fc.constantFrom('Pólicy', 'PO\u0301LICY', '15111111-1111-4111-8111-111111111111'),
      async (orders, size, customField) => {
        const orderBy = orders.map((order) =>
          order.field === 'CUSTOM_FIELD' ? { ...order, customField } : order,
        );
        const last = orderBy.at(-1)?.direction;
        const sorted = [...keys].sort(([a, one], [b, other]) => {
          for (const { field, direction } of orderBy) {
            const way = compare(one[field], other[field]);
            if (way !== 0) return direction === 'ASC' ? way : -way;
          }
          return last === 'ASC' ? compare(a, b) : compare(b, a);
        });
        const ids = sorted.map(([id]) => id);
        expect(await walk(orderBy, 500)).toEqual(ids);
        expect(await walk(orderBy, size)).toEqual(ids);
        expect(await walk(orderBy, size, true)).toEqual(ids);
      },
    );
    await fc.assert(property, { numRuns: 8 });
  });

  test('below a record, and with a term, it is the same order', async () => {
    const orderBy: Key[] = [
      { field: 'STATUS_NUMBER', direction: 'DESC' },
      { field: 'CATEGORY_NAME', direction: 'ASC' },
    ];
    const { teamId } = gateway;
    const expected = await walk(orderBy, 500, false, { teamId });
    expect(expected.length).toBeGreaterThan(5);
    const nested = `query ($id: ID!, $orderBy: [ExpirationItemOrder!], $after: String) {
      team(id: $id) { expirationItems(first: 4, after: $after, orderBy: $orderBy) {
        nodes { id } pageInfo { endCursor hasNextPage } } } }`;
    const found: string[] = [];
    for (let after = null, more = true; more; ) {
      const { team } = await ask(gateway, nested, { id: teamId, orderBy, after });
      found.push(...team.expirationItems.nodes.map(({ id }: { id: string }) => id));
      ({ endCursor: after, hasNextPage: more } = team.expirationItems.pageInfo);
    }
    expect(found).toEqual(expected);
    const searched = await walk(orderBy, 4, false, {
      teamId,
      or: [{ term: 'licence' }, { not: { term: 'licence' } }],
    });
    expect(searched).toEqual(expected);
  });

  test('says nothing of the names of records that the caller does not see', async () => {
    const { prisma } = gateway.database;
    const { organizationId, teamId, otherTeamId } = gateway;
    const contact = (name: string, team: string) => {
      const id = newId();
      return { id, organizationId, teamId: team, name, email: `${id}@example.com` };
    };
    const [hidden, seen] = [contact('A hidden', otherTeamId), contact('B seen', teamId)];
    await prisma.contact.createMany({ data: [hidden, seen] });
    const categoryId = world.categories[0]?.id ?? '';
    const item = (contactId: string) => ({
      id: newId(),
      organizationId,
      teamId,
      name: 'Of contacts',
      categoryId,
      contactId,
    });
    const items = [item(hidden.id), item(seen.id)];
    await prisma.expirationItem.createMany({ data: items });
    const orderBy: Key[] = [{ field: 'CONTACT_NAME', direction: 'ASC' }];
    const filter = { term: 'Of contacts' };
    const ids = items.map(({ id }) => id);
    expect(await walk(orderBy, 1, false, filter)).toEqual(ids);
    // To a member, the first has no contact: it comes last.
    expect(await walk(orderBy, 1, false, filter, gateway.member)).toEqual([...ids].reverse());
    await prisma.expirationItem.deleteMany({ where: { id: { in: ids } } });
  });

  test('takes lists up to a length, which a filter may bring about', async () => {
    const { organizationId, teamId, otherTeamId } = gateway;
    const { prisma } = gateway.database;
    const add = (change: number) => prisma.$executeRaw`
      INSERT INTO record_counts (table_name, organization_id, team_id, change)
      VALUES ('expiration_items', ${organizationId}::uuid, ${otherTeamId}::uuid, ${change})`;
    await add(100_001);
    try {
      const orderBy = [{ field: 'NAME' }, { field: 'TEAM_NAME' }];
      await expectRefusal(refusal(gateway, list, { orderBy }), 'BAD_REQUEST', 'orderBy', /100,000 rows/);
      await ask(gateway, list, { orderBy, filter: { teamId } });
      await ask(gateway, list, { orderBy: [{ field: 'NAME' }, { field: 'IS_ACTIVE' }] });
    } finally {
      await add(-100_001);
    }
  });

  test('one key alone need not be in a list', async () => {
    const query = '{ expirationItems(orderBy: { field: CATEGORY_NAME }, first: 1) { nodes { id } } }';
    expect((await ask(gateway, query)).expirationItems.nodes).toHaveLength(1);
  });

  test.each<[string, object[], string]>([
    ['too many keys', Array(6).fill({ field: 'NAME' }), 'orderBy'],
    [
      'a custom field that is not named',
      [{ field: 'NAME' }, { field: 'CUSTOM_FIELD' }],
      'orderBy.1.customField',
    ],
    ['an empty name', [{ field: 'CUSTOM_FIELD', customField: ' ' }], 'orderBy.0.customField'],
    ['a name with NUL', [{ field: 'CUSTOM_FIELD', customField: 'a\0' }], 'orderBy.0.customField'],
    ['a name with another field', [{ field: 'NAME', customField: 'x' }], 'orderBy.0.customField'],
  ])('refuses %s', async (_, orderBy, field) => {
    await expectRefusal(refusal(gateway, list, { orderBy }), 'BAD_REQUEST', field);
  });

  test('refuses a cursor with a wrong value, or too few of them', async () => {
    const orderBy = [{ field: 'STATUS_NUMBER' }, { field: 'CATEGORY_NAME' }];
    const id = newId();
    const names = ['status.number', 'category.name'];
    for (const values of [['1', 'x'], [1], [1, 2], [1.5, 'x'], [null, 'x'], [1, 'a\0'], 'x', [[1], 'x']]) {
      const content = [names, ['asc', 'asc'], values, id, 'ExpirationItem'];
      const after = Buffer.from(JSON.stringify(content)).toString('base64url');
      await expectRefusal(refusal(gateway, list, { orderBy, after }), 'BAD_REQUEST', 'after', /cursor/);
    }
  });
});

describe('customFields', () => {
  const count = async (customFields: object[], token?: string) => {
    const query = 'query ($filter: ExpirationItemFilter) { expirationItems(filter: $filter) { totalCount } }';
    return (await ask(gateway, query, { filter: { customFields } }, token)).expirationItems.totalCount;
  };
  const id = '15111111-1111-4111-8111-111111111111';

  test('are found by id or name, with any value or one', async () => {
    const all = [...values.values()];
    expect(await count([{ id }])).toBe(all.length);
    expect(await count([{ id: id.toUpperCase() }])).toBe(all.length);
    expect(await count([{ name: 'PO\u0301LICY' }])).toBe(all.length);
    const two = all.filter((value) => value === '2').length;
    expect(two).toBeGreaterThan(0);
    expect(await count([{ id, value: '2' }])).toBe(two);
    expect(
      await count([
        { name: 'pólicy', value: '2' },
        { name: 'other', value: 'X' },
      ]),
    ).toBe(two);
    expect(await count([{ name: 'Other', value: '2' }])).toBe(0);
    expect(await count([{ name: 'Pólicy=2' }])).toBe(0);
    expect(await count([])).toBe(world.items.length);
  });

  test.each([
    ['NUL', 'a\0'],
    ['half of a surrogate pair', '\ud800'],
    ['more characters than any has', 'a'.repeat(4_097)],
  ])('are not asked for a value with %s', async (_, value) => {
    const query = 'query ($filter: ExpirationItemFilter) { expirationItems(filter: $filter) { totalCount } }';
    const refused = refusal(gateway, query, { filter: { customFields: [{ name: 'a', value }] } });
    await expectRefusal(refused, 'BAD_REQUEST', 'filter.customFields.0.value');
  });

  test('of another organization are not found', async () => {
    const foreign = await createTenant(gateway.database, 'Globex');
    expect(await count([{ id }], foreign.admin)).toBe(0);
  });

  test('of any length can be stored and found', async () => {
    const value = '😀'.repeat(2_000);
    const [item] = world.items;
    const fields = [{ id: newId(), name: 'Long', value }];
    await gateway.database.prisma.expirationItem.update({
      where: { id: item?.id ?? '' },
      data: { customFields: fields },
    });
    expect(await count([{ name: 'Long', value }])).toBe(1);
  });
});
