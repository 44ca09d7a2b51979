import { expect, test } from 'vitest';
import { readUrl } from '../../src/domain/text/formats.js';

// Node.js 20's own `URL.canParse` stops to, once it is compiled.
test('a URL with letters beyond ASCII is one however often it is read', () => {
  for (let count = 0; count < 20_000; count += 1) {
    if (!readUrl('https://bücher.example/')) expect.fail(`not the ${count}th time`);
  }
  expect(readUrl('no url')).toBeUndefined();
});
