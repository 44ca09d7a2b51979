import { expect, test } from 'vitest';
import { datesDue } from '../../src/domain/reminders/decide.js';
import { cpuTimeOf } from '../support/cpu-time.js';

const dayMilliseconds = 86_400_000;
const day = (text: string) => new Date(`${text}T00:00Z`);
const step = (
  offsetDays: number,
  repeatEveryDays: number | null = null,
  repeatCount: number | null = null,
) => ({
  ...{ offsetDays, repeatEveryDays, repeatCount },
});
const datesOf = (...given: Parameters<typeof datesDue>) =>
  datesDue(...given).map((number) => new Date(number * dayMilliseconds).toISOString().slice(0, 10));

test('a step is due for the date that is its offset away', () => {
  expect(datesOf([day('2027-03-01')], [step(-30), step(0), step(7)])).toEqual([
    ...['2027-02-22', '2027-03-01', '2027-03-31'],
  ]);
});

test('a step that repeats is due of a date for each repetition, and of each date once', () => {
  const days = [day('2027-03-02'), day('2027-03-01'), day('2027-03-01')];
  expect(datesOf(days, [step(1, 1, 2)])).toEqual(['2027-02-26', '2027-02-27', '2027-02-28', '2027-03-01']);
});

test('nothing is due without a day, or without a step', () => {
  expect(datesDue([], [step(1)])).toEqual([]);
  expect(datesDue([day('2027-03-01')], [])).toEqual([]);
});

test('policies with as many offsets as there can be are looked at quickly', async () => {
  const steps = Array.from({ length: 400 }, (_, n) => step(-3_650 + n, 365 - (n % 20), 365));
  const days = Array.from({ length: 366 }, (_, n) => new Date(Date.UTC(2027, 0, n)));
  let found = 0;
  const took = await cpuTimeOf(() => {
    found = datesDue(days, steps).length;
  });
  expect(found).toBeGreaterThan(100_000);
  expect(took).toBeLessThan(1_000);
});
