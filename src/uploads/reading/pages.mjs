// Draws pictures, and the pages of PDFs, upright. Sizes are checked before anything is decoded.
import { createCanvas, GlobalFonts, loadImage } from '@napi-rs/canvas';
import { endWith } from './guard.mjs';
import { addTransfer } from './transfer.mjs';

/** @typedef {{ width: number, height: number }} Head */
/** @typedef {import('@napi-rs/canvas').Canvas} Canvas */

/**
 * Reads the size of a JPEG from its segments.
 * @param {Buffer} bytes
 * @returns {Head | undefined}
 */
function readJpegHead(bytes) {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return undefined;
}

/**
 * Reads the size of a WebP picture, still or animated.
 * @param {Buffer} bytes
 * @returns {Head | undefined}
 */
function readWebpHead(bytes) {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    default:
      return undefined;
  }
}

/** Reads a picture's head, without decoding it. @param {Buffer} bytes */
function readHead(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return readJpegHead(bytes);
  if (bytes.toString('latin1', 0, 4) === 'RIFF') return readWebpHead(bytes);
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/**
 * Draws a picture on white, at most as large as is allowed. It is upright: decoding turns it as its metadata says.
 * @param {import('@napi-rs/canvas').Image} image
 * @param {{ side: number, least: number }} limits pixels of the longest side
 */
function draw(image, { side, least }) {
  const longest = Math.max(image.width, image.height);
  const scale = Math.min(side / longest, Math.max(1, Math.min(3, least / longest)));
  const canvas = createCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/**
 * Checks that the words of a drawn page are in it. If a font is not in the PDF, the system must have one.
 * @param {import('unpdf/pdfjs').PDFPageProxy} page
 */
async function hasAllWords(page) {
  if (GlobalFonts.families.length > 0) return true;
  const { items } = await page.getTextContent();
  const fonts = new Set(
    items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item.fontName] : [])),
  );
  return [...fonts].every((font) => page.commonObjs.has(font) && !page.commonObjs.get(font).missingFile);
}

/**
 * Draws pages, one after the other.
 * @param {Buffer} bytes a JPEG, PNG or WebP picture, or a PDF
 * @param {{ side: number, least: number, pixels: number, numbers: readonly number[] }} limits pixels of the longest side and
 *   of a picture before it is decoded; numbers of a PDF's pages
 * @returns {AsyncGenerator<{ number: number, count: number, isComplete: boolean, canvas: Canvas }>} each page, how many the
 *   file has, and whether all words are drawn
 */
export async function* drawPages(bytes, limits) {
  if (!bytes.subarray(0, 1024).includes('%PDF-')) {
    const head = readHead(bytes);
    if (!head) throw new Error('The picture has no size.');
    if (head.width * head.height > limits.pixels) endWith('TOO_LARGE');
    if (limits.numbers.includes(1))
      yield { number: 1, count: 1, isComplete: true, canvas: draw(await loadImage(bytes), limits) };
    return;
  }
  addTransfer();
  const { getDocumentProxy, renderPageAsImage } = await import('unpdf');
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).catch((error) => {
    if (error?.name === 'PasswordException') endWith('PROTECTED');
    throw error;
  });
  for (const number of limits.numbers.filter((number) => number <= pdf.numPages)) {
    const page = await pdf.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const scale = Math.min(200 / 72, limits.side / Math.max(width, height));
    const canvasImport = () => import('@napi-rs/canvas');
    const picture = await renderPageAsImage(pdf, number, { canvasImport, scale });
    const canvas = draw(await loadImage(Buffer.from(picture)), limits);
    yield { number, count: pdf.numPages, isComplete: await hasAllWords(page), canvas };
  }
}
