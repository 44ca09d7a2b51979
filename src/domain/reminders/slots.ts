import { addDays } from '../dates.js';

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the format of local time in a time zone. Creating one is slow, so it is cached per zone. */
function clockFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const two = '2-digit';
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, calendar: 'gregory', hourCycle: 'h23' },
    ...{ year: 'numeric', month: two, day: two, hour: two, minute: two, second: two },
  });
  formats.set(zone, format);
  return format;
}

/** Returns the local time of a zone at a given time. It is in milliseconds, as if the clocks showed UTC. */
export function localTime(moment: number, zone: string): number {
  const shown = new Map<string, string>(
    clockFormat(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: string) => Number(shown.get(type));
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** Offsets of a zone's clocks around a day, in milliseconds. From the time `changed` on, `after` applies. */
interface DayClock {
  readonly before: number;
  readonly after: number;
  readonly changed: number;
}

const clocks = new Map<string, DayClock>();

/** The most cached clocks. */
const maxClocks = 5_000;

/**
 * Finds the offsets of a zone's clocks on a day. They are cached, because computing them is slow and many
 * items have the same day.
 */
function clockOf(date: number, zone: string): DayClock {
  const key = `${date} ${zone}`;
  const known = clocks.get(key);
  if (known) return known;
  const offsetAt = (moment: number) => localTime(moment, zone) - moment;
  // No zone is further than a day from UTC, or changes twice within three days, except long ago.
  let [unchanged, changed] = [date - day, date + 2 * day];
  const [before, after] = [offsetAt(unchanged), offsetAt(changed)];
  while (before !== after && changed - unchanged > second) {
    const middle = unchanged + Math.floor((changed - unchanged) / 2 / second) * second;
    if (offsetAt(middle) === before) unchanged = middle;
    else changed = middle;
  }
  const clock = { before, after, changed };
  if (clocks.size >= maxClocks) clocks.clear();
  clocks.set(key, clock);
  return clock;
}

/**
 * Returns the instant at which a zone's clocks show a time on a day. A skipped time moves later by the length
 * of the gap; of two such instants, it is the first. Temporal calls that "compatible".
 * @param date at midnight UTC, like `date` columns are read
 * @param time `HH:mm`
 */
export function instantOf(date: Date, time: string, zone: string): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const wanted = date.getTime() + (hours * 60 + minutes) * minute;
  const { before, after, changed } = clockOf(date.getTime(), zone);
  const [early, late] = [wanted - before, wanted - after];
  return new Date(early < changed || late < changed ? early : late);
}

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

/** Lists when times of day come in a window, `from` exclusive and `until` inclusive. */
export function timesBetween(from: Date, until: Date, timezone: string, times: readonly string[]): number[] {
  const found: number[] = [];
  const last = dayAt(until, timezone);
  // A time that the clocks skip may come on the next day.
  for (let day = addDays(dayAt(from, timezone), -1); day <= last; day = addDays(day, 1)) {
    for (const time of times) {
      const instant = instantOf(day, time, timezone);
      if (instant > from && instant <= until) found.push(instant.getTime());
    }
  }
  return found;
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

/** Times at which somebody wants digests. */
export interface DigestTimes {
  readonly mode: 'SINGLE' | 'DAILY' | 'WEEKLY';
  /** Day of a weekly digest: 1 Monday to 7 Sunday. */
  readonly weekday: number;
  /** `HH:mm` */
  readonly digestTime: string;
}

/** Returns when the next digest is sent, at a given time or after it. */
export function nextDigest(
  { mode, weekday: wanted, digestTime }: DigestTimes,
  zone: string,
  from: Date,
): Date {
  let slot = nextSlot(new Date(from.getTime() - 1), zone, [digestTime]);
  for (let days = 0; mode === 'WEEKLY' && days < 7 && weekday(dayAt(slot, zone)) !== wanted; days++) {
    slot = nextSlot(slot, zone, [digestTime]);
  }
  return slot;
}
