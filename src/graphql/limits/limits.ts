import { GraphQLError, type GraphQLErrorOptions } from 'graphql';

/**
 * Limits of one GraphQL request, all of them; the table in docs/graphql.md follows it. They
 * leave the largest screens twice what they ask for (test/graphql/limits.test.ts), and a document beyond them is
 * refused before anything whose work grows faster than the document.
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
  characters: 'characters of a document; send long values as variables',
  tokens: 'tokens',
  nesting: 'levels of brackets',
  aliases: 'aliases',
  directives: 'directives',
  definitions: 'operations and fragments',
  repeats: 'repeated fields',
  depth: 'levels of fields',
  rootFields: 'fields at the root',
  cost: 'units of cost; ask for fewer rows with `first`, or for fewer fields',
  values: 'values in the variables',
  answerBytes: 'bytes of an answer; ask for fewer rows, or for less of each',
};

/** Makes an error's extensions for the status of an invalid document. Each has its own, as yoga writes into them. */
export const asInvalid = () => ({ http: { spec: true, status: 400 } });

/** Formats the error message of a limit that is exceeded. */
export const limitMessage = (limit: RequestLimit) =>
  `This is beyond the limit of ${requestLimits[limit]} ${nouns[limit]}.`;

/** Creates the error of a request that exceeds a limit. It points to the place in the document. */
export function limitError(limit: RequestLimit, place?: GraphQLErrorOptions): GraphQLError {
  return new GraphQLError(limitMessage(limit), { ...place, extensions: asInvalid() });
}
