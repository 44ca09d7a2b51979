import { expect, test } from 'vitest';
import { damageOf } from '../../src/csv/import/rows.js';

test.each([
  ['0012', '12', 'LOST_ZEROS'],
  ['000', '0', 'LOST_ZEROS'],
  ['12345678901234567', '1.23457E+16', 'ROUNDED'],
  ['12345678901234567', '1,23E+016', 'ROUNDED'],
  ['12345678901234567890', '1.23E+019', 'ROUNDED'],
  ['12345678901234567', '12345678901234600', 'ROUNDED'],
  ['0012345678901234567', '12345678901234600', 'ROUNDED'],
  ['12345678901234567', '12345678901234500', 'ROUNDED'],
  ['+4912345678901', '4.91235E+12', 'ROUNDED'],
  ['00000000000000017', '17', 'LOST_ZEROS'],
  ['1234E10', '1.234E+13', 'ROUNDED'],
] as const)('%s that became %s was damaged: %s', (before, after, damage) => {
  expect(damageOf(before, after)).toBe(damage);
});

test.each([
  ['0012', '0012'],
  ['0012', '13'],
  ['12', '0012'],
  ['12345678901234567', '12345678901234568'],
  ['12345678901234567', '2.23E+16'],
  ['1234567', '1234560'],
  ['WVWZZZ1JZXW000001', '1'],
  ['AB12', '12'],
  ['', '12'],
  ['1234567890123.45', '1234567890123000'],
  ['1'.repeat(400), '2'.repeat(400)],
  ['12', `1.${'2'.repeat(200)}E+01`],
  ['12345678901234567', '1.23457E-16'],
])('%s that became %s was changed', (before, after) => {
  expect(damageOf(before, after)).toBeNull();
});
