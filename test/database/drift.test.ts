import { expect, test } from 'vitest';
import { MIGRATIONS_FOLDER, MODELS_FOLDER } from '../../src/db/migrations/migrations.js';
import { diffSchemas, readModels, readSnapshot } from '../../src/db/migrations/schema-diff.js';

test('the migrations lead to the models', async () => {
  const missing = await diffSchemas(await readSnapshot(MIGRATIONS_FOLDER), await readModels(MODELS_FOLDER));
  expect(missing, 'a migration is missing: run `npm run migration -- <name>`').toBe('');
});
