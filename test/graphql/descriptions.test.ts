import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.js';

interface Described {
  readonly name: string;
  readonly description?: string | null;
}

/** Returns a type with all that is in it, as the paths by which people name it. */
function partsOf(type: GraphQLNamedType): [string, Described][] {
  const parts: [string, Described][] = [[type.name, type]];
  if (isEnumType(type)) {
    for (const value of type.getValues()) parts.push([`${type.name}.${value.name}`, value]);
  } else if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) {
    for (const field of Object.values(type.getFields())) {
      parts.push([`${type.name}.${field.name}`, field]);
      if (!('args' in field)) continue;
      for (const arg of field.args) parts.push([`${type.name}.${field.name}(${arg.name}:)`, arg]);
    }
  }
  return parts;
}

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);
const parts = types.flatMap(partsOf);

describe('the schema', () => {
  test('describes every type, field, argument and value', () => {
    expect(parts.length).toBeGreaterThan(1000);
    const bare = parts.filter(([, { description }]) => !description?.trim()).map(([path]) => path);
    expect(bare).toEqual([]);
  });

  test('describes in sentences', () => {
    const wrong = parts.filter(([, { description }]) => !/^[A-Z1`].*\.$/s.test(description ?? ''));
    expect(wrong.map(([path, { description }]) => `${path}: ${description}`)).toEqual([]);
  });
});
