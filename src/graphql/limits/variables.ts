import {
  coerceInputValue,
  GraphQLError,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { asInvalid, limitError, type RequestLimit, requestLimits } from './limits.js';

/** Values of an operation's variables by their names, as they were sent. */
export type SentVariables = Readonly<Record<string, unknown>>;

/** Errors that one answer tells of at most. */
export const maxErrors = 5;

/** Finds the limit that variables exceed. It walks level by level, as values may be nested deeper than calls can be. */
function findExceededLimit(variables: SentVariables): RequestLimit | undefined {
  let values = 0;
  let level: unknown[] = [variables];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > requestLimits.nesting) return 'nesting';
    const inner = level.map((value) => (typeof value === 'object' && value ? Object.values(value) : []));
    values = inner.reduce((sum, { length }) => sum + length, values);
    if (values > requestLimits.values) return 'values';
    level = inner.flat();
  }
  return undefined;
}

/** Ends checking: an error made for each request would cost more than all of it. */
const enough = new Error('enough');

/** Formats the path of a value in a variable: `input.tags[0].name`. */
function formatPath(name: string, path: readonly (string | number)[]): string {
  return name + path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
}

/** Reads one variable as its type. The executor will do it again, but for each error it writes down the whole value. */
function checkVariable(
  schema: GraphQLSchema,
  nodes: VariableDefinitionNode,
  variables: SentVariables,
  report: (error: GraphQLError) => void,
): void {
  const name = nodes.variable.name.value;
  const type = typeFromAST(schema, nodes.type);
  const reportInvalid = (message: string, originalError?: GraphQLError) =>
    report(new GraphQLError(message, { nodes, originalError, extensions: asInvalid() }));
  if (!isInputType(type)) return;
  if (Object.hasOwn(variables, name)) {
    const onError = (path: readonly (string | number)[], _value: unknown, error: GraphQLError) =>
      reportInvalid(`Variable "$${formatPath(name, path)}" got an invalid value; ${error.message}`, error);
    coerceInputValue(variables[name], type, onError, true);
  } else if (isNonNullType(type) && !nodes.defaultValue) {
    reportInvalid(`Variable "$${name}" of required type "${type}" was not provided.`);
  }
}

/**
 * Checks an operation's variables before it is executed.
 * @param except those that are checked otherwise
 * @returns what is wrong with them, as far as one answer tells it
 */
export function checkVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: SentVariables,
  except: ReadonlySet<string> = new Set(),
): readonly GraphQLError[] {
  const limit = findExceededLimit(variables);
  if (limit) return [limitError(limit, { nodes: operation })];
  const errors: GraphQLError[] = [];
  try {
    for (const definition of operation.variableDefinitions ?? []) {
      if (except.has(definition.variable.name.value)) continue;
      checkVariable(schema, definition, variables, (error) => {
        if (errors.push(error) === maxErrors) throw enough;
      });
    }
  } catch (error) {
    if (error !== enough) throw error;
  }
  return errors;
}
