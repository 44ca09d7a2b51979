import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
} from 'graphql';
import type { PatchRoute, ReceiveRoute, Route, WriteRoute } from '../../domain/doors/route.js';
import { largestFile } from '../../domain/files.js';
import { MAX_OPERATIONS } from '../../domain/patch/patch-operations.js';
import { fieldName } from '../../web/parameters.js';
import { findArgument, mergePatchType, patchTypes } from '../body.js';
import { isMember, modelOf, operationIdOf, takesForm } from '../routes.js';
import type { Components, OpenApiNode } from './components.js';
import { alsoAccepted } from './objects.js';
import { describeParameters } from './parameters.js';
import { describeResponses } from './responses.js';
import { memberRule, readRules } from './rules.js';
import type { Schemas } from './schemas.js';
import { remarksOn } from './texts.js';

/** The schemas and components for describing operations. */
export interface Sources {
  readonly gateway: GraphQLSchema;
  readonly projection: GraphQLSchema;
  readonly components: Components;
  readonly schemas: Schemas;
}

/** Returns the schema of a route's successful answer, from the projection's root field. */
function bodySchema({ projection, schemas }: Sources, route: Route): OpenApiNode {
  const root = (
    route.method === 'GET' ? projection.getQueryType() : projection.getMutationType()
  ) as GraphQLObjectType;
  const field = root.getFields()[route.field];
  if (!field) throw new Error(`The projection has no root field ${route.field}.`);
  // If a root field is null, the answer is 404.
  return schemas.present(field.type);
}

/** Describes the request body of a write: its type, rules, and required members. */
function writeBody(sources: Sources, route: WriteRoute | ReceiveRoute): OpenApiNode {
  const { gateway, components, schemas } = sources;
  const type = getNamedType(findArgument(gateway, route, 'input').type) as GraphQLInputObjectType;
  const schema = components.ref('schemas', type.name, () =>
    schemas.members(type, readRules(type), route.kind === 'write' ? route.required : []),
  );
  const wrapper = route.kind === 'write' ? route.wrapper : undefined;
  const either = wrapper && { anyOf: [schema, otherForm(schemas, schema, type, wrapper)] };
  return {
    required: route.kind === 'write',
    content: { 'application/json': { schema: either ?? schema, example: route.example } },
    ...(takesForm(route) &&
      alsoAccepted({
        'multipart/form-data': { schema: formSchema(sources, type), example: { file: 'licence.pdf' } },
      })),
  };
}

/** Describes a form. Its part `file` is a file, and the others are members of the input. */
function formSchema({ schemas }: Sources, type: GraphQLInputObjectType): OpenApiNode {
  const { properties, ...rest } = schemas.members(type, readRules(type));
  const { content: _content, ...others } = properties as OpenApiNode;
  const file = { type: 'string', format: 'binary', maxLength: largestFile, description: 'The file.' };
  return { ...rest, required: ['file'], properties: { file, ...others } };
}

/** Describes the other form of a body: with its wrapper, or without it (`unwrap`). */
function otherForm(
  schemas: Schemas,
  schema: OpenApiNode,
  type: GraphQLInputObjectType,
  wrapper: string,
): OpenApiNode {
  const field = type.getFields()[fieldName(wrapper)];
  if (field) return schemas.taken(field.type, memberRule(readRules(type), field.name));
  return { type: 'object', required: [wrapper], properties: { [wrapper]: schema } };
}

/** Describes one operation of a JSON Patch. The contract adds a member to the gateway's (section 4.11). */
function patchOperation({ gateway, schemas }: Sources, route: PatchRoute): OpenApiNode {
  const type = getNamedType(findArgument(gateway, route, 'operations').type) as GraphQLInputObjectType;
  const { properties, ...rest } = schemas.members(type, {});
  const operationType = { description: 'Accepted and ignored.', type: ['string', 'null'] };
  return { ...rest, properties: { operationType, ...(properties as OpenApiNode) } };
}

function patchBody(sources: Sources, route: PatchRoute): OpenApiNode {
  const { components } = sources;
  const schema = components.ref('schemas', 'PatchDocument', () => ({
    description: 'Operations, applied in order. The leading slash of `path` and `from` may be omitted.',
    type: 'array',
    maxItems: MAX_OPERATIONS,
    items: components.ref('schemas', 'PatchOperation', () => patchOperation(sources, route)),
  }));
  const content = { schema, example: route.example };
  const merging = { schema: mergePatch(sources, route), example: asMergePatch(route.example) };
  const types = patchTypes.map((type) => [type, type === mergePatchType ? merging : content]);
  const { 'application/json': json, ...others } = Object.fromEntries(types);
  return { required: true, content: { 'application/json': json }, ...alsoAccepted(others) };
}

/** Describes a merge patch: members that an update accepts and the record shows. */
function mergePatch({ gateway, components, schemas }: Sources, { model }: PatchRoute): OpenApiNode {
  const { type: name } = modelOf(model);
  return components.ref('schemas', `${name}MergePatch`, () => {
    const type = gateway.getType(`Update${name}Input`) as GraphQLInputObjectType;
    const { properties, ...rest } = schemas.members(type, readRules(type));
    const shown = Object.entries(properties as OpenApiNode).filter(([member]) => isMember(name, member));
    return { ...rest, properties: Object.fromEntries(shown) };
  });
}

/** Converts the example of a JSON Patch, which sets members, to a merge patch. */
function asMergePatch(example: unknown): OpenApiNode {
  const operations = example as readonly { readonly path: string; readonly value: unknown }[];
  return Object.fromEntries(operations.map(({ path, value }) => [path.slice(1), value]));
}

function requestBody(sources: Sources, route: Route): OpenApiNode {
  if (route.kind === 'write' || route.kind === 'receive') return { requestBody: writeBody(sources, route) };
  if (route.kind === 'patch') return { requestBody: patchBody(sources, route) };
  return {};
}

/** Describes a route as an OpenAPI operation. */
export function describeOperation(sources: Sources, route: Route): OpenApiNode {
  const parameters = describeParameters(sources.gateway, sources.components, route);
  return {
    operationId: operationIdOf(route),
    'x-origin': route.origin,
    tags: [route.tag],
    summary: route.summary,
    description: remarksOn(route),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(sources, route),
    responses: describeResponses(sources.components, route, bodySchema(sources, route)),
  };
}
