// A separate program, started by read-text.ts. It reads a PDF from stdin, and writes the words of each page as JSON to
// stdout; if there are none, its exit status is not 0. It is plain JavaScript, so that the same file runs compiled and
// in tests.

import { buffer } from 'node:stream/consumers';
import { getDocument, OPS } from 'unpdf/pdfjs';
import { endWith, guard, writeLine } from './guard.mjs';
import { hiddenWords } from './hidden-words.mjs';
import { addTransfer } from './transfer.mjs';

/** @type {import('./read-document.js').TextLimits} */
const limits = JSON.parse(process.argv[2] ?? '');
guard(limits);
addTransfer();

const round = (/** @type {number} */ part) => Math.round(Math.min(1, Math.max(0, part)) * 10_000) / 10_000;

/** Confidence of words that whoever looks at the page does not see. It is too little to be used unseen. */
const unseen = 60;

/** Looks as if it had a date. Only the words of such pages are looked at. */
const dated = /(?:19|20)\d\d|\d[./-]\d{1,2}[./-]\d\d/;

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
  const isDated = items.some((item) => 'str' in item && dated.test(item.str));
  const isHidden = isDated ? await hiddenWords(await withoutPictures(page.pageNumber)) : () => false;
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
      parts.push([text, before, isHidden(item) ? unseen : 100, ...box.map(round), ...size.map(round)]);
      left -= before.length + text.length;
      before = '';
    }
    if (item.hasEOL) before += '\n';
    letter = item.height || letter;
  }
  return { parts, length: most - left };
}

/** Writes the name of a field as words: `valid_until` and `ValidUntil` are `valid until`. @param {string} name */
const wordsOf = (name) =>
  name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_.[\]-]+/g, ' ')
    .trim();

/**
 * Extracts what the fields of a form contain, each in a line with its name.
 * @param {import('unpdf/pdfjs').PDFPageProxy} page
 * @param {number} most characters
 * @param {number} mostParts
 */
async function readFields(page, most, mostParts) {
  const viewport = page.getViewport({ scale: 1 });
  const { width, height } = viewport;
  /** @type {import('../../domain/documents/findings.js').PagePart[]} */
  const parts = [];
  let left = most;
  for (const { fieldName, alternativeText, fieldValue, rect, hidden } of await page.getAnnotations()) {
    if (left <= 0 || parts.length + 2 > mostParts) break;
    if (hidden || typeof fieldName !== 'string' || typeof fieldValue !== 'string' || !fieldValue.trim())
      continue;
    const label = wordsOf(alternativeText || (fieldName.split('.').at(-1) ?? '')).slice(0, 200);
    const value = fieldValue.slice(0, left);
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = viewport.convertToViewportRectangle(rect);
    const box = [Math.min(x0, x1) / width, Math.min(y0, y1) / height];
    const size = [Math.abs(x1 - x0) / width, Math.abs(y1 - y0) / height];
    parts.push([label, '\n', 100], [value, '\t', 100, ...box.map(round), ...size.map(round)]);
    left -= label.length + value.length + 2;
  }
  return { parts, length: most - left };
}

/** Characters of a page up to which its pictures are looked at. Scanners and their programs add a footer. */
const fewCharacters = 200;

/**
 * Returns the part of a page that its largest picture covers.
 * @param {import('unpdf/pdfjs').PDFPageProxy} page
 */
async function coverOf(page) {
  const { fnArray, argsArray } = await page.getOperatorList();
  const { width, height } = page.getViewport({ scale: 1 });
  const pictures = [OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject];
  // The area of the unit square, in which a picture is drawn.
  let area = 1;
  /** @type {number[]} */
  const saved = [];
  let most = 0;
  for (const [at, operation] of fnArray.entries()) {
    const [a, b, c, d] = argsArray[at]?.[0]?.length === 6 ? argsArray[at][0] : (argsArray[at] ?? []);
    if (operation === OPS.save || operation === OPS.paintFormXObjectBegin) saved.push(area);
    if (operation === OPS.transform || (operation === OPS.paintFormXObjectBegin && a !== undefined))
      area *= Math.abs(a * d - b * c);
    if (operation === OPS.restore || operation === OPS.paintFormXObjectEnd) area = saved.pop() ?? 1;
    if (pictures.includes(operation)) most = Math.max(most, area);
  }
  return round(most / (width * height));
}

const bytes = await buffer(process.stdin);

/** @type {Promise<import('unpdf/pdfjs').PDFDocumentProxy> | undefined} */
let bare;

/** Returns a page on which no picture is drawn, because decoding them takes long. @param {number} page */
async function withoutPictures(page) {
  bare ??= getDocument({ data: new Uint8Array(bytes), maxImageSize: 0, verbosity: 0 }).promise;
  return (await bare).getPage(page);
}

const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise.catch((error) => {
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
  const shown = await document.getPage(page);
  const { parts, length } = await readPage(shown, left, leftParts);
  const fields = await readFields(shown, left - length, leftParts - parts.length);
  const cover = length > 0 && length < fewCharacters ? await coverOf(shown) : 0;
  writeLine({ page, parts: [...parts, ...fields.parts], codes: [], cover });
  left -= length + fields.length + 1;
  leftParts -= parts.length + fields.parts.length;
}
