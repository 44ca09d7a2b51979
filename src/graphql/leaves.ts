import type { GraphQLLeafType } from 'graphql';
import type { FieldPlan } from './execution/plan.js';

/**
 * Serializes a plain scalar or enum value, or null. Returns undefined for others, which need full completion.
 */
export function simpleValue({ nullable, shape }: FieldPlan, value: unknown): unknown {
  if (shape.kind !== 'leaf') return undefined;
  if (value === null || value === undefined) return nullable ? null : undefined;
  const isPlain = typeof value !== 'object' ? typeof value !== 'function' : value instanceof Date;
  return isPlain ? (shape.type.serialize(value) ?? undefined) : undefined;
}

/**
 * Serializes a value of a scalar or enum (GraphQL, section 6.4.3).
 * @throws Error if the type has no such value
 */
export function serialized(type: GraphQLLeafType, value: unknown): unknown {
  const written = type.serialize(value);
  if (written == null) throw new Error(`Expected a value of the type ${type.name}.`);
  return written;
}
