import type { OpenApiNode } from './components.js';
import { int32 } from './leaves.js';

/** A text. */
export const text = { type: 'string', maxLength: 65_536 };
/** A text that may be missing. */
export const textOrNull = { ...text, type: ['string', 'null'] };
/** A number of things. */
export const count = { ...int32, minimum: 0 };
/** A point in time. */
export const moment = { type: 'string', format: 'date-time', maxLength: 64 };
/** Describes one of some words. */
export const word = (...words: readonly string[]) => ({ type: 'string', enum: words });

/** Describes an object whose members are always present. */
export function object(
  description: string,
  members: Readonly<Record<string, readonly [string, OpenApiNode]>>,
): OpenApiNode {
  return {
    description,
    type: 'object',
    required: Object.keys(members),
    properties: Object.fromEntries(
      Object.entries(members).map(([name, [about, schema]]) => [name, { description: about, ...schema }]),
    ),
  };
}

/** Describes a list. */
export const list = (items: OpenApiNode, maxItems: number) => ({ type: 'array', maxItems, items });

/**
 * Describes further media types of a request body. `content` has only one, because client generators mix up
 * several: they send the body of one with the `Content-Type` of another.
 * @param content what `content` of a request body would have
 */
export const alsoAccepted = (content: Readonly<Record<string, OpenApiNode>>) => ({
  description: `Also accepted as ${Object.keys(content)
    .map((type) => `\`${type}\``)
    .join(' and ')}.`,
  'x-also-accepted': content,
});
