// Prints both contracts and .env.example: npm run contracts
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { stringify } from 'yaml';
import { envExample } from './config/in-force.js';
import { schema } from './graphql/schema.js';
import { openapiDocument } from './rest/openapi/openapi.js';

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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, content] of Object.entries(printContracts())) {
    writeFileSync(new URL(name, contractsFolder), content);
  }
  writeFileSync(new URL('../.env.example', import.meta.url), envExample());
}
