import {
  type DocumentNode,
  type GraphQLError,
  Kind,
  Lexer,
  type SelectionSetNode,
  Source,
  type Token,
  TokenKind,
} from 'graphql';
import { limitError, type RequestLimit, requestLimits } from './limits.js';

const opening: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Returns the limit that a token counts towards. `nesting` and `parentheses` count the brackets open before
 * it.
 */
function countedBy({ kind }: Token, nesting: number, parentheses: number): RequestLimit | undefined {
  if (kind === TokenKind.AT) return 'directives';
  // Inside parentheses a colon precedes a value or type, elsewhere it follows an alias.
  if (kind === TokenKind.COLON && parentheses === 0) return 'aliases';
  // Each operation and fragment has one top-level selection.
  if (kind === TokenKind.BRACE_L && nesting === 0) return 'definitions';
  return undefined;
}

/**
 * Checks a document's text against the limits before it is parsed. The parser and later steps recurse for
 * each level of nesting, and create objects for each token. A single pass without allocations finds documents
 * that are too long, too deep, or repeat too much of what costs the sender little.
 * @throws GraphQLError for the first token beyond a limit, or an invalid token
 */
export function checkText(text: string): void {
  if (text.length > requestLimits.characters) throw limitError('characters', { source: new Source('') });
  const source = new Source(text);
  const lexer = new Lexer(source);
  const counts: Partial<Record<RequestLimit, number>> = {};
  let [nesting, parentheses] = [0, 0];
  const count = (limit: RequestLimit, number: number, { start }: Token) => {
    counts[limit] = number;
    if (number > requestLimits[limit]) throw limitError(limit, { source, positions: [start] });
  };
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    count('tokens', (counts.tokens ?? 0) + 1, token);
    const limit = countedBy(token, nesting, parentheses);
    if (limit) count(limit, (counts[limit] ?? 0) + 1, token);
    if (opening.has(token.kind)) count('nesting', ++nesting, token);
    if (closing.has(token.kind)) nesting--;
    if (token.kind === TokenKind.PAREN_L) parentheses++;
    if (token.kind === TokenKind.PAREN_R) parentheses--;
  }
}

/** Counts the fields that a selection already has, including those of inline fragments. */
function repeatsIn({ selections }: SelectionSetNode, seen: Set<string>): number {
  let repeats = 0;
  for (const selection of selections) {
    if (selection.kind === Kind.INLINE_FRAGMENT) repeats += repeatsIn(selection.selectionSet, seen);
    if (selection.kind !== Kind.FIELD) continue;
    const name = (selection.alias ?? selection.name).value;
    if (seen.has(name)) repeats++;
    seen.add(name);
    if (selection.selectionSet) repeats += repeatsIn(selection.selectionSet, new Set());
  }
  return repeats;
}

/**
 * Checks a parsed document for repeated fields before it is validated. GraphQL's validation compares each
 * pair of fields with the same name to see whether they can be merged.
 * @returns the error for a document that repeats too many fields
 */
export function checkRepeats({ definitions }: DocumentNode): GraphQLError | undefined {
  let repeats = 0;
  for (const definition of definitions) {
    if (!('selectionSet' in definition) || !definition.selectionSet) continue;
    repeats += repeatsIn(definition.selectionSet, new Set());
    if (repeats > requestLimits.repeats) return limitError('repeats', { nodes: definition });
  }
  return undefined;
}
