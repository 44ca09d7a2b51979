import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { totalmem } from 'node:os';
import { extname } from 'node:path';
import type { DocumentFinding, OcrWay, ReadingProblem } from '../../domain/documents/finding.js';
import {
  layOut,
  type ReadPage,
  type SearchResult,
  type SourcedPage,
} from '../../domain/documents/findings.js';
import type { UploadQueue } from '../../domain/uploads/upload.js';
import { linesOf, type ReaderLimits, runReader } from './reader-process.js';

export interface TextLimits extends ReaderLimits {
  readonly pages: number;
  readonly characters: number;
  /** Words of a PDF, or other pieces that it consists of. */
  readonly parts: number;
  /** Characters of HTML. Sanitizing it takes time proportional to the square of its nesting. */
  readonly html: number;
  /** Files of a mail, and mails within mails. */
  readonly files: number;
  readonly mails: number;
  /** Bytes from which a picture that a mail shows among its words is a file. Smaller ones are logos. */
  readonly shown: number;
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
  files: 20,
  mails: 5,
  shown: 65_536,
};

/** A file as it was sent. Its metadata may be missing or wrong. */
export interface ReceivedFile {
  readonly bytes: Uint8Array;
  readonly contentType?: string | null | undefined;
  readonly filename?: string | null | undefined;
}

/** A file that a mail brings. */
export interface MailFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The pages of a document that contain text, and why there are not all. */
interface ReadText {
  readonly pages: readonly ReadPage[];
  readonly problem: ReadingProblem | null;
  readonly files?: readonly MailFile[];
}

type Kind = 'pdf' | 'certificate' | 'office' | 'mail' | 'html' | 'text';

const kinds: ReadonlyMap<string, Kind> = new Map([
  ['application/pdf', 'pdf'],
  ...[
    'application/x-x509-ca-cert',
    'application/x-x509-user-cert',
    'application/pkix-cert',
    '.crt',
    '.cer',
    '.der',
  ].map((name) => [name, 'certificate'] as const),
  ...['message/rfc822', '.eml'].map((name) => [name, 'mail'] as const),
  ...['text/html', '.html', '.htm'].map((name) => [name, 'html'] as const),
  ...['text/plain', 'text/csv', '.txt', '.csv'].map((name) => [name, 'text'] as const),
]);

/** Recognizes a PDF by its first bytes. */
export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
}

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;

/** Recognizes an office file with a password. It is in the container of older versions. */
const isEncryptedOffice = (bytes: Uint8Array): boolean =>
  startsWith(bytes, '\xd0\xcf\x11\xe0') &&
  Buffer.from(bytes).includes(Buffer.from('EncryptedPackage', 'utf16le'));

/** Recognizes a certificate as PEM by its first line, which other text may precede. */
const isPem = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 65_536)).includes('-----BEGIN CERTIFICATE-----');

/** Returns the kind of a file that its type says, or else its name. */
function declaredKind({ contentType, filename }: Omit<ReceivedFile, 'bytes'>): Kind | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  const isUnknown = type === '' || type === 'application/octet-stream';
  return kinds.get(isUnknown ? extname(filename ?? '').toLowerCase() : type);
}

/** Detects the kind of a file by its bytes, its type, or its name. The bytes of a mail contain those of other kinds. */
function detectKind(file: ReceivedFile): Kind | undefined {
  const { bytes } = file;
  const declared = declaredKind(file);
  if (startsWith(bytes, 'PK\x03\x04')) return 'office';
  if (declared === 'mail' && !startsWith(bytes, '%PDF-')) return 'mail';
  if (isPdf(bytes)) return 'pdf';
  return isPem(bytes) ? 'certificate' : declared;
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

/** Reads a file with a program, in a process of its own. */
async function readPages(
  program: string,
  bytes: Uint8Array,
  limits: TextLimits,
  signal?: AbortSignal,
): Promise<ReadText> {
  const output = await runReader(program, bytes, limits, { signal });
  return { pages: linesOf<ReadPage>(output), problem: output.problem };
}

/** The first line that a mail's reader writes. The bytes of the files follow it, one file after the other. */
export interface ReadMail {
  readonly text: string;
  readonly files: readonly (Omit<MailFile, 'bytes'> & { readonly length: number })[];
  /** True if there are more files or mails than are read. */
  readonly hasMore: boolean;
}

/** Reads a mail's words and files in a process of its own. */
async function readMail(bytes: Uint8Array, limits: TextLimits, signal?: AbortSignal): Promise<ReadText> {
  const output = await runReader('mail-text.js', bytes, limits, { signal });
  const end = output.bytes.indexOf('\n');
  if (output.problem !== null || end < 0) return { pages: [], problem: output.problem ?? 'DAMAGED' };
  const { text, files, hasMore }: ReadMail = JSON.parse(output.bytes.toString('utf8', 0, end));
  let start = end + 1;
  const found = files.map(({ name, type, length }): MailFile => {
    start += length;
    return { name, type, bytes: new Uint8Array(output.bytes.subarray(start - length, start)) };
  });
  return { ...onePage(text, hasMore ? 'TOO_LARGE' : null), files: found };
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
  if (kind === 'certificate') return readPages('certificate.mjs', file.bytes, limits, signal);
  if (kind === 'office') return readPages('office-text.js', file.bytes, limits, signal);
  if (kind === 'mail' && file.bytes.length > 0) return readMail(file.bytes, limits, signal);
  if (isEncryptedOffice(file.bytes)) return { pages: [], problem: 'PROTECTED' };
  if (file.bytes.length === 0) return { pages: [], problem: 'EMPTY' };
  if (kind === undefined) return { pages: [], problem: isHeic(file.bytes) ? 'HEIC' : 'UNSUPPORTED' };
  const source = decode(file.bytes.subarray(0, 4 * limits.characters));
  if (source.includes('\0')) return { pages: [], problem: 'DAMAGED' };
  if (kind === 'html') return readHtml(source.slice(0, limits.html), limits, signal);
  return onePage(source.slice(0, limits.characters).toWellFormed());
}

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
const maxPictures = 3;

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
interface ReadingState {
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
function isPicture(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const isWebp = head.startsWith('RIFF') && head.startsWith('WEBP', 8);
  return isWebp || head.startsWith('\u00ff\u00d8\u00ff') || head.startsWith('\u0089PNG\r\n');
}

/** Recognizes a HEIC or HEIF picture by its first bytes. Its brand says how it is coded. */
const isHeic = (bytes: Uint8Array): boolean =>
  /^ftyp(hei[cxms]|hev[cx]|mif1|msf1)/.test(Buffer.from(bytes.subarray(4, 12)).toString('latin1'));

/** Returns the queue in which a file waits first to be read. A picture has no text. */
export const firstReading = (bytes: Uint8Array): UploadQueue => (isPicture(bytes) ? 'PICTURES' : 'TEXT');

/** Bytes of memory from which two pictures are read at once. */
const roomy = 4 * 2 ** 30;

/** The memory of the machine, or less if its container may use no more. */
const memory = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());

/** Documents whose pictures are read at once. Each needs a processor and memory: a small machine has room for one. */
export const picturesAtOnce = memory >= roomy ? 2 : 1;

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
): Promise<ReadText> {
  const limits = { ...pictureLimits, ...change };
  const env = limits.command === null ? {} : commandEnvironment();
  const output = await runReader('read-picture.mjs', bytes, limits, { env, signal });
  return { pages: linesOf<ReadPage>(output), problem: output.problem };
}

/** Least characters of a page with text, and least cover of a scanned one. */
const least = { text: 20, cover: 0.5 };

/** Checks that a page is a picture. Programs that scan often write a line of text below it. */
const isScanned = ({ parts, cover = 0 }: ReadPage) =>
  layOut(parts).text.trim().length < least.text || cover >= least.cover;

/** The result of reading a document. */
export interface DocumentReading {
  /** The pages that were read. */
  readonly pages: readonly SourcedPage[];
  /** The findings, with the most certain of each field first. */
  readonly findings: readonly DocumentFinding[];
  /** The reason if it was not read, or not all of it; otherwise null. */
  readonly problem: ReadingProblem | null;
  /** True if it has pictures that wait for the queue `PICTURES`. */
  readonly hasMore: boolean;
  /** Files that a mail brings. They are documents of their own. */
  readonly files: readonly MailFile[];
}

export interface DocumentOptions extends PictureReader {
  readonly today: Date;
  /** Locale of the likeliest language, such as `de-AT`; otherwise it is English. */
  readonly locale?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
  /** `TEXT` leaves out pictures. Otherwise everything is read. */
  readonly queue?: UploadQueue;
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
  const [found] = linesOf<SearchResult>(output);
  return { findings: found?.findings ?? [], problem: output.problem ?? found?.problem ?? null };
}

const sourced = (pages: ReadText['pages'], source: SourcedPage['source']) =>
  pages.map((page) => ({ ...page, source }));

/** Reads pictures with the likeliest languages, and with all if they find nothing. */
async function readScan(
  { bytes }: ReceivedFile,
  numbers: readonly number[],
  { ocr, ocrCommand, today, locale, signal }: DocumentOptions,
): Promise<ReadText> {
  const command = ocr === 'command' ? ocrCommand : null;
  let last: ReadText = { pages: [], problem: null };
  for (const languages of languagesOf(locale)) {
    last = await readPictures(bytes, { numbers, languages, command }, signal);
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
  const { today, ocr, signal, queue } = options;
  const isScan = isPicture(file.bytes);
  const text: ReadText = isScan ? { pages: [], problem: null } : await readText(file, undefined, signal);
  const empty = text.pages.filter(isScanned);
  const scans = isScan ? [1] : isPdf(file.bytes) ? empty.map(({ page }) => page) : [];
  const isWanted = scans.length > 0 && ocr !== 'off';
  const isRead = isWanted && queue !== 'TEXT';
  const scanned: ReadText = isRead
    ? await readScan(file, scans.slice(0, maxPictures), options)
    : { pages: [], problem: scans.length > 0 ? 'PICTURES_OFF' : null };
  const cut = scans.length > maxPictures ? 'TOO_LARGE' : null;
  const pages = [...sourced(text.pages, 'TEXT'), ...sourced(scanned.pages, 'OCR')];
  const { findings, problem } = await search({ pages, today }, signal);
  const hasMore = isWanted && !isRead;
  const isBlank = pages.every(({ parts, codes }) => codes.length === 0 && layOut(parts).text.trim() === '');
  const { files = [] } = text;
  const blank = isBlank && files.length === 0 ? (isRead ? 'NO_WORDS' : 'EMPTY') : null;
  const unread = text.problem ?? scanned.problem ?? problem ?? blank ?? cut;
  return { pages, findings, problem: unread, hasMore, files };
}

export interface DrawLimits extends ReaderLimits {
  /** Milliseconds of a processor. */
  readonly cpu: number;
  readonly pixels: number;
  readonly side: number;
  readonly least: number;
  readonly numbers: readonly number[];
}

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
interface DrawnPage {
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
