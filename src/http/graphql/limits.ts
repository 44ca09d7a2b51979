import { hash } from 'node:crypto';
import {
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLError,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Stage, StageTimer } from '../../domain/doors/stages.js';
import { checkSize } from '../../graphql/limits/cost.js';
import { limits } from '../../graphql/limits/limits.js';
import { checkVariables } from '../../graphql/limits/variables.js';
import type { GatewayPlugin } from './plugin.js';

/** Finds what is wrong with executing a valid document with its variables. */
const limit: Stage<ExecutionArgs, readonly GraphQLError[]> = {
  name: 'limit',
  run({ schema, document, operationName, variableValues }) {
    const operation = getOperationAST(document, operationName);
    // Execution says so itself.
    if (!operation) return [];
    const variables = variableValues ?? {};
    const errors = checkVariables(schema, operation, variables);
    return errors.length > 0 ? errors : checkSize(schema, document, operation, variables);
  },
};

/**
 * Refuses operations that ask for too much. Each stage is bounded by the one before: the text before it is parsed,
 * what would make validation slow before that (engine.ts), and what would be executed before that (cost.ts).
 *
 * Ready-made plugins do less: those of graphql-armor are validation rules, which run side by side with the ones
 * that they are to protect; Pothos' complexity plugin counts in the resolvers, which the REST door shares.
 * @param introspection true when callers may ask for the schema
 */
export function useLimits(introspection: boolean, stages: StageTimer): GatewayPlugin {
  return {
    onValidate({ addValidationRule }) {
      if (!introspection) addValidationRule(NoSchemaIntrospectionCustomRule);
    },
    onExecute({ args, setResultAndStopExecution }) {
      const errors = stages.run(limit, args);
      if (errors.length > 0) setResultAndStopExecution({ errors });
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const errors = stages.run(limit, args);
      if (errors.length > 0) setResultAndStopExecution({ errors });
    },
  };
}

/** Estimates the memory of a parsed document in bytes: its tokens, syntax tree and text. */
export function estimateDocumentBytes({ tokenCount = limits.tokens, loc }: DocumentNode): number {
  return 500 * tokenCount + 2 * (loc?.end ?? limits.characters);
}

/** Documents of which is remembered that they came once. */
const maxSeenDocuments = 1_000;

/**
 * Makes yoga's cache of parsed and validated documents, bounded by memory. A small text can make a large document. Kept is what came twice: callers that write values into their documents send each but once, and
 * would fill it with what nobody asks for again. What does not parse is soon found out again.
 */
export function createDocumentCache() {
  const kept = new LRUCache<string, DocumentNode>({
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: estimateDocumentBytes,
  });
  const seen = new LRUCache<string, true>({ max: maxSeenDocuments });
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
