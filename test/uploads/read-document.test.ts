import { describe, expect, test } from 'vitest';
import { findExpiryDate } from '../../src/domain/documents/expiry-dates.js';
import { layOut } from '../../src/domain/documents/findings.js';
import {
  isPdf,
  type ReceivedFile,
  readText,
  readDocument as readWhole,
  type TextLimits,
  textLimits,
} from '../../src/uploads/reading/read-document.js';
import { cpuTimeOf } from '../support/cpu-time.js';
import { packed, pdf, pdfOf, plain, show, stream } from './pdf.support.js';

const permit = show([[72, 700, 'Expires 2031-07-15']]);
const type = 'application/pdf';
/** Whatever else the machine does meanwhile, what ends is read in time. */
const patient: TextLimits = { ...textLimits, time: 50_000 };

/** Reads a document's text; null if it has none or cannot be read. */
async function readDocument(file: ReceivedFile, limits = patient): Promise<string | null> {
  const { pages, problem } = await readText(file, limits);
  if (problem !== null && problem !== 'TOO_LARGE') return null;
  const end = isPdf(file.bytes) ? '\n' : '';
  const text = pages.map(({ parts }) => layOut(parts).text + end).join('');
  return text.slice(0, limits.characters);
}

const read = (bytes: Uint8Array, limits?: Partial<TextLimits>) =>
  readDocument({ bytes, contentType: type, filename: 'permit.pdf' }, { ...patient, ...limits });

describe('a PDF', () => {
  test('is read line by line, and its columns are separated', async () => {
    const text = await read(
      pdf([
        plain([
          [72, 760, 'Date of expiry / Date d’expiration'],
          [72, 745, '15 août 2031 (Zürich)'],
          [72, 700, 'Issued'],
          [200, 700, 'Valid until'],
          [72, 685, '15/07/2021'],
          [200, 685, '15/08/2031'],
        ]),
        packed(show([[72, 700, 'Page two']])),
      ]),
    );
    expect(text).toBe(
      'Date of expiry / Date d’expiration\n15 août 2031 (Zürich)\nIssued\tValid until\n15/07/2021\t15/08/2031\nPage two\n',
    );
    expect(findExpiryDate(text ?? '')?.date).toBe('2031-08-15');
  });

  test('is known by how it begins, whatever it is called', async () => {
    const bytes = pdf([packed(permit)]);
    const files = [{ bytes }, { bytes, contentType: 'text/plain', filename: 'a.txt' }];
    expect(await Promise.all(files.map((file) => readDocument(file)))).toEqual(
      files.map(() => 'Expires 2031-07-15\n'),
    );
  });

  test.each([
    [20, 20, null],
    [21, 20, 'TOO_LARGE'],
  ])('of %i pages is read up to page %i, and its problem is %s', async (count, last, problem) => {
    const bytes = pdf(Array.from({ length: count }, (_, index) => plain([[72, 700, `Page ${index + 1}`]])));
    const text = await readText({ bytes }, patient);
    expect(text.pages.map(({ page }) => page)).toEqual(Array.from({ length: last }, (_, index) => index + 1));
    expect(layOut(text.pages.at(-1)?.parts ?? []).text).toBe(`Page ${last}`);
    expect(text.problem).toBe(problem);
  });

  test('is read up to a number of characters', async () => {
    expect(await read(pdf([packed(permit)]), { characters: 7 })).toBe('Expires');
  });

  test('of pictures has no text', async () => {
    expect((await read(pdf([stream('0 0 595 842 re f')])))?.trim()).toBe('');
  });

  test('with a password is not read', async () => {
    const key = `<${'5a'.repeat(32)}>`;
    const locked = `/Encrypt<</Filter/Standard/V 1/R 2/O ${key}/U ${key}/P -4>>/ID[${key}${key}]`;
    const objects = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>',
      stream(permit),
    ];
    expect(await read(pdfOf(objects))).not.toBeNull();
    expect(await read(pdfOf(objects, locked))).toBeNull();
  });
});

describe('a file that is no document', () => {
  const bytes = pdf([packed(permit)]);
  test.each<[string, Uint8Array]>([
    ['of no bytes', new Uint8Array()],
    ['that stops early', bytes.subarray(0, 200)],
    ['of the first line alone', bytes.subarray(0, 9)],
    ['of garbage', Buffer.concat([bytes.subarray(0, 9), Buffer.alloc(50_000, '\xfe7\0stream ')])],
    [
      'whose pages are their own',
      pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 9>>']),
    ],
    ['of open brackets', pdfOf([`<</Type/Catalog/Pages ${'['.repeat(500_000)}>>`])],
  ])('%s', async (_, bytes) => {
    expect(await read(bytes)).toBeNull();
  });
});

// Each of them begins with the text of a permit, which is not read because the rest ends the process that reads it.
describe('a file made to harm', () => {
  const mebibyte = 2 ** 20;

  test('that unpacks to more than there is', async () => {
    const bomb = packed(Buffer.concat([Buffer.from(permit), Buffer.alloc(128 * mebibyte, ' ')]));
    expect(await read(pdf([bomb]), { memory: 128 * mebibyte })).toBeNull();
  });

  test('that fills the heap', async () => {
    const bomb = packed(
      Buffer.concat([Buffer.from(permit), Buffer.alloc(4 * mebibyte, 'BT 9 9 Td(abc)Tj ET ')]),
    );
    expect(await read(pdf([bomb]), { heap: 32 * mebibyte })).toBeNull();
  });

  test('that never ends', async () => {
    // Each form shows the next one twice.
    const forms = Array.from({ length: 40 }, (_, index) => {
      const next = `/Resources<</XObject<</X ${index + 5} 0 R>>>>`;
      return stream(index < 39 ? '/X Do /X Do' : permit, `/Type/XObject/Subtype/Form/BBox[0 0 9 9]${next}`);
    });
    const file = pdf([stream(`${permit} /X Do`)], '/XObject<</X 4 0 R>>', forms);
    expect(await read(file, { time: 1_000 })).toBeNull();
  });
});

test("a process that cannot be started is not the document's fault", async () => {
  const { execPath } = process;
  process.execPath = '/nowhere/node';
  try {
    await expect(read(pdf([packed(permit)]))).rejects.toThrow('ENOENT');
  } finally {
    process.execPath = execPath;
  }
});

describe('a text file', () => {
  const text = 'Gültig bis: 2031-07-15 §';
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  test.each<[string, Uint8Array]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16, the low byte first', utf16],
    ['UTF-16, the high byte first', Buffer.from(utf16).swap16()],
    ['Latin-1', Buffer.from(text, 'latin1')],
  ])('in %s', async (_, bytes) => {
    expect(await readDocument({ bytes, contentType: 'text/plain; charset=whatever' })).toBe(text);
  });

  test('is known by its type, or by its name when the type says nothing', async () => {
    const bytes = Buffer.from('a;b');
    const known = [
      ...[
        { contentType: 'text/plain' },
        { contentType: 'Text/CSV' },
        { filename: 'a.TXT' },
        { filename: 'a.csv' },
      ],
      { contentType: 'application/octet-stream', filename: 'a.txt' },
      { contentType: null, filename: 'a.txt' },
    ];
    const unknown = [
      ...[{}, { filename: 'txt' }, { filename: 'a.docx' }, { contentType: 'image/png', filename: 'a.txt' }],
      { contentType: null, filename: null },
    ];
    expect(await Promise.all(known.map((file) => readDocument({ bytes, ...file })))).toEqual(
      known.map(() => 'a;b'),
    );
    expect(await Promise.all(unknown.map((file) => readDocument({ bytes, ...file })))).toEqual(
      unknown.map(() => null),
    );
  });

  test('is cut at 200,000 characters, never within one', async () => {
    const bytes = Buffer.from('€'.repeat(300_000));
    expect(await readDocument({ bytes, contentType: 'text/plain' })).toBe('€'.repeat(200_000));
    const cars = Buffer.from(`x${'🚗'.repeat(200_000)}`);
    expect((await readDocument({ bytes: cars, contentType: 'text/plain' }))?.isWellFormed()).toBe(true);
  });

  test('with NUL is not one', async () => {
    expect(await readDocument({ bytes: Buffer.from('a\0b'), contentType: 'text/plain' })).toBeNull();
  });

  test('that is all labels and dates is searched in a process of its own', async () => {
    const bytes = Buffer.from('2031-01-01 Expires\n'.repeat(10_500));
    const options = { today: new Date('2026-11-27'), ocr: 'off', ocrCommand: '' } as const;
    const reading = readWhole({ bytes, contentType: 'text/plain' }, options);
    expect(await cpuTimeOf(() => reading)).toBeLessThan(8_000);
    expect((await reading).findings).toMatchObject([{ value: '2031-01-01', words: expect.any(String) }]);
  });

  test('in HTML is what it shows', async () => {
    const bytes = Buffer.from(
      '<style>1</style><script>2</script><table><tr><td>Expires<td>2031-07-15</table><p>Bo &amp; Jo',
    );
    expect(await readDocument({ bytes, contentType: 'text/html' })).toBe('Expires\t2031-07-15\n\nBo & Jo');
    expect(await readDocument({ bytes: Buffer.from('<p>Bo'), filename: 'a.html' })).toBe('Bo');
  });

  test('in HTML nested on purpose is read in bounded time', async () => {
    const bytes = Buffer.from('<ul><li>x'.repeat(100_000));
    expect(await cpuTimeOf(() => readDocument({ bytes, contentType: 'text/html' }))).toBeLessThan(8_000);
  });
});
