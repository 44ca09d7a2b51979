import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
} from 'graphql';
import { MAX_OPERATIONS } from '../../domain/patch/patch-operations.js';
import { findArgument } from '../arguments.js';
import { operationIdOf, type PatchRoute, type ReceiveRoute, type Route, type WriteRoute } from '../route.js';
import type { Components, Node } from './components.js';
import { describeParameters } from './parameters.js';
import { describeResponses } from './responses.js';
import { readRules } from './rules.js';
import type { Schemas } from './schemas.js';
import { remarksOn } from './texts.js';

/** Schemas and components that operations are described with. */
export interface Sources {
  readonly gateway: GraphQLSchema;
  readonly projection: GraphQLSchema;
  readonly components: Components;
  readonly schemas: Schemas;
}

/** Gives the schema of a row's success, from the projection's root field. */
function bodySchema({ projection, schemas }: Sources, route: Route): Node {
  const root = (
    route.method === 'GET' ? projection.getQueryType() : projection.getMutationType()
  ) as GraphQLObjectType;
  const field = root.getFields()[route.field];
  if (!field) throw new Error(`The projection has no root field ${route.field}.`);
  // A root field that is null is answered with 404.
  return schemas.present(field.type);
}

/** Describes the request body of a write: its type, rules, and required members. */
function writeBody({ gateway, components, schemas }: Sources, route: WriteRoute | ReceiveRoute): Node {
  const type = getNamedType(findArgument(gateway, route, 'input').type) as GraphQLInputObjectType;
  const schema = components.ref('schemas', type.name, () =>
    schemas.members(type, readRules(type), route.kind === 'write' ? route.required : []),
  );
  return {
    required: route.kind === 'write',
    content: { 'application/json': { schema, example: route.example } },
  };
}

/** Describes one operation of a JSON Patch. The contract adds a member to the gateway's (section 4.11). */
function patchOperation({ gateway, schemas }: Sources, route: PatchRoute): Node {
  const type = getNamedType(findArgument(gateway, route, 'operations').type) as GraphQLInputObjectType;
  const { properties, ...rest } = schemas.members(type, {});
  const operationType = { description: 'Accepted and ignored.', type: ['string', 'null'] };
  return { ...rest, properties: { operationType, ...(properties as Node) } };
}

function patchBody(sources: Sources, route: PatchRoute): Node {
  const { components } = sources;
  const schema = components.ref('schemas', 'PatchDocument', () => ({
    description: 'Operations, applied in order. The leading slash of `path` and `from` may be missing.',
    type: 'array',
    maxItems: MAX_OPERATIONS,
    items: components.ref('schemas', 'PatchOperation', () => patchOperation(sources, route)),
  }));
  const content = { schema, example: route.example };
  return { required: true, content: { 'application/json': content, 'application/json-patch+json': content } };
}

function requestBody(sources: Sources, route: Route): Node {
  if (route.kind === 'write' || route.kind === 'receive') return { requestBody: writeBody(sources, route) };
  if (route.kind === 'patch') return { requestBody: patchBody(sources, route) };
  return {};
}

/** Describes a route as an OpenAPI operation. */
export function describeOperation(sources: Sources, route: Route): Node {
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
