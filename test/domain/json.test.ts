import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDeeperThan, jsonEqual } from '../../src/domain/text/json.js';

describe('isDeeperThan', () => {
  /** Lists and objects inside one another, of a parsed value. */
  function depthOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 0;
    return 1 + Math.max(0, ...Object.values(value).map(depthOf));
  }

  it('counts nesting, but not brackets in texts', () => {
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
      fc.property(value, fc.nat(6), (value, depth) => {
        expect(isDeeperThan(Buffer.from(JSON.stringify(value)), depth)).toBe(depthOf(value) > depth);
      }),
    );
  });

  it.each([
    ['', false],
    ['"', false],
    ['"[[[[', false],
    ['"\\\\"[[[', true],
    ['"\\"[[[', false],
    [']]]][[[', false],
    ['[[[', true],
  ])('%s, which is no JSON, beyond 2: %s', (text, deeper) => {
    expect(isDeeperThan(Buffer.from(text), 2)).toBe(deeper);
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
