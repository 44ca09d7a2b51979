import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { clientSource } from '../../scripts/client.mjs';
import { document } from '../support/openapi.js';

test('the client is made from the document', async () => {
  const committed = await readFile(
    new URL('../../clients/typescript/src/generated.ts', import.meta.url),
    'utf8',
  );
  const made = await clientSource(document);
  expect(
    committed === made,
    'clients/typescript is out of date: run `npm run contracts` and commit it.',
  ).toBe(true);
});
