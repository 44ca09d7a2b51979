import type { DocumentFinding, ReadingProblem } from '../../domain/documents/finding.js';
import { layOut, type SourcedPage } from '../../domain/documents/read-page.js';
import type { Owner } from '../../domain/load/shares.js';
import { isPicture, mostPictures, type PictureReader, readPictures } from './read-picture.js';
import { isPdf, type ReadText, type ReceivedFile, readText } from './read-text.js';
import { linesOf, type ReaderLimits, runReader } from './reader-process.js';

/** Least characters of a page with text. One with fewer is a picture. */
const leastText = 20;

/** The result of reading a document. */
export interface DocumentReading {
  /** The pages that were read. */
  readonly pages: readonly SourcedPage[];
  /** The findings, with the most certain of each field first. */
  readonly findings: readonly DocumentFinding[];
  /** The reason if it was not read, or not all of it; otherwise null. */
  readonly problem: ReadingProblem | null;
}

export interface DocumentOptions extends PictureReader {
  readonly today: Date;
  /** Locale of the likeliest language, such as `de-AT`; otherwise it is English. */
  readonly locale?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
  /** On whose behalf pictures are read. */
  readonly owner?: Owner;
}

/** Tesseract's names of the languages that dates are found in. */
const languages: Readonly<Record<string, string>> = {
  en: 'eng',
  de: 'deu',
  fr: 'fra',
  es: 'spa',
  it: 'ita',
  nl: 'nld',
};

/** Returns the languages to try first, and all of them. */
function languagesOf(locale: string | null | undefined): [first: string[], all: string[]] {
  const own = languages[locale?.slice(0, 2).toLowerCase() ?? ''] ?? 'eng';
  const first = [...new Set(['eng', own])];
  return [first, [...new Set([...first, ...Object.values(languages)])]];
}

/** Pages to search, as `find-details.ts` gets them. */
export interface SearchedPages {
  readonly pages: readonly SourcedPage[];
  readonly today: Date;
}

const mebibyte = 2 ** 20;

const searchLimits: ReaderLimits = {
  time: 10_000,
  memory: 512 * mebibyte,
  heap: 256 * mebibyte,
  output: 4 * mebibyte,
};

/** Finds the details of a document in a process of its own. */
async function search(
  searched: SearchedPages,
  signal: AbortSignal | undefined,
): Promise<Pick<DocumentReading, 'findings' | 'problem'>> {
  if (searched.pages.length === 0) return { findings: [], problem: null };
  const bytes = Buffer.from(JSON.stringify(searched));
  const output = await runReader('find-details.js', bytes, searchLimits, { signal });
  const [findings = []] = linesOf<DocumentFinding[]>(output);
  return { findings, problem: output.problem };
}

const sourced = (pages: ReadText['pages'], source: SourcedPage['source']) =>
  pages.map((page) => ({ ...page, source }));

/** Reads pictures with the likeliest languages, and with all if they find nothing. */
async function readScan(
  { bytes }: ReceivedFile,
  numbers: readonly number[],
  { ocr, ocrCommand, today, locale, signal, owner }: DocumentOptions,
): Promise<ReadText> {
  const command = ocr === 'command' ? ocrCommand : null;
  let last: ReadText = { pages: [], problem: null };
  for (const languages of languagesOf(locale)) {
    last = await readPictures(bytes, { numbers, languages, command }, signal, owner);
    if (last.problem !== null) break;
    const { findings } = await search({ pages: sourced(last.pages, 'OCR'), today }, signal);
    if (findings.some(({ field }) => field === 'expiration_date')) break;
  }
  return last;
}

/**
 * Reads a document's text, and recognizes words in pictures. A page of a PDF without text is one. See docs/use/uploads.md
 * for what is found.
 * @throws {Error} if a process cannot be started or is told to stop, whatever the document: retry then
 */
export async function readDocument(file: ReceivedFile, options: DocumentOptions): Promise<DocumentReading> {
  const { today, ocr, signal } = options;
  const isScan = isPicture(file.bytes);
  const text: ReadText = isScan ? { pages: [], problem: null } : await readText(file, undefined, signal);
  const empty = text.pages.filter(({ parts }) => layOut(parts).text.trim().length < leastText);
  const scans = isScan ? [1] : isPdf(file.bytes) ? empty.map(({ page }) => page) : [];
  const isRead = scans.length > 0 && ocr !== 'off';
  const scanned: ReadText = isRead
    ? await readScan(file, scans.slice(0, mostPictures), options)
    : { pages: [], problem: scans.length > 0 ? 'UNSUPPORTED' : null };
  const cut = scans.length > mostPictures ? 'TOO_LARGE' : null;
  const pages = [...sourced(text.pages, 'TEXT'), ...sourced(scanned.pages, 'OCR')];
  const { findings, problem } = await search({ pages, today }, signal);
  return { pages, findings, problem: text.problem ?? scanned.problem ?? problem ?? cut };
}
