import {
  coerceInputValue,
  GraphQLError,
  type GraphQLErrorOptions,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { formatPath, type Violation } from '../../domain/errors.js';
import { hasExactNumbers, isExactNumber, roundNumbers } from '../../domain/text/exact-json.js';
import { violationOf, withShortLeaves } from '../define/coerce.js';

/** Values of an operation's variables by name, as they were sent. */
export type SentVariables = Readonly<Record<string, unknown>>;

/** The most errors that one answer reports. */
export const maxErrors = 5;

/**
 * Finds the limit that variables exceed. It walks level by level, as deep nesting would overflow the call
 * stack.
 */
function findExceededLimit(variables: SentVariables): RequestLimit | undefined {
  let values = 0;
  let level: unknown[] = [variables];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > requestLimits.nesting) return 'nesting';
    const inner = level.map((value) =>
      typeof value === 'object' && value && !isExactNumber(value) ? Object.values(value) : [],
    );
    values = inner.reduce((sum, { length }) => sum + length, values);
    if (values > requestLimits.values) return 'values';
    level = inner.flat();
  }
  return undefined;
}

/** Thrown to stop checking. It is shared, because creating an error costs more than the check. */
const enough = new Error('enough');

/**
 * Reads one variable as its type. The executor does it again, but would print the whole value in each error.
 * The violations of an error have their paths in the variable (`placed`).
 */
function checkVariable(
  schema: GraphQLSchema,
  nodes: VariableDefinitionNode,
  variables: SentVariables,
  report: (error: GraphQLError) => void,
): void {
  const name = nodes.variable.name.value;
  const type = typeFromAST(schema, nodes.type);
  const reportInvalid = (message: string, violation: Violation, originalError?: GraphQLError) => {
    const extensions = { ...asInvalid(), violations: [violation] };
    report(new GraphQLError(message, { nodes, originalError, extensions }));
  };
  if (!isInputType(type)) return;
  if (Object.hasOwn(variables, name)) {
    const onError = (path: readonly (string | number)[], value: unknown, error: GraphQLError) =>
      reportInvalid(
        `Variable "$${formatPath([name, ...path])}" got an invalid value; ${error.message}`,
        violationOf(path, value, error),
        error,
      );
    coerceInputValue(withShortLeaves(variables[name], type), type, onError, true);
  } else if (isNonNullType(type) && !nodes.defaultValue) {
    reportInvalid(`Variable "$${name}" of required type "${type}" was not provided.`, {
      path: [],
      message: 'is required',
      rule: 'required',
    });
  }
}

/** Rounds the numbers of a value to doubles, unless its type takes all digits. */
function roundAs(value: unknown, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const { ofType } = nullable;
    return Array.isArray(value) ? value.map((element) => roundAs(element, ofType)) : roundAs(value, ofType);
  }
  if (!isInputObjectType(nullable))
    return nullable.extensions.takesExactNumbers ? value : roundNumbers(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return roundNumbers(value);
  const fields = nullable.getFields();
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return [name, field ? roundAs(member, field.type) : roundNumbers(member)];
    }),
  );
}

/** Rounds the numbers of an operation's variables to doubles, unless their types take all digits. */
function roundVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: SentVariables,
): SentVariables {
  if (!hasExactNumbers(variables)) return variables;
  const rounded = variableDefinitions.flatMap(({ variable, type: node }) => {
    const name = variable.name.value;
    const type = typeFromAST(schema, node);
    return Object.hasOwn(variables, name) && isInputType(type)
      ? [[name, roundAs(variables[name], type)]]
      : [];
  });
  return { ...variables, ...Object.fromEntries(rounded) };
}

/** The variables of an operation, as it is to be executed with them. */
interface CheckedVariables {
  readonly variables: SentVariables;
  /** Errors in the variables, as many as one response reports. */
  readonly errors: readonly GraphQLError[];
}

/**
 * Checks an operation's variables before it is executed.
 * @param sent variables with their numbers as they were sent
 * @param except those that are checked otherwise
 */
export function checkVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  sent: SentVariables,
  except: ReadonlySet<string> = new Set(),
): CheckedVariables {
  const limit = findExceededLimit(sent);
  if (limit) return { variables: sent, errors: [limitError(limit, { nodes: operation })] };
  const variables = roundVariables(schema, operation, sent);
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
  return { variables, errors };
}

/**
 * All limits of a GraphQL request; a test compares the table in docs/use/graphql.md. They allow twice what the
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
