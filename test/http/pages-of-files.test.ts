import { createCanvas, GlobalFonts, loadImage } from '@napi-rs/canvas';
import { beforeAll, expect, test } from 'vitest';
import { fonts } from '../../bench/fonts/fonts.mjs';
import { createItem } from '../rest/items.support.js';
import { createTenant, type Tenant, useGateway } from '../support/gateway.js';
import { pdf, plain, stream } from '../uploads/pdf.support.js';
import { drawLines, pngOfSize } from '../uploads/pictures.support.js';

const gateway = useGateway();

let foreign: Tenant;
const ids: Record<string, string> = {};

const files = {
  picture: ['image/jpeg', drawLines(['Valid until 15 July 2031'])],
  pdf: ['application/pdf', pdf([stream('50 700 9 9 re f'), stream('50 700 99 9 re f')])],
  words: ['application/pdf', pdf([plain([[50, 700, 'Page one']])])],
  large: ['image/png', pngOfSize(30_000, 30_000)],
  text: ['text/plain', Buffer.from('no picture')],
} as const;

beforeAll(async () => {
  foreign = await createTenant(gateway.database, 'Foreign');
  for (const [name, [contentType, bytes]] of Object.entries(files)) {
    const content = Buffer.from(bytes).toString('base64');
    const item = await createItem(gateway, { attachments: [{ name, contentType, content }] });
    ids[name] = item.attachments[0].id;
  }
});

const ask = (name: string, page: string, headers: Record<string, string> = {}, token = gateway.viewer) =>
  fetch(`${gateway.url}/attachments/${ids[name]}?page=${page}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });

/** Tells whether a page has anything dark on it, and checks its size. */
async function isDrawnOn(response: Response) {
  const image = await loadImage(Buffer.from(await response.arrayBuffer()));
  expect(Math.max(image.width, image.height)).toBeLessThanOrEqual(1_600);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return data.some((part, at) => at % 4 < 3 && part < 100);
}

test('a page of a PDF and a picture are answered as a JPEG, with the number of pages', async () => {
  for (const [name, page, count] of [
    ['picture', '1', '1'],
    ['pdf', '2', '2'],
  ] as const) {
    const response = await ask(name, page);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    expect(response.headers.get('x-page-count')).toBe(count);
    expect(await isDrawnOn(response)).toBe(true);
  }
});

/** Whether the machine has a font of its own; those of packages are in this process alone. */
const hasFonts = GlobalFonts.families.some(({ family }) => !Object.values<string>(fonts).includes(family));

test('words in a font that is not in the PDF are drawn, unless the machine has none', async () => {
  const response = await ask('words', '1');
  if (hasFonts) expect(await isDrawnOn(response)).toBe(true);
  else expect(response.status).toBe(404);
});

test('a page that is known is not drawn again', async () => {
  const first = await ask('picture', '1');
  const etag = first.headers.get('etag') ?? '';
  await first.arrayBuffer();
  const again = await ask('picture', '1', { 'if-none-match': etag });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const head = await fetch(`${gateway.url}/attachments/${ids.picture}?page=1`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${gateway.viewer}` },
  });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
});

test('pages that do not exist or cannot be drawn are not found', async () => {
  for (const [name, page] of [
    ['picture', '2'],
    ['pdf', '3'],
    ['pdf', '99999'],
    ['large', '1'],
    ['text', '1'],
  ] as const) {
    const response = await ask(name, page);
    expect([name, page, response.status]).toEqual([name, page, 404]);
    expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' });
  }
  for (const page of ['0', '-1', 'x', '1.5', '1e1', '']) expect((await ask('pdf', page)).status).toBe(400);
});

test('foreign files have no pages, and a token that only sends uploads sees none', async () => {
  expect((await ask('pdf', '1', {}, foreign.admin)).status).toBe(404);
  expect((await ask('pdf', '1', {}, gateway.uploader)).status).toBe(403);
});

test('no organization, and no person of one, is refused pages because of another', async () => {
  const [contentType, bytes] = files.pdf;
  const content = Buffer.from(bytes).toString('base64');
  const attachments = [{ name: 'foreign', contentType, content }];
  ids.foreign = (await createItem(gateway, { attachments }, foreign.admin)).attachments[0].id;
  const asked = await Promise.all([
    ...Array.from({ length: 20 }, () => ask('foreign', '1', {}, foreign.admin)),
    ...Array.from({ length: 20 }, () => ask('pdf', '1')),
    ask('pdf', '1', {}, gateway.admin),
    ask('picture', '1', {}, gateway.admin),
  ]);
  const statuses = asked.map(({ status }) => status);
  expect(statuses.slice(0, 40)).toContain(503);
  expect(statuses.slice(40)).toEqual([200, 200]);
});

test('too many pages at once are refused for a moment', async () => {
  const responses = await Promise.all(Array.from({ length: 30 }, () => ask('pdf', '1')));
  const statuses = responses.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  for (const { status, headers } of responses)
    if (status === 503) expect(headers.get('retry-after')).toBe('2');
});
