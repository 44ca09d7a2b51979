/** A page of a PDF: a picture as JPEG, in three colors. */
export interface PagePicture {
  readonly jpeg: Uint8Array;
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels. */
  readonly height: number;
}

/** Short and long side of A4, in points. */
const [shortSide, longSide] = [595.28, 841.89];

const encoder = new TextEncoder();

/** Rounds to hundredths, because a PDF has no exponents. */
const points = (value: number): string => String(Math.round(value * 100) / 100);

/** Returns the size of a page on A4, upright or across. It has the shape of its picture. */
function sizeOf({ width, height }: PagePicture): readonly [width: string, height: string] {
  const [across, down] = width > height ? [longSide, shortSide] : [shortSide, longSide];
  const scale = Math.min(across / width, down / height);
  return [points(width * scale), points(height * scale)];
}

/** Creates a PDF with a picture on each page. The pictures' bytes are taken over as they are. */
export function writePdf(pages: readonly PagePicture[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const offsets: number[] = [];
  let length = 0;
  const put = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? encoder.encode(part) : new Uint8Array(part);
    parts.push(bytes);
    length += bytes.length;
  };
  /** Adds the next object. Its number is its place. */
  const add = (dictionary: string, stream?: string | Uint8Array): void => {
    offsets.push(length);
    put(`${offsets.length} 0 obj\n${dictionary}\n`);
    if (stream !== undefined) {
      put('stream\n');
      put(stream);
      put('\nendstream\n');
    }
    put('endobj\n');
  };
  /** Returns the number of a page's first object. Its drawing and its picture follow. */
  const numberOf = (page: number): number => 3 + 3 * page;

  // The comment's bytes above 127 tell programs that the file is not text.
  put('%PDF-1.4\n%');
  put(new Uint8Array([0xe2, 0xe3, 0xcf, 0xd3]));
  put('\n');
  add('<< /Type /Catalog /Pages 2 0 R >>');
  const kids = pages.map((_, page) => `${numberOf(page)} 0 R`).join(' ');
  add(`<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`);
  pages.forEach((picture, page) => {
    const first = numberOf(page);
    const [width, height] = sizeOf(picture);
    const drawing = `q ${width} 0 0 ${height} 0 0 cm /Page Do Q`;
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${first + 1} 0 R ` +
        `/Resources << /XObject << /Page ${first + 2} 0 R >> >> >>`,
    );
    add(`<< /Length ${drawing.length} >>`, drawing);
    add(
      `<< /Type /XObject /Subtype /Image /Width ${picture.width} /Height ${picture.height} ` +
        `/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${picture.jpeg.length} >>`,
      picture.jpeg,
    );
  });
  const table = length;
  put(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n`);
  for (const offset of offsets) put(`${String(offset).padStart(10, '0')} 00000 n \n`);
  put(`trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return new Blob(parts, { type: 'application/pdf' });
}
