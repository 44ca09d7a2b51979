import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exceededLimit, type JsonLimits, jsonEqual } from '../../src/domain/text/json.js';

describe('exceededLimit', () => {
  /** Lists and objects inside one another, of a parsed value. */
  function depthOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 0;
    return 1 + Math.max(0, ...Object.values(value).map(depthOf));
  }
  /** Values below a parsed value, and another one for each empty list or object. */
  function valuesOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 0;
    const members = Object.values(value);
    return Math.max(1, members.length) + members.map(valuesOf).reduce((sum, one) => sum + one, 0);
  }
  const within = (text: string | Uint8Array, limits: Partial<JsonLimits>) =>
    exceededLimit(Buffer.from(text as string), {
      depth: Infinity,
      values: Infinity,
      bare: Infinity,
      ...limits,
    });

  it('counts nesting and values, but neither brackets nor commas in texts', () => {
    const texts = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', 'ü', ',') });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { withCrossShrink: true },
        texts,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(texts, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.nat(6), fc.nat(12), (value, depth, values) => {
        const text = JSON.stringify(value);
        expect(within(text, { depth })).toBe(depthOf(value) > depth ? 'depth' : undefined);
        expect(within(text, { values })).toBe(valuesOf(value) > values ? 'values' : undefined);
      }),
    );
  });

  it.each([
    ['', undefined],
    ['"', undefined],
    ['"[[[[', undefined],
    ['"\\\\"[[[', 'depth'],
    ['"\\"[[[', undefined],
    [']]]][[[', undefined],
    ['[[[', 'depth'],
  ])('%s, which is no JSON, beyond 2: %s', (text, exceeded) => {
    expect(within(text, { depth: 2 })).toBe(exceeded);
  });

  it('counts texts without commas between them, which are no JSON', () => {
    expect(within('""'.repeat(21), { values: 10 })).toBeUndefined();
    expect(within('""'.repeat(22), { values: 10 })).toBe('values');
  });

  it('counts bytes outside of texts, whatever is in these', () => {
    expect(within('{"a\\"":"bcd" , "e":1}', { bare: 7 })).toBe('bare');
    expect(within('{"a\\"":"bcd" , "e":1}', { bare: 8 })).toBeUndefined();
    expect(within(`["${'a'.repeat(1_000)}"]`, { bare: 2 })).toBeUndefined();
  });

  it.each([
    ['values', `[${'{},'.repeat(1_000)}{}]`],
    ['bare', ' '.repeat(1_000)],
    ['bare', '1'.repeat(1_000)],
    ['depth', '['.repeat(1_000)],
  ])('reads no further than the first excess of %s', (exceeded, text) => {
    let read = 0;
    const counting = new Proxy(Buffer.from(text), {
      get(target, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) read++;
        return Reflect.get(target, name, target);
      },
    });
    expect(exceededLimit(counting, { depth: 8, values: 10, bare: 20 })).toBe(exceeded);
    expect(read).toBeLessThan(50);
  });
});

describe('jsonEqual', () => {
  it('knows own members only', () => {
    expect(jsonEqual({ a: 1 }, { a: 1 })).toBe(true);
    expect(jsonEqual({ toString: 1 }, { b: 1 })).toBe(false);
    expect(jsonEqual(JSON.parse('{"__proto__":1}'), {})).toBe(false);
    expect(jsonEqual(JSON.parse('{"__proto__":{}}'), { a: 1 })).toBe(false);
    expect(jsonEqual({ a: 1 }, { a: 1, b: 1 })).toBe(false);
    expect(jsonEqual([], {})).toBe(false);
    expect(jsonEqual({}, [])).toBe(false);
    expect(jsonEqual(null, {})).toBe(false);
    expect(jsonEqual(0, -0)).toBe(true);
  });
});
