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
const mostClocks = 5_000;

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
  if (clocks.size >= mostClocks) clocks.clear();
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
