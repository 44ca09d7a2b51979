import { expect, test } from 'vitest';
import { shownMoment } from '../../src/db/sql/tree.js';

test('a moment that is only shown is written like a Date, whatever zeros PostgreSQL has omitted', () => {
  const moments = [
    ['2026-11-20T09:30:00.123+00:00', '2026-11-20T09:30:00.123Z'],
    ['2026-11-20T09:30:00.12+00:00', '2026-11-20T09:30:00.120Z'],
    ['2026-11-20T09:30:00.1+00:00', '2026-11-20T09:30:00.100Z'],
    ['2026-11-20T09:30:00+00:00', '2026-11-20T09:30:00.000Z'],
    ['0001-01-01T00:00:00.001+00:00', '0001-01-01T00:00:00.001Z'],
    ['9999-12-31T23:59:59.999+00:00', '9999-12-31T23:59:59.999Z'],
  ];
  for (const [written, shown] of moments) {
    expect(shownMoment(written as string)).toBe(shown);
    expect(new Date(written as string).toISOString()).toBe(shown);
  }
});

test('a date stays as it is', () => {
  expect(shownMoment('2026-11-20')).toBe('2026-11-20');
});
