import type { GraphQLInputObjectType, GraphQLObjectType } from 'graphql';
import * as z from 'zod';
import type { OpenApiNode } from './components.js';

/** The keywords of a rule that GraphQL's types cannot express. */
const limiting = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum'];

/** Converts the rules in a type's extensions to JSON Schema. */
export function readRules(type: GraphQLInputObjectType | GraphQLObjectType): OpenApiNode {
  const { rules } = type.extensions;
  if (!(rules instanceof z.ZodType))
    throw new Error(`${type.name} does not say by which rules it is checked.`);
  return z.toJSONSchema(rules, { io: 'input', unrepresentable: 'any' });
}

/** Unwraps a nullable rule (`anyOf` with null). */
function withoutNull(rule: OpenApiNode): OpenApiNode {
  const choices = (rule.anyOf ?? []) as OpenApiNode[];
  return choices.find(({ type }) => type !== 'null') ?? rule;
}

/** Picks the keywords that limit a value. */
export function limitsIn(rule: OpenApiNode): OpenApiNode {
  return Object.fromEntries(
    Object.entries(withoutNull(rule)).filter(([keyword]) => limiting.includes(keyword)),
  );
}

/** Picks a value's type, where GraphQL takes any JSON. */
export function typeIn(rule: OpenApiNode): OpenApiNode {
  const { type } = withoutNull(rule);
  return type === undefined ? {} : { type };
}

/** Returns the rule of an object's member; an empty one if there is none. */
export function memberRule(rule: OpenApiNode, field: string): OpenApiNode {
  return withoutNull(
    (withoutNull(rule).properties as Record<string, OpenApiNode> | undefined)?.[field] ?? {},
  );
}

/** Returns the rule of a list's elements; an empty one if there is none. */
export function elementRule(rule: OpenApiNode): OpenApiNode {
  return (withoutNull(rule).items as OpenApiNode | undefined) ?? {};
}
