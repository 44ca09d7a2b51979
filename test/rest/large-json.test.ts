import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactText, parseExact, parseExactInTurns } from '../../src/domain/text/json.js';
import { bodyLimits, readLargeJson } from '../../src/rest/body.js';

const large = 64 * 1024;
const padding = ' '.repeat(large);
const bytesOf = (text: string) => Buffer.from(text);
const read = (text: string) => readLargeJson(bytesOf(text + padding), parseExactInTurns);

/** A text that is longer than a part that is read at once, of any characters and escape sequences. */
const longText = fc
  .record({
    unit: fc.constantFrom('a', 'é', '😀', '\\"', '\\\\', '\\u0061', '\\ud83d\\ude00', '\ufeff', '\\n', ' '),
    start: fc.string({ maxLength: 7, unit: 'binary' }),
  })
  .map(({ unit, start }) => `${JSON.stringify(start).slice(0, -1)}${unit.repeat(1_300_000 / unit.length)}"`);

describe('a large body', () => {
  test('is read as it would be at once', async () => {
    const value = fc.json().map((text) => text);
    await fc.assert(
      fc.asyncProperty(value, longText, async (json, text) => {
        const body = `{"a": ${json}, "b":${text} ,"c":[1e400,9007199254740993,${text}]}`;
        const expected = parseExact(body) as { b: string; c: unknown[] };
        const found = (await read(body)) as typeof expected;
        // Comparing megabytes with a diff would take minutes.
        expect(found.b === expected.b && found.c[2] === expected.c[2]).toBe(true);
        expect(exactText({ ...found, b: 0, c: found.c.slice(0, 2) })).toBe(
          exactText({ ...expected, b: 0, c: expected.c.slice(0, 2) }),
        );
      }),
      { numRuns: 25 },
    );
  });

  const long = 'a'.repeat(large);
  test.each([
    ['a text without an end', `["${long}`],
    ['a text alone without an end', `"${long}`],
    ['a control character', `["${long}\n"]`],
    ['an unknown escape sequence', `["${long}\\x"]`],
    ['a cut escape sequence', `["${long}\\u12"]`],
    ['a backslash before the end', `["${long}\\"]`],
    ['a name', `{"${long}":1}`],
    ['a name before white space', `{"${long}" \n\t :1}`],
    ['two texts', `["${long}" "${long}"]`],
    ['a long text, and then nonsense', `["${long}"`],
  ])('is refused with %s', async (_about, body) => {
    await expect(read(body)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('is refused with bytes that are not UTF-8, in its texts or beside them', async () => {
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80]]) {
      for (const [before, after] of [
        [`["${long}`, '"]'],
        [`["${long}`, `${long}"]`],
        [`["${long}","`, '"]'],
      ] as const) {
        const body = Buffer.concat([bytesOf(before), Buffer.from(bytes), bytesOf(after + padding)]);
        await expect(readLargeJson(body)).rejects.toMatchObject({ message: /UTF-8/ });
      }
    }
  });

  test('parses none of its long texts with the rest', async () => {
    const parsed: number[] = [];
    const body = JSON.stringify({ files: Array.from({ length: 100 }, () => long), name: 'a' });
    const found = await readLargeJson(bytesOf(body), (text) => {
      parsed.push(text.length);
      return JSON.parse(text);
    });
    expect(found).toEqual(JSON.parse(body));
    expect(parsed).toEqual([expect.any(Number)]);
    expect(parsed[0]).toBeLessThan(bodyLimits.valuesWithFiles);
  });

  test('waits until an earlier one has been read', async () => {
    const ended: number[] = [];
    const bodies = Array.from({ length: 4 }, (_, n) => JSON.stringify(long.repeat(40 - n * 10)));
    await Promise.all(bodies.map(async (body, n) => ended.push((await read(body)) === '' ? -1 : n)));
    expect(ended).toEqual([0, 1, 2, 3]);
  });
});
