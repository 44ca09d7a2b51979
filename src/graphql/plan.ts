import {
  type DocumentNode,
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getOperationAST,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
  visit,
} from 'graphql';
import { Kept } from '../domain/kept.js';

/** How a value of a type is answered. */
export type Shape =
  | { readonly kind: 'leaf'; readonly type: GraphQLLeafType }
  | { readonly kind: 'list'; readonly nullable: boolean; readonly item: Shape }
  | {
      readonly kind: 'object';
      readonly type: GraphQLOutputType;
      /** What is asked for of a value, by its type. */
      readonly objectOf: (type: GraphQLObjectType) => ObjectPlan;
    };

/** What is asked for of an object. */
export interface ObjectPlan {
  readonly fields: readonly FieldPlan[];
  /** Their names in the order of the answer, with nothing in them: to be copied, which is cheaper than to be built up. */
  readonly blank: Readonly<Record<string, null>>;
}

/** A field of an answer: what is asked for under one name of values of one type. */
export interface FieldPlan {
  readonly key: string;
  readonly parent: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  /** Where the value's source has it, where nothing has to resolve it. */
  readonly member: string | undefined;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  readonly nullable: boolean;
  readonly shape: Shape;
}

/** What an operation asks for, worked out once for all its executions. */
export interface Plan extends ObjectPlan {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly root: GraphQLObjectType;
}

/** A name under which nothing can be put into an object, and the meta fields that execution.ts does not know. */
const foreign: ReadonlySet<string> = new Set(['__proto__', '__schema', '__type']);

/** Whether a document is without what makes two executions of it differ in more than their values. */
function isPlain(document: DocumentNode): boolean {
  let plain = true;
  visit(document, {
    Directive: () => {
      plain = false;
    },
    Field: ({ name, alias }) => {
      if (foreign.has(name.value) || foreign.has(alias?.value ?? '')) plain = false;
    },
  });
  return plain;
}

/** Says of a field whose resolver gives a member of its source, whatever else there is, which one: it need not be called. */
export const shows = (member: string) => ({ member });

const memberOf = ({ name, resolve, extensions }: GraphQLField<unknown, unknown>): string | undefined =>
  (extensions as Partial<ReturnType<typeof shows>>).member ?? (resolve ? undefined : name);

const byNodes = new Kept<readonly FieldNode[], FieldPlan>();

/**
 * The plan of the field that a resolver resolves; undefined when the operation has none.
 * @param nodes as the resolver is given them
 */
export const planned = (nodes: readonly FieldNode[]): FieldPlan | undefined => byNodes.get(nodes);

/** Makes the plans of the fields of one document. */
class Planner {
  readonly #schema: GraphQLSchema;
  readonly fragments: Record<string, FragmentDefinitionNode> = {};

  constructor(schema: GraphQLSchema, { definitions }: DocumentNode) {
    this.#schema = schema;
    for (const definition of definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments[definition.name.value] = definition;
    }
  }

  /** What selections ask for of a type, in the order of the answer (GraphQL, section 6.3.2). */
  object(type: GraphQLObjectType, selections: readonly SelectionSetNode[]): ObjectPlan {
    const groups = new Map<string, [FieldNode, ...FieldNode[]]>();
    const spread = new Set<string>();
    for (const selection of selections) this.#collect(type, selection, groups, spread);
    const fields = [...groups].flatMap(([key, nodes]) => {
      const name = nodes[0].name.value;
      const definition = name === TypeNameMetaFieldDef.name ? TypeNameMetaFieldDef : type.getFields()[name];
      if (!definition) return [];
      const nullable = !isNonNullType(definition.type);
      const shape = this.#shape(definition.type, nodes);
      const plan = { key, parent: type, definition, member: memberOf(definition), nodes, nullable, shape };
      byNodes.set(nodes, plan);
      return [plan];
    });
    return { fields, blank: Object.fromEntries(fields.map(({ key }) => [key, null])) };
  }

  #collect(
    type: GraphQLObjectType,
    { selections }: SelectionSetNode,
    groups: Map<string, [FieldNode, ...FieldNode[]]>,
    spread: Set<string>,
  ): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        const group = groups.get(key);
        if (group) group.push(selection);
        else groups.set(key, [selection]);
        continue;
      }
      const { kind } = selection;
      const inner = kind === Kind.INLINE_FRAGMENT ? selection : this.fragments[selection.name.value];
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

  #shape(given: GraphQLOutputType, nodes: readonly FieldNode[]): Shape {
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

/** The documents are kept by the cache of parsed ones, and their plans with them. */
const plans = new Kept<DocumentNode, Map<string, Plan | undefined>>();

function makePlan({ schema, document, operationName }: ExecutionArgs): Plan | undefined {
  const operation = getOperationAST(document, operationName);
  if (!operation || operation.operation === 'subscription' || !isPlain(document)) return undefined;
  const root = schema.getRootType(operation.operation);
  if (!root) return undefined;
  const planner = new Planner(schema, document);
  const { fields, blank } = planner.object(root, [operation.selectionSet]);
  // Several would have to wait for each other (GraphQL, section 6.2.2).
  if (operation.operation === 'mutation' && fields.length !== 1) return undefined;
  return { schema, operation, fragments: planner.fragments, root, fields, blank };
}

/**
 * The plan of an operation of a valid document; undefined of one that is for graphql-js: a subscription, several
 * mutations, with directives, or about the schema.
 */
export function planOf(args: ExecutionArgs): Plan | undefined {
  const { document, schema, operationName } = args;
  const name = operationName ?? '';
  const ofDocument = plans.ensure(document, () => new Map());
  if (!ofDocument.has(name)) ofDocument.set(name, makePlan(args));
  const plan = ofDocument.get(name);
  return plan?.schema === schema ? plan : undefined;
}
