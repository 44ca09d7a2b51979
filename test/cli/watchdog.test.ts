import { beforeEach, expect, test } from 'vitest';
import { lookInterval, Watchdog } from '../../src/cli/process/watchdog.js';

let now: number;
let watchdog: Watchdog<string>;
let pings: string[];
let hung: string[];
beforeEach(() => {
  now = 0;
  [pings, hung] = [[], []];
  watchdog = new Watchdog(() => now);
});

function watch(name: string, patience = 3): void {
  watchdog.watch(name, { patience, ping: () => pings.push(name), onHung: () => hung.push(name) });
}

/** Looks so many times, each so many milliseconds after the one before. */
function look(times: number, every = lookInterval): void {
  for (let at = 0; at < times; at++) {
    now += every;
    watchdog.look();
  }
}

test('a process that does not answer is reported once, another is not', () => {
  watch('stopped');
  watch('healthy');
  for (let at = 0; at < 10; at++) {
    look(1);
    watchdog.answered('healthy');
  }
  expect(hung).toEqual(['stopped']);
  expect(pings.filter((name) => name === 'stopped')).toHaveLength(1);
  expect(pings.filter((name) => name === 'healthy')).toHaveLength(10);
});

test('a process that answers late, but in time, begins anew', () => {
  watch('slow');
  for (let at = 0; at < 10; at++) {
    look(3);
    watchdog.answered('slow');
  }
  expect(hung).toEqual([]);
  look(4);
  expect(hung).toEqual(['slow']);
});

test('nobody is at fault while the one that looks is late itself', () => {
  watch('slow');
  look(20, 5 * lookInterval);
  expect(hung).toEqual([]);
  look(3);
  expect(hung).toEqual(['slow']);
});

test('a suspended machine, or a clock that jumps, is one look', () => {
  watch('slow');
  look(2);
  look(1, 3_600_000);
  watchdog.answered('slow');
  look(2);
  expect(hung).toEqual([]);
});

test('who has ended is not looked at, and who serves has less patience than who starts', () => {
  watch('ended');
  watch('starting', 100);
  look(2);
  watchdog.forget('ended');
  look(10);
  expect(hung).toEqual([]);
  watch('starting', 3);
  look(4);
  expect(hung).toEqual(['starting']);
});
