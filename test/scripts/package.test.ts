import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { envExample } from '../../src/config/parse.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts;

/** Parts of a script that one of sh and cmd.exe reads otherwise, or not at all. */
const foreign = /['`$;|<>%^*?~\\]|\bexec\b|\bexport\b|\bset\b|(^|\s)\w+=|(^|\s)\.\.?\/|(^|[^&])&([^&]|$)/;

test.each(Object.entries(scripts))('the script %s is a command for sh and for cmd.exe alike', (_, script) => {
  expect(script).not.toMatch(foreign);
  const programs = script.split(' && ').map((command) => command.split(' ')[0]);
  const known = ['node', 'npm', 'vitest', 'vite', 'tsc'];
  expect(programs.filter((program = '') => !known.includes(program))).toEqual([]);
});

test.each([
  'NAME=value node x.js',
  'exec node x.js',
  "node -e 'x'",
  'node x.js; node y.js',
  './x.sh',
  'node x.js & node y.js',
  'node $(x)',
])('%s is not one', (script) => {
  expect(script).toMatch(foreign);
});

test('.env.example is the one that npm run contracts prints', () => {
  expect(read('.env.example')).toBe(envExample());
});
