import { describe, expect, it } from 'vitest';
import { jsonEqual } from '../../src/domain/json.js';

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
