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
import { LRUCache } from 'lru-cache';
import type { Stage, StageTimer } from '../../domain/doors/stages.js';
import type { Context } from '../../graphql/context.js';
import { explainRefusal } from '../../graphql/explain.js';
import { checkSize } from '../../graphql/limits/cost.js';
import {
  type FaultyInput,
  findFaultyInputs,
  inputArgument,
  writingsOf,
} from '../../graphql/limits/inputs.js';
import { asInvalid, requestLimits } from '../../graphql/limits/limits.js';
import { checkVariables, maxErrors } from '../../graphql/limits/variables.js';
import type { GatewayPlugin } from './plugin.js';

/** Reasons not to execute a valid document. */
interface Limited {
  readonly errors: readonly GraphQLError[];
  /** Inputs that cannot be read, in a document that is within its limits. */
  readonly faulty: readonly FaultyInput[];
}

/** Finds what is wrong with executing a valid document with its variables. */
const limit: Stage<ExecutionArgs, Limited> = {
  name: 'limit',
  run({ schema, document, operationName, variableValues, contextValue }) {
    const operation = getOperationAST(document, operationName);
    // Execution says so itself.
    if (!operation) return { errors: [], faulty: [] };
    const variables = variableValues ?? {};
    const writings = writingsOf(schema, document, operation);
    const errors = checkVariables(schema, operation, variables, writings.variables);
    if (errors.length > 0) return { errors, faulty: [] };
    const { cost, refusals } = checkSize(schema, document, operation, variables);
    (contextValue as Context).answer.cost = cost;
    if (refusals.length > 0) return { errors: refusals, faulty: [] };
    return { errors: [], faulty: findFaultyInputs(writings, operation, variables) };
  },
};

/** Makes the refusal of an input that cannot be read, with its other violations. */
async function refuseInput({ node, field, value, violations }: FaultyInput, args: ExecutionArgs) {
  const { schema, document, operationName, variableValues, contextValue } = args;
  const operation = getOperationAST(document, operationName);
  const definitions = operation?.variableDefinitions ?? [];
  const written = operation ? writingsOf(schema, document, operation).variables : new Set<string>();
  const others = definitions.filter(({ variable }) => !written.has(variable.name.value));
  const { coerced = {} } = getVariableValues(schema, others, variableValues ?? {});
  const beside = { ...field, args: field.args.filter(({ name }) => name !== inputArgument) };
  const given = { ...getArgumentValues(beside, node, coerced), [inputArgument]: value };
  const originalError = await explainRefusal({ field, args: given, violations }, contextValue as Context);
  return new GraphQLError('', { nodes: node, originalError, extensions: asInvalid() });
}

/** Makes the refusals of inputs one after the other. Each looks into the database in a transaction of its own. */
async function refuseInputs(faulty: readonly FaultyInput[], args: ExecutionArgs): Promise<GraphQLError[]> {
  const errors: GraphQLError[] = [];
  for (const input of faulty.slice(0, maxErrors)) errors.push(await refuseInput(input, args));
  return errors;
}

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

/** Documents of which is remembered that they came once. */
const maxSeenDocuments = 1_000;

/**
 * Makes yoga's cache of parsed and validated documents, bounded by memory. A small text can make a large document. Kept is what came twice: callers that write values into their documents send each but once, and
 * would fill it with what nobody asks for again. What does not parse is soon found out again.
 * @param own documents of the console, parsed now and kept for good
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
