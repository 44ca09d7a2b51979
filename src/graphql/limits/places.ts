import {
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { type FieldPath, truncateMessage, type Violation } from '../../domain/errors.js';
import { argumentViolation, shortName, violationOf } from '../define/coerce.js';
import { type Fragments, fragmentsOf, requestLimits } from './limits.js';

/** A place in a document. */
interface Place {
  /** The path of the field in the answer, without the indexes of lists. */
  readonly field: FieldPath;
  /** The path of a value in the field's arguments; empty for the field itself. */
  readonly value: FieldPath;
}

/** Finds the places of a document's nodes. A variable has the place where it is first used. */
class LocationTree {
  readonly #found = new Map<ASTNode, Place>();
  readonly #fragments: Fragments;
  #spread = new Set<string>();
  #variables = new Map<string, Place>();

  /** @param only the operation to look at; by default, all of them */
  constructor(document: DocumentNode, only?: OperationDefinitionNode) {
    this.#fragments = fragmentsOf(document);
    for (const one of document.definitions) {
      if (one.kind === Kind.OPERATION_DEFINITION && (!only || one === only)) this.#operation(one);
    }
  }

  get(node: ASTNode): Place | undefined {
    return this.#found.get(node);
  }

  #note(node: ASTNode, place: Place): void {
    if (!this.#found.has(node)) this.#found.set(node, place);
  }

  #operation({ selectionSet, variableDefinitions = [], directives }: OperationDefinitionNode): void {
    this.#spread = new Set();
    this.#variables = new Map();
    this.#directives(directives, []);
    this.#selections(selectionSet, []);
    for (const definition of variableDefinitions) {
      const place = this.#variables.get(definition.variable.name.value);
      if (!place) continue;
      this.#note(definition, place);
      if (definition.defaultValue) this.#value(definition.defaultValue, place);
    }
  }

  #selections({ selections }: SelectionSetNode, field: FieldPath): void {
    if (field.length > requestLimits.depth) return;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        this.#field(selection, [...field, shortName((selection.alias ?? selection.name).value)]);
        continue;
      }
      this.#directives(selection.directives, field);
      if (selection.kind === Kind.INLINE_FRAGMENT) this.#selections(selection.selectionSet, field);
      else this.#fragment(selection.name.value, field);
    }
  }

  /** Follows a fragment once. One that contains itself, or that others repeat, would not end soon. */
  #fragment(name: string, field: FieldPath): void {
    const fragment = this.#spread.has(name) ? undefined : this.#fragments[name];
    this.#spread.add(name);
    if (fragment) this.#selections(fragment.selectionSet, field);
  }

  #field(node: FieldNode, field: FieldPath): void {
    this.#note(node, { field, value: [] });
    this.#arguments(node, { field, value: [] });
    this.#directives(node.directives, field);
    if (node.selectionSet) this.#selections(node.selectionSet, field);
  }

  #directives(directives: readonly DirectiveNode[] = [], field: FieldPath): void {
    for (const directive of directives) {
      const place = { field, value: [`@${shortName(directive.name.value)}`] };
      this.#note(directive, place);
      this.#arguments(directive, place);
    }
  }

  #arguments({ arguments: given = [] }: FieldNode | DirectiveNode, { field, value }: Place): void {
    for (const argument of given) {
      const place = { field, value: [...value, shortName(argument.name.value)] };
      this.#note(argument, place);
      this.#note(argument.name, place);
      this.#value(argument.value, place);
    }
  }

  #value(node: ValueNode, place: Place): void {
    const { field, value } = place;
    this.#note(node, place);
    if (node.kind === Kind.VARIABLE && !this.#variables.has(node.name.value)) {
      this.#variables.set(node.name.value, place);
    } else if (node.kind === Kind.LIST) {
      for (const [at, entry] of node.values.entries()) this.#value(entry, { field, value: [...value, at] });
    } else if (node.kind === Kind.OBJECT) {
      for (const member of node.fields) {
        const inner = { field, value: [...value, shortName(member.name.value)] };
        // An unknown member is told of at its object, and the message names it.
        this.#note(member, place);
        this.#note(member.name, inner);
        this.#value(member.value, inner);
      }
    }
  }
}

/** Describes what is wrong at a node, as it is described in an input. */
function violationAt(
  node: ASTNode,
  path: FieldPath,
  error: GraphQLError,
  schema: GraphQLSchema,
): Violation | undefined {
  const { message } = error;
  const ofArgument = argumentViolation(message);
  if (ofArgument) {
    // A value has the path of its argument already.
    const isAround = node.kind === Kind.FIELD || node.kind === Kind.DIRECTIVE;
    return { ...ofArgument, path: isAround ? [...path, ...ofArgument.path] : path };
  }
  if (path.length === 0) return undefined;
  const other = { path, message: truncateMessage(message.replace(/\.$/, '')), rule: 'invalid' } as const;
  switch (node.kind) {
    case Kind.ARGUMENT:
      return message.startsWith('Unknown argument ')
        ? { path, message: 'is not known', rule: 'unknown' }
        : other;
    case Kind.NAME:
    case Kind.DIRECTIVE:
    case Kind.VARIABLE:
    case Kind.VARIABLE_DEFINITION:
      return other;
  }
  const type = /^Expected value of type "([^"]+)", found /.exec(message)?.[1];
  if (type === undefined) {
    const text = node.kind === Kind.STRING || node.kind === Kind.ENUM ? node.value : undefined;
    const violation = violationOf(path, text, error);
    return { ...violation, message: truncateMessage(violation.message) };
  }
  if (node.kind === Kind.NULL) return { path, message: 'must not be null', rule: 'required' };
  const isObject = isInputObjectType(schema.getType(type.replace(/[[\]!]/g, '')));
  return { path, message: isObject ? 'must be an object' : 'is not valid', rule: 'type' };
}

/**
 * Adds to errors about a document or its variables the field and the violated argument. It looks at the
 * document only then, so that valid requests need not.
 * @param errors those of variables have violations with paths in the variable
 * @param only the operation that was asked for; by default, all of them
 */
export function placed(
  errors: readonly GraphQLError[],
  schema: GraphQLSchema,
  document: DocumentNode,
  only?: OperationDefinitionNode,
): readonly GraphQLError[] {
  if (errors.length === 0) return errors;
  const places = new LocationTree(document, only);
  return errors.map((error) => {
    // Of a variable's definition and its use, the use comes last.
    const node = error.nodes?.findLast((one) => places.get(one));
    const place = node && places.get(node);
    if (!node || !place) return error;
    const { message, nodes, originalError, extensions } = error;
    const inVariable = extensions.violations as readonly Violation[] | undefined;
    const violations = inVariable
      ? inVariable.map((one) => ({ ...one, path: [...place.value, ...one.path] }))
      : [violationAt(node, place.value, error, schema) ?? []].flat();
    const path = place.field.length > 0 ? place.field : null;
    return new GraphQLError(message, {
      nodes: nodes ?? null,
      path,
      originalError,
      extensions: { ...extensions, violations },
    });
  });
}
