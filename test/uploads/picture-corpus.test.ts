import { expect, test } from 'vitest';
import { readDocument } from '../../src/uploads/reading/read-document.js';
import { type CorpusCounts, judge, noCounts } from '../domain/corpus/judge.js';
import { makePictureCorpus, type PictureCase } from './picture-corpus.js';

/** Reads a document as the worker of an organization with its language does. */
async function read({ bytes, today, language: locale }: PictureCase) {
  const options = { ocr: 'on', ocrCommand: '', today: new Date(today), locale } as const;
  return (await readDocument({ bytes }, options)).findings;
}

test.each(['work', 'held out'] as const)(
  'of the 120 pictures and PDFs to %s, most are read right and hardly any wrong',
  { timeout: 3_600_000 },
  async (name) => {
    const kinds: Partial<Record<PictureCase['kind'], CorpusCounts>> = {};
    const failures: string[] = [];
    for await (const one of makePictureCorpus(name)) {
      const outcome = judge(one, await read(one));
      const counts = kinds[one.kind] ?? noCounts();
      kinds[one.kind] = counts;
      counts.texts += 1;
      counts[outcome] += 1;
      if (outcome === 'wrongTrusted') counts.wrong += 1;
      if (outcome !== 'right') failures.push(`${outcome}: ${one.name}`);
    }
    const all = Object.values(kinds);
    const sum = (of: keyof CorpusCounts) => all.reduce((total, counts) => total + counts[of], 0);
    const { right, texts } = kinds['clean picture'] ?? noCounts();
    const { right: rightTexts, texts: pdfs } = kinds['PDF with text'] ?? noCounts();
    const told = `${JSON.stringify(kinds, null, 1)}\n${failures.join('\n')}`;
    expect([sum('texts'), texts, pdfs], told).toEqual([120, 60, 30]);
    expect(sum('wrongTrusted'), told).toBe(0);
    expect(sum('wrong') / sum('texts'), told).toBeLessThanOrEqual(0.02);
    expect(right / texts, told).toBeGreaterThanOrEqual(0.8);
    expect(rightTexts / pdfs, told).toBeGreaterThanOrEqual(0.75);
    if (process.env.VERBOSE) process.stdout.write(`${name}: ${told}\n`);
  },
);
