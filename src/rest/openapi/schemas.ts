import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
} from 'graphql';
import { fieldName, memberName } from '../../web/names.js';
import { type ModelName, models } from '../models.js';
import type { Components, Node } from './components.js';
import { bodyScalar, nullable, responseScalar } from './leaves.js';
import { elementRule, limitsIn, memberRule, typeIn } from './rules.js';

/** Turns GraphQL's types into JSON Schema; objects become components under their own names. */
export interface Schemas {
  /** Describes a type as a response shows it, where it is not null. */
  present(type: GraphQLOutputType): Node;
  /** Describes an input type of the gateway as a body spells it, with its rules. */
  taken(type: GraphQLInputType, rule: Node): Node;
  /**
   * Describes an input object inline, without a `$ref`.
   * @param required members that it must have beyond what its type says
   */
  members(type: GraphQLInputObjectType, rule: Node, required?: readonly string[]): Node;
}

function described(schema: Node, description: string | null | undefined): Node {
  return description ? { description, ...schema } : schema;
}

/** Finds the values of an enum, which the projection shows as a string. */
function enumValues(gateway: GraphQLSchema, model: string, member: string): Node {
  const source = gateway.getType(models[model as ModelName]?.type ?? '');
  const field = isObjectType(source) ? source.getFields()[fieldName(member)] : undefined;
  const type = field && getNamedType(field.type);
  return isEnumType(type) ? { enum: type.getValues().map(({ value }) => String(value).toLowerCase()) } : {};
}

/** Starts the schemas of a document. */
export function createSchemas(gateway: GraphQLSchema, components: Components): Schemas {
  function shown(type: GraphQLOutputType, words: Node): Node {
    return isNonNullType(type) ? present(type, words) : nullable(present(type, words));
  }

  function present(type: GraphQLOutputType, words: Node = {}): Node {
    if (isNonNullType(type)) return present(type.ofType, words);
    if (isListType(type)) return { type: 'array', items: shown(type.ofType, words) };
    if (isObjectType(type)) return components.ref('schemas', type.name, () => model(type));
    return { ...responseScalar(getNamedType(type).name), ...words };
  }

  function model(type: GraphQLObjectType): Node {
    const properties = Object.values(type.getFields()).map((field) => [
      field.name,
      described(shown(field.type, enumValues(gateway, type.name, field.name)), field.description),
    ]);
    const required = properties.map(([name]) => name);
    return described(
      { type: 'object', required, properties: Object.fromEntries(properties) },
      type.description,
    );
  }

  function taken(type: GraphQLInputType, rule: Node): Node {
    return isNonNullType(type) ? takenPresent(type, rule) : nullable(takenPresent(type, rule));
  }

  function takenPresent(type: GraphQLInputType, rule: Node): Node {
    if (isNonNullType(type)) return takenPresent(type.ofType, rule);
    if (isListType(type)) {
      return { type: 'array', ...limitsIn(rule), items: taken(type.ofType, elementRule(rule)) };
    }
    if (isInputObjectType(type)) return components.ref('schemas', type.name, () => members(type, rule));
    if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
    return { ...typeIn(rule), ...bodyScalar(getNamedType(type).name), ...limitsIn(rule) };
  }

  function members(type: GraphQLInputObjectType, rule: Node, required: readonly string[] = []): Node {
    const needed = new Set(required);
    const properties = Object.values(type.getFields()).map((field) => {
      const name = memberName(field.name);
      if (isRequiredInputField(field)) needed.add(name);
      const describe = needed.has(name) ? takenPresent : taken;
      const schema = describe(field.type, memberRule(rule, field.name));
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
