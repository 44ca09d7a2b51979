import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fillWords,
  type MailField,
  mailFields,
  mailWordsRule,
  pickOwn,
  replyToRule,
  senderNameRule,
} from '../../src/domain/reminders/mail-words.js';
import { some } from '../fuzz/runs.js';

const names = Object.keys(mailFields) as MailField[];
const nothing = { senderName: null, replyTo: null, logo: null };

/** Checks words in English, and returns what is wrong with them. */
const faults = (words: object) =>
  mailWordsRule.safeParse([{ language: 'en', ...words }]).error?.issues.map(({ message }) => message) ?? [];

describe('fields', () => {
  test('are replaced, also with blanks in their braces', () => {
    const values = { 'item.name': 'Visa', 'recipient.name': 'Anna' } as const;
    expect(fillWords('{{item.name}} of {{ recipient.name }}!', values)).toBe('Visa of Anna!');
  });

  test('in values are not replaced, and no pattern of a replacement is', () => {
    const values = { 'item.name': '{{recipient.name}} $& $1', 'recipient.name': 'Anna' } as const;
    expect(fillWords('{{item.name}}, {{recipient.name}}', values)).toBe('{{recipient.name}} $& $1, Anna');
  });

  test('without a value in the mail leave out its words', () => {
    expect(fillWords('{{item.name}}', {})).toBeUndefined();
  });

  /** Replaces one field after the other by marks, and those by the values. Other braces are a fault. */
  const naive = (words: string, values: Readonly<Record<string, string>>) => {
    let text = words;
    for (const [at, name] of names.entries()) text = text.split(`{{${name}}}`).join(`\u0001${at}\u0002`);
    if (text.includes('{{')) return undefined;
    for (const [at, name] of names.entries()) {
      text = text.split(`\u0001${at}\u0002`).join(values[name]);
    }
    return text;
  };

  test('any words with any values are filled like by a naive model', () => {
    const plain = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '{', '}', '$', '<', 'ש', '😀') });
    const piece = fc.oneof(
      plain.map((text) => text.replace(/\{+/g, '{')),
      fc.constantFrom(...names).map((name) => `{{${name}}}`),
    );
    const value = fc.oneof(
      plain,
      fc.constantFrom(...names).map((name) => `{{${name}}}`),
    );
    const values = fc.record(Object.fromEntries(names.map((name) => [name, value])));
    fc.assert(
      fc.property(fc.array(piece), values, (pieces, given) => {
        const words = pieces.join('');
        fc.pre(!/\{\{\{|\}\}\}/.test(words));
        const kept = words.split('\n').filter((line) => {
          const fields = names.filter((name) => line.includes(`{{${name}}}`));
          return fields.length === 0 || fields.some((name) => given[name] !== '');
        });
        const filled = naive(words, given) === undefined ? undefined : naive(kept.join('\n'), given);
        expect(fillWords(words, given)).toBe(filled);
      }),
      { numRuns: some(1_000) },
    );
  });
});

describe('words that are refused', () => {
  test.each([
    ['an unknown field', 'Dear {{recipient.nme}}', 'unknown field {{recipient.nme}} at character 6'],
    ['one on another line', 'Dear\nreader,\n  {{name}}', 'unknown field {{name}} at line 3, character 3'],
    ['an empty field', '{{}}', 'unknown field {{}} at character 1'],
    ['what every object has', '{{constructor}}', 'unknown field {{constructor}} at character 1'],
    ['a field in a field', '{{item.{{item.name}}}}', 'unknown field {{item.{{item.name}} at character 1'],
    ['three braces', '{{{item.name}}}', 'unknown field {{{item.name}} at character 1'],
    ['open braces', '😀 {{item.name', 'has {{ without }} at character 3'],
    ['a line break in a field', '{{a\r\nb}}', 'unknown field {{a b}} at line 1, character 1'],
  ])('%s', (_what, opening, message) => {
    expect(faults({ opening })).toEqual([expect.stringContaining(message)]);
  });

  test('too many characters, and a long field is not repeated', () => {
    expect(faults({ opening: 'x'.repeat(65_536) })).toEqual(['must have at most 4096 characters']);
    expect(faults({ subject: 'x'.repeat(256) })).toEqual(['must have at most 255 characters']);
    expect(faults({ opening: `{{${'x'.repeat(4_000)}}}` })[0]?.length).toBeLessThan(300);
  });

  test.each(['a\r\nBcc: eve@example.com', 'a\nb', 'a\rb', 'a\u2028b', 'a\u0000b', 'a\u0085b'])(
    'a subject of several lines: %j',
    (subject) => expect(faults({ subject })).not.toEqual([]),
  );

  test('an unknown language, and two entries in one', () => {
    expect(faults({ language: 'tlh' })).toEqual([expect.stringContaining('must be a language')]);
    const twice = [
      { language: 'en', subject: 'a' },
      { language: 'EN', subject: 'b' },
    ];
    expect(mailWordsRule.safeParse(twice).error?.issues).toMatchObject([{ path: [1, 'language'] }]);
  });

  test.each(['=?UTF-8?Q?Boss?=', 'Boss\r\nBcc: eve@example.com', 'a\tb'])('the sender %j', (name) =>
    expect(senderNameRule.safeParse(name).success).toBe(false),
  );

  test.each([
    'a@b@c',
    'a b@example.com',
    'Eve <eve@example.com>',
    'a@example.com, b@example.com',
    'jürgen@example.com',
  ])('replies to %j', (address) => expect(replyToRule.safeParse(address).success).toBe(false));
});

test('words keep their breaks, which all become the same, and blank ones are none', () => {
  const words = { language: 'de', subject: ' ', opening: 'Eins\r\nzwei\rdrei', closing: '\n\u200b' };
  const opening = 'Eins\nzwei\ndrei';
  expect(mailWordsRule.parse([words])).toEqual([{ language: 'de', subject: null, opening, closing: null }]);
  expect(mailWordsRule.parse([{ language: 'de', subject: '' }])).toEqual([]);
  expect(mailWordsRule.parse(null)).toEqual([]);
});

test('the most specific words decide for each place, and only those in the language', () => {
  const words = (language: 'en' | 'de', given: object) => ({
    ...{ language, subject: null, opening: null, closing: null, ...given },
  });
  const type = { ...nothing, words: [words('en', { subject: 'type' }), words('de', { closing: 'Art' })] };
  const team = { ...nothing, senderName: 'Team', words: [words('en', { subject: 'team', opening: 'team' })] };
  const all = { senderName: 'All', replyTo: 'a@example.com', logo: null, words: [] };
  expect(pickOwn('en', [type, team, all])).toEqual({
    ...{ subject: 'type', opening: 'team', closing: null },
    ...{ senderName: 'Team', replyTo: 'a@example.com', logo: null },
  });
  expect(pickOwn('fr', [type, team])).toMatchObject({ subject: null, opening: null, closing: null });
});
