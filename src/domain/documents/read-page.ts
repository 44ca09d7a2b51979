import type { Box } from './finding.js';
import { compose } from './written-dates.js';

/**
 * Some words of a page, with what separates them from those before. It is a tuple because reading programs write many
 * of them. The box is missing if it is unknown.
 */
export type PagePart = readonly [text: string, before: string, confidence: number, ...box: readonly number[]];

/** A barcode of a page. */
export interface PageCode {
  readonly text: string;
  readonly isGs1: boolean;
  readonly box: readonly number[];
}

/** The content of a page as a reading program writes it. */
export interface ReadPage {
  readonly page: number;
  readonly parts: readonly PagePart[];
  readonly codes: readonly PageCode[];
}

/** A page that was read, and how. */
export interface SourcedPage extends ReadPage {
  readonly source: 'TEXT' | 'OCR';
}

/** Words at their place in the text of a page. */
export interface PlacedWords {
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  readonly box: Box | null;
}

/** The text of a page, with the places of its words. */
export interface LaidOutPage {
  readonly text: string;
  readonly words: readonly PlacedWords[];
}

/** Makes a box of its four numbers; null if it has none. */
export function toBox([x, y, width, height]: readonly number[]): Box | null {
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

/** Returns the smallest box around boxes; null if there are none. */
function around(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

/** Finds the box of a part of a text, and its least confidence. */
export function placeInText({ words }: LaidOutPage, start: number, end: number) {
  const own = words.filter((word) => word.end > start && word.start < end);
  return {
    confidence: Math.min(100, ...own.map(({ confidence }) => confidence)),
    box: around(
      own.flatMap(({ box, start: from, end: to }) => (box ? [cut(box, from, to, start, end)] : [])),
    ),
  };
}

/** Cuts the part of a line's box with some letters, all equally wide. */
function cut(box: Box, from: number, to: number, start: number, end: number): Box {
  const letter = box.width / Math.max(1, to - from);
  const left = Math.max(0, start - from) * letter;
  const right = Math.max(0, to - end) * letter;
  return { ...box, x: box.x + left, width: box.width - left - right };
}
