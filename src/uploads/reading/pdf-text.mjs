// A separate program, started by read-text.ts. It reads a PDF from stdin, and writes the words of each page as JSON to
// stdout; if there are none, its exit status is not 0. It is plain JavaScript, so that the same file runs compiled and
// in tests.

import { buffer } from 'node:stream/consumers';
import { getDocument } from 'unpdf/pdfjs';
import { endWith, guard, writeLine } from './guard.mjs';

/** @type {import('./read-document.js').TextLimits} */
const limits = JSON.parse(process.argv[2] ?? '');
guard(limits);

const round = (/** @type {number} */ part) => Math.round(Math.min(1, Math.max(0, part)) * 10_000) / 10_000;

/**
 * Extracts a page's words. Words far apart in a line are separated by a tab.
 * @param {import('unpdf/pdfjs').PDFPageProxy} page
 * @param {number} most characters
 * @param {number} mostParts
 */
async function readPage(page, most, mostParts) {
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform;
  /** @type {import('../../domain/documents/findings.js').PagePart[]} */
  const parts = [];
  let before = '';
  let letter = 0;
  let left = most;
  for (const item of items) {
    if (left <= 0 || parts.length >= mostParts) break;
    if (!('str' in item)) continue;
    if (item.str === ' ' && item.width > 1.5 * letter) before += '\t';
    else if (item.str !== '') {
      const text = item.str.slice(0, left);
      const [, , , , x = 0, y = 0] = item.transform;
      // Its lower left corner and its upper right one, as the page is shown.
      const [x0, y0] = [a * x + c * y + e, b * x + d * y + f];
      const [right, top] = [x + item.width, y + item.height];
      const [x1, y1] = [a * right + c * top + e, b * right + d * top + f];
      const box = [Math.min(x0, x1) / width, Math.min(y0, y1) / height];
      const size = [Math.abs(x1 - x0) / width, Math.abs(y1 - y0) / height];
      parts.push([text, before, 100, ...box.map(round), ...size.map(round)]);
      left -= before.length + text.length;
      before = '';
    }
    if (item.hasEOL) before += '\n';
    letter = item.height || letter;
  }
  return { parts, length: most - left };
}

const data = new Uint8Array(await buffer(process.stdin));
const document = await getDocument({ data, verbosity: 0 }).promise.catch((error) => {
  if (error?.name === 'PasswordException') endWith('PROTECTED');
  throw error;
});
let left = limits.characters;
let leftParts = limits.parts;
writeLine({ pages: document.numPages });
for (
  let page = 1;
  page <= Math.min(document.numPages, limits.pages) && left > 0 && leftParts > 0;
  page += 1
) {
  const { parts, length } = await readPage(await document.getPage(page), left, leftParts);
  writeLine({ page, parts, codes: [] });
  left -= length + 1;
  leftParts -= parts.length;
}
