import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { GatewayError } from '../../src/domain/errors.js';
import { check, isUuid, limits, newId, rules } from '../../src/domain/rules.js';

const uuid = '018F0000-0000-7000-8000-00000000000A';
const expectedId = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** Returns the path and the message of the refusal. */
function refusal(rule: z.ZodType, value: unknown): { path: string; message: string } {
  try {
    check(z.object({ field: rule }), { field: value });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(error.code).toBe('BAD_REQUEST');
    return { path: error.fieldPath.join('.'), message: error.message };
  }
  throw new Error(`${JSON.stringify(value)} was taken.`);
}

const flag = rules.flag(false);
const most = (entry: object) => Array.from({ length: limits.entries }, () => entry);

describe('the rules of values', () => {
  test.each<[string, z.ZodType, unknown, unknown]>([
    ['a line', rules.line, 'a\tb\u{1F600}', 'a\tb\u{1F600}'],
    ['an empty line', rules.line, '', ''],
    ['blanks', rules.line, ' ', ' '],
    ['a line at the limit', rules.line, 'x'.repeat(255), 'x'.repeat(255)],
    ['a text at the limit', rules.text, 'x'.repeat(65_536), 'x'.repeat(65_536)],
    ['a text of lines', rules.text, 'a\r\nb', 'a\r\nb'],
    ['no line', rules.line, undefined, null],
    ['null for a line', rules.line, null, null],
    ['null for a text', rules.text, null, null],
    ['an int', rules.int, -2_147_483_648, -2_147_483_648],
    ['null for an int', rules.int, null, null],
    ['a number', rules.number, 1e-300, 1e-300],
    ['null for a number', rules.number, null, null],
    ['a UUID, in lower case', rules.uuid, uuid, uuid.toLowerCase()],
    ['null for a UUID', rules.uuid, null, null],
    ['a flag', flag, true, true],
    ['no flag', flag, undefined, false],
    ['null for a flag', rules.flag(true), null, true],
    ['a choice', rules.choice, false, false],
    ['no choice', rules.choice, undefined, null],
    ['no custom fields', rules.customFields, undefined, []],
    ['null for custom fields', rules.customFields, null, []],
    [
      'custom fields',
      rules.customFields,
      [{ id: uuid, name: 'a', value: '' }],
      [{ id: uuid.toLowerCase(), name: 'a', value: '' }],
    ],
    ['a custom field of nothing', rules.customFields, [{}], [{ id: expectedId, name: null, value: null }]],
    [
      'a custom field of nulls',
      rules.customFields,
      [{ id: null, name: null, value: null }],
      [{ id: expectedId, name: null, value: null }],
    ],
    [
      'a custom field with more',
      rules.customFields,
      [{ id: uuid, kind: 7 }],
      [{ id: uuid.toLowerCase(), name: null, value: null }],
    ],
    [
      'a value at the limit',
      rules.customFields,
      [{ id: uuid, value: 'x'.repeat(4096) }],
      [expect.objectContaining({ value: 'x'.repeat(4096) })],
    ],
    [
      'as many custom fields as there may be',
      rules.customFields,
      most({ id: uuid }),
      most({ id: uuid.toLowerCase(), name: null, value: null }),
    ],
  ])('take %s', (_, rule, given, kept) => {
    expect(check(z.object({ field: rule }), { field: given })).toEqual({ field: kept });
  });

  test.each<[string, z.ZodType, unknown, string, RegExp]>([
    ['a line beyond the limit', rules.line, 'x'.repeat(256), 'field', /255/],
    ['a text beyond the limit', rules.text, 'x'.repeat(65_537), 'field', /65536/],
    ['a NUL', rules.line, 'a\0', 'field', /NUL/],
    ['a NUL in a text', rules.text, '\0', 'field', /NUL/],
    ['half a character', rules.line, '\ud83d', 'field', /Unicode/],
    ['its other half', rules.text, 'a\ude00', 'field', /Unicode/],
    ['a number for a line', rules.line, 7, 'field', /./],
    ['a fraction for an int', rules.int, 1.5, 'field', /./],
    ['an int beyond 32 bits', rules.int, 2 ** 31, 'field', /./],
    ['an int below 32 bits', rules.int, -(2 ** 31) - 1, 'field', /./],
    ['a text for an int', rules.int, '1', 'field', /./],
    ['what is no number', rules.number, Number.NaN, 'field', /./],
    ['infinity', rules.number, Number.POSITIVE_INFINITY, 'field', /./],
    ['no UUID', rules.uuid, 'x', 'field', /UUID/],
    ['an empty UUID', rules.uuid, '', 'field', /UUID/],
    ['a UUID in braces', rules.uuid, `{${uuid}}`, 'field', /UUID/],
    ['a UUID with a new line', rules.uuid, `${uuid}\n`, 'field', /UUID/],
    ['a word for a flag', flag, 'true', 'field', /./],
    ['a number for a choice', rules.choice, 1, 'field', /./],
    ['an object for custom fields', rules.customFields, {}, 'field', /./],
    ['too many custom fields', rules.customFields, [...most({}), {}], 'field', /100/],
    ['a custom field that is null', rules.customFields, [null], 'field.0', /./],
    [
      'a custom field’s name beyond the limit',
      rules.customFields,
      [{}, { name: 'x'.repeat(256) }],
      'field.1.name',
      /255/,
    ],
    [
      'a custom field’s value beyond the limit',
      rules.customFields,
      [{ value: 'x'.repeat(4097) }],
      'field.0.value',
      /4096/,
    ],
    ['a custom field’s wrong id', rules.customFields, [{ id: 'x' }], 'field.0.id', /UUID/],
  ])('refuse %s', (_, rule, given, path, message) => {
    const refused = refusal(rule, given);
    expect(refused.path).toBe(path);
    expect(refused.message).toMatch(message);
  });

  test('take what they gave: checking again changes nothing', () => {
    const entry = fc.record({
      id: fc.option(fc.uuid()),
      name: fc.option(fc.string()),
      value: fc.option(fc.string()),
    });
    const schema = z.object({ line: rules.line, uuid: rules.uuid, customFields: rules.customFields });
    const values = fc.record(
      {
        line: fc.option(fc.string()),
        uuid: fc.option(fc.uuid()),
        customFields: fc.option(fc.array(entry, { maxLength: 5 })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(values, (given) => {
        fc.pre(!JSON.stringify(given).includes('\\u0000'));
        const kept = check(schema, given);
        expect(check(schema, kept)).toEqual(kept);
      }),
    );
  });
});

describe('check', () => {
  test('names the path of the values, and the first invalid one', () => {
    const schema = z.object({ a: rules.line, b: rules.int, c: rules.uuid });
    expect(() => check(schema, { a: 'x', b: 'x', c: 'x' }, ['filter', 0])).toThrowError(
      expect.objectContaining({ code: 'BAD_REQUEST', fieldPath: ['filter', 0, 'b'] }),
    );
  });

  test('drops what it does not know, and what every object inherits', () => {
    const given = JSON.parse('{"a":"x","z":1,"__proto__":{"b":1},"constructor":1}');
    const kept = check(z.object({ a: rules.line, b: rules.int }), given);
    expect(kept).toEqual({ a: 'x', b: null });
  });
});

describe('ids', () => {
  test('are UUIDs of version 7, each after the one before', () => {
    const ids = Array.from({ length: 1000 }, () => newId());
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('isUuid takes every UUID in either case, and nothing else', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ minLength: 1 }), (id, more) => {
        expect([isUuid(id), isUuid(id.toUpperCase())]).toEqual([true, true]);
        expect([isUuid(id + more), isUuid(more + id), isUuid(id.slice(1)), isUuid(more)]).toEqual([
          false,
          false,
          false,
          false,
        ]);
      }),
    );
  });
});

test('a text is refused by its length before its characters are counted', () => {
  const text = '\u{1F600}'.repeat(1_000_000);
  const letters = vi.spyOn(String.prototype, Symbol.iterator as never);
  try {
    for (const rule of [rules.line, rules.name, rules.text, rules.address, rules.timezone, rules.email])
      expect(refusal(rule, text).message).toMatch(/^must have at most \d+ characters$/);
    expect(letters).not.toHaveBeenCalled();
  } finally {
    vi.restoreAllMocks();
  }
});
