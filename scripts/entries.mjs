/**
 * The programs and modules that dist offers, by the name of their file, and the source below src of each. What they share
 * is bundled into files of its own, whose names nobody should rely on.
 * @type {Readonly<Record<string, string>>}
 */
export const entries = {
  main: 'main.ts',
  // For scripts of package.json.
  contracts: 'contracts.ts',
  // For the Dockerfile.
  programs: 'db/embedded/programs.ts',
  // For scripts/dev.mjs and bench.
  config: 'config/config.ts',
  'env-file': 'cli/env-file.ts',
  embedded: 'db/embedded/embedded.ts',
  datamodel: 'generated/pothos.ts',
  prisma: 'generated/prisma/client.ts',
};
