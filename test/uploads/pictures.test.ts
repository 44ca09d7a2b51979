import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { describe, expect, test } from 'vitest';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/full';
import { toPdf } from '../../bench/lib/made-documents.mjs';
import type { RowOf } from '../../src/db/sql/conditions.js';
import { trustedDate } from '../../src/domain/documents/finding.js';
import {
  canReadPictures,
  type DocumentOptions,
  drawPage,
  pictureLimits,
  readDocument,
  readPictures,
} from '../../src/uploads/reading/read-document.js';
import { ReaderEnded } from '../../src/uploads/reading/reader-process.js';
import { createFileFinder } from '../../src/uploads/worker/worker.js';
import { onlyIf } from '../support/skipping.js';
import { pdf, plain, show, stream } from './pdf.support.js';
import { drawLines, type PictureType, pngOfSize, turned, withTurn } from './pictures.support.js';

const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/full/zxing_full.wasm'));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });

const onlyOnLinux = onlyIf(process.platform === 'linux', 'Linux');

const today = new Date('2026-11-25T00:00:00Z');

const read = (bytes: Uint8Array, options: Partial<DocumentOptions> = {}) =>
  readDocument({ bytes }, { ocr: 'on', ocrCommand: 'tesseract', today, ...options });

/** Reads a document's expiration dates. */
async function datesIn(bytes: Uint8Array, options?: Partial<DocumentOptions>) {
  const { findings } = await read(bytes, options);
  return findings.filter(({ field }) => field === 'expiration_date');
}

const licence = ['Trade licence', 'Issued 3 February 2024', 'Valid until: 15 July 2031'];
const more = [
  'This document is only valid together with the receipt',
  'of the yearly fee. The holder has to show it on request,',
  'and to report any change of address without delay.',
  'Loss or theft must be reported to the issuing office.',
  'The office may revoke it if a condition is not met.',
];

describe('a picture', () => {
  test('has the date where the finding says', async () => {
    const [date, ...others] = await datesIn(drawLines(licence));
    expect(others).toEqual([]);
    expect(date).toMatchObject({ value: '2031-07-15', source: 'OCR', page: 1 });
    expect(date?.confidence).toBeGreaterThanOrEqual(85);
    // The third line of a picture of 400 pixels, in its middle.
    expect(date?.box?.x).toBeGreaterThan(0.15);
    expect(date?.box?.x).toBeLessThan(0.3);
    expect((date?.box?.y ?? 0) * 400).toBeGreaterThan(220);
    expect(((date?.box?.y ?? 1) + (date?.box?.height ?? 1)) * 400).toBeLessThan(275);
    expect(date?.words).toContain('Valid until: 15 July 2031');
  });

  test.each<[PictureType, string, string[], string]>([
    [
      'image/jpeg',
      'de',
      ['Führerschein', 'Ausgestellt am 03.02.2024', 'Gültig bis: 15.07.2031'],
      '2031-07-15',
    ],
    ['image/webp', 'fr', ['Attestation', "Date d'expiration : 05/07/2031"], '2031-07-05'],
  ])('of type %s in %s is read', async (type, locale, lines, value) => {
    expect(await datesIn(drawLines(lines, type), { locale })).toMatchObject([{ value }]);
  });

  test.each([
    [3, 2],
    [6, 3],
    [8, 1],
  ])('is turned as its metadata says: %i', async (turn, quarters) => {
    const upright = createCanvas(300, 100);
    const context = upright.getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, 300, 100);
    context.fillStyle = '#000';
    context.fillRect(0, 0, 50, 50);
    const jpeg = withTurn(turned(upright, quarters).toBuffer('image/jpeg', 90), turn);
    const drawn = await loadImage((await drawPage(jpeg, 1))?.jpeg ?? Buffer.alloc(0));
    expect([drawn.width, drawn.height]).toEqual([300, 100]);
    context.drawImage(drawn, 0, 0);
    const darkness = [10, 290].map((x) => context.getImageData(x, 10, 1, 1).data[0] ?? 0);
    expect(darkness[0]).toBeLessThan(60);
    expect(darkness[1]).toBeGreaterThan(200);
  });

  test.each([1, 2, 3])(
    'that lies on its side or its head is read, turned by %i quarters',
    async (quarters) => {
      const page = turned(await loadImage(drawLines([...licence, ...more])), quarters);
      const [date, ...others] = await datesIn(page.toBuffer('image/jpeg', 85));
      expect([date?.value, others]).toEqual(['2031-07-15', []]);
      // The third of eight lines, in the left half of the page.
      const { x = 0, y = 0, width = 0, height = 0 } = date?.box ?? {};
      const [across, down] = [x + width / 2, y + height / 2];
      const upright = { 1: [down, 1 - across], 2: [1 - across, 1 - down], 3: [1 - down, across] }[quarters];
      expect(upright?.[0]).toBeGreaterThan(0.15);
      expect(upright?.[0]).toBeLessThan(0.4);
      expect(upright?.[1]).toBeGreaterThan(0.25);
      expect(upright?.[1]).toBeLessThan(0.4);
    },
  );

  test('with a barcode of a licence needs no recognition', async () => {
    const text =
      '@\n\u001e\rANSI 636026080102DL00410288ZA03290015DLDAQD12345678\nDCSSAMPLE\nDACJANE\nDBA07152031\nDCGUSA\r';
    const { image } = await writeBarcode(text, { format: 'PDF417', scale: 3 });
    const { findings } = await read(Buffer.from(await (image as Blob).arrayBuffer()));
    const values = findings.map(({ field, value, confidence, source }) => [field, value, confidence, source]);
    expect(values).toEqual([
      ['expiration_date', '2031-07-15', 100, 'BARCODE'],
      ['document_number', 'D12345678', 100, 'BARCODE'],
      ['name', 'JANE SAMPLE', 100, 'BARCODE'],
    ]);
    expect(trustedDate(findings)).toBe('2031-07-15');
  });

  test.each([
    ['Code128', '(01)09501101020917(10)ABC1(17)310700', '2031-07-31'],
    ['DataBarExp', '(01)09501101020917(17)310715', '2031-07-15'],
  ] as const)('of a parcel (%s) tells its date', async (format, text, day) => {
    const { image } = await writeBarcode(text, { format, scale: 3, options: 'gs1' });
    const bytes = Buffer.from(await (image as Blob).arrayBuffer());
    expect(await datesIn(bytes)).toMatchObject([{ value: day, source: 'BARCODE' }]);
  });

  test('is not read if pictures are not, and its packages are not loaded', async () => {
    const { execPath } = process;
    process.execPath = '/nowhere/node';
    try {
      expect(await read(drawLines(licence), { ocr: 'off' })).toMatchObject({
        findings: [],
        problem: 'PICTURES_OFF',
      });
    } finally {
      process.execPath = execPath;
    }
    expect([canReadPictures({ ocr: 'on' }), canReadPictures({ ocr: 'off' })]).toEqual([true, false]);
  });
});

describe('a PDF', () => {
  const scan = toPdf(drawLines(licence, 'image/jpeg'), 1240, 400, 150);

  test('that was scanned is read', async () => {
    expect(await datesIn(scan)).toMatchObject([{ value: '2031-07-15', source: 'OCR', page: 1 }]);
    expect((await drawPage(scan, 1))?.jpeg.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(await drawPage(scan, 2)).toBeNull();
  });

  test('with text has it in a box, and nothing is recognized', async () => {
    const text = pdf([plain([[100, 421, 'Certificate of insurance, valid until 2031-07-15']])]);
    const [date] = await datesIn(text, { ocr: 'off' });
    expect(date).toMatchObject({ value: '2031-07-15', source: 'TEXT', confidence: 95 });
    expect(date?.box?.y).toBeGreaterThan(0.45);
    expect(date?.box?.y).toBeLessThan(0.5);
    expect(date?.box?.x).toBeGreaterThan(0.3);
  });

  test('that was scanned is read although a program has written a line below', async () => {
    const footer = show([[72, 20, 'Scanned with CamScanner, the best program of its kind']]);
    const jpeg = drawLines(licence, 'image/jpeg');
    const image = stream(
      jpeg,
      '/Type/XObject/Subtype/Image/Width 1240/Height 400/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode',
    );
    const page = (part: number) => stream(`q 595 0 0 ${842 * part} 0 40 cm /I Do Q\n${footer}`);
    const bytes = (part: number) => pdf([page(part)], '/XObject<</I 4 0 R>>', [image]);
    expect(await datesIn(bytes(0.6))).toMatchObject([{ value: '2031-07-15', source: 'OCR' }]);
    expect(await datesIn(bytes(0.1))).toEqual([]);
  });

  test('of a thousand pages is read in part, and says so', async () => {
    const pages = Array.from({ length: 1_000 }, () => plain([]));
    expect(await read(pdf(pages))).toMatchObject({ findings: [], problem: 'TOO_LARGE' });
  });

  test('whose forms show each other ends in time', async () => {
    const form = (next: number) =>
      `<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X ${next} 0 R>>>>/Length 11>>stream\n/X Do /X Do\nendstream`;
    const forms = Array.from({ length: 40 }, (_, index) => form(index < 39 ? index + 5 : 4));
    const bytes = pdf(['<</Length 5>>stream\n/X Do\nendstream'], '/XObject<</X 4 0 R>>', forms);
    expect(await readPictures(bytes, { cpu: 3_000 })).toEqual({ pages: [], problem: 'TOO_COSTLY' });
  });
});

describe('a hostile picture', () => {
  const jpeg = drawLines(licence, 'image/jpeg');

  test.each<[string, Uint8Array, string]>([
    ['of 900 megapixels', pngOfSize(30_000, 30_000), 'TOO_LARGE'],
    ['of a size that overflows', pngOfSize(0x7fffffff, 0x7fffffff), 'TOO_LARGE'],
    ['that stops early', jpeg.subarray(0, 300), 'DAMAGED'],
    ['of its first bytes alone', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'DAMAGED'],
  ])('%s is not read', async (_, bytes, problem) => {
    const { findings, problem: told } = await read(bytes);
    expect([findings, told]).toEqual([[], problem]);
  });

  test('that says another size than it has is not read', async () => {
    const { findings, problem } = await read(pngOfSize(5_000, 9_000));
    expect(findings).toEqual([]);
    expect(problem).not.toBeNull();
  });

  test('of another kind is not taken for one', async () => {
    const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
    expect(await read(heic)).toMatchObject({ findings: [], problem: 'HEIC' });
  });

  test('that takes too long ends', async () => {
    expect((await readPictures(jpeg, { cpu: 50 })).problem).toBe('TOO_COSTLY');
    expect((await readPictures(jpeg, { memory: 2 ** 26 })).problem).toBe('TOO_COSTLY');
  });
});

test('a command counts with its memory and time, and is ended', onlyOnLinux, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'command-'));
  try {
    const program = (name: string, work: string) => {
      const path = join(folder, name);
      const text = `if (process.argv[2] === '--list-langs') console.log('eng'); else { ${work} }`;
      writeFileSync(path, `#!${process.execPath}\n${text}\n`, { mode: 0o755 });
      return path;
    };
    const own = `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'pid'))}, String(process.pid));`;
    const large = program(
      'large',
      `${own} globalThis.all = Buffer.alloc(700e6, 1); setTimeout(() => {}, 60_000);`,
    );
    const busy = program('busy', `${own} for (;;);`);
    for (const [command, change] of [
      [large, { memory: 600 * 2 ** 20 }],
      [busy, { cpu: 3_000 }],
    ] as const) {
      const { problem } = await readPictures(drawLines(['x']), { command, ...change });
      expect(problem).toBe('TOO_COSTLY');
      const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
      await expect.poll(() => existsSync(`/proc/${pid}/exe`)).toBe(false);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a reading ends when its worker stops', async () => {
  const stopped = new Error('stopped');
  await expect(readPictures(drawLines(['x']), {}, AbortSignal.abort(stopped))).rejects.toBe(stopped);
  const stop = new AbortController();
  const reading = readPictures(drawLines(licence), {}, stop.signal);
  setTimeout(() => stop.abort(stopped), 200);
  await expect(reading).rejects.toBe(stopped);
});

/** Returns the processes that read pictures for this one (Linux). */
const readers = () =>
  readdirSync('/proc').filter((name) => {
    try {
      const isOurs =
        readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === `${process.pid}`;
      return isOurs && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('read-picture.mjs');
    } catch {
      return false;
    }
  });

/** Kills the reader of a reading once it runs. */
async function killReader(reading: Promise<unknown>) {
  await expect.poll(readers).toHaveLength(1);
  process.kill(Number(readers()[0]), 'SIGKILL');
  return reading;
}

test('a reader that somebody kills says nothing about the document', onlyOnLinux, async () => {
  await expect(killReader(read(drawLines(licence)))).rejects.toBeInstanceOf(ReaderEnded);
});

test(
  'an upload whose reader is killed is tried again, and given up after a few times',
  onlyOnLinux,
  async () => {
    const { readFile } = createFileFinder({
      ...{ ocr: 'on', ocrCommand: '', hosts: [], clock: () => new Date('2026-11-20T00:00:00Z') },
      fetchFile: () => Promise.reject(new Error('It is stored.')),
    });
    const stored = { bytes: new Uint8Array(drawLines(licence)), contentType: 'image/jpeg' };
    const upload = (attempts: number) =>
      ({
        url: null,
        filename: 'scan.jpg',
        type: null,
        tags: {},
        attempts,
      }) as unknown as RowOf<'UploadNotification'>;
    const attempt = (attempts: number) =>
      readFile(upload(attempts), stored, new AbortController().signal, 'en');
    await expect(killReader(attempt(1))).rejects.toBeInstanceOf(ReaderEnded);
    await expect(killReader(attempt(3))).rejects.toBeInstanceOf(ReaderEnded);
    expect(await killReader(attempt(4))).toMatchObject({ problem: 'TOO_COSTLY' });
  },
);

const canUnshare = spawnSync('unshare', ['-n', 'true']).status === 0;

test('nothing is sent: it works without a network', onlyIf(canUnshare, 'network namespaces'), () => {
  const program = new URL('../../src/uploads/reading/read-picture.mjs', import.meta.url).pathname;
  const args = ['-n', process.execPath, program, JSON.stringify(pictureLimits)];
  const text = execFileSync('unshare', args, {
    input: drawLines(licence),
    env: {},
    stdio: 'pipe',
  }).toString();
  expect(text).toContain('["2031"');
});

const hasCommand = spawnSync('tesseract', ['--version']).status === 0;

test('words are recognized with a command', onlyIf(hasCommand, 'tesseract'), async () => {
  const [date] = await datesIn(drawLines(licence), { ocr: 'command' });
  expect(date).toMatchObject({ value: '2031-07-15', source: 'OCR' });
});

test('a command that is missing reads nothing', async () => {
  const options = { ocr: 'command', ocrCommand: '/nowhere/tesseract' } as const;
  expect((await read(drawLines(licence), options)).findings).toEqual([]);
});
