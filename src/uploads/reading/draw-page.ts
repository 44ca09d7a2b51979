import { isPicture } from './read-picture.js';
import { isPdf } from './read-text.js';
import { type ReaderLimits, runReader } from './reader-process.js';

export interface DrawLimits extends ReaderLimits {
  /** Milliseconds of a processor. */
  readonly cpu: number;
  readonly pixels: number;
  readonly side: number;
  readonly least: number;
  readonly numbers: readonly number[];
}

const mebibyte = 2 ** 20;

const drawLimits: Omit<DrawLimits, 'numbers'> = {
  time: 20_000,
  cpu: 10_000,
  memory: 384 * mebibyte,
  heap: 256 * mebibyte,
  output: 8 * mebibyte,
  pixels: 50_000_000,
  side: 1_600,
  least: 0,
};

/** A page as a picture. */
export interface DrawnPage {
  readonly jpeg: Buffer;
  /** Pages of the whole file. */
  readonly count: number;
}

/**
 * Draws a picture or a page of a PDF upright. It has at most 1,600 pixels a side. A process of its own does so, which
 * needs the optional packages (`canReadPictures`). Pictures are JPEG, PNG or WebP.
 * @param page number of the page, from 1, as findings have it
 * @returns null if the file has no such page or cannot be drawn
 * @throws {Error} if the process cannot be started or is told to stop
 */
export async function drawPage(
  bytes: Uint8Array,
  page: number,
  signal?: AbortSignal,
): Promise<DrawnPage | null> {
  if (!isPicture(bytes) && !isPdf(bytes)) return null;
  const limits = { ...drawLimits, numbers: [page] };
  const output = await runReader('draw-page.mjs', bytes, limits, { signal });
  const end = output.bytes.indexOf('\n');
  if (output.problem !== null || end < 1) return null;
  return { jpeg: output.bytes.subarray(end + 1), count: Number(output.bytes.toString('latin1', 0, end)) };
}
