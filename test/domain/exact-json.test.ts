import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  exactText,
  isReadable,
  parseExact,
  roundNumbers,
  textOfNumber,
} from '../../src/domain/text/exact-json.js';
import type { JsonObject } from '../../src/domain/text/json.js';

const digits = (least: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: 25 });
/** Numbers as JSON writes them (RFC 8259 §6). */
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      fc.tuple(fc.constantFrom(...'123456789'), digits(0)).map((parts) => parts.join('')),
    ),
    fc.oneof(
      fc.constant(''),
      digits(1).map((fraction) => `.${fraction}`),
    ),
    fc.oneof(
      fc.constant(''),
      fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.nat(300)).map((parts) => parts.join('')),
    ),
  )
  .map((parts) => parts.join(''));

test('numbers are written as they were read', () => {
  fc.assert(
    fc.property(number, (text) => {
      const value = parseExact(`{"n":${text},"list":[${text}]}`) as { n: unknown };
      expect(exactText(value)).toBe(`{"n":${text},"list":[${text}]}`);
      expect(textOfNumber(value.n)).toBe(text);
    }),
    { numRuns: 1_000 },
  );
});

test.each(['10000000.000650558', '0.0000001', '-0', '1.10', '1e3', '9007199254740993', '100', '1.0', '1E+2'])(
  '%s is written as it was read',
  (text) => expect(exactText(parseExact(`[${text}]`))).toBe(`[${text}]`),
);

test('all else is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const text = JSON.stringify({ value });
      expect(roundNumbers(parseExact(text) as JsonObject)).toEqual(JSON.parse(text));
    }),
  );
});

test.each(['1e400', '-1e400', '1e-400', '-0.1e-999', `1${'0'.repeat(400)}`, `0.${'0'.repeat(400)}1`])(
  'readers do not agree on %s',
  (text) => expect(isReadable(parseExact(`{"a":[{"b":${text}}]}`))).toBe(false),
);

test.each(['1e308', '-0', '0e999', '0.00', '1.10', '12345678901234567890.123'])(
  'readers agree on %s',
  (text) => {
    expect(isReadable(parseExact(`{"a":[{"b":${text}}]}`))).toBe(true);
  },
);
