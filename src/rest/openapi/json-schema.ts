import { limits } from '../../domain/rules.js';

/** A part of the document: a JSON object. */
export type OpenApiNode = Readonly<Record<string, unknown>>;

type Section = 'schemas' | 'responses' | 'parameters' | 'headers';

/** The parts of the document that others refer to. */
export interface Components {
  /**
   * Returns a `$ref` to a component, which is created on first use. So the document has no unused components.
   */
  ref(section: Section, name: string, make: () => OpenApiNode): OpenApiNode;
  /** Returns the components created so far, by section and name. */
  all(): OpenApiNode;
}

/** Starts the `components` of a document. */
export function createComponents(): Components {
  const sections = new Map<Section, Map<string, OpenApiNode>>();
  return {
    ref(section, name, make) {
      const parts = sections.get(section) ?? new Map<string, OpenApiNode>();
      sections.set(section, parts);
      if (!parts.has(name)) {
        // Reserve the name first, because a type may contain itself.
        parts.set(name, {});
        parts.set(name, make());
      }
      return { $ref: `#/components/${section}/${name}` };
    },
    all: () =>
      Object.fromEntries(
        [...sections].map(([section, parts]) => [section, Object.fromEntries(sorted(parts))]),
      ),
  };
}

/** Lists the parts by name, so that a new one does not move the others. */
function sorted(parts: ReadonlyMap<string, OpenApiNode>): [string, OpenApiNode][] {
  return [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
}

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
