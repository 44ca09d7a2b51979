import { findExpiryDates, isPlausible } from './expiry-dates.js';
import type { Box, DocumentFinding, FindingSource } from './finding.js';
import {
  type CodedDocument,
  readGs1Expiry,
  readLicenceBarcode,
  readMachineReadableZone,
} from './machine-readable.js';
import { compose, fold, indexFrom } from './written-dates.js';

/**
 * Some words of a page, with what separates them from those before. It is a tuple because reading programs write many
 * of them. The box is missing if it is unknown.
 */
export type PagePart = readonly [text: string, before: string, confidence: number, ...box: readonly number[]];

/** A barcode of a page. */
interface PageCode {
  readonly text: string;
  readonly isGs1: boolean;
  readonly box: readonly number[];
}

/** The content of a page as a reading program writes it. */
export interface ReadPage {
  /** Details that the file has in fields of its own. */
  readonly stated?: CodedDocument;
  readonly page: number;
  readonly parts: readonly PagePart[];
  readonly codes: readonly PageCode[];
  /** The part of a page that its largest picture covers, if it has few words. */
  readonly cover?: number;
}

/** A page that was read, and how. */
export interface SourcedPage extends ReadPage {
  readonly source: 'TEXT' | 'OCR';
}

/** Words at their place in the text of a page. */
interface PlacedWords {
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  readonly box: Box | null;
}

/** The text of a page, with the places of its words. */
interface LaidOutPage {
  readonly text: string;
  readonly words: readonly PlacedWords[];
}

/** Makes a box of its four numbers; null if it has none. */
function toBox([x, y, width, height]: readonly number[]): Box | null {
  return x === undefined || y === undefined || !width || !height ? null : { x, y, width, height };
}

/** Joins the parts of a page to its text. */
export function layOut(parts: readonly PagePart[]): LaidOutPage {
  let text = '';
  const words = parts.map(([own, before, confidence, ...box]) => {
    text += before;
    const start = text.length;
    text += compose(own);
    return { start, end: text.length, confidence, box: toBox(box) };
  });
  return { text, words };
}

/** Returns the smallest box around two. */
function around(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}

/** Finds the box of a part of a text, and its least confidence. Its time depends on that part alone. */
export function placeInText({ words }: LaidOutPage, start: number, end: number) {
  let confidence = 100;
  let whole: Box | null = null;
  // Words do not overlap, so at most one of those before reaches into the part.
  for (let at = Math.max(0, indexFrom(words, start) - 1); at < words.length; at += 1) {
    const word = words[at];
    if (!word || word.start >= end) break;
    if (word.end <= start) continue;
    confidence = Math.min(confidence, word.confidence);
    if (!word.box) continue;
    const box = cut(word.box, word.start, word.end, start, end);
    whole = whole ? around(whole, box) : box;
  }
  return { confidence, box: whole };
}

/** Cuts the part of a line's box with some letters, all equally wide. */
function cut(box: Box, from: number, to: number, start: number, end: number): Box {
  const letter = box.width / Math.max(1, to - from);
  const left = Math.max(0, start - from) * letter;
  const right = Math.max(0, to - end) * letter;
  return { ...box, x: box.x + left, width: box.width - left - right };
}

/** Bounds of the confidence of written dates. `beside` is the most if another day could be meant. */
const confidences = { written: 95, least: 50, beside: 80, rival: 60 };

type Place = Pick<DocumentFinding, 'source' | 'page' | 'box'>;

/** Certainty of a name in a zone. It has no check digit, but the page may say it elsewhere, too. */
const nameConfidences = { elsewhere: 95, alone: 70 };

/** Checks that all words of a name stand on a page outside of its zone. */
function isNamedElsewhere(name: string, text: string): boolean {
  const lines = text.split('\n').filter((line) => !line.includes('<'));
  const words = new Set(fold(lines.join(' ')).match(/\p{L}+/gu));
  return fold(name)
    .split(' ')
    .every((word) => words.has(word));
}

/** Lists what a code says. */
function detailsOf({ number, holder, expires }: CodedDocument, place: Place, kind: string) {
  const words = [kind, number, holder, expires]
    .filter((part) => part !== null)
    .join(' · ')
    .slice(0, 120)
    .toWellFormed();
  const values = { expiration_date: expires, document_number: number, name: holder } as const;
  return Object.entries(values).flatMap(([field, value]): DocumentFinding[] =>
    value === null ? [] : [{ field: field as keyof typeof values, value, confidence: 100, ...place, words }],
  );
}

/** Finds what barcodes and the machine-readable zone of a page say. */
function coded({ page, codes, stated }: ReadPage, laid: LaidOutPage, today: Date): DocumentFinding[] {
  const found = codes.flatMap(({ text, isGs1, box }) => {
    const gs1 = isGs1 ? readGs1Expiry(text, today) : null;
    const document =
      readLicenceBarcode(text) ??
      readMachineReadableZone(text, today) ??
      (gs1 === null ? null : { expires: gs1, number: null, holder: null });
    return document ? detailsOf(document, { source: 'BARCODE', page, box: toBox(box) }, 'Barcode') : [];
  });
  if (stated) found.push(...detailsOf(stated, { source: 'TEXT', page, box: null }, 'Certificate'));
  const zone = readMachineReadableZone(laid.text, today);
  if (!zone) return found;
  const isConfirmed = zone.holder !== null && isNamedElsewhere(zone.holder, laid.text);
  const confidence = isConfirmed ? nameConfidences.elsewhere : nameConfidences.alone;
  const details = detailsOf(zone, { source: 'MRZ', page, box: null }, 'MRZ');
  return [...found, ...details.map((one) => (one.field === 'name' ? { ...one, confidence } : one))];
}

/** Finds the labelled expiry dates of a page; null if there are too many. */
function written(
  page: number,
  source: FindingSource,
  laid: LaidOutPage,
  today: Date,
): DocumentFinding[] | null {
  const dates = findExpiryDates(laid.text, (day) => isPlausible(day, today));
  if (dates === null) return null;
  return dates.flatMap(({ date, from, start, end, isSure }) => {
    const place = placeInText(laid, start, end);
    const most = isSure ? confidences.written : confidences.beside;
    const confidence = Math.round(Math.min(most, place.confidence));
    if (confidence < confidences.least) return [];
    return [{ field: 'expiration_date', value: date, confidence, source, page, box: place.box, words: from }];
  });
}

/** Leaves one finding of each value, the most certain, and makes rivals less certain. */
function settle(found: readonly DocumentFinding[]): DocumentFinding[] {
  const best = new Map<string, DocumentFinding>();
  for (const finding of [...found].sort((one, other) => other.confidence - one.confidence)) {
    const key = `${finding.field} ${finding.value}`;
    if (!best.has(key)) best.set(key, finding);
  }
  const unique = [...best.values()];
  const values = new Map<string, number>();
  for (const { field } of unique) values.set(field, (values.get(field) ?? 0) + 1);
  return unique.map((finding) =>
    (values.get(finding.field) ?? 0) > 1
      ? { ...finding, confidence: Math.min(finding.confidence, confidences.rival) }
      : finding,
  );
}

/** Details of a document, and the reason if some are left out. */
export interface SearchResult {
  readonly findings: readonly DocumentFinding[];
  readonly problem: 'TOO_MANY_DATES' | null;
}

/**
 * Finds the details of a document in what was read on its pages. Codes are certain, because of their check digits; where
 * one states the expiration date, the page's written ones are not considered. A code on another page, such as that of a
 * passport copied behind a certificate, does not silence them. A written date must stand beside, below or above a
 * label. It must be between today and 30 years ahead; in a picture it must be clearly readable, too.
 */
export function searchPages(pages: readonly SourcedPage[], today: Date): SearchResult {
  let problem: SearchResult['problem'] = null;
  const found = pages.flatMap((page) => {
    const laid = layOut(page.parts);
    const sure = coded(page, laid, today);
    const isTold = sure.some(({ field }) => field === 'expiration_date');
    const plausible = sure.filter(
      ({ field, value }) => field !== 'expiration_date' || isPlausible(value, today),
    );
    const dates = isTold ? [] : written(page.page, page.source, laid, today);
    if (dates === null) problem = 'TOO_MANY_DATES';
    return [...plausible, ...(dates ?? [])];
  });
  return { findings: settle(found), problem };
}

/** Finds the details of a document; see `searchPages`. */
export const findDetails = (pages: readonly SourcedPage[], today: Date): readonly DocumentFinding[] =>
  searchPages(pages, today).findings;
