import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { collectorOf, v8Flags } from '../../src/cli/memory.js';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

test('this V8 knows each flag', () => {
  const { status, stderr } = spawnSync(process.execPath, [...v8Flags, '--eval', '']);
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
});

test('the image runs the gateway as npm start does', () => {
  const [, command] = /exec (.*)$/.exec(JSON.parse(read('package.json')).scripts.start) ?? [];
  const [, words = ''] = /^CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];
  expect(command).toContain('dist/main.js');
  expect(JSON.parse(words).join(' ')).toBe(command);
});

describe('garbage', () => {
  const MiB = 1024 * 1024;

  /** A process with so much memory, which a collection brings to 100 MiB. */
  function processWith(state: { used: number; busy: number }) {
    let collected = 0;
    const look = collectorOf({
      used: () => state.used,
      busy: () => state.busy,
      collect: () => {
        collected++;
        state.used = 100 * MiB;
      },
    });
    return { look, collected: () => collected };
  }

  test('is collected once when much has come and the process is idle', () => {
    const state = { used: 100 * MiB, busy: 0 };
    const { look, collected } = processWith(state);
    look();
    state.used = 147 * MiB;
    look();
    expect(collected()).toBe(0);
    Object.assign(state, { used: 400 * MiB, busy: 0.9 });
    look();
    expect(collected()).toBe(0);
    state.busy = 0.01;
    look();
    look();
    expect(collected()).toBe(1);
  });

  test('is counted from the least that was in use, whoever collected it', () => {
    const state = { used: 400 * MiB, busy: 0 };
    const { look, collected } = processWith(state);
    state.used = 90 * MiB;
    look();
    state.used = 139 * MiB;
    look();
    expect(collected()).toBe(1);
  });

  test('what is still held is not collected again and again', () => {
    const state = { used: 100 * MiB, busy: 0 };
    let collected = 0;
    const look = collectorOf({ used: () => state.used, busy: () => 0, collect: () => collected++ });
    state.used = 300 * MiB;
    for (let n = 0; n < 5; n++) look();
    expect(collected).toBe(1);
  });
});
