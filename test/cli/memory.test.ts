import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { v8Flags } from '../../src/cli/memory.js';

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
