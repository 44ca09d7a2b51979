import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { schema } from '../../src/graphql/schema.js';
import { openapiDocument } from '../../src/rest/openapi/openapi.js';

/** A part of the document, whatever it holds. */
// biome-ignore lint/suspicious/noExplicitAny: the document is data, and a wrong step in it fails the test.
export type Part = any;

/** The document of the code under test. */
export const document: Part = openapiDocument(schema);

/**
 * Returns the document with closed models. The document itself leaves them open, so that they can grow; in tests our own answers show nothing
 * undocumented.
 */
function closed(part: Part): Part {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const inner = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]));
  return part.required && part.properties ? { ...inner, additionalProperties: false } : inner;
}

/**
 * Returns a validator that knows the document's components. It is strict, so that it rejects unknown
 * keywords.
 */
export function createAjv(components: Part): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });
  formats.default(ajv);
  ajv.addVocabulary(['components']);
  return ajv.addSchema({ components }, 'document');
}

const ajv = createAjv(closed({ schemas: document.components.schemas }));
const compiled = new Map<string, ValidateFunction>();

function check(what: string, value: unknown, part: Part): void {
  // The part is used by itself, so its references point into the document by name.
  const text = JSON.stringify(closed(part)).replaceAll('"#/components/', '"document#/components/');
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, validate);
  if (!validate(value))
    throw new Error(`${what}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`);
}

const openAjv = createAjv({ schemas: document.components.schemas });

/** Expects that a message to a webhook endpoint is as the document describes its type. */
export function checkMessage(message: Part): void {
  const { schema } = document.webhooks[message.type].post.requestBody.content['application/json'];
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
  const validate = compiled.get(text) ?? openAjv.compile(JSON.parse(text));
  compiled.set(text, validate);
  if (!validate(message)) throw new Error(`${message.type}: ${openAjv.errorsText(validate.errors)}`);
}

/** Follows a reference to a component. */
export function resolve(part: Part): Part {
  if (typeof part?.$ref !== 'string') return part;
  return part.$ref
    .slice('#/'.length)
    .split('/')
    .reduce((found: Part, key: string) => found[key], document);
}

/** Returns the operation of a method and a path template. */
export function operationOf(method: string, template: string): Part {
  return document.paths[template][method.toLowerCase()];
}

/** Returns the bodies that an operation takes, by their media types. The first is the one in `content`. */
export const acceptedBodies = (requestBody: Part): [type: string, body: Part][] =>
  Object.entries({ ...requestBody?.content, ...requestBody?.['x-also-accepted'] });

/** Returns the schema of an operation's JSON body; undefined if it takes none. */
export const bodySchemaOf = (operation: Part): Part =>
  resolve(operation?.requestBody?.content['application/json'].schema);

/** Returns the schema of the record that an operation creates; undefined if it creates none. */
export const answerSchemaOf = (operation: Part): Part =>
  resolve(operation?.responses[201]?.content['application/json'].schema);

/** Returns the status with which an operation succeeds. */
export function successOf({ method, path }: { readonly method: string; readonly path: string }): number {
  return Number(Object.keys(operationOf(method, path).responses).find((status) => status.startsWith('2')));
}

function pathItem(path: string): Part {
  const { pathname } = new URL(path, 'http://gateway');
  const matches = (template: string) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname);
  // A path without ids comes before one that an id would make the same.
  return (
    document.paths[pathname] ?? Object.entries(document.paths).find(([template]) => matches(template))?.[1]
  );
}

/** Checks the answer to a request without an operation in the document: an error, or the answer to OPTIONS. */
function checkUnrouted(what: string, known: boolean, method: string, answer: Answer): void {
  const { status, headers, body } = answer;
  if (known && method === 'OPTIONS' && status === 204) return;
  const expected = known ? [405, 413] : [404, 413];
  if (!expected.includes(status)) throw new Error(`${what}: no such operation is documented.`);
  if (status === 405 && !headers.has('allow')) throw new Error(`${what}: a 405 names the methods in Allow.`);
  const isProblem = headers.get('content-type') === 'application/problem+json';
  const { ErrorBody, Problem } = document.components.schemas;
  if (method !== 'HEAD') check(what, JSON.parse(body), isProblem ? Problem : ErrorBody);
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

function checkContent(what: string, response: Part, { headers, body }: Answer): void {
  const [type = '', ...others] = Object.keys(response.content ?? {});
  if (others.length > 0) throw new Error(`${what}: which media type is to be expected?`);
  const sent = headers.get('content-type')?.split(';')[0] ?? '';
  const also = response['x-also-answered']?.[sent];
  if (also) {
    check(what, JSON.parse(body), also.schema);
    return;
  }
  if (sent !== type) throw new Error(`${what}: its type is "${sent}", not "${type}".`);
  const isText = type.startsWith('text/');
  const { schema } = response.content?.[type] ?? {};
  if (type === '') {
    if (body !== '') throw new Error(`${what}: it has a body.`);
  } else if (schema) check(what, isText ? body : JSON.parse(body), schema);
}

/**
 * Throws unless an answer matches the document: its status, headers, and body to the last member. A path or
 * method that is not in the document may only be rejected.
 */
export function validateResponse(
  method: string,
  path: string,
  status: number,
  headers: Headers,
  body: string,
): void {
  const what = `${method} ${path} ${status}`;
  const answer = { status, headers, body };
  const item = pathItem(path);
  const operation = item?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (!operation) {
    checkUnrouted(what, item !== undefined, method, answer);
    return;
  }
  const response = resolve(operation.responses[status]);
  if (!response) throw new Error(`${what}: this status is not documented.\n${body}`);
  for (const [name, reference] of Object.entries(response.headers ?? {})) {
    const header = resolve(reference);
    const value = headers.get(name);
    if (value !== null) check(`${what} ${name}`, value, header.schema);
    else if (header.required) throw new Error(`${what}: it lacks ${name}.`);
  }
  if (method !== 'HEAD') checkContent(what, response, answer);
}
