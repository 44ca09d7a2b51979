import { createRequire } from 'node:module';

/** The version of this package (Semantic Versioning). `package.json` is its only source. */
export const { version } = createRequire(import.meta.url)('../package.json') as { readonly version: string };
