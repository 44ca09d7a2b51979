import { hash } from 'node:crypto';
import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  NoSchemaIntrospectionCustomRule,
  parse,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { Stage, StageTimer } from '../../domain/doors/stages.js';
import type { Context } from '../../graphql/context.js';
import { collectViolations } from '../../graphql/errors.js';
import { checkSize } from '../../graphql/limits/cost.js';
import {
  asInvalid,
  checkVariables,
  type FaultyInput,
  findFaultyInputs,
  inputArgument,
  maxErrors,
  requestLimits,
  writingsOf,
} from '../../graphql/limits/limits.js';
import { placed } from '../../graphql/limits/places.js';
import type { RequestContext } from '../routing/endpoint.js';

/** The context that yoga's hooks and resolvers get for each request. */
export interface ServerContext {
  readonly exchange: RequestContext;
}

/** One concern of the GraphQL engine, as a plugin of yoga. */
export type GatewayPlugin = Plugin<Context & ServerContext, ServerContext>;

/** Reasons not to execute a valid document. */
interface Limited {
  readonly errors: readonly GraphQLError[];
  /** Inputs with invalid values, in a document that is within its limits. */
  readonly faulty: readonly FaultyInput[];
}

/** Checks whether a valid document may be executed with its variables. */
const limit: Stage<ExecutionArgs, Limited> = {
  name: 'limit',
  run(args) {
    const { schema, document, operationName, contextValue } = args;
    const operation = getOperationAST(document, operationName);
    // Execution itself reports a missing operation.
    if (!operation) return { errors: [], faulty: [] };
    const writings = writingsOf(schema, document, operation);
    const sent = args.variableValues ?? {};
    const { variables, errors } = checkVariables(schema, operation, sent, writings.variables);
    args.variableValues = variables;
    if (errors.length > 0) return { errors: placed(errors, schema, document, operation), faulty: [] };
    const { cost, refusals } = checkSize(schema, document, operation, variables);
    (contextValue as Context).answer.cost = cost;
    if (refusals.length > 0) return { errors: refusals, faulty: [] };
    return { errors: [], faulty: findFaultyInputs(writings, operation, variables) };
  },
};

/** Creates the error for an invalid input, together with its other violations. */
async function refuseInput({ node, field, value, violations }: FaultyInput, args: ExecutionArgs) {
  const { schema, document, operationName, variableValues, contextValue } = args;
  const operation = getOperationAST(document, operationName);
  const definitions = operation?.variableDefinitions ?? [];
  const written = operation ? writingsOf(schema, document, operation).variables : new Set<string>();
  const others = definitions.filter(({ variable }) => !written.has(variable.name.value));
  const { coerced = {} } = getVariableValues(schema, others, variableValues ?? {});
  const beside = { ...field, args: field.args.filter(({ name }) => name !== inputArgument) };
  const given = { ...getArgumentValues(beside, node, coerced), [inputArgument]: value };
  const originalError = await collectViolations({ field, args: given, violations }, contextValue as Context);
  const path = [(node.alias ?? node.name).value];
  return new GraphQLError('', { nodes: node, path, originalError, extensions: asInvalid() });
}

/**
 * Creates the errors for invalid inputs one after the other. Each needs a database transaction of its own.
 */
async function refuseInputs(faulty: readonly FaultyInput[], args: ExecutionArgs): Promise<GraphQLError[]> {
  const errors: GraphQLError[] = [];
  for (const input of faulty.slice(0, maxErrors)) errors.push(await refuseInput(input, args));
  return errors;
}

/**
 * Rejects operations that ask for too much. Each stage is limited before it runs: the text before parsing,
 * repetition before validation (engine.ts), and cost before execution (cost.ts).
 *
 * Ready-made plugins do less: those of graphql-armor are validation rules, which run side by side with the
 * rules that they should protect; Pothos' complexity plugin counts in the resolvers, which the REST door
 * shares.
 * @param introspection true if callers may query the schema
 */
export function useLimits(introspection: boolean, stages: StageTimer): GatewayPlugin {
  return {
    onValidate({ addValidationRule }) {
      if (!introspection) addValidationRule(NoSchemaIntrospectionCustomRule);
    },
    onExecute({ args, setResultAndStopExecution }) {
      const { errors, faulty } = stages.run(limit, args);
      if (errors.length > 0) setResultAndStopExecution({ errors });
      else if (faulty.length > 0) {
        return refuseInputs(faulty, args).then((errors) => setResultAndStopExecution({ errors }));
      }
      return undefined;
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const { errors } = stages.run(limit, args);
      if (errors.length > 0) setResultAndStopExecution({ errors });
    },
  };
}

/** Estimates the memory of a parsed document in bytes: its tokens, syntax tree and text. */
export function estimateDocumentBytes({ tokenCount = requestLimits.tokens, loc }: DocumentNode): number {
  return 500 * tokenCount + 2 * (loc?.end ?? requestLimits.characters);
}

/** Number of documents that are remembered after being seen once. */
const maxSeenDocuments = 1_000;

/**
 * Creates yoga's cache of parsed and validated documents. It is limited by memory, because a small text can
 * make a large document. A document is cached when it comes a second time: callers that write values into
 * their documents send each only once, and would fill the cache in vain. Documents that do not parse are not
 * cached, as that is quick to find out again.
 * @param own documents of the console, which are parsed now and cached for good
 */
export function createDocumentCache(own: readonly string[] = []) {
  const known = new Map(own.map((text) => [text, parse(text)]));
  const kept = new LRUCache<string, DocumentNode>({
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: estimateDocumentBytes,
  });
  const seen = new LRUCache<string, true>({ max: maxSeenDocuments });
  return {
    documentCache: {
      get: (text: string) => known.get(text) ?? kept.get(text),
      set(text: string, document: DocumentNode) {
        const key = hash('sha256', text, 'base64');
        if (seen.delete(key)) kept.set(text, document);
        else seen.set(key, true);
      },
    },
    errorCache: { get: () => undefined, set: () => undefined },
  };
}
