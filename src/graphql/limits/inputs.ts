import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLInputFieldMap,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type ObjectValueNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
  type ValueNode,
  ValuesOfCorrectTypeRule,
  visit,
} from 'graphql';
import { type FieldPath, mostViolations, type Violation } from '../../domain/errors.js';
import { Kept } from '../../domain/kept.js';
import { limits } from '../../domain/rules.js';
import {
  entryLimit,
  type ReadInput,
  readInput,
  tooLong,
  violationOf,
  withoutGaps,
} from '../define/coerce.js';
import type { SentVariables } from './limits.js';

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
export interface Writings {
  readonly all: readonly Writing[];
  /** Variables that occur only in inputs. */
  readonly variables: ReadonlySet<string>;
}

const none: Writings = { all: [], variables: new Set() };

const kept = new Kept<OperationDefinitionNode, Writings>();

function collectWritings(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): Writings {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const fields = schema.getMutationType()?.getFields() ?? {};
  const all: Writing[] = [];
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        // Each fragment once: nested ones would otherwise take exponential time.
        const fragment = fragments.get(selection.name.value);
        fragments.delete(selection.name.value);
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
  for (const definition of definitions) visit(definition, note);
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
    if (this.violations.length <= mostViolations) this.violations.push(violation);
  }

  #fail(path: FieldPath, value: unknown, message: string): undefined {
    this.#add(violationOf(path, value, new GraphQLError(message)));
    return undefined;
  }

  read(node: ValueNode, type: GraphQLInputType, path: FieldPath, most: number = limits.entries): unknown {
    if (this.violations.length > mostViolations) return undefined;
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
