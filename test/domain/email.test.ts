import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, rules } from '../../src/domain/rules.js';
import { isEmail, trimWhiteSpace } from '../../src/domain/text/formats.js';

/** Unicode's White_Space, and U+FEFF. */
const spaces = [
  ...['\t', '\n', '\v', '\f', '\r', ' ', '\u0085', '\u00a0', '\u1680', '\u2028', '\u2029', '\u202f'],
  ...['\u205f', '\u3000', '\ufeff', ...Array.from({ length: 11 }, (_, i) => String.fromCharCode(0x2000 + i))],
];
const local = 'a'.repeat(64);

describe('a valid address', () => {
  test.each([
    'a@b',
    'ada@example.com',
    "o'hara+tag@sub.example.co.uk",
    `${local}@example.com`,
    'jürgen@bücher.example',
    '用户@例子.广告',
    '"quoted.name"@example.com',
    'ada@[192.0.2.1]',
  ])('%s', (address) => {
    expect(isEmail(address)).toBe(true);
    expect(check(rules.email, address)).toBe(address);
  });
});

describe('none', () => {
  test.each([
    ...[
      '',
      'ada',
      '@example.com',
      'ada@',
      'a@b@c',
      'ada@@example.com',
      'ada@example..com',
      '.ada@example.com',
    ],
    ...['ada.@example.com', 'ada@-example.com', 'ada@example-.com', 'ada @example.com', 'ada@ example.com'],
    ...[
      '"a b"@example.com',
      'a\u00a0b@example.com',
      'ada@exa\u3000mple.com',
      'ada@example.com, max@example.com',
    ],
    ...[`${local}a@example.com`, `"${local}"@example.com`, 'Ada <ada@example.com>', 'a\u0085b@example.com'],
  ])('%j', (address) => {
    expect(isEmail(address)).toBe(false);
    expect(() => check(rules.email, address)).toThrow(/e-mail address/);
  });
});

test('white space around an address is cut, and letter case kept', () => {
  const space = fc.string({ unit: fc.constantFrom(...spaces) });
  fc.assert(
    fc.property(space, space, (before, after) => {
      expect(check(rules.email, `${before}Ada@Example.COM${after}`)).toBe('Ada@Example.COM');
    }),
  );
});

test.each(spaces)('any number of %j is cut, or refused', (space) => {
  const many = space.repeat(100_000);
  expect(trimWhiteSpace(`${many}a${many}`)).toBe('a');
  expect(() => check(rules.email, `${many}a@b.example`)).toThrow(/^must have at most 255 characters$/);
});

test('cutting leaves what stands within', () => {
  const text = fc.string({ unit: fc.constantFrom(...spaces, 'a', 'ß', '\u{1f600}') });
  fc.assert(
    fc.property(text, (value) => {
      const inner = [...value];
      while (spaces.includes(inner[0] ?? '')) inner.shift();
      while (spaces.includes(inner.at(-1) ?? '')) inner.pop();
      expect(trimWhiteSpace(value)).toBe(inner.join(''));
    }),
  );
});

test.each([
  ['a@', 'a-', ''],
  ['', 'a.', '@'],
  ['"', '\\', ''],
  ['', ' ', 'a'],
  ['a', '\u0085', 'a'],
  ['a@b', '.c', '!'],
])('a long text is refused at once: %j %j %j', (begin, repeated, end) => {
  const text = begin + repeated.repeat(500_000) + end;
  const cpu = process.cpuUsage();
  expect(() => check(rules.email, text)).toThrow();
  // A pattern that tried all ways to divide it would take minutes; the bound is far from what it takes.
  expect(process.cpuUsage(cpu).user / 1e6).toBeLessThan(5);
});
