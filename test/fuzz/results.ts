import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  getOperationAST,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { printed } from './documents.js';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);

/** What the scalars of the schema look like in an answer. */
const scalars: Record<string, (value: unknown) => boolean> = {
  Boolean: (value) => typeof value === 'boolean',
  BigInt: (value) => isText(value) && /^-?\d{1,19}$/.test(String(value)),
  Date: (value) => isText(value) && /^\d{4}-\d{2}-\d{2}$/.test(String(value)),
  DateTime: (value) => isText(value) && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(String(value)),
  Float: isNumber,
  ID: (value) => uuid.test(String(value)),
  Int: (value) => isNumber(value) && Number(value) === (Number(value) | 0),
  JSON: () => true,
  String: isText,
  UUID: (value) => uuid.test(String(value)),
};

/** Returns the fields of a selection, by the names they have in the answer. */
function* fieldsIn(document: DocumentNode, { selections }: SelectionSetNode): Generator<FieldNode> {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) yield selection;
    else if (selection.kind === Kind.INLINE_FRAGMENT) yield* fieldsIn(document, selection.selectionSet);
    else {
      const { value } = selection.name;
      const fragment = document.definitions.find(
        (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === value,
      );
      if (fragment?.kind === Kind.FRAGMENT_DEFINITION) yield* fieldsIn(document, fragment.selectionSet);
    }
  }
}

function problemsOfObject(
  document: DocumentNode,
  data: object,
  type: GraphQLObjectType,
  set: SelectionSetNode,
  at: string,
): string[] {
  const asked = [...fieldsIn(document, set)];
  return Object.entries(data).flatMap(([key, value]) => {
    const nodes = asked.filter(({ name, alias }) => (alias ?? name).value === key);
    const [node] = nodes;
    if (!node) return [`${at}.${key} was not asked for`];
    if (node.name.value === '__typename') return value === type.name ? [] : [`${at}.${key} is ${value}`];
    const field = type.getFields()[node.name.value];
    if (!field) return [`${at}.${key} is no field of ${type.name}`];
    return problemsOf(document, value, field.type, node.selectionSet, `${at}.${key}`);
  });
}

function problemsOf(
  document: DocumentNode,
  value: unknown,
  type: GraphQLOutputType,
  set: SelectionSetNode | undefined,
  at: string,
): string[] {
  if (value === null) return isNonNullType(type) ? [`${at} is null`] : [];
  const inner = getNullableType(type);
  if (isListType(inner)) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    return value.flatMap((item, index) => problemsOf(document, item, inner.ofType, set, `${at}[${index}]`));
  }
  if (isCompositeType(inner)) {
    if (typeof value !== 'object' || !set) return [`${at} is no object`];
    const name = (value as { __typename?: string }).__typename ?? inner.name;
    const concrete = printed.getType(name) as GraphQLObjectType;
    return problemsOfObject(document, value as object, concrete, set, at);
  }
  const fits = isEnumType(inner) ? inner.getValue(String(value)) !== undefined : scalars[inner.name]?.(value);
  return fits ? [] : [`${at} is ${JSON.stringify(value)}, which is no ${inner}`];
}

/** Returns what in the data of an answer is not as the printed schema says. */
export function problemsIn(query: string, data: object): string[] {
  const document = parse(query);
  const operation = getOperationAST(document);
  if (!operation) return ['There is no operation.'];
  const root = operation.operation === 'query' ? printed.getQueryType() : printed.getMutationType();
  return problemsOfObject(document, data, root as GraphQLObjectType, operation.selectionSet, 'data');
}
