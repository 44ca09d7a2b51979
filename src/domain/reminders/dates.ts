import { type DueStep, mostRepeatsOf } from './due.js';

const dayMilliseconds = 86_400_000;

/**
 * Finds the expiration dates for which a step is due on one of some days. Repeated steps have thousands of
 * offsets, most of which lead to the same dates, so a map of the days is faster than a set.
 * @returns days since 1970
 */
export function datesDue(
  days: readonly Date[],
  steps: Iterable<Pick<DueStep, 'offsetDays' | 'repeatEveryDays' | 'repeatCount'>>,
): number[] {
  const offsets = new Set<number>();
  for (const step of steps) {
    for (let times = 0; times <= mostRepeatsOf(step); times++) {
      offsets.add(step.offsetDays + times * (step.repeatEveryDays ?? 0));
    }
  }
  const numbers = [...new Set(days.map((day) => day.getTime() / dayMilliseconds))].sort((a, b) => a - b);
  const ordered = Int32Array.from(offsets).sort();
  const [first, last, least, most] = [numbers[0], numbers.at(-1), ordered[0], ordered.at(-1)];
  if (first === undefined || last === undefined || least === undefined || most === undefined) return [];
  const earliest = first - most;
  const isDue = new Uint8Array(last - least - earliest + 1);
  for (const day of numbers) for (const offset of ordered) isDue[day - offset - earliest] = 1;
  const dates: number[] = [];
  isDue.forEach((due, place) => {
    if (due) dates.push(earliest + place);
  });
  return dates;
}
