import {
  type GraphQLInputType,
  type GraphQLNullableType,
  type GraphQLOutputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';

/** A JSON Schema (2020-12), as far as tools have one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** JSON Schemas of the scalars. A scalar that is missing can have any JSON value. */
const scalars: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  UUID: { type: 'string', format: 'uuid' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  BigInt: { type: 'integer' },
  Date: { type: 'string', format: 'date' },
  DateTime: { type: 'string', format: 'date-time' },
};

/** Lets a schema accept null, too. Fewer clients understand a list of types. */
export function orNull({ description, ...schema }: JsonSchema): JsonSchema {
  if (Object.keys(schema).length === 0) return description === undefined ? {} : { description };
  return { anyOf: [schema, { type: 'null' }], ...(description !== undefined && { description }) };
}

/** Returns the schema of a scalar or of an enum's values. */
export function leafSchema(type: GraphQLNullableType, isInput = false): JsonSchema {
  if (isEnumType(type)) {
    const values = type.getValues().filter(({ deprecationReason }) => !isInput || !deprecationReason);
    return { type: 'string', enum: values.map(({ name }) => name) };
  }
  return isScalarType(type) ? (scalars[type.name] ?? {}) : {};
}

const described = (schema: JsonSchema, description: string | null | undefined): JsonSchema =>
  description ? { ...schema, description } : schema;

/** The deepest input whose members are described. Filters nest in themselves. */
const deepest = 4;

/** Returns the schema of a value that a variable of this type accepts. */
export function inputSchema(type: GraphQLInputType, depth = 0): JsonSchema {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return { type: 'array', items: inputSchema(nullable.ofType, depth) };
  if (!isInputObjectType(nullable)) return leafSchema(nullable, true);
  if (depth >= deepest) return { type: 'object' };
  const fields = Object.values(nullable.getFields()).filter(({ deprecationReason }) => !deprecationReason);
  const required = fields.filter((field) => isNonNullType(field.type) && field.defaultValue === undefined);
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, type: inner, description }) => [
        name,
        described(inputSchema(inner, depth + 1), description),
      ]),
    ),
    ...(required.length > 0 && { required: required.map(({ name }) => name) }),
    additionalProperties: false,
  };
}

/** Wraps the schema of a value's innermost type in its lists. Nullable values may be null. */
export function wrapped(type: GraphQLOutputType, innermost: JsonSchema): JsonSchema {
  const nullable = getNullableType(type);
  const schema = isListType(nullable)
    ? { type: 'array', items: wrapped(nullable.ofType, innermost) }
    : innermost;
  return isNonNullType(type) ? schema : orNull(schema);
}
