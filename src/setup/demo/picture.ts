import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** A text to write into a picture, starting at a point. */
export interface Caption {
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
export function writeInto(png: Buffer, captions: readonly Caption[]): Buffer<ArrayBuffer> {
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
