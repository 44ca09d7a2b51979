import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ConfigError } from '../../config/parse.js';

/** GraphQL documents by the ids that clients send. */
export type PersistedDocuments = ReadonlyMap<string, string>;

type Entry = readonly [id: string, document: string];

/** Formats of manifests: Apollo's, or documents by id (Relay, GraphQL Code Generator). */
const manifest = z.union([
  z
    .object({
      format: z.literal('apollo-persisted-query-manifest'),
      version: z.literal(1),
      operations: z.array(z.object({ id: z.string(), body: z.string() })),
    })
    .transform(({ operations }) => operations.map(({ id, body }): Entry => [id, body])),
  z.record(z.string(), z.string()).transform((documents): Entry[] => Object.entries(documents)),
]);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Maps a document's SHA-256 hashes to it. Tools hash it with the line break at its end, clients without. */
function fromDocument(text: string): Entry[] {
  const document = text.replace(/\r?\n$/, '');
  return [document, text].map((hashed) => [sha256(hashed), document]);
}

function fromFile(file: string): Entry[] {
  if (file.endsWith('.graphql')) return fromDocument(readFileSync(file, 'utf8'));
  return file.endsWith('.json') ? manifest.parse(JSON.parse(readFileSync(file, 'utf8'))) : [];
}

/** Runs `work`, and reports its error as an invalid setting. */
function attempt<T>(path: string, expected: string, work: () => T): T {
  try {
    return work();
  } catch {
    throw new ConfigError([`PERSISTED_OPERATIONS ${JSON.stringify(path)}: expected ${expected}`]);
  }
}

/**
 * Loads the persisted documents of a folder and its subfolders. They are the files `*.graphql`, and those
 * that the manifests `*.json` list.
 * @throws {ConfigError} naming a folder or file that cannot be read
 */
export function loadPersistedDocuments(folder: string): PersistedDocuments {
  const names = attempt(folder, 'a folder that can be read', () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }),
  );
  const entries = names.flatMap((name) => {
    const file = join(folder, name);
    const expected = "a document, or a manifest of Apollo's, Relay's or GraphQL Code Generator's";
    return attempt(file, expected, () => fromFile(file));
  });
  return new Map(entries);
}
