import { expect, test } from 'vitest';
import { faultOf, faultsOf, firstSentence } from '../../scripts/comments.mjs';

test('finds the first sentence of a doc comment', () => {
  expect(firstSentence('/** Reads a file. It may be large. */')).toBe('Reads a file.');
  expect(firstSentence('/**\n * Reads `package.json` of\n * a package.\n * @param name of it\n */')).toBe(
    'Reads `package.json` of a package.',
  );
  expect(firstSentence('/** Reads texts, e.g. Markdown. More. */')).toBe('Reads texts, e.g. Markdown.');
  expect(firstSentence('/** Without a point */')).toBe('Without a point');
  expect(firstSentence('/** @throws {Error} Always. */')).toBe('');
});

test.each([
  ['Bytes of a file.', false],
  ['Reads one two three four five six seven eight nine ten eleven twelve thirteen fourteen.', true],
  ['Reads `a file of many words that are code` two three four five six seven eight.', true],
  ['What a file has.', false, 'begins with "What": name the thing'],
  ['For tests only.', false, 'begins with "For": name the thing'],
  [
    'The bytes of a file.',
    true,
    'does not begin with a verb ("Reads", "Returns"), though it is about a function',
  ],
  [
    'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen.',
    false,
    'has 16 words, 15 at most',
  ],
])('judges "%s"', (sentence, isFunction, fault: string | undefined = undefined) => {
  expect(faultOf(sentence, isFunction)).toBe(fault);
});

test('names file, line and reason', () => {
  const text = [
    '/** Whether it is new. */',
    'const isNew = true;',
    '',
    '/** A sum. */',
    'const add = (a: number, b: number) => a + b;',
    'export function first() {}',
    'export class Second {}',
    '/** Makes one. */',
    'export function third() {}',
    '/** Messages. */',
    'export type Message =',
    '  /** What is it? */',
    '  | { kind: 1 };',
  ].join('\n');
  expect(faultsOf('src/x.ts', text)).toEqual([
    'src/x.ts:1: "Whether it is new." begins with "Whether": name the thing',
    'src/x.ts:4: "A sum." does not begin with a verb ("Reads", "Returns"), though it is about a function',
    'src/x.ts:6: export function first() {} has no doc comment',
    'src/x.ts:7: export class Second {} has no doc comment',
    'src/x.ts:12: "What is it?" begins with "What": name the thing',
  ]);
});
