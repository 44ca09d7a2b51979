import { hash } from 'node:crypto';
import {
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLError,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { execute } from '../../graphql/execution/execute.js';
import { checkSize } from '../../graphql/limits/cost.js';
import { checkRepeats, checkText } from '../../graphql/limits/document.js';
import { limits } from '../../graphql/limits/limits.js';
import { checkVariables, mostErrors } from '../../graphql/limits/variables.js';
import type { GatewayPlugin } from '../exchange.js';

/** What is wrong with executing a valid document. */
function refusalsOf({
  schema,
  document,
  operationName,
  variableValues,
}: ExecutionArgs): readonly GraphQLError[] {
  const operation = getOperationAST(document, operationName);
  // Execution says so itself.
  if (!operation) return [];
  const variables = variableValues ?? {};
  const errors = checkVariables(schema, operation, variables);
  return errors.length > 0 ? errors : checkSize(schema, document, operation, variables);
}

/**
 * Refuses documents that ask for too much. Each stage is bounded by the one before: the text before it is parsed
 * (document.ts), what would make validation slow before that, and what would be executed before that (cost.ts).
 *
 * Ready-made plugins do less: those of graphql-armor are validation rules, which run side by side with the ones
 * that they are to protect; Pothos' complexity plugin counts in the resolvers, which the REST door shares.
 * @param introspection whether callers may ask for the schema
 */
export function useLimits(introspection: boolean): GatewayPlugin {
  return {
    onParse({ parseFn, setParseFn }) {
      setParseFn((source, options) => {
        checkText(source.toString());
        return parseFn(source, options);
      });
    },
    onValidate({ addValidationRule, setValidationFn }) {
      if (!introspection) addValidationRule(NoSchemaIntrospectionCustomRule);
      setValidationFn((schema, document, rules) => {
        const refusal = checkRepeats(document);
        if (refusal) return [refusal];
        // One more tells that there are others; without a place in the document, it would change the answer's status.
        return validate(schema, document, rules, { maxErrors: mostErrors, hideSuggestions: true }).slice(
          0,
          mostErrors,
        );
      });
    },
    onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
      setExecuteFn(execute);
      const errors = refusalsOf(args);
      if (errors.length > 0) setResultAndStopExecution({ errors });
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const errors = refusalsOf(args);
      if (errors.length > 0) setResultAndStopExecution({ errors });
    },
  };
}

/** Bytes that a document takes in memory, roughly: its tokens, what is made of them, and its text. */
export function bytesOf({ tokenCount = limits.tokens, loc }: DocumentNode): number {
  return 500 * tokenCount + 2 * (loc?.end ?? limits.characters);
}

/** Documents of which is remembered that they came once. */
const mostSeen = 1_000;

/**
 * Yoga's cache of documents that were parsed and validated, bounded by memory and not by entries: a small text can
 * make a large document. Kept is what came twice: callers that write values into their documents send each but once, and
 * would fill it with what nobody asks for again. What does not parse is soon found out again.
 */
export function createDocumentCache() {
  const kept = new LRUCache<string, DocumentNode>({ maxSize: 16 * 1024 * 1024, sizeCalculation: bytesOf });
  const seen = new LRUCache<string, true>({ max: mostSeen });
  return {
    documentCache: {
      get: (text: string) => kept.get(text),
      set(text: string, document: DocumentNode) {
        const key = hash('sha256', text, 'base64');
        if (seen.delete(key)) kept.set(text, document);
        else seen.set(key, true);
      },
    },
    errorCache: { get: () => undefined, set: () => undefined },
  };
}
