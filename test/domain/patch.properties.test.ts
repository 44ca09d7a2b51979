import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../src/domain/errors.js';
import { applyPatch, type DocumentShape, parsePatch } from '../../src/domain/patch/patch.js';
import type { JsonObject, JsonValue } from '../../src/domain/text/json.js';
import { some } from '../fuzz/runs.js';
import { anyDocument, anyMove, anyPerson, anyScalar, type Document, play, shape } from './patch.model.js';

const free: DocumentShape = { kind: 'any' };

/** Pointers and values that often hit something and often miss it. */
const anyToken = fc.oneof(
  fc.constantFrom('id', 'NAME', 'owner', 'people', 'codes', 'note', 'junk', '__proto__', 'constructor', ''),
  fc.constantFrom('0', '1', '3', '-', '01', '~0', '~', '99999999999999999999'),
);
const anyPointer = fc.array(anyToken, { maxLength: 3 }).map((tokens) => tokens.map((t) => `/${t}`).join(''));
const anyOperation = fc.record(
  {
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
    path: anyPointer,
    from: anyPointer,
    value: fc.oneof(anyScalar, anyPerson, fc.array(anyPerson), anyDocument, fc.jsonValue()),
  },
  { requiredKeys: ['op', 'path'] },
);

/** Returns what the patch answers; undefined when it is refused as it should be. */
function attempt(document: JsonObject, patch: unknown, model: DocumentShape): JsonObject | undefined {
  try {
    return applyPatch(document, parsePatch(patch), model);
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError);
    expect((error as GatewayError).status).toBeOneOf([400, 409]);
    return undefined;
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

/**
 * Returns whether every member of the value is one of the shape, and every list and object stands where one belongs.
 */
function fits(value: JsonValue | undefined, model: DocumentShape): boolean {
  if (model.kind === 'list') return Array.isArray(value) && value.every((item) => fits(item, model.element));
  if (value === null || model.kind === 'any') return true;
  if (model.kind === 'scalar') return typeof value !== 'object';
  const isObject = typeof value === 'object' && !Array.isArray(value);
  return isObject && Object.entries(value).every(([name, item]) => fits(item, model.members[name] ?? wrong));
}
const wrong: DocumentShape = { kind: 'object', members: {} };

describe('any patch', () => {
  it.each([
    ['a model', shape],
    ['free JSON', free],
  ])('is applied or refused as a whole on %s, and its input never changes', (_name, model) => {
    fc.assert(
      fc.property(anyDocument, fc.array(anyOperation, { maxLength: 8 }), (document, patch) => {
        // Frozen input turns any write to it into a TypeError.
        deepFreeze(document);
        deepFreeze(patch);
        const before = structuredClone(document);
        attempt(document, patch, model);
        expect(document).toEqual(before);
      }),
      { numRuns: some(2_000) },
    );
  });

  it('leaves every member of the model in its place, and no other', () => {
    fc.assert(
      fc.property(anyDocument, fc.array(anyOperation, { maxLength: 8 }), (document, patch) => {
        const result = attempt(document, patch, shape) ?? document;
        expect(Object.keys(result).sort()).toEqual(Object.keys(document).sort());
        expect(fits(result, shape)).toBe(true);
        expect(result.id).toBe('x1');
      }),
      { numRuns: some(2_000) },
    );
  });

  it('that is garbage is rejected and pollutes nothing', () => {
    const garbage = fc.oneof(
      fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true }),
      fc.array(fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true })),
      fc.array(
        fc.record(
          {
            op: fc.oneof(
              anyOperation.map((o) => o.op),
              fc.anything(),
            ),
            path: fc.oneof(anyPointer, fc.string()),
            from: fc.anything(),
            value: fc.anything(),
          },
          { requiredKeys: [] },
        ),
      ),
    );
    const inherited = Object.getOwnPropertyNames(Object.prototype);
    fc.assert(
      fc.property(anyDocument, garbage, fc.constantFrom(shape, free), (document, patch, model) => {
        attempt(document, patch, model);
        expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(inherited);
      }),
      { numRuns: some(2_000) },
    );
  });

  it('that only tests the whole document is no change', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const value = JSON.parse(JSON.stringify(document));
        expect(applyPatch(document, parsePatch([{ op: 'test', path: '', value }]), shape)).toBe(document);
      }),
    );
  });
});

describe('a valid patch', () => {
  it('does what a naive model does', () => {
    fc.assert(
      fc.property(anyDocument, fc.array(anyMove, { maxLength: 12 }), (document, moves) => {
        const model: Document = structuredClone(document);
        const patch = moves.map((move) => play(model, move));
        expect(applyPatch(document, parsePatch(patch), shape)).toEqual(model);
      }),
      { numRuns: some(2_000) },
    );
  });
});
