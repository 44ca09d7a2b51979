import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { clientSource } from '../../scripts/client.mjs';
import { contractsFolder, printContracts } from '../../src/contracts.js';
import { document } from '../support/openapi.js';

describe('the committed contracts', () => {
  it.each(Object.entries(printContracts()))('schema/%s is what the code says', async (name, printed) => {
    const committed = await readFile(new URL(name, contractsFolder), 'utf8');
    expect(
      committed === printed,
      `schema/${name} is out of date: run \`npm run contracts\` and commit it.`,
    ).toBe(true);
  });

  it('the client is made from the document', async () => {
    const path = new URL('../clients/typescript/src/generated.ts', contractsFolder);
    const made = await clientSource(document);
    expect(
      (await readFile(path, 'utf8')) === made,
      'clients/typescript is out of date: run `npm run contracts` and commit it.',
    ).toBe(true);
  });
});
