import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { schema } from '../../src/graphql/schema.js';
import { maxAnswerBytes } from '../../src/mcp/call.js';
import { loadTools } from '../../src/mcp/tools.js';
import { testTime, useGateway } from '../support/gateway.js';
import { messageIn, post } from './support.js';

const gateway = useGateway({ MCP: 'on', CONSOLE: 'on' });

/** Texts as long as they may be. Their characters take three bytes, or four and six in JSON within JSON. */
const long = '長"\\'.repeat(21_845);
const name = '界"\\'.repeat(85);
const [item, upload, vehicle] = [newId(), newId(), newId()];
const count = 60;

beforeAll(async () => {
  const { database, organizationId, teamId, userId } = gateway;
  const { prisma } = database;
  const place = { organizationId, teamId };
  const row = { ...place, created: testTime, modified: testTime };
  const many = <T>(make: (id: string) => T) => Array.from({ length: count }, () => make(newId()));
  await prisma.team.update({ where: { id: teamId }, data: { name } });
  await prisma.user.update({ where: { id: userId }, data: { name } });
  const categories = many((id) => ({ ...row, id, name: `${name.slice(0, 200)}${id}` }));
  await prisma.category.createMany({ data: categories });
  await prisma.expirationItem.createMany({
    data: [item, ...many((id) => id)].map((id, at) => {
      const { id: categoryId = '' } = categories[at % count] ?? {};
      return { ...row, id, name, details: long, expirationDate: new Date('2026-12-01'), categoryId };
    }),
  });
  const notes = many((id) => ({ ...row, id, name, body: long, bodyText: long, authorId: userId }));
  await prisma.note.createMany({ data: notes });
  await prisma.noteRelation.createMany({
    data: notes.map(({ id: noteId }) => ({ noteId, entityType: 1, entityId: item, position: 0 })),
  });
  await prisma.contact.createMany({
    data: many((id) => ({ ...row, id, name, email: `${id}@example.com`, phone: name.slice(0, 60) })),
  });
  await prisma.vehicle.createMany({
    data: [vehicle, ...many((id) => id)].map((id) => ({ ...row, id, name, make: name, model: name })),
  });
  await prisma.eventLog.createMany({
    data: many((id) => ({ ...place, id, typeId: 1, description: long, userId, created: testTime })),
  });
  await prisma.uploadNotification.createMany({
    data: [upload, ...many((id) => id)].map((id) => ({
      ...{ ...place, id, dedupeKey: id, action: 'fp.upload', receivedAt: testTime },
      ...{ state: 'FAILED' as const, filename: name, error: long },
    })),
  });
});

/** Arguments with which a tool has the most to say. */
const given: Readonly<Record<string, object>> = {
  get_item: { id: item },
  compliance: { kind: 'VEHICLE', id: vehicle },
  create_item: { name, details: long, expirationDate: '2030-01-01' },
  update_item: { id: item, details: long, expirationDate: '2029-01-01' },
  renew_item: { id: item, expirationDate: '2031-01-01' },
  acknowledge: { id: item, note: long.slice(0, 1_000) },
  add_note: { itemId: item, name, text: long },
  confirm_upload: { id: upload, name, expirationDate: '2030-01-01' },
};

test.each(loadTools(schema, undefined).map((tool) => [tool.name, tool] as const))(
  'the answer of %s is within the limit, with the largest texts there are',
  async (tool, { pageSize, inputSchema }) => {
    const key = 'idempotencyKey' in inputSchema.properties ? { idempotencyKey: newId() } : {};
    const args = { ...given[tool], ...key, ...(pageSize !== undefined && { first: 500 }) };
    const { result } = messageIn(await post(gateway, 'tools/call', { name: tool, arguments: args }));
    expect(result.isError, JSON.stringify(result)).toBeUndefined();
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(maxAnswerBytes);
    expect(JSON.stringify(result).isWellFormed()).toBe(true);
  },
);
