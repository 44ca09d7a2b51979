import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { contractsFolder, printContracts } from '../../src/contracts.js';

describe('the committed contracts', () => {
  it.each(Object.entries(printContracts()))('schema/%s is what the code says', async (name, printed) => {
    const committed = await readFile(new URL(name, contractsFolder), 'utf8');
    expect(
      committed === printed,
      `schema/${name} is out of date: run \`npm run contracts\` and commit it.`,
    ).toBe(true);
  });
});
