import {
  type ASTNode,
  type FieldNode,
  type GraphQLOutputType,
  getNamedType,
  isAbstractType,
  Kind,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { printed } from './documents.js';
import type { ValidOperation } from './operations.js';

const keyOf = ({ alias, name }: FieldNode) => (alias ?? name).value;

/** Fields that a selection has more than once under one name, those in its fragments left aside. */
function mergedIn({ selections }: SelectionSetNode): FieldNode[] {
  const seen = new Set<string>();
  return selections
    .filter((one): one is FieldNode => one.kind === Kind.FIELD)
    .filter((field) => seen.has(keyOf(field)) || !seen.add(keyOf(field)));
}

/** Names the constructs that a node is. */
function* constructsOf(node: ASTNode, around: GraphQLOutputType | null | undefined): Generator<string> {
  if (node.kind === Kind.FIELD) {
    if (node.alias) yield 'an alias';
    if (/^(__proto__|constructor|then|toJSON)$/.test(node.alias?.value ?? '')) yield 'an odd alias';
    if (/^__(schema|type)$/.test(node.name.value)) yield 'introspection';
    if (node.name.value === '__typename') yield '__typename';
    if (/^nodes?$/.test(node.name.value) && node.arguments?.length) yield 'a record by its id alone';
    if (node.arguments?.some(({ name }) => /^(after|before)$/.test(name.value))) yield 'a cursor';
  }
  if (node.kind === Kind.SELECTION_SET && mergedIn(node).length > 0) yield 'merged fields';
  if (node.kind === Kind.SELECTION_SET && mergedIn(node).some(({ directives }) => directives?.length)) {
    yield 'merged fields, one with a condition';
  }
  if (node.kind === Kind.DIRECTIVE) {
    const by = node.arguments?.[0]?.value.kind === Kind.VARIABLE ? 'by a variable' : 'by a literal';
    yield `@${node.name.value} ${by}`;
  }
  if (node.kind === Kind.INLINE_FRAGMENT) {
    const condition = node.typeCondition && printed.getType(node.typeCondition.name.value);
    if (!condition) yield 'an inline fragment without a type';
    else yield isAbstractType(condition) ? 'a fragment on an abstract type' : 'a fragment on an object type';
    if (around && isAbstractType(getNamedType(around))) yield 'a fragment in an abstract type';
  }
  if (node.kind === Kind.FRAGMENT_SPREAD) yield 'a fragment spread';
  if (node.kind === Kind.FRAGMENT_DEFINITION && JSON.stringify(node).includes('"FragmentSpread"')) {
    yield 'a fragment in a fragment';
  }
  if (node.kind === Kind.LIST || node.kind === Kind.OBJECT) yield 'a literal list or object';
}

/** Names the constructs of an operation, and the fields of the schema that it asks for, each once. */
export function constructsIn({ document, variables }: ValidOperation): Set<string> {
  const found = new Set<string>();
  const types = new TypeInfo(printed);
  visit(
    document,
    visitWithTypeInfo(types, {
      enter(node) {
        const around = types.getParentType();
        for (const construct of constructsOf(node, around)) found.add(construct);
        if (node.kind === Kind.FIELD && around) found.add(`${around.name}.${node.name.value}`);
        if (node.kind !== Kind.VARIABLE_DEFINITION) return;
        const name = node.variable.name.value;
        if (node.defaultValue) found.add(name in variables ? 'a default overridden' : 'a default');
        else if (!(name in variables)) found.add('a variable left out');
        if (variables[name] === null) found.add('a variable that is null');
      },
    }),
  );
  return found;
}
