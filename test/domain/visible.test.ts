import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isVisible } from '../../src/domain/text/names.js';

test('the console has the same rule', () => {
  const [here, there] = ['src/domain/text/names.ts', 'console/src/i18n/names.ts'].map((path) => {
    const source = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    return /const unseen =\s+(.+);/.exec(source)?.[1];
  });
  expect(here).toMatch(/^\/\^\[.*\/u$/);
  expect(there).toBe(here);
});

/** Characters that leave no mark, by what they are. */
const unseen = {
  nothing: '',
  'white space': ' \t\u00a0\u2003\u3000\u2028\u0085',
  'controls of the writing direction':
    '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c',
  'characters of no width': '\u200b\u200c\u200d\u2060\ufeff\u180e\u034f',
  'the blank of Braille': '\u2800',
  'fillers of Hangul': '\u3164\u115f\u1160\uffa0',
  'variation selectors': '\ufe0f\u{e0100}\u180b',
  'a soft hyphen': '\u00ad',
  tags: '\u{e0001}\u{e0041}\u{e007f}',
  controls: '\u0001\u001b\u007f\u009f',
  'what is drawn empty': '\ufff9\ufffb\u{1d159}',
};

test.each(Object.entries(unseen))('%s cannot be seen', (_name, text) => {
  expect(isVisible(text)).toBe(false);
  for (const character of text) expect(isVisible(character.repeat(3)), escape(character)).toBe(false);
  expect(isVisible(`${text}a${text}`)).toBe(true);
});

test.each([
  'a',
  '.',
  '0',
  '\u0301',
  'ا',
  '한',
  '🚚',
  '👩\u200d🔧',
  '\u{f0000}',
  '\u06dd',
  '\u2801',
  '\u00b7',
])('%s can be seen', (text) => expect(isVisible(text)).toBe(true));
