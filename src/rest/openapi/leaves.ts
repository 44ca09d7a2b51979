import { limits } from '../../domain/rules.js';
import type { OpenApiNode } from './components.js';

/** A UUID. */
export const uuid: OpenApiNode = { type: 'string', format: 'uuid', maxLength: 36 };

/** A UUID in a query, where an empty one counts as absent. */
export const uuidOrEmpty: OpenApiNode = {
  type: 'string',
  maxLength: 36,
  pattern: '^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})?$',
};

/** A 32-bit integer. */
export const int32: OpenApiNode = {
  type: 'integer',
  format: 'int32',
  minimum: -(2 ** 31),
  maximum: 2 ** 31 - 1,
};

/** Formats of the contract by the gateway's scalars (section 2). */
const scalars: Readonly<Record<string, OpenApiNode>> = {
  ID: uuid,
  UUID: uuid,
  String: { type: 'string' },
  Word: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: int32,
  BigInt: { type: 'integer', format: 'int64' },
  Int64: { type: 'integer', format: 'int64' },
  Float: { type: 'number', format: 'double' },
  Date: { type: 'string', format: 'date', maxLength: 10 },
  DateTime: { type: 'string', format: 'date-time', maxLength: 24 },
  JSON: {},
};

/** Scalars that are accepted in more forms than they are shown in. */
const lenient: Readonly<Record<string, OpenApiNode>> = {
  Date: {
    type: 'string',
    maxLength: limits.line,
    pattern: '^\\d{4}-\\d{2}-\\d{2}',
    examples: ['2027-02-28'],
  },
};

/** Returns the JSON Schema of a scalar in a response. */
export function responseScalar(name: string): OpenApiNode {
  const schema = scalars[name];
  if (!schema) throw new Error(`The contract has no word for the scalar ${name}.`);
  return schema;
}

/** Returns the JSON Schema of a scalar in a request body. */
export function bodyScalar(name: string): OpenApiNode {
  return lenient[name] ?? responseScalar(name);
}

/**
 * Makes a JSON Schema accept null as well. Lists, enums and references get a choice, because some client
 * generators read a list of types only for texts, numbers and flags.
 */
export function nullable(schema: OpenApiNode): OpenApiNode {
  if (schema.$ref !== undefined || schema.type === 'array' || schema.enum !== undefined)
    return { anyOf: [schema, { type: 'null' }] };
  // Without a type it already accepts anything.
  return schema.type === undefined ? schema : { ...schema, type: [schema.type, 'null'] };
}
