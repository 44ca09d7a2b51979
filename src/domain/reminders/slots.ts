import { addDays } from '../status.js';
import { instantOf, localTime } from './instants.js';

const dayMilliseconds = 86_400_000;

/** Way in which a slot moves that falls on a day off. It never comes nearer to the date than asked. */
export type Shift = 'none' | 'before' | 'after';

/** A day on which steps are due, and the moment that it is. */
export interface Slot {
  /** The day that steps count from the date. It may be moved to a working day. */
  readonly nominal: Date;
  readonly shift: Shift;
  readonly instant: Date;
}

/** A workspace's clock and calendar. */
export interface SlotCalendar {
  readonly timezone: string;
  /** 1 Monday to 7 Sunday. */
  readonly workingDays: readonly number[];
}

const weekday = (day: Date) => day.getUTCDay() || 7;

/** Moves a day to the next working day in a direction. A workspace without one works every day. */
export function shiftDay(day: Date, shift: Shift, workingDays: readonly number[]): Date {
  if (shift === 'none' || workingDays.length === 0) return day;
  let moved = day;
  while (!workingDays.includes(weekday(moved))) moved = addDays(moved, shift === 'before' ? -1 : 1);
  return moved;
}

/** Returns the day that the clocks of a zone show, at midnight UTC. */
export function dayAt(moment: Date, zone: string): Date {
  return new Date(Math.floor(localTime(moment.getTime(), zone) / dayMilliseconds) * dayMilliseconds);
}

/**
 * Lists the slots of a window of time, `from` excluded and `until` included. Of one day and shift it is the first of the
 * times: by the day, all that is due on it is found.
 * @param times those in use, `HH:mm`
 * @param shifts the ways of moving that are in use
 */
export function slotsBetween(
  from: Date,
  until: Date,
  { timezone, workingDays }: SlotCalendar,
  times: readonly string[],
  shifts: readonly Shift[],
): Slot[] {
  const slots: Slot[] = [];
  // A nominal day may lie up to six days beside the one that it moves to, and clocks may be put on by a day.
  const margin = shifts.some((shift) => shift !== 'none') ? 8 : 2;
  const last = addDays(dayAt(until, timezone), margin);
  for (
    let nominal = addDays(dayAt(from, timezone), -margin);
    nominal <= last;
    nominal = addDays(nominal, 1)
  ) {
    for (const shift of shifts) {
      const day = shiftDay(nominal, shift, workingDays);
      // No zone is further from UTC than a day.
      if (addDays(day, 2) <= from || addDays(day, -1) > until) continue;
      for (const time of times) {
        const instant = instantOf(day, time, timezone);
        if (instant <= from || instant > until) continue;
        slots.push({ nominal, shift, instant });
        break;
      }
    }
  }
  return slots;
}

/** Returns the first moment after another at which one of the times comes. Without any, it is a day later. */
export function nextSlot(after: Date, timezone: string, times: readonly string[]): Date {
  const today = dayAt(after, timezone);
  const moments = [0, 1, 2, 3]
    .flatMap((days) => times.map((time) => instantOf(addDays(today, days), time, timezone)))
    .filter((instant) => instant > after);
  return new Date(Math.min(...moments.map(Number), after.getTime() + dayMilliseconds));
}
