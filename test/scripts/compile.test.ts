import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { compile } from '../../scripts/compile.mjs';

const source = fileURLToPath(new URL('../../src', import.meta.url));

test('compiled code rejects broken parameters like its source', async () => {
  const target = await mkdtemp(join(tmpdir(), 'gateway-compile-'));
  onTestFinished(() => rm(target, { recursive: true, force: true }));
  await compile(source, target, { parameters: 'web/parameters.ts' });
  const { readParameters } = await import(pathToFileURL(join(target, 'parameters.js')).href);
  for (const broken of ['x=%zz', 'x=%', 'x=%ff', 'x=%ED%A0%80'])
    expect(() => readParameters(broken), broken).toThrow('percent-encoded');
  expect(readParameters('x=%C3%BC').get('x')).toBe('ü');
});
