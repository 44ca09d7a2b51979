import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { TimeSlices } from '../../src/db/connection/bounds.js';
import { writeJson } from '../../src/web/response.js';
import { ShortSlices } from '../support/short-slices.js';

describe('JSON that is written in time slices', () => {
  test('is that of JSON.stringify', async () => {
    const long = fc.array(fc.jsonValue(), { minLength: 15, maxLength: 20 });
    const dated = fc.record({ at: fc.date({ noInvalidDate: true }), none: fc.constant(undefined) });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), long, fc.record({ nodes: long, dated })), async (value) => {
        expect(await writeJson(value, new ShortSlices())).toBe(JSON.stringify(value));
      }),
    );
  });

  test.each<[string, unknown]>([
    ['members that are undefined', { none: undefined, only: { none: undefined } }],
    ['elements that are undefined', [undefined, 1]],
    ['members of the names of methods', JSON.parse('{"toJSON":1,"__proto__":{"a":[]},"toString":null}')],
    ['lone surrogates', { '\ud800': 'a\udfff' }],
    ['numbers that JSON has not', [Number.NaN, -0, Number.POSITIVE_INFINITY]],
    ['nothing', [[], {}, '', null]],
  ])('is that of JSON.stringify for %s', async (_, value) => {
    const filled = { value, filler: Array(300).fill(value), list: [value, { value }] };
    expect(await writeJson(filled, new ShortSlices())).toBe(JSON.stringify(filled));
  });

  test('is written in many parts, of lists in lists as well', async () => {
    const list = (depth: number): unknown => (depth === 0 ? 'x' : { nodes: Array(8).fill(list(depth - 1)) });
    const slices = new ShortSlices();
    const next = vi.spyOn(slices, 'next');
    await writeJson(list(4), slices);
    expect(next.mock.calls.length).toBeGreaterThan(15);
  });

  test('keeps the digits of large numbers', async () => {
    const notifications = Array.from({ length: 40 }, (_, at) => ({ id: 2n ** 63n - 1n - BigInt(at) }));
    const text = await writeJson({ notifications }, new ShortSlices());
    expect(text).toMatch(/^\{"notifications":\[\{"id":9223372036854775807\},\{"id":9223372036854775806\}/);
    expect(text).toBe(await writeJson({ notifications }, new TimeSlices()));
  });
});
