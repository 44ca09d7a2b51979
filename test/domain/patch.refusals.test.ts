import { describe, expect, it } from 'vitest';
import { applyPatch, parsePatch } from '../../src/domain/patch/patch.js';
import type { JsonValue } from '../../src/domain/text/json.js';
import { patched, refusal } from './patch.fixture.js';

describe('impossible operations', () => {
  const impossible: [operation: unknown, why: string][] = [
    [{ op: 'remove', path: '/nope' }, 'there is no member "nope" in the document.'],
    [{ op: 'add', path: '/__proto__', value: 1 }, 'there is no member "__proto__" in the document.'],
    [{ op: 'add', path: '/__proto__/x', value: 1 }, 'there is no member "__proto__" in the document.'],
    [{ op: 'test', path: '/constructor' }, 'there is no member "constructor" in the document.'],
    [
      { op: 'copy', from: '/hasOwnProperty', path: '/name' },
      'there is no member "hasOwnProperty" in the document.',
    ],
    [{ op: 'add', path: '/tags/0/color', value: 1 }, 'there is no member "color" in "/tags/0".'],
    [{ op: 'add', path: '/assigned_to/nope', value: 1 }, 'there is no member "nope" in "/assigned_to".'],
    [{ op: 'add', path: '/name/first', value: 1 }, 'nothing can be below "/name".'],
    [{ op: 'add', path: '/extra/first', value: 1 }, 'nothing can be below "/extra".'],
    [{ op: 'add', path: '/codes/4', value: 1 }, '"4" is not an index in "/codes", which has 3 elements.'],
    [{ op: 'add', path: '/codes/01', value: 1 }, '"01" is not an index in "/codes", which has 3 elements.'],
    [{ op: 'add', path: '/codes/-1', value: 1 }, '"-1" is not an index in "/codes", which has 3 elements.'],
    [{ op: 'add', path: '/codes/1.0', value: 1 }, '"1.0" is not an index in "/codes", which has 3 elements.'],
    [
      { op: 'add', path: '/codes/length', value: 1 },
      '"length" is not an index in "/codes", which has 3 elements.',
    ],
    [{ op: 'add', path: '/tags/-/name', value: 1 }, '"-" is not an index in "/tags", which has 2 elements.'],
    [{ op: 'replace', path: '/codes/3', value: 1 }, 'there is nothing at "/codes/3".'],
    [{ op: 'replace', path: '/sizes/-', value: 1 }, '"sizes" is read-only.'],
    [{ op: 'remove', path: '/codes/3/' }, 'there is nothing at "/codes/3".'],
    [
      { op: 'remove', path: '/codes/99999999999999999999' },
      '"99999999999999999999" is not an index in "/codes", which has 3 elements.',
    ],
    [{ op: 'move', from: '/tags', path: '/tags/0' }, 'a value cannot be moved into itself.'],
    [{ op: 'test', path: '/nope', value: null }, 'there is no member "nope" in the document.'],
    [{ op: 'replace', path: '', value: [] }, 'the document must be an object or null.'],
    [{ op: 'test', path: '/codes/3', value: 1 }, 'there is nothing at "/codes/3".'],
    [{ op: 'move', from: '/codes/3', path: '/name' }, 'there is nothing at "/codes/3".'],
    [{ op: 'move', from: '/codes/3', path: '/codes/3' }, 'there is nothing at "/codes/3".'],
    [
      { op: 'move', from: '/codes/0', path: '/codes/3' },
      '"3" is not an index in "/codes", which has 2 elements.',
    ],
    [{ op: 'remove', path: '/assigned_to/id' }, 'there is nothing at "/assigned_to/id".'],
    [{ op: 'move', from: '/assigned_to/id', path: '/name' }, 'there is nothing at "/assigned_to/id".'],
    [{ op: 'copy', from: '/assigned_to/id', path: '/name' }, 'there is nothing at "/assigned_to/id".'],
    [{ op: 'move', from: '/tags/0', path: '/TAGS/0/name' }, 'a value cannot be moved into itself.'],
    [{ op: 'move', from: '', path: '/name' }, 'a value cannot be moved into itself.'],
    [{ op: 'move', from: '/tags/0/', path: '/tags/0/name/' }, 'a value cannot be moved into itself.'],
    [{ op: 'remove', path: `/${'a'.repeat(1_000)}` }, `"/${'a'.repeat(99)}…" has more than 1000 characters.`],
    [
      { op: 'copy', from: '~1'.repeat(1_000), path: '/name' },
      `"${'~1'.repeat(50)}…" has more than 1000 characters.`,
    ],
    [{ op: 'remove', path: '' }, 'the whole document cannot be removed.'],
    [{ op: 'remove', path: '/' }, 'the whole document cannot be removed.'],
    [{ op: 'add', path: '//name', value: 1 }, 'there is no member "" in the document.'],
    [{ op: 'replace', path: '', value: null }, 'the document must be an object.'],
    [{ op: 'add', path: '', value: [] }, 'the document must be an object or null.'],
    [{ op: 'add', path: '/name', value: {} }, '"/name" must be a single value.'],
    [{ op: 'add', path: '/tags', value: {} }, '"/tags" must be a list.'],
    [{ op: 'add', path: '/tags/-', value: 'red' }, '"/tags/2" must be an object or null.'],
    [{ op: 'add', path: '/tags', value: [{ name: [] }] }, '"/tags/0/name" must be a single value.'],
    [{ op: 'copy', from: '/name', path: '/assigned_to' }, '"/assigned_to" must be an object or null.'],
  ];
  it.each(impossible)('%j', (operation, why) => {
    const fine = { op: 'test', path: '/name', value: 'Truck' };
    expect(refusal(() => patched(fine, operation))).toMatchObject({
      code: 'BAD_REQUEST',
      message: `operation 1: ${why}`,
    });
  });

  it.each([
    [{ op: 'test', path: '/name', value: 'Van' }, '/name'],
    [{ op: 'test', path: '/assigned_to/id', value: null }, '/assigned_to/id'],
  ])('a failed test is a conflict: %j', (operation, path) => {
    expect(refusal(() => patched({ op: 'remove', path: '/codes/0' }, operation))).toMatchObject({
      code: 'CONFLICT',
      message: `operation 1: the value at "${path}" is not the expected value.`,
    });
  });
});

describe('bounds', () => {
  const free = (...operations: unknown[]) =>
    applyPatch({ a: [0, 0] }, parsePatch(operations), { kind: 'any' });

  it('stops a list that doubles', () => {
    const copy = { op: 'copy', from: '/a', path: '/a/-' };
    const error = refusal(() => free(...Array(500).fill(copy)));
    expect(error.message).toMatch(/^operation \d+: the value is too large or nested too deeply\.$/);
  });

  it('stops a value that is too wide', () => {
    const wide = (width: number) => ({ op: 'add', path: '/b', value: Array(width).fill(0) });
    expect(free(wide(1_000))).toHaveProperty('b');
    expect(refusal(() => free(wide(1_001))).code).toBe('BAD_REQUEST');
  });

  it('stops a value that nests deeper and deeper', () => {
    const deep = (depth: number): JsonValue => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    expect(free({ op: 'add', path: '/b', value: deep(64) })).toHaveProperty('b');
    expect(refusal(() => free({ op: 'add', path: '/b', value: deep(65) })).code).toBe('BAD_REQUEST');
    expect(refusal(() => free({ op: 'add', path: '/b', value: deep(100_000) })).code).toBe('BAD_REQUEST');
    expect(refusal(() => free({ op: 'test', path: '/a', value: deep(100_000) })).code).toBe('CONFLICT');
  });

  it('keeps messages short', () => {
    const error = refusal(() => free({ op: 'remove', path: `/${'x'.repeat(100_000)}` }));
    expect(error.message.length).toBeLessThan(200);
  });
});

describe('prototypes', () => {
  it('are out of reach, even of free JSON', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true}}');
    const result = patched(
      { op: 'add', path: '/extra', value },
      { op: 'add', path: '/extra/constructor', value: { prototype: {} } },
      { op: 'add', path: '/extra/constructor/prototype/polluted', value: true },
      { op: 'add', path: '/extra/__proto__/more', value: true },
    );
    expect(Object.keys(result.extra as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(result.extra)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('more');
  });

  it('hold no members', () => {
    const start = { op: 'add', path: '/extra', value: {} };
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(refusal(() => patched(start, { op: 'test', path: `/extra/${name}`, value: {} })).message).toBe(
        `operation 1: there is nothing at "/extra/${name}".`,
      );
    }
  });

  it('are not created by values', () => {
    const value = JSON.parse('{"__proto__":{"name":"x"},"constructor":1,"id":"t3"}');
    const { tags } = patched({ op: 'add', path: '/tags/0', value });
    expect((tags as JsonValue[])[0]).toStrictEqual({ id: 't3' });
  });
});
