import { deflateSync } from 'node:zlib';

export { trustedDate } from '../../src/domain/documents/finding.js';

/** A text at a position of an A4 page, in points from the lower left corner. */
export type Placed = readonly [x: number, y: number, text: string];

/** Returns the content stream that shows texts in 12 points. */
export function show(texts: readonly Placed[]): string {
  const lines = texts.map(([x, y, text]) => {
    // WinAnsi, the fonts' encoding, has the typographic apostrophe at 0x92; the other letters in these tests
    // are Latin-1.
    const escaped = text.replace(/[()\\]/g, '\\$&').replaceAll('’', '\x92');
    return `BT /F1 12 Tf ${x} ${y} Td (${escaped}) Tj ET`;
  });
  return lines.join('\n');
}

/** Returns a stream object; `dictionary` adds to its entries. */
export function stream(content: string | Uint8Array, dictionary = ''): string {
  const text = typeof content === 'string' ? content : Buffer.from(content).toString('latin1');
  return `<</Length ${text.length}${dictionary}>>\nstream\n${text}\nendstream`;
}

/**
 * Returns a PDF file of these objects, numbered from 1, the catalog first; `trailer` adds to the trailer's
 * entries.
 */
export function pdfOf(objects: readonly string[], trailer = ''): Uint8Array {
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  const end = `trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + table + end, 'latin1');
}

/**
 * Returns a PDF with a page for each content stream. `resources` may refer to `others`, the objects from
 * number 4 on.
 */
export function pdf(pages: readonly string[], resources = '', others: readonly string[] = []): Uint8Array {
  const first = 4 + others.length;
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ');
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...others,
    ...pages.flatMap((content, index) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>${resources}>>` +
        `/Contents ${first + 2 * index + 1} 0 R>>`,
      content,
    ]),
  ]);
}

/** Returns a page's content, uncompressed or compressed as most programs write it. */
export const plain = (texts: readonly Placed[]) => stream(show(texts));
export const packed = (content: string | Uint8Array) => {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  return stream(deflateSync(bytes), '/Filter/FlateDecode');
};
