// Bodies of GraphQL requests as widely used clients send them.
import { createHash } from 'node:crypto';
import { parse, print, visit } from 'graphql';

const kept = new Map();

/** Computes a value once per document, as a client does. */
const once = (kind, query, compute) => {
  const key = `${kind}\n${query}`;
  if (!kept.has(key)) kept.set(key, compute());
  return kept.get(key);
};

/** Adds `__typename` to every selection but the operation's, as Apollo Client does by default. */
const withTypenames = (query) =>
  print(
    visit(parse(query), {
      SelectionSet: (set, _key, parent) =>
        parent?.kind === 'OperationDefinition'
          ? undefined
          : {
              ...set,
              selections: [...set.selections, { kind: 'Field', name: { kind: 'Name', value: '__typename' } }],
            },
    }),
  );

const nameOf = (query) => parse(query).definitions[0].name?.value;

/**
 * Creates a body as Apollo Client 4 sends it: operation name, variables, client library, a document with
 * `__typename`.
 */
export const asApollo = (query, variables) => ({
  operationName: once('name', query, () => nameOf(query)),
  variables,
  extensions: { clientLibrary: { name: '@apollo/client', version: '4.0.9' } },
  query: once('typenames', query, () => withTypenames(query)),
});

/** Returns the SHA-256 hash of a document, in hexadecimal digits. */
export const hashOf = (query) => once('hash', query, () => createHash('sha256').update(query).digest('hex'));

/** Creates the body of an automatic persisted query, with the document's hash in its place. */
export const asPersisted = (query, variables) => ({
  operationName: once('name', query, () => nameOf(query)),
  variables,
  extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(query) } },
});
