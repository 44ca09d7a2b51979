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

/** Pixels of the side of a page's sample, which shows where its top is. */
const sample = 700;

/** Confidence from which words are upright. Below the lower one, the sample is turned over. */
const upright = { least: 70, not: 55 };

/**
 * Turns a picture clockwise.
 * @param {Canvas} page
 * @param {number} quarters
 * @returns the picture, and how a place in it is found on the page, both in parts of their sides
 */
function turn(page, quarters) {
  if (quarters === 0)
    return { canvas: page, place: (/** @type {number} */ x, /** @type {number} */ y) => ({ x, y }) };
  const isAcross = quarters % 2 === 1;
  const canvas = createCanvas(isAcross ? page.height : page.width, isAcross ? page.width : page.height);
  const context = canvas.getContext('2d');
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((quarters * Math.PI) / 2);
  context.drawImage(page, -page.width / 2, -page.height / 2);
  const place = (/** @type {number} */ x, /** @type {number} */ y) => {
    if (quarters === 1) return { x: y, y: 1 - x };
    return quarters === 2 ? { x: 1 - x, y: 1 - y } : { x: 1 - y, y: x };
  };
  return { canvas, place };
}

/** Cuts the square with the most words out of a page. Its brightness changes most there. @param {Canvas} page */
function sampleOf(page) {
  const [width, height] = [Math.min(sample, page.width), Math.min(sample, page.height)];
  let [left, top, most] = [0, 0, -1];
  for (const row of [0, 0.5, 1])
    for (const column of [0, 0.5, 1]) {
      const [x, y] = [Math.round(column * (page.width - width)), Math.round(row * (page.height - height))];
      const { data } = page.getContext('2d').getImageData(x, y, width, height);
      let changes = 0;
      // Every third line is enough. Green is most of the brightness.
      for (let at = 1; at < data.length - 4; at += 4) {
        if (Math.floor(at / (4 * width)) % 3 > 0) at += 8 * width;
        else if (Math.abs((data[at] ?? 0) - (data[at + 4] ?? 0)) > 60) changes += 1;
      }
      if (changes > most) [left, top, most] = [x, y, changes];
    }
  const canvas = createCanvas(width, height);
  canvas.getContext('2d').drawImage(page, -left, -top);
  return canvas;
}

/**
 * Returns how certain the words of a sample are, and if they lie sideways. The certainty is the mean of their
 * letters, or 0 if there are hardly any.
 * @param {Canvas} part
 * @param {import('./recognizers.mjs').Recognize} recognize
 */
async function wordsIn(part, recognize) {
  const words = rowsOf(await recognize(part.toBuffer('image/jpeg', 92))).flat();
  const sum = (/** @type {(word: import('./recognizers.mjs').Word) => number} */ of) =>
    words.reduce((all, word) => all + word.text.length * of(word), 0);
  const letters = sum(() => 1);
  return {
    certainty: letters < 20 ? 0 : sum(({ confidence }) => confidence) / letters,
    isSideways: sum(({ width, height }) => (height > width ? 1 : 0)) > letters / 2,
  };
}

/**
 * Finds how a page must be turned so that its words are upright. It looks at a part of it, because a whole page that is
 * upside down takes ten seconds to read, and says nothing. Tesseract itself reads lines that run downwards.
 * @param {Canvas} page
 * @param {import('./recognizers.mjs').Recognize} recognize
 * @returns quarters, clockwise
 */
async function turnsOf(page, recognize) {
  const part = sampleOf(page);
  const before = await wordsIn(part, recognize);
  if (before.certainty >= upright.not) return before.isSideways ? 3 : 0;
  const after = await wordsIn(turn(part, 2).canvas, recognize);
  if (after.certainty < upright.least) return 0;
  return after.isSideways ? 1 : 2;
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
  const turned = turn(page, await turnsOf(page, recognize));
  const levelled = level(turned.canvas);
  const { canvas } = levelled;
  const place = (/** @type {number} */ left, /** @type {number} */ top) => {
    const { x, y } = levelled.place(left, top);
    return turned.place(x, y);
  };
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
