import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { totalmem } from 'node:os';
import type { OcrWay } from '../../domain/documents/finding.js';
import type { ReadPage } from '../../domain/documents/read-page.js';
import { FairQueue, type Owner } from '../../domain/load/shares.js';
import type { ReadText } from './read-text.js';
import { linesOf, type ReaderLimits, runReader } from './reader-process.js';

export interface PictureLimits extends ReaderLimits {
  /** Milliseconds of a processor. */
  readonly cpu: number;
  /** Pixels of a picture, before it is decoded. */
  readonly pixels: number;
  /** Most and least pixels of a page's longest side. Small pages are enlarged up to three times. */
  readonly side: number;
  readonly least: number;
  /** Numbers of a PDF's pages. */
  readonly numbers: readonly number[];
  /** Languages, as Tesseract names them, with the likeliest first. */
  readonly languages: readonly string[];
  /** The command that recognizes words; null for the optional packages. */
  readonly command: string | null;
}

const mebibyte = 2 ** 20;

export const pictureLimits: PictureLimits = {
  time: 120_000,
  cpu: 30_000,
  memory: 768 * mebibyte,
  heap: 256 * mebibyte,
  output: 8 * mebibyte,
  pixels: 50_000_000,
  side: 2_400,
  least: 1_800,
  numbers: [1],
  languages: ['eng', 'deu', 'fra', 'spa', 'ita', 'nld'],
  command: null,
};

/** Most pages of a document that are recognized. */
export const mostPictures = 3;

/** Settings of how pictures are read. */
export interface PictureReader {
  readonly ocr: OcrWay;
  /** The program that recognizes words with `command`. */
  readonly ocrCommand: string;
}

/** Checks that the packages are installed that pictures are read with. */
export function canReadPictures({ ocr }: Pick<PictureReader, 'ocr'>): boolean {
  const { resolve } = createRequire(import.meta.url);
  const names = ['@napi-rs/canvas', ...(ocr === 'on' ? ['tesseract.js'] : [])];
  try {
    for (const name of names) resolve(name);
    return ocr !== 'off';
  } catch {
    return false;
  }
}

/** Says how pictures are read here, or why they are not. */
export interface ReadingState {
  readonly isReady: boolean;
  readonly text: string;
}

/** Checks that pictures can be read with the settings, and says what is missing. */
export async function checkReading({ ocr, ocrCommand }: PictureReader): Promise<ReadingState> {
  if (ocr === 'off') return { isReady: true, text: 'Pictures are filed unread, because of OCR=off.' };
  if (!canReadPictures({ ocr })) {
    const text =
      'Pictures are filed unread: the optional packages are missing. Install them, or set OCR to off.';
    return { isReady: false, text };
  }
  if (ocr === 'on') return { isReady: true, text: 'Pictures are read with the optional packages.' };
  const runs = new Promise<boolean>((resolve) => {
    execFile(ocrCommand, ['--version'], { timeout: 5_000 }, (error) => resolve(error === null));
  });
  if (await runs) return { isReady: true, text: `Pictures are read with ${ocrCommand}.` };
  const text = `Words in pictures are not read: ${ocrCommand} cannot be run. Install it, or correct OCR_COMMAND.`;
  return { isReady: false, text };
}

/** Recognizes a JPEG, PNG or WebP picture by its first bytes. */
export function isPicture(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const isWebp = head.startsWith('RIFF') && head.startsWith('WEBP', 8);
  return isWebp || head.startsWith('\u00ff\u00d8\u00ff') || head.startsWith('\u0089PNG\r\n');
}

/** Bytes of memory from which two pictures are read at once. */
const roomy = 4 * 2 ** 30;

/** The memory of the machine, or less if its container may use no more. */
const memory = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());

/** Queue of what is read. Each reading needs a processor and memory, so a small machine has room for one. */
const queue = new FairQueue(memory >= roomy ? 2 : 1);

/** The owner of what is read on nobody's behalf. */
const nobody: Owner = { organizationId: '', personId: '' };

/** Returns the variables by which a command and its data are found. */
function commandEnvironment(): Record<string, string> {
  const { PATH, TESSDATA_PREFIX } = process.env;
  return { ...(PATH && { PATH }), ...(TESSDATA_PREFIX && { TESSDATA_PREFIX }) };
}

/**
 * Recognizes the barcodes and words of a picture, or of pages of a PDF. It takes up to 30 seconds of a processor and
 * 768 MiB, in a process started for it, and sends no requests.
 * @returns the pages that were read, and why there are not all
 * @throws {Error} if the process cannot be started or is told to stop, whatever the picture: retry then
 */
export async function readPictures(
  bytes: Uint8Array,
  change: Partial<PictureLimits> = {},
  signal?: AbortSignal,
  owner = nobody,
): Promise<ReadText> {
  const limits = { ...pictureLimits, ...change };
  const env = limits.command === null ? {} : commandEnvironment();
  const output = await queue.run(owner, async () => {
    signal?.throwIfAborted();
    return runReader('read-picture.mjs', bytes, limits, { env, signal });
  });
  return { pages: linesOf<ReadPage>(output), problem: output.problem };
}
