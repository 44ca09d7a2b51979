import {
  type FragmentDefinitionNode,
  GraphQLError,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type VariableNode,
  visit,
} from 'graphql';

/** The variables of one execution, coerced. */
export type CoercedVariables = Readonly<Record<string, unknown>>;

/** The fragments of a document by name. */
export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** Directives that can exclude selections, each with the value of `if` that includes them. */
const keeping: ReadonlyMap<string, boolean> = new Map([
  [GraphQLSkipDirective.name, false],
  [GraphQLIncludeDirective.name, true],
]);

/** Returns whether `@skip` and `@include` include a selection (GraphQL, section 6.3.2). */
export function isIncluded({ directives = [] }: SelectionNode, values: CoercedVariables): boolean {
  return directives.every(({ name, arguments: [condition] = [] }) => {
    const kept = keeping.get(name.value);
    if (kept === undefined || !condition) return true;
    const { value } = condition;
    return (
      kept === (value.kind === Kind.VARIABLE ? values[value.name.value] : 'value' in value && value.value)
    );
  });
}

/**
 * Collects the variables in `@skip` and `@include`, without repetitions. Only those change an operation's
 * plan.
 */
export function collectConditions(operation: OperationDefinitionNode, fragments: Fragments): VariableNode[] {
  const found = new Map<string, VariableNode>();
  const spread = new Set<string>();
  const look = (node: OperationDefinitionNode | FragmentDefinitionNode) =>
    visit(node, {
      Directive({ name, arguments: [condition] = [] }) {
        if (keeping.has(name.value) && condition?.value.kind === Kind.VARIABLE) {
          found.set(condition.value.name.value, condition.value);
        }
      },
      FragmentSpread({ name: { value } }) {
        const fragment = fragments[value];
        if (!fragment || spread.has(value)) return;
        spread.add(value);
        look(fragment);
      },
    });
  look(operation);
  return [...found.values()];
}

/**
 * Rejects null for a condition. Validation allows null for a variable with a default value. Checking it
 * before execution avoids stopping halfway through mutations.
 */
export function refusalOfNull(
  conditions: readonly VariableNode[],
  values: CoercedVariables,
): GraphQLError | undefined {
  const empty = conditions.find(({ name }) => values[name.value] == null);
  const message = 'Argument "if" of non-null type "Boolean!" must not be null.';
  return empty && new GraphQLError(message, { nodes: empty });
}
