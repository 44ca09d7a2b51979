import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  exactText,
  integerOf,
  isReadable,
  type JsonObject,
  parseExact,
  roundNumbers,
  textOfNumber,
} from '../../src/domain/text/json.js';

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

/** Ways to write an integer as a number of JSON. */
const writings: readonly ((whole: bigint) => string)[] = [
  (whole) => `${whole}`,
  (whole) => `${whole}.0`,
  (whole) => `${whole}.${'0'.repeat(40)}E0`,
  (whole) => `${whole}000e-3`,
  (whole) => `${whole}e+0`,
  (whole) => `${whole}`.replace(/^(-?\d)(\d+)$/, (_all, first, rest) => `${first}.${rest}e${rest.length}`),
  (whole) => `${whole}`.replace(/0*$/, (zeros) => `e${zeros.length}`),
];

/** 64-bit integers. Half of them are near the numbers where doubles lose digits, or near the ends. */
const int64 = fc.oneof(
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  fc
    .tuple(
      fc.constantFrom(
        0n,
        2n ** 53n,
        -(2n ** 53n),
        2n ** 62n,
        10n ** 18n,
        -(10n ** 18n),
        4611686018427388000n,
      ),
      fc.bigInt(-2_000n, 2_000n),
    )
    .map(([near, by]) => near + by),
);

test('an integer is the one that was written, however it was written', () => {
  fc.assert(
    fc.property(int64, fc.constantFrom(...writings), (whole, write) => {
      const text = whole === 0n ? '0' : write(whole);
      expect(integerOf(parseExact(text)), text).toBe(whole);
      // Whatever is beside it in the document.
      expect(integerOf((parseExact(`{"a":1e400,"n":${text}}`) as { n: unknown }).n), text).toBe(whole);
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  '1.5',
  '1e-1',
  '9007199254740993.0000000000000000000001',
  '1e19',
  '1e999999999999999999',
  '1e-999',
])('%s is no integer of 64 bits', (text) =>
  expect(integerOf(parseExact(`[${text}]`)?.[0 as never])).toBeUndefined(),
);

test('a million zeros are counted once', () => {
  const zeros = '0'.repeat(1_000_000);
  expect(integerOf(parseExact(`1${zeros}1e-1000001`))).toBeUndefined();
  expect(integerOf(parseExact(`7${zeros}e-1000000`))).toBe(7n);
  expect(integerOf(parseExact(`0.${zeros}1e1000001`))).toBe(1n);
});
