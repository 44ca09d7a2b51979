import { readFile } from 'node:fs/promises';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { sha256Of } from '../../db/files/contents.js';
import { formatDate } from '../../domain/dates.js';
import {
  age,
  type DemoContext,
  type DemoData,
  type DemoFile,
  type DemoIds,
  dateFrom,
  daysFrom,
  writePdf,
} from './data.js';

/** A text to write into a picture, starting at a point. */
interface Caption {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Characters in the strip below the picture, from the left, all of the same width. */
const characters = '0123456789-';
const [glyphWidth, glyphHeight, stripHeight] = [15, 24, 28];

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** Splits a PNG into its chunks. */
function readChunks(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 8; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

function writeChunk({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/**
 * Writes texts into a PNG. Their characters are copied from a strip below the picture, which is then cut off.
 * The picture has a palette, one byte per pixel, and unfiltered rows.
 */
function writeInto(png: Buffer, captions: readonly Caption[]): Buffer<ArrayBuffer> {
  const chunks = readChunks(png);
  const dataOf = (wanted: string) =>
    Buffer.concat(chunks.filter(({ type }) => type === wanted).map(({ data }) => data));
  const head = Buffer.from(dataOf('IHDR'));
  const row = head.readUInt32BE(0) + 1;
  const height = head.readUInt32BE(4) - stripHeight;
  const pixels = inflateSync(dataOf('IDAT'));
  for (const { text, x, y } of captions) {
    for (const [at, character] of [...text].entries()) {
      const from = characters.indexOf(character) * glyphWidth;
      for (let line = 0; line < glyphHeight; line++) {
        const source = (height + line) * row + 1 + from;
        const target = (y + line) * row + 1 + x + at * glyphWidth;
        pixels.copyWithin(target, source, source + glyphWidth);
      }
    }
  }
  head.writeUInt32BE(height, 4);
  const written = [
    { type: 'IHDR', data: head },
    { type: 'PLTE', data: dataOf('PLTE') },
    { type: 'IDAT', data: deflateSync(pixels.subarray(0, height * row)) },
    { type: 'IEND', data: Buffer.alloc(0) },
  ];
  return Buffer.concat([png.subarray(0, 8), ...written.map(writeChunk)]);
}

/** Dates of a document. Like the item's date, they count from the day on which the demo is loaded. */
interface Dates {
  readonly issued: Date;
  readonly expires: Date;
}

/** Creates the bytes of a file. Its item's dates replace `{issued}` and `{expires}`. */
async function contentOf({ text, pdf, picture }: DemoFile, dates: Dates, { language, footer }: DemoData) {
  if (pdf) {
    const locale = language === 'en' ? 'en-CA' : language;
    const longDate = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
    const dated = (words: string) =>
      words.replace(/\{(issued|expires)\}/g, (_, name: keyof Dates) => longDate.format(dates[name]));
    const rows = pdf.rows.map(([label, value]) => [label, dated(value)] as const);
    return { contentType: 'application/pdf', content: writePdf({ ...pdf, rows, footer }) };
  }
  if (picture) {
    const png = await readFile(new URL(`../../../prisma/${picture.source}`, import.meta.url));
    const captions = (['issued', 'expires'] as const).map((name) => ({
      ...picture[name],
      text: formatDate(dates[name]),
    }));
    return { contentType: 'image/png', content: writeInto(png, captions) };
  }
  return { contentType: 'text/plain', content: Buffer.from(text ?? '') };
}

/** Creates the rows of files, and of their bytes. */
export async function fileRows(data: DemoData, ids: DemoIds, { organizationId, teamId, now }: DemoContext) {
  const daysOf = new Map(data.items.map((item) => [item.name, item.days ?? 0]));
  const files = data.files.map(async (file) => {
    const { item, name, validDays = 0 } = file;
    const days = daysOf.get(item) ?? 0;
    const dates = { issued: dateFrom(now, days - validDays), expires: dateFrom(now, days) };
    const { contentType, content } = await contentOf(file, dates, data);
    const [id, itemId] = [ids.attachment(name), ids.item(item)];
    // A document cannot be filed before it was issued.
    const created = daysFrom(now, validDays > 0 ? Math.max(days - validDays, -age) : -age);
    const head = { id, organizationId, teamId, itemId, name, contentType, position: 0, created };
    const digest = await sha256Of(content);
    return { head: { ...head, contentLength: content.length }, bytes: { attachmentId: id, content, digest } };
  });
  const rows = await Promise.all(files);
  return { attachments: rows.map(({ head }) => head), contents: rows.map(({ bytes }) => bytes) };
}
