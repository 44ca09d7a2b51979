import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TimeSlices } from '../../src/db/connection/time-slices.js';
import { writeJson } from '../../src/web/json-text.js';
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

  test('keeps the digits of large numbers', async () => {
    const notifications = Array.from({ length: 40 }, (_, at) => ({ id: 2n ** 63n - 1n - BigInt(at) }));
    const text = await writeJson({ notifications }, new ShortSlices());
    expect(text).toMatch(/^\{"notifications":\[\{"id":9223372036854775807\},\{"id":9223372036854775806\}/);
    expect(text).toBe(await writeJson({ notifications }, new TimeSlices()));
  });
});
