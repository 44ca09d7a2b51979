import * as z from 'zod';
import { vehicles } from '../../data/vehicles.js';
import type { Node } from './components.js';

/** Who keeps the rules of what callers write, by the type of the gateway. */
const resources: Readonly<Record<string, { readonly rules: z.ZodType }>> = { Vehicle: vehicles };

/** The keywords of a rule that GraphQL's types cannot say. */
const limiting = ['minLength', 'maxLength', 'minItems', 'maxItems'];

/**
 * The rules of an input type of the gateway, as JSON Schema.
 * @param type its name: a verb, the resource's type, `Input`
 */
export function rulesOf(type: string): Node {
  const resource = resources[type.replace(/^[A-Z][a-z]+(.+)Input$/, '$1')];
  if (!resource) throw new Error(`The document does not know the rules of ${type}.`);
  return z.toJSONSchema(resource.rules, { io: 'input', unrepresentable: 'any' });
}

/** A rule without its choice of null. */
function present(rule: Node): Node {
  const choices = (rule.anyOf ?? []) as Node[];
  return choices.find(({ type }) => type !== 'null') ?? rule;
}

/** How long a value may be. */
export function limitsIn(rule: Node): Node {
  return Object.fromEntries(Object.entries(present(rule)).filter(([keyword]) => limiting.includes(keyword)));
}

/** The rule of an object's member; an empty one where there is none. */
export function memberRule(rule: Node, field: string): Node {
  return (present(rule).properties as Record<string, Node> | undefined)?.[field] ?? {};
}

/** The rule of a list's elements; an empty one where there is none. */
export function elementRule(rule: Node): Node {
  return (present(rule).items as Node | undefined) ?? {};
}
