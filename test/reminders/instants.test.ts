import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { instantOf, nextSlot, shiftDay, slotsBetween } from '../../src/domain/reminders/slots.js';
import { cpuTimeOf } from '../support/cpu-time.js';

/** Returns the changes of a zone's clocks from 2020 to 2040. */
function transitions(zone: string): Temporal.ZonedDateTime[] {
  const found: Temporal.ZonedDateTime[] = [];
  let at = Temporal.ZonedDateTime.from(`2020-01-01T00:00[${zone}]`).getTimeZoneTransition('next');
  while (at && at.year <= 2040) {
    found.push(at);
    at = at.getTimeZoneTransition('next');
  }
  return found;
}

const expected = (local: Temporal.PlainDateTime, zone: string) =>
  local.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;

const ours = (local: Temporal.PlainDateTime, zone: string) =>
  instantOf(
    new Date(`${local.toPlainDate()}T00:00Z`),
    local.toPlainTime().toString().slice(0, 5),
    zone,
  ).getTime();

/** The zones in parts, so that no test takes long on a busy machine. */
const parts = Array.from({ length: 12 }, (_, part) =>
  Intl.supportedValuesOf('timeZone').filter((_zone, place) => place % 12 === part),
);

test.each(parts.map((zones, part) => [part, zones] as const))(
  'a time of a zone is the moment that Temporal says, around every change of its clocks: part %i',
  (_part, zones) => {
    const wrong: string[] = [];
    let compared = 0;
    const seen = new Set<string>();
    for (const zone of zones) {
      const changes = transitions(zone);
      // Zones whose clocks go alike are compared once.
      const alike = changes.map((change) => `${change.epochMilliseconds}${change.offset}`).join();
      if (seen.has(alike)) continue;
      seen.add(alike);
      for (const change of changes) {
        const shown = change.toPlainDateTime().with({ second: 0 });
        for (const minutes of [-1_440, -60, -30, -1, 0, 29, 59, 60]) {
          const local = shown.add({ minutes });
          compared++;
          if (ours(local, zone) !== expected(local, zone)) wrong.push(`${local} ${zone}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(200);
  },
);

test('a time on a day far away is its moment', () => {
  for (const text of ['1970-01-01T00:00', '2028-02-29T23:59', '9999-12-30T08:00']) {
    for (const zone of ['UTC', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Etc/GMT+12']) {
      const local = Temporal.PlainDateTime.from(text);
      expect(new Date(ours(local, zone)).toISOString(), `${text} ${zone}`).toBe(
        new Date(expected(local, zone)).toISOString(),
      );
    }
  }
});

const berlin = { timezone: 'Europe/Berlin', workingDays: [1, 2, 3, 4, 5] };
const moment = (text: string) => new Date(text);

test('the slots of a window are those after its beginning, up to its end', () => {
  const slots = (from: string, until: string) =>
    slotsBetween(moment(from), moment(until), berlin, ['08:00'], ['none']).map(({ nominal, instant }) => [
      nominal.toISOString().slice(0, 10),
      instant.toISOString(),
    ]);
  expect(slots('2027-03-27T07:00:00Z', '2027-03-28T06:00:00Z')).toEqual([
    ['2027-03-28', '2027-03-28T06:00:00.000Z'],
  ]);
  expect(slots('2027-03-28T06:00:00Z', '2027-03-29T05:59:59Z')).toEqual([]);
  expect(slots('2027-03-01T06:59:59Z', '2027-03-04T00:00:00Z')).toHaveLength(3);
});

test('a day off is moved away from the date', () => {
  const [saturday, friday, monday] = ['2027-03-06', '2027-03-05', '2027-03-08'].map((day) =>
    moment(`${day}T00:00Z`),
  );
  if (!saturday) return;
  expect(shiftDay(saturday, 'before', berlin.workingDays)).toEqual(friday);
  expect(shiftDay(saturday, 'after', berlin.workingDays)).toEqual(monday);
  expect(shiftDay(saturday, 'after', [])).toEqual(saturday);
  const slots = slotsBetween(
    moment('2027-03-05T00:00:00Z'),
    moment('2027-03-05T12:00:00Z'),
    berlin,
    ['08:00'],
    ['before', 'after'],
  );
  const days = (shift: string) =>
    slots.filter((slot) => slot.shift === shift).map(({ nominal }) => nominal.toISOString().slice(0, 10));
  expect(days('before')).toEqual(['2027-03-05', '2027-03-06', '2027-03-07']);
  expect(days('after')).toEqual(['2027-03-05']);
});

test('the next slot is the first of the times in use', () => {
  const next = (after: string, times: string[]) =>
    nextSlot(moment(after), 'Europe/Berlin', times).toISOString();
  expect(next('2027-03-28T00:59:00Z', ['00:00', '08:00'])).toBe('2027-03-28T06:00:00.000Z');
  expect(next('2027-03-28T06:00:00Z', ['00:00', '08:00'])).toBe('2027-03-28T22:00:00.000Z');
  // The clocks skip half past two.
  expect(next('2027-03-28T00:59:00Z', ['02:30'])).toBe('2027-03-28T01:30:00.000Z');
});

test('a workspace whose items have every time of day is evaluated quickly, even after a year', async () => {
  const times = Array.from({ length: 1_440 }, (_, minute) =>
    new Date(minute * 60_000).toISOString().slice(11, 16),
  );
  const [from, until] = [moment('2026-03-01T00:00:30Z'), moment('2027-03-01T00:00:00Z')];
  const took = await cpuTimeOf(() => {
    const slots = slotsBetween(from, until, berlin, times, ['none', 'before', 'after']);
    const days = (shift: string) => slots.filter((slot) => slot.shift === shift).length;
    expect([days('none'), days('before'), days('after')]).toEqual([366, 365, 367]);
    expect(nextSlot(from, 'Europe/Berlin', times).toISOString()).toBe('2026-03-01T00:01:00.000Z');
  });
  expect(took).toBeLessThan(1_000);
});
