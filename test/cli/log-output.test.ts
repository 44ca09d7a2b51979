import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogOutput, type LogOutput } from '../../src/cli/terminal/logger.js';

let folder: string;
let [reader, writer] = [-1, -1];
let output: LogOutput;
let lost: number[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-log-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  lost = [];
  output = createLogOutput({ fd: writer, keepFromWaiting: () => {}, onLost: (lines) => lost.push(lines) });
});
afterEach(() => {
  closeSync(writer);
  if (reader !== -1) closeSync(reader);
  rmSync(folder, { recursive: true });
});

/** Returns what the pipe holds now. */
function read(): string {
  const bytes = Buffer.alloc(1024 * 1024);
  try {
    return String(bytes.subarray(0, readSync(reader, bytes)));
  } catch {
    return '';
  }
}

/** Writes what is left; answers for how many milliseconds it waited each time that nobody took any of it. */
function waitsOfEnd(): unknown[] {
  const waiting = vi.spyOn(Atomics, 'wait');
  output.end();
  const waits = waiting.mock.calls.map(([, , , milliseconds]) => milliseconds);
  waiting.mockRestore();
  return waits;
}

const line = (at: number) => `${at} ${'x'.repeat(100)}\n`;

test('lines are written soon, whole and in their order', async () => {
  const lines = Array.from({ length: 300 }, (_, at) => line(at));
  for (const one of lines) output.write(one);
  let text = '';
  await expect
    .poll(() => {
      text += read();
      return text;
    })
    .toBe(lines.join(''));
});

test('the end writes the remaining lines', () => {
  output.write(line(0));
  output.write(line(1));
  output.end();
  expect(read()).toBe(line(0) + line(1));
});

test('the end does not wait long for one who reads nothing', () => {
  for (let at = 0; at < 2_000; at++) output.write(line(at));
  const waits = waitsOfEnd();
  expect(new Set(waits)).toEqual(new Set([10]));
  expect(waits.length).toBeLessThanOrEqual(100);
  expect(read().length).toBeGreaterThan(50_000);
});

test('the end does not wait for a reader that has gone', () => {
  output.write(line(0));
  closeSync(reader);
  reader = -1;
  expect(waitsOfEnd()).toEqual([]);
});

test('lines that cannot be kept are lost, and counted once lines are taken again', async () => {
  const large = `${'x'.repeat(64 * 1024)}\n`;
  // Of 300, which are 19 MiB, 16 MiB are kept.
  for (let at = 0; at < 300; at++) output.write(large);
  await expect
    .poll(() => {
      read();
      return lost;
    })
    .toEqual([300 - Math.floor((16 * 1024 * 1024) / large.length)]);
});
