// A separate program, started by read-picture.ts. It reads a picture or a PDF from stdin, and writes the barcodes and
// words that it recognizes on each page as JSON to stdout; if it cannot, its exit status is not 0. Everything that it
// needs is in packages: it sends no requests.

import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { createCanvas } from '@napi-rs/canvas';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { guard, writeLine } from './guard.mjs';
import { drawPages } from './pages.mjs';
import { rowsOf, startRecognizer } from './recognizers.mjs';
import { skewOf } from './skew.mjs';

/** @typedef {import('@napi-rs/canvas').Canvas} Canvas */

/** @type {import('./read-document.js').PictureLimits} */
const limits = JSON.parse(process.argv[2] ?? '');
guard(limits);

const wasm = readFileSync(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });

const round = (/** @type {number} */ part) => Math.round(Math.min(1, Math.max(0, part)) * 10_000) / 10_000;

/** Reads the barcodes of a page. @param {Canvas} canvas */
async function readCodes(canvas) {
  const { width, height } = canvas;
  const pixels = canvas.getContext('2d').getImageData(0, 0, width, height);
  const codes = await readBarcodes(/** @type {any} */ (pixels), {
    // With control characters as they are.
    textMode: 'Plain',
    formats: ['QRCode', 'DataMatrix', 'PDF417', 'Aztec', 'Code128', 'DataBar'],
  });
  return codes.map(({ text, contentType, position }) => {
    const corners = [position.topLeft, position.topRight, position.bottomLeft, position.bottomRight];
    const [xs, ys] = [corners.map(({ x }) => x / width), corners.map(({ y }) => y / height)];
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    const box = [x, y, Math.max(...xs) - x, Math.max(...ys) - y].map(round);
    return { text, isGs1: contentType === 'GS1', box };
  });
}

/**
 * Draws a page so that its lines are level.
 * @param {Canvas} page
 * @returns the picture, and how a place in it is found on the page
 */
function level(page) {
  const angle = (skewOf(page, createCanvas) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [width, height] = [
    Math.round(page.width * cos + page.height * Math.abs(sin)),
    Math.round(page.height * cos + page.width * Math.abs(sin)),
  ];
  const canvas = angle === 0 ? page : createCanvas(width, height);
  if (canvas !== page) {
    const context = canvas.getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    context.imageSmoothingQuality = 'high';
    context.translate(width / 2, height / 2);
    context.rotate(-angle);
    context.drawImage(page, -page.width / 2, -page.height / 2);
  }
  const place = (/** @type {number} */ x, /** @type {number} */ y) => {
    const [right, down] = [x - canvas.width / 2, y - canvas.height / 2];
    return {
      x: (right * cos - down * sin) / page.width + 0.5,
      y: (right * sin + down * cos) / page.height + 0.5,
    };
  };
  return { canvas, place };
}

/**
 * Recognizes the words of a page. Words far apart in a line are separated by a tab, like the columns of a table.
 * @param {Canvas} page
 * @param {import('./recognizers.mjs').Recognize} recognize
 */
async function readWords(page, recognize) {
  const { canvas, place } = level(page);
  // Tesseract.js copies a picture byte by byte into an object of 50 times its size, so it must be small.
  const rows = rowsOf(await recognize(canvas.toBuffer('image/jpeg', 92)));
  return rows.flatMap((words, row) =>
    words.map(({ text, confidence, left, top, width, height }, index) => {
      const last = words[index - 1];
      const gap = last && left - last.left - last.width > (2 * width) / text.length ? '\t' : ' ';
      const before = last ? gap : row > 0 ? '\n' : '';
      const corners = [
        place(left, top),
        place(left + width, top),
        place(left, top + height),
        place(left + width, top + height),
      ];
      const [x, y] = [Math.min(...corners.map((one) => one.x)), Math.min(...corners.map((one) => one.y))];
      const end = [Math.max(...corners.map((one) => one.x)), Math.max(...corners.map((one) => one.y))];
      const size = [(end[0] ?? x) - x, (end[1] ?? y) - y];
      return [text, before, Math.round(confidence), ...[x, y, ...size].map(round)];
    }),
  );
}

/** @type {import('./recognizers.mjs').Recognize | undefined} */
let recognize;
for await (const { number, canvas } of drawPages(await buffer(process.stdin), limits)) {
  const codes = await readCodes(canvas);
  // A licence's barcode says everything that its words do.
  const isTold = codes.some(({ text }) => text.startsWith('@'));
  if (!isTold) recognize ??= await startRecognizer(limits.languages, limits.command);
  const parts = recognize && !isTold ? await readWords(canvas, recognize) : [];
  writeLine({ page: number, parts, codes });
  if (isTold) break;
}
process.stdout.end(() => process.exit(0));
