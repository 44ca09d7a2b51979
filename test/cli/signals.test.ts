import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { untilSignal } from '../../src/cli/process/signals.js';

let signals: EventEmitter;
let now: number;
let finish: () => void;
let outcome: Promise<string>;

/** Work that begins to end at the first signal, and takes until `finish` is called. */
beforeEach(() => {
  signals = new EventEmitter();
  now = 5_000;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let stoppedBy = '';
  const work = async (stop: Promise<string>) => {
    stoppedBy = await stop;
    await finished;
  };
  outcome = untilSignal(signals, work, () => now).then(
    () => `in good order, by ${stoppedBy}`,
    (error: Error) => error.message,
  );
});

function send(name: string, at: number): void {
  now = at;
  signals.emit(name, name);
}

describe('the same signal', () => {
  it.each([0, 1, 999])('is one signal after %i ms, however often it comes', async (later) => {
    for (const at of [5_000, 5_000 + later, 5_000 + later]) send('SIGINT', at);
    finish();
    expect(await outcome).toBe('in good order, by SIGINT');
  });

  it('is a second one after a second', async () => {
    send('SIGINT', 5_000);
    send('SIGINT', 5_900);
    send('SIGINT', 6_000);
    expect(await outcome).toBe('Stopped immediately by a second SIGINT.');
  });
});

it('is a second signal at once, if it is another one', async () => {
  send('SIGTERM', 5_000);
  send('SIGINT', 5_001);
  expect(await outcome).toBe('Stopped immediately by a second SIGINT.');
});

it('is no second signal when the terminal is closed meanwhile', async () => {
  send('SIGTERM', 5_000);
  send('SIGHUP', 5_500);
  send('SIGHUP', 8_000);
  finish();
  expect(await outcome).toBe('in good order, by SIGTERM');
});

it('is the first one when the terminal is closed', async () => {
  send('SIGHUP', 5_000);
  finish();
  expect(await outcome).toBe('in good order, by SIGHUP');
});

it('is left to the process again, when the work is done', async () => {
  send('SIGTERM', 5_000);
  finish();
  await outcome;
  expect(signals.eventNames()).toEqual([]);
});
