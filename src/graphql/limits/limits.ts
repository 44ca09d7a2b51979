import {
  coerceInputValue,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLErrorOptions,
  type GraphQLField,
  type GraphQLInputFieldMap,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  type ObjectValueNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  typeFromAST,
  type ValidationContext,
  type ValidationRule,
  type ValueNode,
  ValuesOfCorrectTypeRule,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { WeakCache } from '../../domain/collections.js';
import { type FieldPath, formatPath, maxViolations, type Violation } from '../../domain/errors.js';
import { limits } from '../../domain/rules.js';
import { hasExactNumbers, isExactNumber, roundNumbers } from '../../domain/text/json.js';
import {
  entryLimit,
  type ReadInput,
  readInput,
  tooLong,
  violationOf,
  withoutGaps,
  withShortLeaves,
} from '../define/coerce.js';

/** Values of an operation's variables by name, as they were sent. */
export type SentVariables = Readonly<Record<string, unknown>>;

/** The fragments of a document by name. */
export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** Finds the fragments of a document. */
export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const found of definitions) {
    if (found.kind === Kind.FRAGMENT_DEFINITION) fragments[found.name.value] = found;
  }
  return fragments;
}

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

/** The mutation argument with what a caller writes. All its faults are reported together. */
export const inputArgument = 'input';

/**
 * Applies graphql-js' rule to literals, except those in inputs. Their faults are reported with the others.
 */
export const valuesBesideInputs: ValidationRule = (context: ValidationContext) => {
  let inside = false;
  const told: ValidationContext = Object.create(context, {
    reportError: {
      value: (error: GraphQLError) => {
        if (!inside) context.reportError(error);
      },
    },
  });
  const isInput = (node: { kind: string; name?: { value: string } }) =>
    node.kind === Kind.ARGUMENT && node.name?.value === inputArgument;
  const visitor = ValuesOfCorrectTypeRule(told);
  return {
    ...visitor,
    Argument: {
      enter(node) {
        if (isInput(node)) inside = true;
      },
      leave(node) {
        if (isInput(node)) inside = false;
      },
    },
  };
};

/** A mutation of a document that takes an input. */
interface Writing {
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown>;
  readonly input: ValueNode;
  readonly type: GraphQLInputType;
}

/** The mutations of an operation that take inputs, and the variables in these inputs. */
interface Writings {
  readonly all: readonly Writing[];
  /** Variables that occur only in inputs. */
  readonly variables: ReadonlySet<string>;
}

const none: Writings = { all: [], variables: new Set() };

const kept = new WeakCache<OperationDefinitionNode, Writings>();

function collectWritings(
  schema: GraphQLSchema,
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): Writings {
  const fragments = fragmentsOf(document);
  const seen = new Set<string>();
  const fields = schema.getMutationType()?.getFields() ?? {};
  const all: Writing[] = [];
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        // Each fragment once: nested ones would otherwise take exponential time.
        const fragment = seen.has(selection.name.value) ? undefined : fragments[selection.name.value];
        seen.add(selection.name.value);
        if (fragment) collect(fragment.selectionSet);
      }
      if (selection.kind !== Kind.FIELD) continue;
      const field = fields[selection.name.value];
      const input = selection.arguments?.find(({ name }) => name.value === inputArgument)?.value;
      const type = field?.args.find(({ name }) => name === inputArgument)?.type;
      if (field && input && type) all.push({ node: selection, field, input, type });
    }
  };
  collect(selectionSet);
  const [inside, outside] = [new Set<string>(), new Set<string>()];
  let isInside = false;
  const note = {
    Argument: {
      enter(node: { readonly name: { readonly value: string } }) {
        if (node.name.value === inputArgument) isInside = true;
      },
      leave(node: { readonly name: { readonly value: string } }) {
        if (node.name.value === inputArgument) isInside = false;
      },
    },
    VariableDefinition: () => false as const,
    Variable(node: { readonly name: { readonly value: string } }) {
      (isInside ? inside : outside).add(node.name.value);
    },
  };
  for (const definition of document.definitions) visit(definition, note);
  return { all, variables: new Set([...inside].filter((name) => !outside.has(name))) };
}

/** Finds the mutations of an operation that take inputs. The result is cached per document. */
export function writingsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Writings {
  if (operation.operation !== 'mutation') return none;
  return kept.ensure(operation, () => collectWritings(schema, document, operation));
}

/** Reads an input literal of a document, including its variables. It reads as much as possible. */
class LiteralReader {
  readonly violations: Violation[] = [];
  readonly #operation: OperationDefinitionNode;
  readonly #variables: SentVariables;

  constructor(operation: OperationDefinitionNode, variables: SentVariables) {
    this.#operation = operation;
    this.#variables = variables;
  }

  /** Returns a variable's value as it was sent, or the literal of its default. Undefined without either. */
  #find(name: string): { readonly sent: unknown } | ValueNode | undefined {
    if (Object.hasOwn(this.#variables, name)) return { sent: this.#variables[name] };
    const definition = this.#operation.variableDefinitions?.find(
      ({ variable }) => variable.name.value === name,
    );
    return definition?.defaultValue;
  }

  #add(violation: Violation): void {
    if (this.violations.length <= maxViolations) this.violations.push(violation);
  }

  #fail(path: FieldPath, value: unknown, message: string): undefined {
    this.#add(violationOf(path, value, new GraphQLError(message)));
    return undefined;
  }

  read(node: ValueNode, type: GraphQLInputType, path: FieldPath, most: number = limits.entries): unknown {
    if (this.violations.length > maxViolations) return undefined;
    if (node.kind === Kind.VARIABLE) {
      const found = this.#find(node.name.value);
      if (found && 'kind' in found) return this.read(found, type, path, most);
      if (!found && !isNonNullType(type)) return undefined;
      const { value, violations } = readInput(found?.sent, type, path, most);
      for (const violation of violations) this.#add(violation);
      return value;
    }
    if (isNonNullType(type)) {
      if (node.kind === Kind.NULL) return this.#fail(path, null, 'Expected non-nullable type');
      return this.read(node, type.ofType, path, most);
    }
    if (node.kind === Kind.NULL) return null;
    if (isListType(type)) {
      if (node.kind !== Kind.LIST) return [this.read(node, type.ofType, path)];
      if (node.values.length > most) return void this.#add(tooLong(path, most));
      return node.values.map((entry, at) => this.read(entry, type.ofType, [...path, at]));
    }
    if (isInputObjectType(type)) {
      if (node.kind !== Kind.OBJECT)
        return this.#fail(path, undefined, `Expected type "${type.name}" to be an object.`);
      return this.#readObject(node, type.getFields(), path);
    }
    return this.#readLeaf(node, type, path);
  }

  #readObject(
    { fields: given }: ObjectValueNode,
    fields: GraphQLInputFieldMap,
    path: FieldPath,
  ): Record<string, unknown> {
    for (const { name } of given) {
      if (!Object.hasOwn(fields, name.value))
        this.#fail(path, undefined, `Field "${name.value}" is not defined by type`);
    }
    const read: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(fields)) {
      const { type, defaultValue } = field;
      const node = given.find((one) => one.name.value === name)?.value;
      const isAbsent = !node || (node.kind === Kind.VARIABLE && !this.#find(node.name.value));
      if (!isAbsent) read[name] = this.read(node, type, [...path, name], entryLimit(field));
      else if (defaultValue !== undefined) read[name] = defaultValue;
      else if (isNonNullType(type)) this.#fail(path, undefined, `Field "${name}" of required type`);
    }
    return read;
  }

  #readLeaf(node: ValueNode, type: GraphQLLeafType, path: FieldPath): unknown {
    const text = node.kind === Kind.STRING || node.kind === Kind.ENUM ? node.value : undefined;
    try {
      const value = type.parseLiteral(node, this.#variables as Record<string, unknown>);
      return value === undefined
        ? this.#fail(path, text, `Expected type "${type.name}". is not valid`)
        : value;
    } catch (error) {
      return this.#fail(path, text, (error as Error).message);
    }
  }
}

/** A mutation whose input has invalid values. */
export interface FaultyInput extends ReadInput {
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown>;
}

/**
 * Finds the inputs of an operation's mutations that have values of wrong types.
 * @param variables as they were sent
 */
export function findFaultyInputs(
  { all }: Writings,
  operation: OperationDefinitionNode,
  variables: SentVariables,
): FaultyInput[] {
  return all.flatMap(({ node, field, input, type }) => {
    const reader = new LiteralReader(operation, variables);
    const value = reader.read(input, type, []);
    const { violations } = reader;
    return violations.length > 0 ? [{ node, field, value: withoutGaps(value, type), violations }] : [];
  });
}
