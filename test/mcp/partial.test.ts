import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createItem } from '../rest/items.support.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { call } from './support.js';

let gateway: TestGateway;
let folder: string;
const own = `"Describes an item."
mutation describe_item($id: ID!, $details: String!) {
  updateExpirationItem(id: $id, input: { details: $details }) { details attachments { nodes { name content } } }
}`;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tools-'));
  await writeFile(join(folder, 'describe-item.graphql'), own);
  gateway = await startGateway({ MCP: 'on', MCP_OPERATIONS: folder });
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

test('a change that was made is no failure because a part of its record cannot be read', async () => {
  const { id, attachments } = await createItem(gateway, { attachments: [{ name: 'a', content: 'YWJj' }] });
  await gateway.database.sql(
    "UPDATE attachment_contents SET content = 'abd' WHERE attachment_id = $1::uuid",
    [attachments[0].id],
  );
  const { content, isError, structuredContent } = await call(gateway, 'describe_item', {
    id,
    details: 'changed',
    idempotencyKey: 'one',
  });
  expect(isError, JSON.stringify(content)).toBeUndefined();
  expect(structuredContent.updateExpirationItem).toMatchObject({
    details: 'changed',
    attachments: { nodes: [{ name: 'a', content: null }] },
  });
  expect(structuredContent.notice).toContain('A part is missing: The bytes of this file are damaged');
  const refused = await call(gateway, 'describe_item', {
    ...{ id: attachments[0].id, details: 'never', idempotencyKey: 'two' },
  });
  expect(refused.isError).toBe(true);
});
