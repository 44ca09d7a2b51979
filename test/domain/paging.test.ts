import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/domain/errors.js';
import {
  defaultPageSize,
  encodeCursor,
  maxPageSize,
  type Order,
  readWindow,
} from '../../src/domain/paging.js';

const order: Order = { field: 'name', direction: 'asc' };
const position = { values: ['a'], id: '018f0000-0000-7000-8000-00000000000a' };
const cursor = encodeCursor([order], 'Vehicle', position);
const unnamed = Buffer.from(JSON.stringify(['name', 'asc', position.values[0], position.id])).toString(
  'base64url',
);

/** Returns the error that reading arguments ends in. */
function refused(args: Parameters<typeof readWindow>[2], of: readonly Order[] = [order]): GatewayError {
  try {
    readWindow(of, 'Vehicle', args);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('These arguments were taken.');
}

describe('windowOf', () => {
  const whole = { limit: defaultPageSize, offset: 0, after: undefined, before: undefined, backward: false };

  test.each<[string, Parameters<typeof readWindow>[2], object]>([
    ['nothing', {}, {}],
    ['nulls', { first: null, after: null, last: null, before: null, offset: null }, {}],
    ['first', { first: 7 }, { limit: 7 }],
    ['first 0', { first: 0 }, { limit: 0 }],
    ['first of the most', { first: maxPageSize }, { limit: maxPageSize }],
    ['last', { last: 7 }, { limit: 7, backward: true }],
    ['last 0', { last: 0 }, { limit: 0, backward: true }],
    ['after', { after: cursor }, { after: position }],
    ['a cursor that names no list', { after: unnamed }, { after: position }],
    ['before', { before: cursor }, { before: position }],
    [
      'last between',
      { last: 1, after: cursor, before: cursor },
      { limit: 1, backward: true, after: position, before: position },
    ],
    ['offset', { offset: 3 }, { offset: 3 }],
    ['first and offset', { first: 7, offset: 3 }, { limit: 7, offset: 3 }],
    ['first and last null', { first: 7, last: null }, { limit: 7 }],
  ])('reads %s', (_, args, expected) => {
    expect(readWindow([order], 'Vehicle', args)).toEqual({ ...whole, ...expected });
  });

  test.each<[string, Parameters<typeof readWindow>[2], string]>([
    ['first beyond the most', { first: maxPageSize + 1 }, 'first'],
    ['first below 0', { first: -1 }, 'first'],
    ['last beyond the most', { last: maxPageSize + 1 }, 'last'],
    ['last below 0', { last: -1 }, 'last'],
    ['offset below 0', { offset: -1 }, 'offset'],
    ['no cursor', { after: 'x' }, 'after'],
    ['an empty cursor', { before: '' }, 'before'],
    [
      'a cursor of the other direction',
      { after: encodeCursor([{ ...order, direction: 'desc' }], 'Vehicle', position) },
      'after',
    ],
    [
      'a cursor of another field',
      { before: encodeCursor([{ ...order, field: 'vin' }], 'Vehicle', position) },
      'before',
    ],
    ['a cursor of another list', { after: encodeCursor([order], 'Contact', position) }, 'after'],
    ['first and last', { first: 1, last: 1 }, ''],
    ['offset and last', { offset: 0, last: 1 }, ''],
    ['offset and after', { offset: 0, after: cursor }, ''],
    ['offset and before', { offset: 0, before: cursor }, ''],
  ])('refuses %s', (_, args, field) => {
    const error = refused(args);
    expect([error.code, error.fieldPath.join()]).toEqual(['BAD_REQUEST', field]);
    expect(error.message).toMatch(/\S/);
  });
});

describe('a cursor', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const key = fc.record({
    field: fc.string({ minLength: 1 }),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  });
  /** Any order, and values of its keys. */
  const anyPlace = fc
    .array(fc.tuple(key, value), { minLength: 1, maxLength: 3 })
    .map((keys) => ({ orders: keys.map(([order]) => order), values: keys.map(([, value]) => value) }));

  test('gives back its position in its own order, and is safe in a URL', () => {
    fc.assert(
      fc.property(anyPlace, fc.uuid(), ({ orders, values }, id) => {
        const cursor = encodeCursor(orders, 'Vehicle', { values, id });
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(readWindow(orders, 'Vehicle', { after: cursor }).after).toEqual({ values, id });
        expect(readWindow(orders, 'Vehicle', { last: 1, before: cursor }).before).toEqual({ values, id });
      }),
    );
  });

  test('is refused in every other order', () => {
    fc.assert(
      fc.property(anyPlace, anyPlace, fc.uuid(), ({ orders, values }, other, id) => {
        fc.pre(JSON.stringify(orders) !== JSON.stringify(other.orders));
        const error = refused({ after: encodeCursor(orders, 'Vehicle', { values, id }) }, other.orders);
        expect([error.code, error.fieldPath]).toEqual(['BAD_REQUEST', ['after']]);
      }),
    );
  });

  test('is refused for another custom field', () => {
    const byField = (customField: string): Order[] => [
      { field: 'customField.value', direction: 'asc', customField },
    ];
    const cursor = encodeCursor(byField('Axles'), 'Vehicle', position);
    expect(readWindow(byField('Axles'), 'Vehicle', { after: cursor }).after).toEqual(position);
    expect(refused({ after: cursor }, byField('Doors')).fieldPath).toEqual(['after']);
  });

  test('is never anything but a position or a BAD_REQUEST, whatever it holds', () => {
    const forged = fc
      .jsonValue()
      .map((content) => Buffer.from(JSON.stringify(content)).toString('base64url'));
    const near = fc
      .tuple(fc.constant('name'), fc.constant('asc'), fc.jsonValue(), fc.jsonValue())
      .map((content) => Buffer.from(JSON.stringify(content)).toString('base64url'));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), forged, near), (after) => {
        try {
          const { values, id } = readWindow([order], 'Vehicle', { after }).after ?? {};
          expect(typeof id).toBe('string');
          expect(values).toHaveLength(1);
          expect(
            values?.every(
              (value) => value === null || ['string', 'number', 'boolean'].includes(typeof value),
            ),
          ).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ code: 'BAD_REQUEST', fieldPath: ['after'] });
        }
      }),
    );
  });
});
