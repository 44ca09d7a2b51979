/** A document of one page, as the demo's data describes it. */
export interface PageText {
  /** The issuing company. */
  readonly issuer: string;
  readonly address: string;
  readonly title: string;
  /** Labels with their values, one line each. */
  readonly rows: readonly (readonly [label: string, value: string])[];
  /** Lines of text below. */
  readonly text: readonly string[];
}

/** Width and height of a letter page, and its margin, in points. */
const [width, height, margin] = [612, 792, 64];

type Font = 'F1' | 'F2';

const escaped = (text: string) => text.replace(/[\\()]/g, '\\$&');

const writing = (text: string, y: number, size: number, font: Font = 'F1', x = margin) =>
  `BT /${font} ${size} Tf ${x} ${y} Td (${escaped(text)}) Tj ET`;

const line = (y: number) => `${margin} ${y} m ${width - margin} ${y} l S`;

/** Draws the page: a band with the issuer, a title, a table, and text. */
function drawPage({ issuer, address, title, rows, text }: PageText): string {
  const top = 600;
  const step = 30;
  const below = top - rows.length * step - 20;
  return [
    `0.12 0.30 0.42 rg 0 ${height - 96} ${width} 96 re f 1 g`,
    writing(issuer, height - 56, 20, 'F2'),
    writing(address, height - 78, 10),
    '0.1 g 0.75 G 0.5 w',
    writing(title, height - 146, 24, 'F2'),
    ...rows.flatMap(([label, value], at) => [
      writing(label, top - at * step, 11),
      writing(value, top - at * step, 12, 'F2', margin + 150),
      line(top - at * step - 10),
    ]),
    ...text.map((words, at) => writing(words, below - at * 18, 11)),
    '0.45 g',
    writing('Made for the demo: the companies, people and numbers in it are invented.', 48, 9),
  ].join('\n');
}

/** Writes a document of one page as a PDF. It uses the standard fonts of every reader. */
export function writePdf(page: PageText): Buffer<ArrayBuffer> {
  const content = drawPage(page);
  const font = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>`,
    `<</Length ${Buffer.byteLength(content, 'latin1')}>>\nstream\n${content}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<</Title(${escaped(page.title)})>>`,
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${file}${table}trailer\n<</Size ${size}/Root 1 0 R/Info 7 0 R>>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  );
}
