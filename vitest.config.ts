import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/database.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Two graphql realms in one process break instanceof: everything loads the package's one CommonJS entry.
    server: { deps: { inline: [] } },
  },
});
