import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GraphQLError, Source } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import * as z from 'zod';
import type { Config } from '../../config/config.js';
import { ConfigError } from '../../config/parse.js';
import { asInvalid } from '../../graphql/limits/limits.js';
import type { GatewayPlugin } from './plugin.js';

/** GraphQL documents by the ids that clients send. */
type PersistedDocuments = ReadonlyMap<string, string>;

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

/** A request's parameters, including the one that yoga does not know. */
interface PersistedParams extends GraphQLParams {
  readonly documentId?: unknown;
}

/**
 * Reads a document's id. It is sent by GraphQL over HTTP (appendix A) or as in Apollo's automatic persisted
 * queries.
 */
function readDocumentId({ documentId, extensions }: PersistedParams): string | undefined {
  const { sha256Hash } = (extensions?.persistedQuery ?? {}) as { sha256Hash?: unknown };
  const id = documentId ?? sha256Hash ?? undefined;
  if (id !== undefined && typeof id !== 'string') {
    // The request is malformed rather than its document, so every client gets 400.
    throw new GraphQLError("A document's id must be a string.", { extensions: { http: { status: 400 } } });
  }
  return id?.replace(/^sha256:/, '');
}

/** Creates the error for an invalid id or document. It has the form of a validation error. */
function invalidDocument(message: string): GraphQLError {
  return new GraphQLError(message, { source: new Source(''), extensions: asInvalid() });
}

/**
 * Answers documents by their ids, and if so configured only those. The check applies to whatever is parsed,
 * so it also covers documents that do not come in the parameters of an HTTP request; yoga's own plugin would
 * let those pass.
 * @param own documents that the gateway's own pages send, answered whatever is configured
 * @param console documents that the console sends by their ids, answered whatever is configured
 * @throws {ConfigError} if the operations cannot be read
 */
export function usePersistedDocuments(
  { folder, only }: Config['persistedOperations'],
  own: readonly string[],
  console: PersistedDocuments,
): GatewayPlugin {
  const persisted = folder === undefined ? undefined : loadPersistedDocuments(folder);
  const documents = new Set([...own, ...console.values(), ...(persisted?.values() ?? [])]);
  return {
    onParams({ params, setParams }) {
      const { documentId: _, ...known } = params as PersistedParams;
      const id = readDocumentId(params);
      if (id === undefined) return;
      const document = persisted?.get(id) ?? console.get(id);
      // Clients recognize these messages: they then send the document, or stop sending ids.
      if (document === undefined && params.query == null) {
        throw invalidDocument(persisted ? 'PersistedQueryNotFound' : 'PersistedQueryNotSupported');
      }
      if (document !== undefined && params.query != null && params.query !== document) {
        throw invalidDocument('The document does not have this id.');
      }
      setParams({ ...known, ...(document !== undefined && { query: document }) });
    },
    onParse({ parseFn, setParseFn }) {
      if (!only) return;
      setParseFn((source, options) => {
        if (documents.has(source.toString())) return parseFn(source, options);
        throw invalidDocument('Only persisted operations are accepted: send the id of one as `documentId`.');
      });
    },
  };
}
