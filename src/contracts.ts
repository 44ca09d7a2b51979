// Prints both contracts, .env.example and the table of endpoints in docs/use/rest.md: npm run contracts
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { stringify } from 'yaml';
import { envExample } from './config/parse.js';
import { schema } from './graphql/schema.js';
import { openapiDocument } from './rest/openapi/openapi.js';
import { routes } from './rest/routes.js';

/** The folder of the contract files. The repository's readers and the server share it. */
export const contractsFolder = new URL('../schema/', import.meta.url);

/** Prints the contracts of both APIs, keyed by file name. */
export function printContracts(): Record<string, string> {
  const openapi = openapiDocument(schema);
  return {
    'gateway.graphql': `${printSchema(lexicographicSortSchema(schema))}\n`,
    'v1.openapi.json': `${JSON.stringify(openapi, null, 2)}\n`,
    'v1.openapi.yaml': stringify(openapi, { aliasDuplicateObjects: false }),
  };
}

/** A path of files in the OpenAPI document, by its methods. */
type FilePath = Readonly<Record<string, { readonly summary: string }>>;

/** Returns a page with the table of endpoints between its markers. */
export function withEndpoints(page: string): string {
  const { paths } = openapiDocument(schema) as { readonly paths: Record<string, FilePath> };
  const routed = new Set(routes.map(({ path }) => path));
  const files = Object.entries(paths).flatMap(([path, operations]) =>
    routed.has(path)
      ? []
      : Object.entries(operations).map(([method, { summary }]) => ({
          method: method.toUpperCase(),
          ...{ path, summary, origin: 'addition' },
        })),
  );
  const rows = [...routes, ...files].map(
    ({ method, path, origin, summary }) => `| ${method} | \`${path}\` | ${origin} | ${summary} |\n`,
  );
  const table = `| Method | Path | Origin | What it does |\n|---|---|---|---|\n${rows.join('')}`;
  return page.replace(/(?<=<!-- endpoints .*-->\n\n)[\s\S]*?(?=\n<!-- end -->)/, () => table);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, content] of Object.entries(printContracts())) {
    writeFileSync(new URL(name, contractsFolder), content);
  }
  writeFileSync(new URL('../.env.example', import.meta.url), envExample());
  const page = new URL('../docs/use/rest.md', import.meta.url);
  writeFileSync(page, withEndpoints(readFileSync(page, 'utf8')));
}
