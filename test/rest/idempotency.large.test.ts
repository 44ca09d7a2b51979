import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { isReplay, keyed, shown, written } from './idempotency.support.js';
import { createItem, put } from './items.support.js';

const gateway = useGateway();

const mebibyte = 1024 * 1024;
const file = (bytes: number) => ({ name: 'scan.pdf', content: Buffer.alloc(bytes, 7).toString('base64') });

test('the stored answer includes the largest possible request', async () => {
  const item = await createItem(gateway);
  const body = { attachments: [file(11.9 * mebibyte)] };
  const request = keyed();
  const first = await put(gateway, item, body, request);
  expect([first.status, isReplay(first)]).toEqual([200, false]);
  expect(first.text.length).toBeGreaterThan(15 * mebibyte);
  const before = await written(gateway);
  const again = await put(gateway, item, body, request);
  expect(isReplay(again)).toBe(true);
  expect(again.text === first.text).toBe(true);
  expect({ ...shown(again), text: '' }).toEqual({ ...shown(first), text: '' });
  expect(await written(gateway)).toEqual(before);
});

test('files of any size in an answer are not kept with it, and are there again when it is', async () => {
  const item = await createItem(gateway);
  const request = keyed();
  await put(gateway, item, { attachments: [file(10)] });
  // As several files would be, which no single request could bring.
  const grown = `UPDATE attachment_contents SET content = decode(repeat('07', ${26 * mebibyte}), 'hex'), digest = NULL
    WHERE attachment_id IN (SELECT id FROM attachments WHERE item_id = '${item.id}')`;
  await gateway.database.prisma.$executeRawUnsafe(grown);
  const first = await put(gateway, item, { name: 'Renamed' }, request);
  expect([first.status, first.json.name]).toEqual([200, 'Renamed']);
  expect(first.text.length).toBeGreaterThan(32 * mebibyte);
  const before = await written(gateway);
  const again = await put(gateway, item, { name: 'Renamed' }, request);
  expect([again.status, isReplay(again)]).toEqual([200, true]);
  expect(again.text === first.text).toBe(true);
  expect(await written(gateway)).toEqual(before);
  const other = await put(gateway, item, { name: 'Again' }, request);
  expect(other.status).toBe(422);
});
