import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { createMemoryCollector, v8Flags } from '../../src/cli/process/memory.js';

test('this V8 knows each flag', () => {
  const { status, stderr } = spawnSync(process.execPath, [...v8Flags, '--eval', '']);
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
});

const MiB = 1024 * 1024;

/**
 * Returns a process with so much memory; a collection brings what is used to 100 MiB, and trimming all of it
 * to 150.
 */
function processWith(given: { used: number; resident: number; busy: number }) {
  const state = { ...given, done: [] as string[] };
  const look = createMemoryCollector({
    used: () => state.used,
    resident: () => state.resident,
    busy: () => state.busy,
    collect: () => {
      state.done.push('collect');
      state.used = 100 * MiB;
    },
    trim: () => {
      state.done.push('trim');
      state.resident = 150 * MiB;
    },
  });
  return { look, state };
}

const usual = { used: 100 * MiB, resident: 150 * MiB, busy: 0 };

describe('memory', () => {
  test('is given back when much has come and the process is idle', () => {
    const { look, state } = processWith(usual);
    look();
    state.used = 131 * MiB;
    look();
    expect(state.done).toEqual([]);
    Object.assign(state, { used: 400 * MiB, resident: 500 * MiB, busy: 0.9 });
    look();
    expect(state.done).toEqual([]);
    state.busy = 0.01;
    look();
    expect(state.done).toEqual(['collect']);
    look();
    look();
    expect(state.done).toEqual(['collect', 'trim']);
  });

  test('is counted from the least that was in use, whoever collected it', () => {
    const { look, state } = processWith({ ...usual, used: 400 * MiB });
    state.used = 90 * MiB;
    look();
    state.used = 123 * MiB;
    look();
    expect(state.done).toEqual(['collect']);
  });

  test('returns free memory of the process to the system even without a collection', () => {
    const { look, state } = processWith(usual);
    state.resident = 173 * MiB;
    look();
    expect(state.done).toEqual([]);
    state.resident = 175 * MiB;
    look();
    look();
    expect(state.done).toEqual(['trim']);
  });

  test('does not repeatedly collect and trim memory that is still in use', () => {
    const done: string[] = [];
    const state = { used: 100 * MiB, resident: 150 * MiB };
    const look = createMemoryCollector({
      used: () => state.used,
      resident: () => state.resident,
      busy: () => 0,
      collect: () => done.push('collect'),
      trim: () => done.push('trim'),
    });
    Object.assign(state, { used: 300 * MiB, resident: 350 * MiB });
    for (let n = 0; n < 5; n++) look();
    expect(done).toEqual(['collect', 'trim']);
  });
});
