import { makeDocument } from '../../bench/lib/made-documents.mjs';
import type { CorpusCase, Expected } from '../domain/corpus/corpus.js';
import { heldOutCorpus } from '../domain/corpus/held-out.js';
import { workCorpus } from '../domain/corpus/work.js';
import { type Placed, pdf, plain } from './pdf.support.js';

/** A document to read, with what a careful person reads in it. */
export interface PictureCase {
  readonly kind: 'clean picture' | 'worn picture' | 'PDF with text';
  readonly name: string;
  readonly language: string;
  readonly bytes: Uint8Array;
  readonly expected: Expected;
  readonly today: string;
}

/** Lays a text out on the page of a PDF, with its columns side by side. */
function pdfOfText(text: string): Uint8Array {
  const placed = text.split('\n').flatMap((line, row) =>
    line.split(/\t|\s{2,}/).map((words, column): Placed => {
      // The font has only letters of Latin-1.
      const known = words.normalize('NFC').replace(/[^\0-\xff’]/g, '?');
      return [60 + 170 * column, 790 - 16 * row, known];
    }),
  );
  return pdf([plain(placed.filter(([, , words]) => words.trim() !== ''))]);
}

const documentOf = ({ kind, language, text, expected, today }: CorpusCase): PictureCase => ({
  ...{ kind: 'PDF with text', name: `${kind}: ${text}`, bytes: pdfOfText(text) },
  ...{ language, expected, today },
});

/** Numbers of the pictures of a corpus. Of ninety that follow each other, sixty are clean. */
const pictures = 90;

/** The corpora, each with a seed and texts of its own. */
const corpora = {
  work: { seed: 61, texts: workCorpus },
  'held out': { seed: 1_961, texts: heldOutCorpus },
};

/** Makes the 120 documents of a corpus, one after the other: 90 pictures, and 30 PDFs with text. */
export async function* makePictureCorpus(name: keyof typeof corpora): AsyncGenerator<PictureCase> {
  const { seed, texts } = corpora[name];
  for (let index = 0; index < pictures; index += 1) {
    const { wear, name, language, bytes, expires } = await makeDocument(index, seed);
    yield {
      ...{ kind: `${wear} picture`, name, language, bytes },
      ...{ expected: { date: expires }, today: '2026-11-26' },
    };
  }
  const cases = texts();
  for (let index = 0; index < 30; index += 1) {
    const one = cases[Math.floor((index * cases.length) / 30)];
    if (one) yield documentOf(one);
  }
}
