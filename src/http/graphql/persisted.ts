import { GraphQLError, Source } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { Config } from '../../config/config.js';
import { asInvalid } from '../../graphql/limits/limits.js';
import { loadPersistedDocuments, type PersistedDocuments } from './persisted-documents.js';
import type { GatewayPlugin } from './plugin.js';

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
