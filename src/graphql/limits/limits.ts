import { GraphQLError, type GraphQLErrorOptions } from 'graphql';

/**
 * All limits of a GraphQL request; a test compares the table in docs/graphql.md. They allow twice what the
 * largest screens need (test/graphql/limits.test.ts). A document beyond them is rejected before any
 * superlinear work.
 */
export const requestLimits = {
  characters: 65_536,
  tokens: 4_000,
  nesting: 64,
  aliases: 100,
  directives: 100,
  definitions: 50,
  repeats: 50,
  depth: 20,
  rootFields: 50,
  cost: 300_000,
  values: 20_000,
  answerBytes: 32 * 1024 * 1024,
} as const;

export type RequestLimit = keyof typeof requestLimits;

const nouns: Record<RequestLimit, string> = {
  characters: 'characters in a document; send long values as variables',
  tokens: 'tokens',
  nesting: 'levels of nested brackets',
  aliases: 'aliases',
  directives: 'directives',
  definitions: 'operations and fragments',
  repeats: 'repeated fields',
  depth: 'levels of fields',
  rootFields: 'root fields',
  cost: 'units of cost; ask for fewer rows with `first`, or for fewer fields',
  values: 'values in the variables',
  answerBytes: 'bytes in a response; ask for fewer rows or fewer fields',
};

/**
 * Returns an error's extensions for the status of an invalid document. Each error needs its own object,
 * because yoga modifies it.
 */
export const asInvalid = () => ({ http: { spec: true, status: 400 } });

/** Formats the error message for an exceeded limit. */
export const limitMessage = (limit: RequestLimit) =>
  `The request exceeds the limit of ${requestLimits[limit]} ${nouns[limit]}.`;

/** Creates the error for an exceeded limit. It points to the place in the document. */
export function limitError(limit: RequestLimit, place?: GraphQLErrorOptions): GraphQLError {
  return new GraphQLError(limitMessage(limit), { ...place, extensions: asInvalid() });
}
