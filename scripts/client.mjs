/**
 * Generates a half of clients/typescript: the types of the OpenAPI document, and a table of its operations.
 * `npm run contracts` runs it.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { requireFrom } from './packages.mjs';

const contract = new URL('../schema/v1.openapi.json', import.meta.url);
const target = new URL('../clients/typescript/src/generated.ts', import.meta.url);

/**
 * Bodies by their media types.
 * @typedef {Record<string, { schema: object }>} Content
 */

/**
 * A parameter, or a reference to one.
 * @typedef {{ $ref?: string, name?: string, in?: string }} Parameter
 */

/**
 * The parts of an operation that the client uses.
 * @typedef {object} Operation
 * @property {string} operationId
 * @property {string} summary
 * @property {Parameter[]} [parameters]
 * @property {{ required: boolean, content: Content, 'x-also-accepted'?: Content }} [requestBody]
 * @property {Record<string, { description: string, content?: Content }>} responses
 */

/** @typedef {Record<string, Record<string, Operation>>} Paths */

/**
 * Maps the values of an object.
 * @template T, U
 * @param {Record<string, T>} object
 * @param {(value: T) => U} map
 * @returns {Record<string, U>}
 */
const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

/** Reduces bodies to their schemas. @param {Content} content */
const withoutExamples = (content) => mapValues(content, ({ schema }) => ({ schema }));

/** Capitalizes a text. @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Names an operation for clients: `vehicles.list`, `vehicles.create`. The group is the name of its path's
 * list; the method is the operation's id without what the group already says.
 * @param {Paths} paths
 * @param {string} path
 * @param {string} id
 * @returns {readonly [group: string, method: string]}
 */
function nameOf(paths, path, id) {
  const [segment = ''] = path.replace('/v1/', '').split('/');
  const group = paths[`/v1/${segment}`]?.get?.operationId ?? segment;
  const one = paths[`/v1/${segment}/{id}`]?.get?.operationId ?? segment.replace(/s$/, '');
  if (id === group) return [group, 'list'];
  if (id === one) return [group, 'get'];
  const nouns = [group, one, segment, segment.replace(/s$/, '')].map(capital);
  const method = capital(id).replace(nouns.find((noun) => capital(id).includes(noun)) ?? '', '');
  return [group, method.charAt(0).toLowerCase() + method.slice(1)];
}

/**
 * Prints the table of operations.
 * @param {Paths} paths
 * @throws {Error} if two operations would have the same name
 */
function printRoutes(paths) {
  /** @type {Record<string, Record<string, string>>} */
  const groups = {};
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { operationId, summary, parameters, requestBody }] of Object.entries(operations)) {
      const [group, name] = nameOf(paths, path, operationId);
      groups[group] ??= {};
      if (groups[group][name])
        throw new Error(`Two operations would be ${group}.${name}: see ${operationId}.`);
      const pages = parameters?.some(({ name }) => name === 'page');
      const kind = requestBody ? ['body'] : pages ? ['list'] : [];
      const route = [method.toUpperCase(), path, ...kind].map((word) => `'${word}'`);
      groups[group][name] = `    /** ${summary} */\n    ${name}: [${route.join(', ')}],\n`;
    }
  }
  const printed = Object.entries(groups).map(
    ([group, methods]) => `  ${group}: {\n${Object.values(methods).join('')}  },\n`,
  );
  return `/** Operations by the names of their methods: method, path, and whether it takes a body or lists pages. */
export const routes = {\n${printed.join('')}} as const;\n`;
}

/**
 * Reduces an operation to what its method's types need: no headers, errors or examples.
 * @param {Operation} operation
 * @param {Record<string, Parameter>} known parameters that operations refer to
 */
function reduce({ operationId, summary, parameters = [], requestBody, responses }, known) {
  const asked = parameters.map(({ $ref = '', ...own }) => known[$ref.split('/').at(-1) ?? ''] ?? own);
  const successes = Object.entries(responses).filter(([status]) => status < '400');
  return {
    operationId,
    summary,
    parameters: asked.filter((parameter) => parameter.in !== 'header'),
    requestBody: requestBody && {
      required: requestBody.required,
      content: withoutExamples({ ...requestBody.content, ...requestBody['x-also-accepted'] }),
    },
    responses: Object.fromEntries(
      successes.map(([status, { description, content }]) => [
        status,
        { description, ...(content && { content: withoutExamples(content) }) },
      ]),
    ),
  };
}

/**
 * Generates the client's types and its table of operations.
 * @param {any} document OpenAPI
 * @returns {Promise<string>}
 */
export async function clientSource(document) {
  const { parameters, schemas } = document.components;
  // The client sends requests; messages to webhook endpoints are for receivers.
  const { webhooks: _webhooks, ...rest } = document;
  // Its methods send and return JSON, so files are left to `fetch`.
  const answering = Object.entries(/** @type {Paths} */ (document.paths)).filter(
    ([path]) => !/\.(csv|zip)$|^\/v1\/(imports|resumable-uploads)\b/.test(path),
  );
  const paths = mapValues(Object.fromEntries(answering), (operations) =>
    mapValues(operations, (operation) => reduce(operation, parameters)),
  );
  const { default: openapiTS, astToString } = (await requireFrom('tools/codegen'))('openapi-typescript');
  const types = await openapiTS(
    { ...rest, paths, components: { schemas } },
    {
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
      rootTypesKeepCasing: true,
      // An object without described members may have any.
      emptyObjectsUnknown: true,
    },
  );
  return [
    '// Made from the OpenAPI document by `npm run contracts` of the gateway.\n',
    printRoutes(paths),
    astToString(types),
  ].join('\n');
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  await writeFile(target, await clientSource(JSON.parse(await readFile(contract, 'utf8'))));
}
