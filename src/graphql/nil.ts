import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
} from 'graphql';
import { isNil } from '../domain/rules.js';

/** The scalar types of ids. They are for our records, and for foreign ids, which are kept as sent. */
const ids = new Set(['ID', 'UUID']);

function present(value: unknown, type: GraphQLInputType, instead: null | undefined): unknown {
  if (value === null || value === undefined) return value;
  const named = getNamedType(type);
  if (Array.isArray(value)) {
    const isId = ids.has(named.name);
    return value.filter((item) => !isId || !isNil(item)).map((item) => present(item, named, instead));
  }
  if (isInputObjectType(named)) return withoutNil(value as object, named, instead);
  return ids.has(named.name) && isNil(value) ? instead : value;
}

/**
 * Removes nil UUIDs from an input (RFC 9562 §5.9). Clients whose ids cannot be null send them for "none".
 * @param type of the input
 * @param instead replaces them: undefined, as if the member were missing, or null, which clears it
 */
export function withoutNil<T extends object>(
  input: T,
  type: GraphQLInputObjectType,
  instead: null | undefined,
): T {
  const fields = type.getFields();
  const members = Object.entries(input).flatMap(([name, value]) => {
    const field = fields[name];
    const kept = field ? present(value, field.type, instead) : value;
    return kept === undefined ? [] : [[name, kept]];
  });
  return Object.fromEntries(members);
}

/** Removes nil UUIDs from a mutation's input, as if the members were missing. */
export function presentIn<T extends object>(
  input: T,
  { schema }: { readonly schema: GraphQLSchema },
  name: string,
): T {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new Error(`There is no input type ${name}.`);
  return withoutNil(input, type, undefined);
}
