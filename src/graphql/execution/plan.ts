import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  type VariableNode,
  visit,
} from 'graphql';
import { WeakCache } from '../../domain/collections.js';
import type { Fragments } from '../limits/limits.js';
import { keyBytes } from '../limits/response-size.js';

/** The variables of one execution, coerced. */
export type CoercedVariables = Readonly<Record<string, unknown>>;

/** Directives that can exclude selections, each with the value of `if` that includes them. */
const keeping: ReadonlyMap<string, boolean> = new Map([
  [GraphQLSkipDirective.name, false],
  [GraphQLIncludeDirective.name, true],
]);

/** Returns whether `@skip` and `@include` include a selection (GraphQL, section 6.3.2). */
function isIncluded({ directives = [] }: SelectionNode, values: CoercedVariables): boolean {
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

/** The shape of a value in the answer. */
export type ResponseShape =
  | { readonly kind: 'leaf'; readonly type: GraphQLLeafType }
  | { readonly kind: 'list'; readonly nullable: boolean; readonly item: ResponseShape }
  | {
      readonly kind: 'object';
      readonly type: GraphQLOutputType;
      /** Returns the selection for an object's type. */
      readonly objectOf: (type: GraphQLObjectType) => ObjectPlan;
    };

/** The plan of one object: its selected fields. */
interface ObjectPlan {
  readonly fields: readonly FieldPlan[];
  /** The response object with all keys in order, all null. Copying it is cheaper than adding keys. */
  readonly blank: Readonly<Record<string, null>>;
  /** Bytes of the object in the answer, without texts. */
  readonly bytes: number;
}

/** The plan of a field: what is selected under one response key of one type. */
export interface FieldPlan {
  readonly key: string;
  readonly parent: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  /** The property of the source object that holds the value, if no resolver is needed. */
  readonly member: string | undefined;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  readonly nullable: boolean;
  readonly shape: ResponseShape;
}

/** The plan of an operation for certain values of its conditions. It is cached. */
export interface Plan extends ObjectPlan {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
  readonly root: GraphQLObjectType;
}

/** Marks a resolver that only returns `source[member]`. The executor then skips the call. */
export const readsProperty = (member: string) => ({ member });

const sourceProperty = ({ name, resolve, extensions }: GraphQLField<unknown, unknown>): string | undefined =>
  (extensions as Partial<ReturnType<typeof readsProperty>>).member ?? (resolve ? undefined : name);

const byNodes = new WeakCache<readonly FieldNode[], FieldPlan>();

/**
 * Finds the plan of the field that a resolver is called for. Undefined if another executor calls it.
 * @param nodes as passed to the resolver
 */
export const planForNodes = (nodes: readonly FieldNode[]): FieldPlan | undefined => byNodes.get(nodes);

/** The meta fields. They exist on every type or on the query type without being listed. */
const metaFields: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map(
  [TypeNameMetaFieldDef, SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
);

/** Plans the fields of one operation that `@skip` and `@include` leave. */
export class Planner {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;
  readonly #values: CoercedVariables;

  /** @param values of the variables in conditions; others are not used */
  constructor(schema: GraphQLSchema, fragments: Fragments, values: CoercedVariables) {
    this.#schema = schema;
    this.#fragments = fragments;
    this.#values = values;
  }

  /** Collects the fields that selections request from a type (GraphQL, section 6.3.2). */
  object(type: GraphQLObjectType, selections: readonly SelectionSetNode[]): ObjectPlan {
    const groups = new Map<string, [FieldNode, ...FieldNode[]]>();
    const spread = new Set<string>();
    for (const selection of selections) this.#collect(type, selection, groups, spread);
    const fields = [...groups].flatMap(([key, nodes]) => {
      const name = nodes[0].name.value;
      const definition = metaFields.get(name) ?? type.getFields()[name];
      if (!definition) return [];
      const nullable = !isNonNullType(definition.type);
      const shape = this.#shape(definition.type, nodes);
      const plan = {
        key,
        parent: type,
        definition,
        member: sourceProperty(definition),
        nodes,
        nullable,
        shape,
      };
      byNodes.set(nodes, plan);
      return [plan];
    });
    const bytes = fields.reduce((sum, { key }) => sum + keyBytes(key), 2);
    // fromEntries defines each name as an own property, even `__proto__`, so later assignments are safe.
    return { fields, blank: Object.fromEntries(fields.map(({ key }) => [key, null])), bytes };
  }

  #collect(
    type: GraphQLObjectType,
    { selections }: SelectionSetNode,
    groups: Map<string, [FieldNode, ...FieldNode[]]>,
    spread: Set<string>,
  ): void {
    for (const selection of selections) {
      if (!isIncluded(selection, this.#values)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        const group = groups.get(key);
        if (group) group.push(selection);
        else groups.set(key, [selection]);
        continue;
      }
      const { kind } = selection;
      const inner = kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments[selection.name.value];
      if (kind === Kind.FRAGMENT_SPREAD) {
        if (spread.has(selection.name.value)) continue;
        spread.add(selection.name.value);
      }
      if (inner && this.#applies(inner.typeCondition?.name.value, type)) {
        this.#collect(type, inner.selectionSet, groups, spread);
      }
    }
  }

  #applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const wanted = this.#schema.getType(condition);
    return isAbstractType(wanted) && this.#schema.isSubType(wanted, type);
  }

  #shape(given: GraphQLOutputType, nodes: readonly FieldNode[]): ResponseShape {
    const type = isNonNullType(given) ? given.ofType : given;
    if (isLeafType(type)) return { kind: 'leaf', type };
    if (isListType(type)) {
      return { kind: 'list', nullable: !isNonNullType(type.ofType), item: this.#shape(type.ofType, nodes) };
    }
    const selections = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const known = new Map<GraphQLObjectType, ObjectPlan>();
    const objectOf = (of: GraphQLObjectType) => {
      const object = known.get(of) ?? this.object(of, selections);
      known.set(of, object);
      return object;
    };
    return { kind: 'object', type, objectOf };
  }
}
