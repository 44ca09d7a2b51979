import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
} from 'graphql';
import type { PatchRoute, ReceiveRoute, Route, WriteRoute } from '../../domain/doors/route.js';
import { largestFile } from '../../domain/files.js';
import { MAX_OPERATIONS } from '../../domain/patch/patch.js';
import { version } from '../../version.js';
import { fieldName } from '../../web/parameters.js';
import {
  additions,
  complianceModel,
  headingsOfAdditions,
  type OwnRoute,
  ownRoutes,
  resumableModel,
} from '../additions.js';
import { findArgument, mergePatchType, patchTypes } from '../body.js';
import {
  answersWithBody,
  isMember,
  largestBodies,
  modelOf,
  operationIdOf,
  reference,
  routes,
  takesForm,
} from '../routes.js';
import { configureRest, contractPath, type SofaRoute } from '../sofa.js';
import { describeExports } from './files.js';
import {
  alsoAccepted,
  type Components,
  createComponents,
  list,
  type OpenApiNode,
  object,
} from './json-schema.js';
import { describeKey, describeParameters, idOfNoun } from './parameters.js';
import { describeAnswers, describeResponses, withKeyResponses } from './responses.js';
import { createSchemas, memberRule, readRules, type Schemas } from './schemas.js';
import { describeWebhooks } from './webhooks.js';

/** Writes the introduction of the document, which applies to every operation. */
function introduction(table: readonly Route[]): string {
  const methods = [...new Set(table.map(({ method }) => method))].filter((method) => method !== 'GET');
  return `Tracks things that expire, and the records around them.

**Requests.** Every request carries an access token. Bodies are JSON in UTF-8, at most ${largestBodies.standard} bytes, ${largestBodies.files} where files can be sent. Member names are matched ignoring case. Unknown members are ignored, and so are those that the server sets (\`id\` of an existing record, \`created\`, \`modified\`). Values beyond a limit are refused, never truncated. Texts may not contain NUL characters.

**Workspaces.** Without \`team_id\`, a new record goes to the caller's own workspace, and a stored one stays where it is. An id of another record, such as \`location_id\` or \`assigned_to.id\`, must be one that the token can access. Other ids are stored as sent.

**Responses.** Every member of a model is always present. A member without a value is \`null\`, and an empty collection is \`[]\`. Every response has an \`X-Request-Id\`, which is also in the service's log.

**Errors.** \`code\` is for programs, \`message\` for people. Paths that are not listed here return 404 \`NOT_FOUND\`. Methods that a path does not support return 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`. Records in workspaces that the token cannot access look as if they did not exist.

**Versions of a record.** Single records come with a strong \`ETag\`. Send it back in \`If-Match\` to avoid overwriting someone else's changes.

**Retries.** A ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(methods)} with an \`Idempotency-Key\` chosen by the caller can be sent again. It is executed only once, and repeats get the first response for 24 hours. Error responses are not kept, because nothing was written. The same key with a different request returns 422, or 409 while the first request is still running.

**Methods.** \`HEAD\` works wherever \`GET\` does. \`OPTIONS\` returns \`Allow\`.`;
}

/**
 * Describes a heading of the reference.
 * @throws Error if the heading has no description
 */
function aboutTag(tag: string): string {
  const text = reference.about[tag];
  if (text === undefined) throw new Error(`The heading ${tag} has no description.`);
  return text;
}

/** Writes the remarks that apply to every operation of a kind. */
function remarksOn(route: Route): string {
  switch (route.kind) {
    case 'list':
      return [
        'Ties are broken by `id`, so pages never overlap. A page past the end is empty. `Link` has the addresses of the other pages.',
        'Use `cursor` or the `next` links to get each row exactly once, even if rows are added or removed meanwhile.',
        'With `If-None-Match`, an unchanged page returns 304.',
        'Parameter names are matched ignoring case. Unknown parameters are ignored, and empty ones count as omitted.',
      ].join(' ');
    case 'read':
      return 'With `If-None-Match`, an unchanged record returns 304.';
    case 'write':
      return takesForm(route)
        ? 'The body is a form with the part `file`, or JSON with `content`. Each other member may be omitted. A worker then reads the document, unless its date was sent.'
        : "`null` sets a member's default.";
    case 'delete':
      return 'If other records require it, it is not deleted and the response is 409.';
    case 'act':
      return 'The request needs no body. If there is one, it is ignored.';
    case 'receive':
      return [
        'All members and the body itself are optional. 64-bit integers are not rounded.',
        'Notifications with the same `id` and `action`, or without an `id` the same content, are stored once.',
        'Files with the action `fp.upload` are filed later. Other notifications are only stored.',
      ].join(' ');
    case 'patch':
      return patching(route.errors.includes('NOT_MODIFIED'));
    default:
      throw new Error(`Nothing is said of ${route.path}.`);
  }
}

function patching(saysNotModified: boolean): string {
  return [
    'Applies a JSON Patch (RFC 6902) or, depending on the media type, a JSON Merge Patch (RFC 7396) to the record as this API shows it.',
    'Either all operations apply or none does.',
    "`remove`, and null in a merge patch, sets a member's default. The result is checked like the body of a PUT.",
    'Members that the server sets can be tested and copied from, but not changed. A failed `test` returns 409.',
    'A patch that changes nothing returns',
    saysNotModified ? '304.' : '200 and the record.',
  ].join(' ');
}

/** Describes access tokens and roles. */
function security(gateway: GraphQLSchema): string {
  const role = gateway.getType('Role');
  if (!isEnumType(role)) throw new Error('The gateway has no roles.');
  const lines = role
    .getValues()
    .map(({ name, description }) => `- \`${name.toLowerCase()}\`: ${description}`);
  return `An access token, which is created and revoked with GraphQL or the command line, or a JWT from the OpenID Connect issuer that the gateway accepts. It has one of these roles:\n\n${lines.join('\n')}\n\nA signed token works only for the bulk scan receiver, and its requests must be signed.`;
}

/** The schemas and components for describing operations. */
interface Sources {
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
  const field = root.getFields()[operationIdOf(route)];
  if (!field) throw new Error(`The projection has no root field ${operationIdOf(route)}.`);
  if (!answersWithBody(route)) return {};
  if (route.kind === 'all')
    return object(`The ${route.list}.`, {
      [route.list]: [route.rows ?? 'The newest first.', list(schemas.present(getNamedType(field.type)), 100)],
    });
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
  if (route.kind === 'take' && route.file) return { requestBody: route.file.described };
  return {};
}

/** Describes a route as an OpenAPI operation. */
function describeOperation(sources: Sources, served: SofaRoute): OpenApiNode {
  const { tags, description: summary, declared: route } = served;
  const parameters = describeParameters(sources.gateway, sources.components, route);
  return {
    operationId: operationIdOf(route),
    'x-origin': route.origin,
    tags,
    summary,
    description: route.description ?? remarksOn(route),
    ...((parameters.length > 0 || (route.kind === 'all' && !route.lenient)) && { parameters }),
    ...requestBody(sources, route),
    responses: describeResponses(sources.components, served, bodySchema(sources, route)),
  };
}

/** Describes all paths: the contract's, the lists as files, and the additions by heading. */
function describePaths(sources: Sources, served: readonly SofaRoute[]): OpenApiNode {
  const { gateway, components } = sources;
  const paths: Record<string, Record<string, OpenApiNode>> = {};
  const add = (path: string, method: string, operation: OpenApiNode) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  const addServed = (route: SofaRoute) =>
    add(contractPath(route), route.method, describeOperation(sources, route));
  const isAddition = ({ declared }: SofaRoute) => additions.includes(declared);
  for (const route of served) if (!isAddition(route)) addServed(route);
  Object.assign(paths, describeExports(gateway, components));
  for (const heading of Object.keys(headingsOfAdditions)) {
    for (const route of served) if (isAddition(route) && route.declared.tag === heading) addServed(route);
    for (const route of ownRoutes)
      if (route.tag === heading) add(route.path, route.method, describeOwn(components, route));
  }
  return paths;
}

/** Describes an operation that a handler of its own answers. */
function describeOwn(components: Components, route: OwnRoute): OpenApiNode {
  const { status, content, headers: names = [], success: description, requestBody } = route;
  const isRead = route.method === 'GET';
  const responses = describeAnswers(
    components,
    status,
    { description, names, ...(content && { content }) },
    route.errors,
  );
  return {
    operationId: route.operation,
    'x-origin': 'addition',
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    parameters: [
      ...(route.path.includes('{id}') ? [idOfNoun(route.noun)] : []),
      ...(route.parameters ?? []),
      ...(isRead ? [] : [describeKey(components)]),
    ],
    ...(requestBody && { requestBody }),
    responses: isRead ? responses : withKeyResponses(components, responses),
  };
}

/**
 * Creates the OpenAPI 3.1 document of the REST door. Nothing is written twice: its paths come from the table
 * of routes, its schemas from the executed types, its limits and errors from the code that checks and throws
 * them.
 */
export function openapiDocument(gateway: GraphQLSchema, table: readonly Route[] = routes): object {
  const components = createComponents();
  const schemas = createSchemas(gateway, components);
  const { schema: projection, routes: served } = configureRest(gateway, [...table, ...additions]);
  const paths = describePaths({ gateway, projection, components, schemas }, Object.values(served));
  components.ref('schemas', 'ResumableUploadModel', () => resumableModel);
  components.ref('schemas', 'ComplianceModel', () => complianceModel);
  const webhooks = describeWebhooks(projection, components, schemas);
  const accessToken = { type: 'http', scheme: 'bearer', description: security(gateway) };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Expiration gateway',
      version,
      description: introduction(table),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The gateway that this document came from.', 'x-internal': false }],
    security: [{ accessToken: [] }],
    tags: [
      ...[...new Set(table.map(({ tag }) => tag))]
        .filter((name) => !Object.hasOwn(headingsOfAdditions, name))
        .map((name) => ({ name, description: aboutTag(name) })),
      ...Object.entries(headingsOfAdditions).map(([name, description]) => ({ name, description })),
    ],
    paths,
    webhooks,
    components: { securitySchemes: { accessToken }, ...components.all() },
  };
}
