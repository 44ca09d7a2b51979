import { expect, test } from 'vitest';
import { diffSchemas, readModels, readSnapshot } from '../../scripts/migration.mjs';

test('the migrations lead to the models', async () => {
  const missing = await diffSchemas(await readSnapshot('prisma/migrations'), await readModels('prisma'));
  expect(missing, 'a migration is missing: run `npm run migration -- <name>`').toBe('');
});
