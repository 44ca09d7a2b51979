import { createRequire } from 'node:module';

/** The version of this package, by Semantic Versioning; `package.json` alone tells it. */
export const { version } = createRequire(import.meta.url)('../package.json') as { readonly version: string };
