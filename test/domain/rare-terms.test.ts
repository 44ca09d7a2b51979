import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rareTermPattern } from '../../src/domain/text/rare-terms.js';

const each = (texts: readonly string[]) => texts.map((text) => ({ text, share: 1 / texts.length }));
const licences = each(['licence 1', 'licence 20', 'licence 300', 'permit 4']);

/** Returns whether `ILIKE` finds a text by a pattern anywhere in it. */
function finds(pattern: string, text: string): boolean {
  const source = pattern.replace(/\\(.)|(%)|./gsu, (part, escaped?: string, any?: string) => {
    if (any) return '[^]*';
    return `\\u{${(escaped ?? part).codePointAt(0)?.toString(16)}}`;
  });
  return new RegExp(source, 'iu').test(text);
}

describe('a term is looked up', () => {
  test.each([
    ['without a word that most have', 'Licence 4711', '% 4711'],
    ['without the words that most have', 'licence 4711 LICENCE', '% 4711 %'],
    ['as it is, if no word of it is common', 'Permit 4711', 'Permit 4711'],
    ['as it is, if it is one word', '4711', '4711'],
    ['as it is, if only signs part its letters and digits', 'a1 b2', 'a1 b2'],
    ['without the words that most have, if two digits are left', 'licence 77', '% 77'],
    ['with what has signs of its own', 'licence 471\\%\\_\\\\', '% 471\\%\\_\\\\'],
  ])('%s', (_, term, pattern) => {
    expect(rareTermPattern(term, licences)).toBe(pattern);
  });

  test('with all that follows its eighth word', () => {
    const eight = 'licence '.repeat(8);
    expect(rareTermPattern(`${eight}4711 licence`, licences)).toBe(`${'% '.repeat(8)}4711 licence`);
  });

  test('with all its words in a column that is always empty', () => {
    expect(rareTermPattern('licence 4711', [])).toBe('licence 4711');
  });
});

test.each([
  ['samples have it', 'Permit 4'],
  ['samples have what is left of it', 'licence 300'],
  ['it is nothing but common words', 'licence'],
  ['what is left is too short to be looked up', 'licence 7'],
  ['it is too short', 'zz'],
])('a term is not rare when %s', (_, term) => {
  expect(rareTermPattern(term, licences)).toBeUndefined();
});

test('nothing is known about terms of an unknown column', () => {
  expect(rareTermPattern('licence 4711', undefined)).toBeUndefined();
});

test('shares are of rows, not of samples', () => {
  const samples = [
    { text: 'licence 1', share: 0.6 },
    { text: 'permit 2', share: 0.1 },
    { text: 'permit 3', share: 0.1 },
  ];
  expect(rareTermPattern('licence 4711', samples)).toBe('% 4711');
  expect(rareTermPattern('permit 4711', samples)).toBe('permit 4711');
});

test('whatever has the term is found', () => {
  const word = fc.constantFrom(
    'Ab',
    'aB',
    'abc',
    'x1',
    '100',
    '%',
    '_',
    '\\',
    'É',
    ' ',
    '  ',
    '\t',
    '\uFEFF',
  );
  const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(''));
  fc.assert(
    fc.property(text, text, text, fc.array(text), (before, term, after, samples) => {
      const escaped = term.replace(/[\\%_]/g, '\\$&');
      const pattern = rareTermPattern(escaped, each(samples.map((sample) => sample.toLowerCase())));
      return pattern === undefined || finds(pattern, before + term + after);
    }),
    { numRuns: 2_000 },
  );
});
