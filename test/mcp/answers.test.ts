import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { maxAnswerBytes } from '../../src/mcp/call.js';
import { testTime, useGateway } from '../support/gateway.js';
import { messageIn, post } from './support.js';

const gateway = useGateway({ MCP: 'on' });
const count = 120;
const ids = Array.from({ length: count }, () => newId());
beforeAll(async () => {
  const { database, organizationId, teamId } = gateway;
  const times = { created: testTime, modified: testTime };
  const categoryId = newId();
  await database.prisma.category.create({
    data: { id: categoryId, organizationId, teamId, name: 'Licence', ...times },
  });
  await database.prisma.expirationItem.createMany({
    data: ids.map((id, at) => ({
      ...{ id, organizationId, teamId, categoryId, ...times },
      // Characters of three bytes.
      ...{ name: `${at} ${'界'.repeat(200)}`, details: '長'.repeat(4_000) },
      expirationDate: new Date('2026-12-01'),
    })),
  });
});

/** Calls a tool, and returns its answer after checking its size. */
async function sized(name: string, args: Record<string, unknown>) {
  const response = await post(gateway, 'tools/call', { name, arguments: args });
  const { result } = messageIn(response);
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(maxAnswerBytes);
  return result;
}

test.each([1, 20, 500])(
  'pages of %i entries fit, and their cursors lead through all of them',
  async (first) => {
    const seen: string[] = [];
    let after: string | undefined;
    for (;;) {
      const { structuredContent } = await sized('search_items', { first, ...(after && { after }) });
      const { nodes, pageInfo, totalCount } = structuredContent.items;
      expect(totalCount).toBe(count);
      expect(nodes.length).toBeGreaterThan(0);
      expect(nodes.length).toBeLessThanOrEqual(first);
      seen.push(...nodes.map(({ id }: { id: string }) => id));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
      if (first === 1 && seen.length === 5) return;
    }
    expect(seen.sort()).toEqual([...ids].sort());
  },
);

test('a long text is cut, and the answer says so', async () => {
  const [id = ''] = ids;
  const { structuredContent } = await sized('get_item', { id });
  expect(structuredContent.item.details).toMatch(/^長+…$/);
  expect(structuredContent.item.id).toBe(id);
  expect(structuredContent.notice).toContain('cut');
});

test('a list that is no page is cut', async () => {
  const { database, organizationId, teamId } = gateway;
  const categories = Array.from({ length: 300 }, (_, at) => ({
    id: newId(),
    name: `${at} ${'界'.repeat(200)}`,
  }));
  const times = { created: testTime, modified: testTime };
  await database.prisma.category.createMany({
    data: categories.map((category) => ({ ...category, organizationId, teamId, ...times })),
  });
  await database.prisma.expirationItem.createMany({
    data: categories.map(({ id: categoryId }) => ({
      ...{ id: newId(), organizationId, teamId, categoryId, name: 'x', ...times },
      expirationDate: new Date('2027-12-01'),
    })),
  });
  const { structuredContent } = await sized('summary', {});
  expect(structuredContent.items.byCategory.length).toBeGreaterThan(1);
  expect(structuredContent.notice).toContain('cut');
});

test('a refusal that repeats what was sent is short, too', async () => {
  const given = { name: 'x', expirationDate: '2027-01-01', idempotencyKey: newId() };
  const tags = Array.from({ length: 2_000 }, (_, at) => ({ [`界${'界'.repeat(20)}${at}`]: 1 }));
  const { isError } = await sized('create_item', { ...given, tags });
  expect(isError).toBe(true);
  const { result } = messageIn(
    await post(gateway, 'tools/call', {
      name: 'summary',
      arguments: Object.fromEntries(tags.map((_, at) => [`${at}${'界'.repeat(30)}`, 1])),
    }),
  );
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(maxAnswerBytes);
});
