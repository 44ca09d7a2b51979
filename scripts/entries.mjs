/**
 * The programs and modules in dist by file name, with their sources below src. Shared code is bundled into
 * separate files, whose names may change.
 * @type {Readonly<Record<string, string>>}
 */
export const entries = {
  main: 'main.ts',
  // Used by scripts of package.json.
  contracts: 'contracts.ts',
  // Used by the Dockerfile.
  programs: 'db/embedded/programs.ts',
  // Run in processes of their own by `src/uploads/reading/reader-process.ts`.
  'uploads/reading/certificate': 'uploads/reading/certificate.mjs',
  'uploads/reading/draw-page': 'uploads/reading/draw-page.mjs',
  'uploads/reading/pdf-text': 'uploads/reading/pdf-text.mjs',
  'uploads/reading/read-picture': 'uploads/reading/read-picture.mjs',
  'uploads/reading/find-details': 'uploads/reading/find-details.ts',
  'uploads/reading/html-text': 'uploads/reading/html-text.ts',
  'uploads/reading/mail-text': 'uploads/reading/mail-text.ts',
  'uploads/reading/office-text': 'uploads/reading/office-text.ts',
  'csv/workbook/read-workbook': 'csv/workbook/read-workbook.ts',
  // Used by scripts/dev.mjs and bench.
  config: 'config/config.ts',
  'env-file': 'cli/env-file.ts',
  embedded: 'db/embedded/embedded.ts',
  datamodel: '../prisma/generated/pothos.ts',
  // Used by bench.
  reading: 'uploads/reading/read-document.ts',
  prisma: '../prisma/generated/client/client.ts',
};
