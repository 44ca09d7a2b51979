import { createCanvas } from '@napi-rs/canvas';
import { getDocumentProxy, renderPageAsImage } from 'unpdf';
import { expect, test } from 'vitest';
import { writePdf } from '../../console/src/camera/pdf.js';

/** Creates a picture of one color. */
function pictureOf(width: number, height: number, color: string) {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = color;
  context.fillRect(0, 0, width, height);
  return { jpeg: new Uint8Array(canvas.toBuffer('image/jpeg', 90)), width, height };
}

test('pictures become a PDF of which each page is one of them', async () => {
  const blob = writePdf([pictureOf(600, 1200, '#f00'), pictureOf(1200, 600, '#00f')]);
  expect(blob.type).toBe('application/pdf');
  const document = await getDocumentProxy(new Uint8Array(await blob.arrayBuffer()), { stopAtErrors: true });
  expect(document.numPages).toBe(2);
  const sizes = [];
  for (const page of [1, 2]) sizes.push((await document.getPage(page)).view);
  // As large as A4 allows, upright and across.
  expect(sizes).toEqual([
    [0, 0, 420.95, 841.89],
    [0, 0, 841.89, 420.95],
  ]);
  const { createCanvas: create, loadImage } = await import('@napi-rs/canvas');
  for (const [page, [red, blue]] of [
    [1, [255, 0]],
    [2, [0, 255]],
  ] as const) {
    const drawn = await renderPageAsImage(document, page, { canvasImport: () => import('@napi-rs/canvas') });
    const image = await loadImage(Buffer.from(drawn));
    const canvas = create(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const { data } = canvas.getContext('2d').getImageData(image.width / 2, image.height / 2, 1, 1);
    expect([data[0], data[2]]).toEqual([expect.closeTo(red, -1), expect.closeTo(blue, -1)]);
  }
});
