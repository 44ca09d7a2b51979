import { expect, test } from 'vitest';
import { believedAfter, type ClockReading, Clocks, clockText } from '../../src/domain/load/clocks.js';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const day = 24 * hour;
const start = Date.parse('2026-11-20T09:30:00Z');

/** Returns a look after some time, with clocks that are wrong by some milliseconds. */
const look = (passed: number, { wall = 0, database = 0, stored }: Partial<ClockReading> = {}) => ({
  ...{ wall: start + passed + wall, database: start + passed + database, uptime: day + passed },
  stored,
});

const jumps = [second, hour, day, 365 * day].flatMap((ms) => [ms, -ms]);

test.each(jumps)('a jump of %i ms of one clock is no time to decide', (ms) => {
  for (const clock of ['wall', 'database'] as const) {
    const clocks = new Clocks();
    expect(clocks.note(look(0))).toBeUndefined();
    const jumped = look(minute, { [clock]: ms });
    const sign = clock === 'wall' ? 1 : -1;
    const problem = Math.abs(ms) > 2 * minute ? { from: 'DATABASE', ms: sign * ms } : undefined;
    expect(clocks.note(jumped)).toEqual(problem);
    // Meanwhile the time goes on by the uptime.
    if (problem) expect(clocks.now(jumped.wall, jumped.uptime)).toBe(start + minute);
    expect(clocks.note(look(2 * minute))).toBeUndefined();
  }
});

test.each(jumps.filter((ms) => Math.abs(ms) > minute))(
  'a jump of %i ms of the one clock of a machine is believed after ten minutes',
  (ms) => {
    const clocks = new Clocks();
    clocks.note(look(0));
    const both = { wall: ms, database: ms };
    expect(clocks.note(look(minute, both))).toEqual({ from: 'UPTIME', ms });
    expect(clocks.now(look(minute, both).wall, day + minute)).toBe(start + minute);
    // Back at once: nothing has happened.
    expect(clocks.note(look(minute + 10 * second))).toBeUndefined();
    expect(clocks.note(look(2 * minute, both))).toEqual({ from: 'UPTIME', ms });
    expect(clocks.note(look(2 * minute + believedAfter - 1, both))).toEqual({ from: 'UPTIME', ms });
    const last = look(2 * minute + believedAfter, both);
    expect(clocks.note(last)).toBeUndefined();
    expect(clocks.now(last.wall, last.uptime)).toBe(last.wall);
  },
);

test('a long shutdown is no jump, and a stored time in the future is a problem', () => {
  expect(new Clocks().note(look(0, { stored: start - 365 * day }))).toBeUndefined();
  const clocks = new Clocks();
  const ahead = { stored: start + 365 * day };
  const problem = clocks.note(look(0, ahead));
  expect(problem).toEqual({ from: 'STORED', ms: -365 * day });
  expect(problem && clockText(problem)).toBe(
    "This machine's clock is 365 days behind the newest time that is stored.",
  );
  expect(clocks.note(look(believedAfter, ahead))).toBeUndefined();
});

test('a clock that is slowly corrected is followed', () => {
  const clocks = new Clocks();
  for (let step = 0; step < 100; step++) {
    const both = { wall: step * minute, database: step * minute };
    expect(clocks.note(look(step * second, both))).toBeUndefined();
  }
});
