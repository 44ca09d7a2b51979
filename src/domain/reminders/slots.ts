import { addDays } from '../status.js';
import { instantOf, localTime } from './instants.js';

const dayMilliseconds = 86_400_000;

/** Direction in which a slot on a day off is shifted. It never moves closer to the date than requested. */
export type Shift = 'none' | 'before' | 'after';

/** A day on which steps are due, and the exact time. */
export interface Slot {
  /** The day counted from the date. It may be shifted to a working day. */
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

/**
 * Moves a day to the next working day in a direction. In a workspace without working days, every day is one.
 */
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
 * Lists the slots in a time window, `from` exclusive and `until` inclusive. For each day and shift it returns
 * only the first of the times, because the day suffices to find everything due on it.
 * @param times those in use, `HH:mm`
 * @param shifts the shifts in use
 */
export function slotsBetween(
  from: Date,
  until: Date,
  { timezone, workingDays }: SlotCalendar,
  times: readonly string[],
  shifts: readonly Shift[],
): Slot[] {
  const slots: Slot[] = [];
  // A nominal day may be up to six days away from its shifted one, and clocks may differ by a day.
  const margin = shifts.some((shift) => shift !== 'none') ? 8 : 2;
  const last = addDays(dayAt(until, timezone), margin);
  for (
    let nominal = addDays(dayAt(from, timezone), -margin);
    nominal <= last;
    nominal = addDays(nominal, 1)
  ) {
    for (const shift of shifts) {
      const day = shiftDay(nominal, shift, workingDays);
      // No zone is further than a day from UTC.
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

/**
 * Returns the next time at which one of the given times of day comes. If there are none, it is a day later.
 */
export function nextSlot(after: Date, timezone: string, times: readonly string[]): Date {
  const today = dayAt(after, timezone);
  const moments = [0, 1, 2, 3]
    .flatMap((days) => times.map((time) => instantOf(addDays(today, days), time, timezone)))
    .filter((instant) => instant > after);
  return new Date(Math.min(...moments.map(Number), after.getTime() + dayMilliseconds));
}
