/** A detail that can be found in a document. */
export type FindingField =
  /** Last valid day, as `YYYY-MM-DD`. */
  | 'expiration_date'
  /** Number of the document, as a code on it says. */
  | 'document_number'
  /** Name of the holder, given names first. */
  | 'name';

/**
 * A source of a finding. `TEXT` is text that the file contains as such. `OCR` is text that was recognized in a
 * picture. `MRZ`, a machine-readable zone, and `BARCODE` are codes.
 */
export type FindingSource = 'TEXT' | 'OCR' | 'MRZ' | 'BARCODE';

/**
 * A rectangle on a page, in parts of the page's width and height. They are from 0 to 1, and the corner is at the
 * top left. The page is upright: a photo is turned as its metadata says. `drawPage` draws the same page.
 */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A detail that was found in a document, to suggest to a person. A document may have several of a field: if their
 * values differ, all are shown, and none is used unseen (`trustedDate`).
 */
export interface DocumentFinding {
  readonly field: FindingField;
  readonly value: string;
  /**
   * Certainty of the value, from 0 to 100. It is 100 for codes, because their check digits agree, but not for a name in a
   * machine-readable zone, which has none.
   */
  readonly confidence: number;
  readonly source: FindingSource;
  /** Number of the page, from 1. A picture is page 1. */
  readonly page: number;
  /** Place of the value on the page; null if unknown, as in plain text. */
  readonly box: Box | null;
  /** Words or code around the value, in one line of at most 120 characters. */
  readonly words: string;
}

/** Ways to read pictures: with optional packages, with a command, or not at all. */
export const ocrWays = ['on', 'command', 'off'] as const;

export type OcrWay = (typeof ocrWays)[number];

/** A reason why a document could not be read, or not all of it. `unreadReasons` describes them. */
export type ReadingProblem =
  | 'DAMAGED'
  | 'EMPTY'
  | 'HEIC'
  | 'NO_WORDS'
  | 'PICTURES_OFF'
  | 'PROTECTED'
  | 'TOO_COSTLY'
  | 'TOO_LARGE'
  | 'TOO_MANY_DATES'
  | 'UNSUPPORTED';

/** Least confidence of a date that is used unseen. */
const leastTrusted = 85;

/**
 * Returns the expiration date that may be used unseen, as `trust_scan` does. It must be the only one, and
 * certain enough.
 */
export function trustedDate(
  findings: readonly { readonly field: string; readonly value: string; readonly confidence: number }[],
): string | null {
  const dates = findings.filter(({ field }) => field === 'expiration_date');
  const [first] = dates;
  const isAlone = first && dates.every(({ value }) => value === first.value);
  return isAlone && dates.some(({ confidence }) => confidence >= leastTrusted) ? first.value : null;
}
