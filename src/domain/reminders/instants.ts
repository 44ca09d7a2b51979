const minute = 60_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the format of local clocks in a time zone. Making one is slow, so each zone's is kept. */
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

/** Returns what the clocks of a zone show at a moment. It is in milliseconds, as if they showed UTC. */
export function localTime(moment: number, zone: string): number {
  const shown = new Map<string, string>(
    clockFormat(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: string) => Number(shown.get(type));
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/**
 * Returns the moment at which a zone's clocks show a time on a day. Where they skip it, it is as much later as they are
 * put forward; of two such moments it is the first. Temporal calls that "compatible".
 * @param date at midnight UTC, as `date` columns are read
 * @param time `HH:mm`
 */
export function instantOf(date: Date, time: string, zone: string): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const wanted = date.getTime() + (hours * 60 + minutes) * minute;
  const offsetAt = (moment: number) => localTime(moment, zone) - moment;
  // No zone is further from UTC than this, nor changes twice within it but for years long past.
  const day = 24 * 60 * minute;
  const [before, after] = [offsetAt(wanted - day), offsetAt(wanted + day)];
  for (const offset of [before, after]) {
    const moment = wanted - offset;
    if (localTime(moment, zone) === wanted) return new Date(moment);
  }
  return new Date(wanted - before);
}
