import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
} from 'graphql';
import * as z from 'zod';
import { maxPageSize } from '../../domain/paging.js';
import { limits } from '../../domain/rules.js';
import { fieldName, memberName } from '../../web/parameters.js';
import { takenFields, wordsOf } from '../body.js';
import { contractModels } from '../routes.js';
import { bodyScalar, type Components, nullable, type OpenApiNode, responseScalar } from './json-schema.js';

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
function typeIn(rule: OpenApiNode): OpenApiNode {
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
function elementRule(rule: OpenApiNode): OpenApiNode {
  return (withoutNull(rule).items as OpenApiNode | undefined) ?? {};
}

/** Converts GraphQL's types to JSON Schema. Objects become components under their own names. */
export interface Schemas {
  /** Describes a type as a response shows it, where it is not null. */
  present(type: GraphQLOutputType): OpenApiNode;
  /** Describes an input type of the gateway as a body spells it, with its rules. */
  taken(type: GraphQLInputType, rule: OpenApiNode): OpenApiNode;
  /**
   * Describes an input object inline, without a `$ref`.
   * @param required members that it must have besides those that its type requires
   */
  members(type: GraphQLInputObjectType, rule: OpenApiNode, required?: readonly string[]): OpenApiNode;
}

function described(schema: OpenApiNode, description: string | null | undefined): OpenApiNode {
  return description ? { description, ...schema } : schema;
}

/** Finds the gateway's field that a member of a model shows. */
function shownField(gateway: GraphQLSchema, model: string, member: string) {
  const source = gateway.getType(contractModels[model]?.type ?? '');
  return isObjectType(source) ? source.getFields()[fieldName(member)] : undefined;
}

/** Returns the values of a field's enum, which the projection shows as a string. */
function enumValues(field: GraphQLField<unknown, unknown> | undefined): OpenApiNode | undefined {
  const type = field && getNamedType(field.type);
  return isEnumType(type)
    ? // Two values of GraphQL may be one in the contract.
      { enum: [...new Set(wordsOf(type).map((word) => word.toLowerCase()))] }
    : undefined;
}

/** Returns the rule of a field. A line or nested list without one has the usual limits (docs/use/rest.md). */
function orStandard(type: GraphQLType, rule: OpenApiNode): OpenApiNode {
  if (Object.keys(rule).length > 0) return rule;
  if (isListType(getNullableType(type))) return { maxItems: limits.entries };
  return getNamedType(type) === GraphQLString ? { maxLength: limits.line } : {};
}

/** Limits of what values show, by their scalars. Nobody writes them. */
const limitsOfValues: Readonly<Record<string, OpenApiNode>> = {
  String: { maxLength: limits.text },
  Int: { minimum: 0 },
  Int64: { minimum: 0 },
  DateTime: { maxLength: 64 },
};

/**
 * Returns the rule of a field in a model. Fields that nobody writes have no rule and no limit, and neither
 * have those that may be stored larger than they are accepted (`limitsInputOnly`).
 */
function shownRule(
  type: GraphQLObjectType,
  rule: OpenApiNode,
  field: GraphQLField<unknown, unknown>,
): OpenApiNode {
  if (type.extensions.value)
    return { ...limitsOfValues[getNamedType(field.type).name], ...field.extensions.limits };
  const isPage = !(type.name in contractModels);
  if (isPage) return isListType(getNullableType(field.type)) ? { maxItems: maxPageSize } : {};
  if (Object.keys(rule).length === 0) return {};
  const own = orStandard(field.type, memberRule(rule, fieldName(field.name)));
  return own.limitsInputOnly === true ? {} : own;
}

/** Creates the schemas of a document. */
export function createSchemas(gateway: GraphQLSchema, components: Components): Schemas {
  /** Finds the rules of a model: those of its records, or else of its type. */
  function rulesOf(type: GraphQLObjectType): OpenApiNode | undefined {
    const source = contractModels[type.name]?.type;
    const input = gateway.getType(`Create${source}Input`);
    if (isInputObjectType(input)) return readRules(input);
    const own = gateway.getType(source ?? '');
    return isObjectType(own) && own.extensions.rules ? readRules(own) : undefined;
  }

  function shown(type: GraphQLOutputType, rule: OpenApiNode, words: OpenApiNode): OpenApiNode {
    return isNonNullType(type) ? present(type, rule, words) : nullable(present(type, rule, words));
  }

  function present(type: GraphQLOutputType, rule: OpenApiNode = {}, words: OpenApiNode = {}): OpenApiNode {
    if (isNonNullType(type)) return present(type.ofType, rule, words);
    if (isListType(type)) {
      return { type: 'array', ...limitsIn(rule), items: shown(type.ofType, elementRule(rule), words) };
    }
    if (isObjectType(type) && type.extensions.value?.model === null) return model(type, rule);
    if (isObjectType(type)) return components.ref('schemas', type.name, () => model(type, rule));
    return { ...responseScalar(getNamedType(type).name), ...limitsIn(rule), ...words };
  }

  /**
   * Describes an object that is shown. Its own rules take precedence over those of the list that contains it.
   */
  function model(type: GraphQLObjectType, given: OpenApiNode): OpenApiNode {
    const rule = rulesOf(type) ?? given;
    const { members: order = [] } = type.extensions.value ?? {};
    const fields = Object.values(type.getFields()).toSorted(
      (a, b) => order.indexOf(a.name) - order.indexOf(b.name),
    );
    const properties = fields.map((field) => {
      const { stored, source } = field.extensions;
      if (stored) return [field.name, described(stored, field.description)];
      const words = enumValues(source ?? shownField(gateway, type.name, field.name));
      // An enum value has no length limit of its own; a list of them has one.
      const isWord = words !== undefined && !isListType(getNullableType(field.type));
      const schema = shown(field.type, isWord ? {} : shownRule(type, rule, field), words ?? {});
      return [field.name, described(schema, field.description)];
    });
    const required = properties.map(([name]) => name);
    return described(
      { type: 'object', required, properties: Object.fromEntries(properties) },
      type.description,
    );
  }

  function taken(type: GraphQLInputType, rule: OpenApiNode): OpenApiNode {
    return isNonNullType(type) ? takenPresent(type, rule) : nullable(takenPresent(type, rule));
  }

  function takenPresent(type: GraphQLInputType, rule: OpenApiNode): OpenApiNode {
    if (isNonNullType(type)) return takenPresent(type.ofType, rule);
    if (isListType(type)) {
      return { type: 'array', ...limitsIn(rule), items: taken(type.ofType, elementRule(rule)) };
    }
    if (isInputObjectType(type)) return components.ref('schemas', type.name, () => members(type, rule));
    if (isEnumType(type))
      return { type: 'string', enum: type.getValues().map(({ name }) => name.toLowerCase()) };
    return { ...typeIn(rule), ...bodyScalar(getNamedType(type).name), ...limitsIn(rule) };
  }

  function members(
    type: GraphQLInputObjectType,
    rule: OpenApiNode,
    required: readonly string[] = [],
  ): OpenApiNode {
    const needed = new Set(required);
    const properties = takenFields(type).map((field) => {
      const name = memberName(field.name);
      if (isRequiredInputField(field)) needed.add(name);
      const describe = needed.has(name) ? takenPresent : taken;
      const schema = describe(field.type, orStandard(field.type, memberRule(rule, field.name)));
      return [name, described(schema, field.description)];
    });
    return described(
      {
        type: 'object',
        ...(needed.size > 0 && { required: [...needed] }),
        properties: Object.fromEntries(properties),
      },
      type.description,
    );
  }

  return { present, taken, members };
}
