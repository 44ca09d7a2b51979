import { extname } from 'node:path';
import type { ReadingProblem } from '../../domain/documents/finding.js';
import type { ReadPage } from '../../domain/documents/read-page.js';
import { linesOf, type ReaderLimits, runReader } from './reader-process.js';

export interface TextLimits extends ReaderLimits {
  readonly pages: number;
  readonly characters: number;
  /** Words of a PDF, or other pieces that it consists of. */
  readonly parts: number;
  /** Characters of HTML. Sanitizing it takes time proportional to the square of its nesting. */
  readonly html: number;
}

const mebibyte = 2 ** 20;

export const textLimits: TextLimits = {
  time: 10_000,
  memory: 512 * mebibyte,
  heap: 256 * mebibyte,
  output: 32 * mebibyte,
  pages: 20,
  characters: 200_000,
  parts: 50_000,
  html: 65_536,
};

/** A file as it was sent. Its metadata may be missing or wrong. */
export interface ReceivedFile {
  readonly bytes: Uint8Array;
  readonly contentType?: string | null | undefined;
  readonly filename?: string | null | undefined;
}

/** The pages of a document that contain text, and why there are not all. */
export interface ReadText {
  readonly pages: readonly ReadPage[];
  readonly problem: ReadingProblem | null;
}

type Kind = 'pdf' | 'html' | 'text';

const kinds: ReadonlyMap<string, Kind> = new Map([
  ['application/pdf', 'pdf'],
  ...['text/html', '.html', '.htm'].map((name) => [name, 'html'] as const),
  ...['text/plain', 'text/csv', '.txt', '.csv'].map((name) => [name, 'text'] as const),
]);

/** Recognizes a PDF by its first bytes. */
export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
}

/** Detects the kind of a file. A PDF is recognized by its first bytes, others by type, or else by name. */
function detectKind({ bytes, contentType, filename }: ReceivedFile): Kind | undefined {
  if (isPdf(bytes)) return 'pdf';
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  const isUnknown = type === '' || type === 'application/octet-stream';
  return kinds.get(isUnknown ? extname(filename ?? '').toLowerCase() : type);
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or else Latin-1. In Latin-1, every byte is a character. */
function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // In streaming mode, a character that is cut off at the end is not an error.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}

/** Reads a PDF's pages in a process of its own. */
async function readPdf(bytes: Uint8Array, limits: TextLimits, signal?: AbortSignal): Promise<ReadText> {
  const output = await runReader('pdf-text.mjs', bytes, limits, { signal });
  const [head, ...pages] = linesOf<ReadPage & { pages?: number }>(output);
  const isCut = (head?.pages ?? 0) > limits.pages;
  return { pages, problem: output.problem ?? (isCut ? 'TOO_LARGE' : null) };
}

/** Makes a text the only page of a document. */
const onePage = (text: string, problem: ReadingProblem | null = null): ReadText => ({
  pages: [{ page: 1, parts: [[text, '', 100]], codes: [] }],
  problem,
});

/** Extracts the visible text of HTML in a process of its own. */
async function readHtml(html: string, limits: TextLimits, signal?: AbortSignal): Promise<ReadText> {
  const output = await runReader('html-text.js', Buffer.from(html), limits, { signal });
  const [text = ''] = linesOf<string>(output);
  return onePage(text.slice(0, limits.characters).toWellFormed(), output.problem);
}

/**
 * Extracts the first 200,000 characters of a document's text. It reads the first 20 pages of a PDF, a plain
 * text or CSV file, or the visible part of the first 64 KiB of HTML. A PDF or HTML may take 10 seconds and
 * 512 MiB, in a process started for it; a page of a PDF with only pictures has no words.
 * @returns no pages of any other file, or of one that cannot be read
 * @throws {Error} if the process cannot be started or is told to stop, whatever the document: retry then
 */
export async function readText(
  file: ReceivedFile,
  limits: TextLimits = textLimits,
  signal?: AbortSignal,
): Promise<ReadText> {
  const kind = detectKind(file);
  if (kind === 'pdf') return readPdf(file.bytes, limits, signal);
  if (kind === undefined) return { pages: [], problem: 'UNSUPPORTED' };
  const source = decode(file.bytes.subarray(0, 4 * limits.characters));
  if (source.includes('\0')) return { pages: [], problem: 'DAMAGED' };
  if (kind === 'html') return readHtml(source.slice(0, limits.html), limits, signal);
  return onePage(source.slice(0, limits.characters).toWellFormed());
}
