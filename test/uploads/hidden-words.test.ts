import { describe, expect, test } from 'vitest';
import { readDocument } from '../../src/uploads/reading/read-document.js';
import { pdf, pdfOf, show, stream, trustedDate } from './pdf.support.js';

/** Reads a PDF: its dates with their confidence, and the one that is used unseen. */
async function read(bytes: Uint8Array) {
  const { findings, problem } = await readDocument(
    { bytes, filename: 'a.pdf' },
    { ocr: 'off', ocrCommand: '', today: new Date('2026-11-25T00:00:00Z') },
  );
  const dates = findings.map(({ value, confidence }) => [value, confidence]);
  return { dates, trusted: trustedDate(findings), problem };
}

/** Reads a page of a PDF with these operators. */
const readPage = (...content: string[]) =>
  read(pdf([stream(content.join('\n'))], '/ExtGState<</Half<</ca 0.4>>>>'));

const words = show([
  [72, 740, 'Certificate of training of the company, in force'],
  [72, 700, 'Expires 2031-07-15'],
]);
const seen = { dates: [['2031-07-15', 95]], trusted: '2031-07-15', problem: null };
const unseen = { dates: [['2031-07-15', 60]], trusted: null, problem: null };

describe('a date that nobody sees is not used unseen', () => {
  test.each<[string, string[]]>([
    ['white on white', ['1 g', words]],
    ['white on a white box', ['1 g 0 0 595 842 re f', words]],
    ['nearly white', ['0.98 0.97 0.99 rg', words]],
    ['under a black box', ['0 g', words, '60 690 300 25 re f']],
    ['under a white box', ['0 g', words, '1 g 60 690 300 25 re f']],
    ['under a box that was drawn as lines', ['0 g', words, '60 690 m 360 690 l 360 715 l 60 715 l h f']],
    ['under a box on a page that is scaled', ['q 0.5 0 0 0.5 0 0 cm', words, '60 690 300 25 re f Q']],
    [
      'white in lines of a paragraph',
      ['1 g BT /F1 12 Tf 14 TL 72 700 Td (Certificate of training) Tj T* (Expires 2031-07-15) Tj ET'],
    ],
  ])('%s', async (_, content) => {
    expect(await readPage(...content)).toEqual(unseen);
  });

  test('under an annotation', async () => {
    const box = stream('0 g 0 0 300 25 re f', '/Type/XObject/Subtype/Form/BBox[0 0 300 25]');
    const bytes = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[4 0 R]/Count 1>>',
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents 5 0 R/Annots[6 0 R]>>',
      stream(words),
      '<</Type/Annot/Subtype/Square/F 4/Rect[60 690 360 715]/AP<</N 7 0 R>>>>',
      box,
    ]);
    expect(await read(bytes)).toEqual(unseen);
  });
});

describe('a date that is seen is used', () => {
  test.each<[string, string[]]>([
    ['in black', [words]],
    ['white on a dark box', ['0 0 0.5 rg 0 0 595 842 re f', '1 g', words]],
    ['on a box that was filled before', ['0.9 g 60 690 300 25 re f', '0 g', words]],
    ['beside a box', [words, '0 g 300 690 100 25 re f']],
    ['in a frame', [words, '60 690 300 25 re S']],
    ['under what shines through', [words, 'q /Half gs 1 1 0 rg 60 690 300 25 re f Q']],
    ['after white words', ['q 1 g', show([[72, 650, 'A mark of the program']]), 'Q', words]],
    [
      'under a round stamp',
      [words, '1 0 0 rg 60 700 m 60 760 160 760 160 700 c 160 640 60 640 60 700 c h f'],
    ],
    ['not drawn, as above a scan', ['3 Tr', words]],
  ])('%s', async (_, content) => {
    expect(await readPage(...content)).toEqual(seen);
  });
});

test('a page with very many boxes and words is read in time', async () => {
  const boxes = Array.from({ length: 30_000 }, (_, at) => `${at % 500} ${at % 800} 5 5 re f`).join('\n');
  const texts = show(Array.from({ length: 3_000 }, (_, at) => [10 + (at % 500), at % 800, 'word']));
  const { dates, problem } = await readPage('1 g', texts, '0 g', boxes, words);
  expect([dates, problem]).toEqual([seen.dates, null]);
});
