import { RequestCache } from '@pothos/plugin-scope-auth';
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  type VariableNode,
} from 'graphql';
import { WeakCache } from '../../domain/collections.js';
import { type Stage, type StageTimer, untimed } from '../../domain/doors/stages.js';
import type { LiveEvent } from '../../live/feeds.js';
import type { Context } from '../context.js';
import { withMissingArgument } from '../errors.js';
import { type Fragments, fragmentsOf } from '../limits/limits.js';
import { placed } from '../limits/places.js';
import { Execution } from './execution.js';
import { type CoercedVariables, collectConditions, type Plan, Planner, refusalOfNull } from './plan.js';

/** The most cached plans of one operation. Callers rarely use more combinations of its conditions. */
const maxPlans = 8;

/** An operation of a valid document, and its plans by the values of its conditions. */
export class PlannedOperation {
  readonly schema: GraphQLSchema;
  readonly definition: OperationDefinitionNode;
  readonly #root: GraphQLObjectType;
  readonly #fragments: Fragments;
  readonly #conditions: readonly VariableNode[];
  readonly #plans = new Map<string, Plan>();

  constructor(
    schema: GraphQLSchema,
    definition: OperationDefinitionNode,
    root: GraphQLObjectType,
    fragments: Fragments,
  ) {
    this.schema = schema;
    this.definition = definition;
    this.#root = root;
    this.#fragments = fragments;
    this.#conditions = collectConditions(definition, fragments);
  }

  /**
   * Returns the operation's plan for the given variables. Plans are cached by the values of the conditions.
   * @param values the coerced variables
   * @returns an error if a condition is null
   */
  plan(values: CoercedVariables): Plan | GraphQLError {
    const key = this.#conditions.map(({ name }) => String(values[name.value])).join();
    const known = this.#plans.get(key);
    if (known) return known;
    const refusal = refusalOfNull(this.#conditions, values);
    if (refusal) return refusal;
    const plan = this.#make(values);
    const [oldest] = this.#plans.keys();
    if (oldest !== undefined && this.#plans.size >= maxPlans) this.#plans.delete(oldest);
    this.#plans.set(key, plan);
    return plan;
  }

  #make(values: CoercedVariables): Plan {
    const { schema, definition: operation } = this;
    const [root, fragments] = [this.#root, this.#fragments];
    // Keep these values, because types are planned when they are first met.
    const conditions = Object.fromEntries(
      this.#conditions.map(({ name }) => [name.value, values[name.value]]),
    );
    const planner = new Planner(schema, fragments, conditions);
    return { schema, operation, fragments, root, ...planner.object(root, [operation.selectionSet]) };
  }
}

/** Operations live as long as their documents, which the cache of parsed documents keeps. */
const operations = new WeakCache<DocumentNode, Map<string | null | undefined, PlannedOperation>>();

/** Explains with graphql-js' message why a document has no such operation. */
function noOperation({ definitions }: DocumentNode, name: string | null | undefined): GraphQLError {
  if (name != null) return new GraphQLError(`Unknown operation named "${name}".`);
  return definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION)
    ? new GraphQLError('Must provide operation name if query contains multiple operations.')
    : new GraphQLError('Must provide an operation.');
}

function makeOperation({ schema, document, operationName }: ExecutionArgs): PlannedOperation | GraphQLError {
  const definition = getOperationAST(document, operationName);
  if (!definition) return noOperation(document, operationName);
  const root = schema.getRootType(definition.operation);
  if (!root) {
    const message = `Schema is not configured to execute ${definition.operation} operation.`;
    return new GraphQLError(message, { nodes: definition });
  }
  return new PlannedOperation(schema, definition, root, fragmentsOf(document));
}

/**
 * Finds the operation of a valid document to execute.
 * @returns an error with graphql-js' message if there is none
 */
export function findOperation(args: ExecutionArgs): PlannedOperation | GraphQLError {
  const { document, schema, operationName } = args;
  const ofDocument = operations.ensure(document, () => new Map());
  const known = ofDocument.get(operationName);
  if (known?.schema === schema) return known;
  const made = makeOperation(args);
  if (made instanceof PlannedOperation) ofDocument.set(operationName, made);
  return made;
}

/** The most invalid variables that are reported. */
const maxVariableErrors = 50;

/** Finds an operation's plan for its variables, or returns a result with errors. */
const plan: Stage<ExecutionArgs, Execution | ExecutionResult> = {
  name: 'plan',
  run(args) {
    const operation = findOperation(args);
    if (operation instanceof GraphQLError) return { errors: [operation] };
    const { schema, definition } = operation;
    const definitions = definition.variableDefinitions ?? [];
    const sent = args.variableValues ?? {};
    const { coerced, errors } = getVariableValues(schema, definitions, sent, {
      maxErrors: maxVariableErrors,
    });
    if (errors) return { errors };
    const plan = operation.plan(coerced);
    return plan instanceof GraphQLError
      ? { errors: placed([plan], schema, args.document, definition) }
      : new Execution(plan, args, coerced);
  },
};

/** Runs the resolvers of a planned operation. */
const run: Stage<Execution, ExecutionResult | Promise<ExecutionResult>> = {
  name: 'execute',
  run: (execution) => execution.run(),
};

/**
 * Clears Pothos' cache of a request's rights. It would keep the request's context alive until a full garbage
 * collection (kept.ts).
 */
function forget({ contextValue }: ExecutionArgs): void {
  if (contextValue) RequestCache.clearForContext(contextValue as object);
}

/**
 * Executes an operation of a valid document. Its results and errors equal those of graphql-js (tests compare
 * the two), at a fraction of the cost. Unlike graphql-js, it never leaves a rejected promise unhandled.
 * @param stages runs and times the stages `plan` and `execute`
 */
export function execute(
  args: ExecutionArgs,
  stages: StageTimer = untimed,
): ExecutionResult | Promise<ExecutionResult> {
  const planned = stages.run(plan, args);
  const result = planned instanceof Execution ? stages.run(run, planned) : planned;
  if (result instanceof Promise) return result.finally(() => forget(args));
  forget(args);
  return result;
}

/** A stream of results. If it fails, its last result has the error. */
type Results = AsyncIterableIterator<ExecutionResult>;

/** Names the argument with the id of no record in a refused subscription's errors. */
function explainedResult(result: ExecutionResult, args: ExecutionArgs): ExecutionResult {
  const { variableDefinitions = [] } = getOperationAST(args.document, args.operationName) ?? {};
  const { coerced = {} } = getVariableValues(args.schema, variableDefinitions, args.variableValues ?? {});
  const errors = result.errors?.map((error) => {
    const [node] = error.nodes ?? [];
    const original = error.originalError;
    if (node?.kind !== Kind.FIELD || !original) return error;
    const explained = withMissingArgument(original, node, coerced);
    return explained === original ? error : locatedError(explained, error.nodes, error.path);
  });
  return errors ? { ...result, errors } : result;
}

/**
 * Runs a subscription like graphql-js, but with a new session per event. So data and rights loaded for one
 * event are not reused for the next.
 * @param finish prepares a result for the client
 */
export async function subscribe(
  args: ExecutionArgs,
  finish: (result: ExecutionResult) => ExecutionResult,
): Promise<Results | ExecutionResult> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return explainedResult(source, args);
  // This is the type of what the subscription fields return.
  const events = source[Symbol.asyncIterator]() as AsyncIterator<LiveEvent<unknown>>;
  const context = args.contextValue as Context;
  let { answer } = context;
  let isOver = false;

  const over = { done: true, value: undefined } as const;
  async function result(): Promise<ExecutionResult | undefined> {
    try {
      const { done, value: event } = await events.next();
      if (done) return undefined;
      answer = answer.next();
      const contextValue: Context = { ...context, session: event.session, answer, outcome: {} };
      return await execute({ ...args, contextValue, rootValue: event });
    } catch (error) {
      isOver = true;
      return { errors: [new GraphQLError((error as Error).message, { originalError: error as Error })] };
    }
  }
  async function end() {
    isOver = true;
    await events.return?.();
    return over;
  }
  const results: Results = {
    async next() {
      const next = isOver ? undefined : await result();
      return next ? { done: false, value: finish(next) } : over;
    },
    return: end,
    throw: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  return results;
}
