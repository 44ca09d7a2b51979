import fc, { type Arbitrary } from 'fast-check';

/** Short texts that programs stumble over. */
export const shortTexts = [
  '',
  ' ',
  '\t',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  'a\0b',
  '\0',
  '\ud800',
  'a\udc00b',
  '\ud83d',
  '\ufeff',
  '\ufffe',
  '\u2028\u2029',
  '\u202egpj.exe',
  '\u0661\u0662\u0663',
  'e\u0301'.repeat(20),
  'İstanbul',
  'ẞtraße',
  '👩‍👩‍👧‍👦',
  '𝕏\u{10ffff}',
  // One character of each plane that has any, and the first of a private one.
  '\ufffd\u{1f600}\u{20000}\u{30000}\u{e0100}\u{f0000}\u{100000}',
  'a\u0300\u0301\u0328\u20dd\u1ab0',
  '\u1112\u1161\u11ab한',
  `controls ${String.fromCharCode(...Array.from({ length: 31 }, (_, i) => i + 1))}\u007f\u0080\u0085\u009f`,
  'quotes " \' ` \\" \\\\ \\u0041 / \\/',
  '"],[null,{"a":1}]}\n',
  '\r\nSet-Cookie: a=b',
  '\u001b[31mred\u0007',
  '\u009b2J',
  "'; DROP TABLE vehicles; --",
  '" OR ""="',
  '%',
  '_',
  '\\',
  '%_\\%',
  '../../etc/passwd',
  '..\\..\\x',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what templates would take for theirs.
  '${7*7}{{7*7}}<%=7*7%>',
  '=HYPERLINK("http://x.example")',
  '<script>alert(1)</script>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '&lt;b&gt;&#0;&#xD800;&#x110000;',
  '(((((((((((((((((((((((((((((a+)+)+)+',
];

/** The edges of the lengths that the rules have, in characters of one unit and of two. */
const edges = [255, 256, 2_048, 2_049, 4_096, 4_097].flatMap((size) => ['x'.repeat(size), '🚚'.repeat(size)]);
const huge = [65_536, 65_537].map((size) => 'y'.repeat(size));

const dates = [
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '10000-01-01',
  '+010000-01-01',
  '-000001-01-01',
  '2028-02-29',
  '2027-02-29',
  '1900-02-29',
  '2027-02-30',
  '2027-13-01',
  '2027-01-01T24:00:00Z',
  '2027-01-01T23:59:60Z',
  '0001-01-01T00:00:00+23:59',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999-23:59',
  '9999-12-31T23:59:59.999999999Z',
  '2027-01-01 00:00',
  '275760-09-13',
  '24:00',
  '23:59:60',
  '23:59',
];

const names = [
  'a@b',
  'A@EXAMPLE.COM',
  '"a b"@example.com',
  'ü@ü.example',
  'a@[::1]',
  'a'.repeat(64).concat('@b.example'),
  'Europe/Berlin',
  'etc/gmt+12',
  '+01:00',
  'UTC',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '{00000000-0000-0000-0000-000000000001}',
  'urn:uuid:00000000-0000-4000-8000-000000000001',
  'https://example.com/\0',
  'http://[::1',
  'aGVsbG8=',
  'aGVsbG8',
  '====',
];

/** Texts that programs stumble over. */
export const texts: Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...shortTexts) },
  { weight: 3, arbitrary: fc.constantFrom(...dates) },
  { weight: 3, arbitrary: fc.constantFrom(...names) },
  { weight: 2, arbitrary: fc.constantFrom(...edges) },
  { weight: 1, arbitrary: fc.constantFrom(...huge) },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);

/** Moments at the ends of the calendar, and beyond it: some by their offset alone. */
export const moments: Arbitrary<string> = fc.constantFrom(
  '2026-11-20T09:30:00Z',
  '2028-02-29T00:00:00.5Z',
  '0001-01-01T00:00:00.000Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999-23:59',
  '+010000-01-01T00:00:00.000Z',
  '-000001-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
);

/** Dates that are, and such that are at an end of the calendar. */
export const goodDates: Arbitrary<string> = fc.constantFrom(
  '0001-01-01',
  '9999-12-31',
  '2028-02-29',
  '2027-06-01',
  '2026-11-20T09:30:00Z',
);

/** Numbers as JSON may write them, at and beyond the edges of what programs count with. */
export const numbers: Arbitrary<string> = fc.constantFrom(
  ...['0', '-0', '1', '-1', '1.5', '1e2', '1E+2', '0.1e1', '2147483647', '2147483648', '-2147483648'],
  ...['-2147483649', '9007199254740991', '9007199254740993', '9223372036854775807', '9223372036854775808'],
  ...['-9223372036854775808', '-9223372036854775809', '1e308', '1.7976931348623157e308', '1e309', '-1e309'],
  ...['5e-324', '1e-400', '123456789012345678901234567890', `1${'0'.repeat(400)}`],
);

/** Objects whose members would be others' in a careless program. */
const tricky = [
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"toString":1,"valueOf":null,"hasOwnProperty":0}',
  '{"then":{},"toJSON":"x"}',
  '{"":null}',
  '{"a":1,"a":2}',
];

const nested = [2, 33, 64, 101, 5_000].flatMap((depth) => [
  '['.repeat(depth) + ']'.repeat(depth),
  '{"a":'.repeat(depth).concat('1', '}'.repeat(depth)),
]);

/** Any JSON value that is probably wrong, as text. */
export const values: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: texts.map((text) => JSON.stringify(text)) },
  { weight: 4, arbitrary: numbers },
  {
    weight: 3,
    arbitrary: fc.constantFrom('null', 'true', 'false', '[]', '{}', '[null]', '[[]]', '[{}]', '""'),
  },
  { weight: 2, arbitrary: fc.constantFrom(...tricky) },
  { weight: 1, arbitrary: fc.constantFrom(...nested) },
  { weight: 2, arbitrary: fc.jsonValue({ depthSize: 'small' }).map((value) => JSON.stringify(value)) },
);
