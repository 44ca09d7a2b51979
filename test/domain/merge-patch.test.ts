import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyMergePatch, MergePatch, mergeJson } from '../../src/domain/patch/patch.js';
import type { JsonObject, JsonValue } from '../../src/domain/text/json.js';
import { refusal, shape, vehicle } from './patch.fixture.js';
import { anyDocument, anyPerson, anyScalar, shape as model } from './patch.model.js';

describe('RFC 7396 appendix A, on free JSON', () => {
  const cases: [original: JsonValue, patch: JsonValue, result: JsonValue][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];

  it.each(cases.map((one) => one.map((value) => JSON.stringify(value))))(
    '%s with %s is %s',
    (original = '', patch = '', result = '') => {
      expect(mergeJson(JSON.parse(original), JSON.parse(patch))).toEqual(JSON.parse(result));
    },
  );
});

/** Returns the pseudocode of RFC 7396 section 2, on values that it changes in place. */
function naive(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target);
  const merged = (isObject ? target : {}) as Record<string, unknown>;
  for (const name of Object.keys(patch)) {
    const value = (patch as Record<string, unknown>)[name];
    if (value === null) delete merged[name];
    else {
      const inner = naive(Object.hasOwn(merged, name) ? merged[name] : undefined, value);
      Object.defineProperty(merged, name, {
        value: inner,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }
  return merged;
}

/** JSON of few names, so that the names of target and patch are often the same. */
const { json: anyJson } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    anyScalar,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'A', '__proto__', 'constructor'), tie('json'), { maxKeys: 4 }),
  ),
}));

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

/** A patch of the model's document: some of its members, each with what it may be. */
const anyPatch = fc.record(
  {
    name: anyScalar,
    note: anyScalar,
    owner: fc.option(fc.record({ id: anyScalar, name: anyScalar }, { requiredKeys: [] })),
    people: fc.option(fc.array(anyPerson, { maxLength: 3 })),
    codes: fc.option(fc.array(anyScalar, { maxLength: 3 })),
  },
  { requiredKeys: [] },
);

/** What each member of the model is where nothing is. */
const standards: JsonObject = { id: null, name: null, note: 'none', owner: null, people: [], codes: [] };

describe('any merge patch', () => {
  it('of free JSON does what the RFC’s own algorithm does, and changes nothing in place', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (target, patch) => {
        deepFreeze(target);
        deepFreeze(patch);
        const merged = mergeJson(target, patch);
        expect(merged).toEqual(naive(structuredClone(target), patch));
        expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('a');
      }),
      { numRuns: 3_000 },
    );
  });

  it('on a record does the same, except that removed members get their defaults', () => {
    fc.assert(
      fc.property(anyDocument, anyPatch, fc.boolean(), (document, patch, shout) => {
        deepFreeze(document);
        const spelled = Object.fromEntries(
          Object.entries(patch).map(([name, value]) => [shout ? name.toUpperCase() : name, value]),
        );
        const expected = naive(structuredClone(document), patch) as Record<string, unknown>;
        for (const [name, standard] of Object.entries(standards)) expected[name] ??= standard;
        // Those members of a nested record that are removed are null.
        if (expected.owner && patch.owner)
          expected.owner = { ...nulls(patch.owner), ...Object(expected.owner) };
        expect(applyMergePatch(document, new MergePatch(spelled), model)).toEqual(
          // A member that is null already, and not named, is left so.
          { ...expected, ...untouched(document, patch) },
        );
      }),
      { numRuns: 3_000 },
    );
  });

  it('of itself changes nothing, sent again neither', () => {
    fc.assert(
      fc.property(anyDocument, anyPatch, (document, patch) => {
        expect(mergeJson(document, mergeJson({}, document))).toEqual(document);
        const once = applyMergePatch(document, new MergePatch(patch), model);
        expect(applyMergePatch(once, new MergePatch(patch), model)).toEqual(once);
      }),
    );
  });
});

const nulls = (members: object) => Object.fromEntries(Object.keys(members).map((name) => [name, null]));
const untouched = (document: JsonObject, patch: object) =>
  Object.fromEntries(Object.entries(document).filter(([name]) => !Object.hasOwn(patch, name)));

const merged = (patch: unknown) => applyMergePatch(vehicle, new MergePatch(patch), shape);

describe('a merge patch of a record', () => {
  it('matches names in any letter case, the exact one first, and ignores strangers', () => {
    expect(merged({ NAME: 'Van' }).name).toBe('Van');
    expect(merged({ NAME: 'Van', name: 'Bus' }).name).toBe('Bus');
    expect(merged({ name: 'Bus', NAME: 'Van' }).name).toBe('Bus');
    expect(merged({ stranger: 1, __proto__: { name: 'x' } })).toEqual(vehicle);
  });

  it('merges nested records, makes one where none is, and replaces lists whole', () => {
    const assigned_to = { id: 'u1', company: { id: 'c1' } };
    const first = merged({ assigned_to });
    expect(first.assigned_to).toEqual(assigned_to);
    const then = applyMergePatch(
      first,
      new MergePatch({ assigned_to: { name: 'Ada', company: null } }),
      shape,
    );
    expect(then.assigned_to).toEqual({ id: 'u1', name: 'Ada', company: null });
    expect(merged({ tags: [{ name: 'green' }] }).tags).toEqual([{ name: 'green' }]);
    expect(merged({ tags: null }).tags).toEqual([]);
    expect(merged({ is_active: null }).is_active).toBe(true);
  });

  it('merges free JSON to the letter', () => {
    const first = merged({ extra: { a: { b: 1 }, c: null } });
    expect(first.extra).toEqual({ a: { b: 1 } });
    const then = applyMergePatch(first, new MergePatch({ extra: { a: { b: null, d: 2 } } }), shape);
    expect(then.extra).toEqual({ a: { d: 2 } });
  });

  it('lets what the server sets be named, not changed', () => {
    expect(merged({ id: 'v1', modified: vehicle.modified, sizes: [7] })).toEqual(vehicle);
    for (const patch of [{ id: 'v2' }, { modified: null }, { sizes: [] }]) {
      expect(refusal(() => merged(patch)).message).toMatch(/read-only/);
    }
  });

  it.each([
    [[], 'an object'],
    [null, 'an object'],
    ['name', 'an object'],
    [{ name: {} }, 'a single value'],
    [{ name: ['x'] }, 'a single value'],
    [{ tags: {} }, 'a list'],
    [{ tags: ['x'] }, 'an object'],
    [{ assigned_to: 'x' }, 'an object'],
  ])('%j is refused', (patch, expected) => {
    const { status, message } = refusal(() => merged(patch));
    expect(status).toBe(400);
    expect(message).toContain(expected);
  });
});
