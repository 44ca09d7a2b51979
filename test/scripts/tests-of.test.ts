import { expect, test } from 'vitest';
import { testsOf } from '../../scripts/tests-of.mjs';

test('finds tests that import a file, for its types alone as well, and those of what imports it', () => {
  const near = testsOf('scripts/tests-of.mjs');
  expect(near).toEqual([{ test: 'test/scripts/tests-of.test.ts', steps: 1 }]);
  const types = testsOf('src/domain/doors/stages.ts');
  expect(types).toContainEqual({ test: 'test/architecture.test.ts', steps: 1 });
  expect(types.length).toBeGreaterThan(100);
});

test('finds tests of a program that is started, by its name', () => {
  const found = testsOf('src/uploads/reading/read-picture.mjs');
  expect(found).toContainEqual({ test: 'test/uploads/pictures.test.ts', steps: 1 });
});
