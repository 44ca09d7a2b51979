import type { Box } from './finding.js';
import { indexFrom } from './text-layout.js';
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
