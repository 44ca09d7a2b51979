import { v5 as uuidv5 } from 'uuid';
import answers from '../../../schema/v1.answers.json' with { type: 'json' };
import { forbidden } from '../../domain/caller.js';
import type { ListRoute, Route } from '../../domain/doors/route.js';
import {
  type ErrorCode,
  errorKinds,
  internalError,
  longestMessage,
  maxViolations,
  violationRules,
} from '../../domain/errors.js';
import { demoId } from '../../domain/text/demo.js';
import { problemMediaType } from '../../web/response.js';
import {
  answersWithBody,
  creates,
  largestBodies,
  operationIdOf,
  reference,
  routes,
  showsFiles,
  takesBody,
} from '../routes.js';
import type { SofaRoute } from '../sofa.js';
import { type Components, int32, type OpenApiNode, uuid } from './json-schema.js';

/**
 * Returns the id in an operation's example. It belongs to a demo record, or to one created by the example of
 * POST (`madeForExamples`).
 */
export function exampleId(route: Route): string {
  const { path, method } = route;
  const [before = ''] = path.split('/{id}');
  const found = recordOfExample(route);
  if (!found) return uuidv5(before, uuidv5.URL);
  return demoId(found.kind, (method === 'DELETE' ? found.deleted : undefined) ?? found.name);
}

/** Returns the demo record that the example of a route names. */
function recordOfExample({ path }: Route) {
  const [before = ''] = path.split('/{id}');
  return reference.records[path] ?? reference.records[before];
}

/** Returns the second id in an operation's example. @throws Error if its heading names no record */
export function exampleInnerId(route: Route): string {
  const inner = recordOfExample(route)?.inner;
  if (!inner) throw new Error(`No record is named for the second id of ${route.path}.`);
  return demoId(inner.kind, inner.name);
}

/**
 * Returns a search term that matches a demo record, or one that `madeForExamples` created.
 * @throws Error for a list without a term in its heading or in an example of POST
 */
export function exampleTerm({ list, path }: ListRoute): string {
  const made = madeForExamples().find((example) => example.path === path);
  const term = reference.terms[list] ?? made?.body.name;
  if (typeof term !== 'string') throw new Error(`The heading of ${list} names no term that finds something.`);
  return term;
}

/** Lists the records that examples need and the demo lacks, as POST requests. */
export function madeForExamples(): readonly { readonly path: string; readonly body: OpenApiNode }[] {
  return routes.flatMap((route) =>
    route.kind === 'write' && creates(route) && !reference.records[route.path]
      ? [{ path: route.path, body: { ...(route.example as OpenApiNode), id: exampleId(route) } }]
      : [],
  );
}

/** An entity tag in the format of records. */
export const exampleTag = '"mia0bmo0-oRlyN5mLkG0qTcfa"';

/**
 * Returns the gateway's answer to an operation's example. A test records the answers
 * (test/contract/examples.test.ts); it is undefined for an operation that the test has not run.
 */
function exampleAnswer(operationId: string): unknown {
  return (answers as Readonly<Record<string, unknown>>)[operationId];
}

/** Messages of the errors in operations' answers, as the gateway writes them. */
const messages: Partial<Record<ErrorCode, string>> = {
  BAD_REQUEST: 'name: must have at most 255 characters',
  UNAUTHORIZED: 'The access token is unknown, expired or revoked.',
  FORBIDDEN: forbidden('VIEWER').message,
  NOT_FOUND: 'There is no such record.',
  CONFLICT: 'email: is already in use',
  PRECONDITION_FAILED: 'The record has changed: `If-Match` names another version.',
  PAYLOAD_TOO_LARGE: `The body is larger than ${largestBodies.standard} bytes.`,
  UNSUPPORTED_MEDIA_TYPE: 'The body must be application/json in UTF-8.',
  UNPROCESSABLE: 'The `Idempotency-Key` was already used for a different request.',
  TOO_MANY_REQUESTS: 'This token has sent too many requests. Try again in 1 s.',
  INTERNAL_ERROR: internalError.message,
  UNAVAILABLE: 'The gateway is overloaded; try again.',
};

/**
 * Returns an example of the body of an error answer.
 * @throws Error if the table has no message for it
 */
export function exampleError(code: ErrorCode): OpenApiNode {
  const message = messages[code];
  if (message === undefined) throw new Error(`No message is given as an example of ${code}.`);
  return { message, ok: false, code };
}

/** Errors of every operation (docs/use/rest.md). */
const general: readonly ErrorCode[] = [
  // Without a body, for parameters with a broken percent-encoding.
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'PRECONDITION_FAILED',
  'TOO_MANY_REQUESTS',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
];

/** Errors of every operation that takes a body, which may be unreadable or conflict. */
const bodyErrors: readonly ErrorCode[] = [
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNPROCESSABLE',
];

/** Errors of every operation that accepts an `Idempotency-Key`. */
const keyErrors: readonly ErrorCode[] = ['CONFLICT', 'UNPROCESSABLE'];

function possibleErrors(route: Route): Set<ErrorCode> {
  const codes = new Set([...route.errors, ...general]);
  if (route.method === 'GET') return codes.add('NOT_MODIFIED');
  for (const code of takesBody(route) ? bodyErrors : keyErrors) codes.add(code);
  return codes;
}

function header(description: string, example: string, schema: OpenApiNode = {}): OpenApiNode {
  return { description, required: true, schema: { type: 'string', ...schema }, example };
}

/** Describes a header that only some of these answers have. */
function optional(description: string, example: string, schema: OpenApiNode = {}): OpenApiNode {
  return { ...header(description, example, schema), required: false };
}

const headers = {
  ETag: header("The record's strong entity tag (RFC 9110 §8.8.3).", exampleTag, {
    maxLength: 64,
    pattern: '^"[^"]+"$',
  }),
  ListETag: header("The list's weak entity tag (RFC 9110 §8.8.3).", `W/${exampleTag}`, {
    maxLength: 64,
    pattern: '^W/"[^"]+"$',
  }),
  Link: header(
    'Links to other pages of the list (RFC 8288): `next`, `prev`, `first`, `last`.',
    '</v1/vehicles?page=2>; rel="next", </v1/vehicles?page=1>; rel="first", </v1/vehicles?page=3>; rel="last"',
    // It repeats the query string; with a long one, it has only a single link.
    { maxLength: 16_384 },
  ),
  Location: header('The path of the new record.', '/v1/vehicles/019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40', {
    format: 'uri-reference',
    maxLength: 255,
  }),
  RateLimit: optional(
    'What is left of the rate limit (draft-ietf-httpapi-ratelimit-headers-10): `r` requests remain, and the limit resets in `t` seconds. Absent if the limit is off.',
    '"token";r=59990;t=1',
    { maxLength: 64, pattern: '^"(token|failures)";r=\\d+;t=\\d+$' },
  ),
  'RateLimit-Policy': optional(
    'The rate limit: `q` requests in `w` seconds. Absent if the limit is off.',
    '"token";q=60000;w=60',
    { maxLength: 64, pattern: '^"(token|failures)";q=\\d+;w=\\d+$' },
  ),
  'WWW-Authenticate': header('What is wrong with the token (RFC 6750 §3).', 'Bearer error="invalid_token"', {
    maxLength: 255,
    pattern: '^Bearer',
  }),
  'X-Error-Code': header('The code of the error.', 'NOT_MODIFIED', { const: 'NOT_MODIFIED' }),
  'X-Request-Id': optional(
    "Ties the answer to its line in the service's log. Absent in an overload.",
    '6f9b52c0-0a55-4c0f-9a2e-3c7f2f1f6f3d',
    uuid,
  ),
  'Access-Control-Allow-Origin': optional(
    'The origin of the requesting page, if the gateway is configured to let its pages read responses (Fetch standard).',
    'https://app.example',
    { maxLength: 255 },
  ),
  'Idempotency-Replayed': optional(
    'Present if this is the response to an earlier request with the same `Idempotency-Key`.',
    'true',
    { const: 'true' },
  ),
  'Tus-Resumable': header('The version of the protocol.', '1.0.0', { const: '1.0.0' }),
  'Upload-Offset': header('The number of bytes that have come.', '0', { maxLength: 15, pattern: '^\\d+$' }),
  'Upload-Length': header('Size of the whole file in bytes.', '13', { maxLength: 15, pattern: '^\\d+$' }),
  'Upload-Metadata': optional('What was told when the upload was created.', 'filename bGljZW5jZS5wZGY=', {
    maxLength: 4_096,
  }),
  'Upload-Expires': optional(
    'When the upload is deleted. Absent once all pieces have come.',
    'Fri, 01 Jan 2027 08:00:00 GMT',
    { maxLength: 29 },
  ),
  'Unreadable-Files': optional(
    'Files whose `content` is null because their bytes are missing, damaged, or cannot be read now (`unavailable`): their ids with the parameter `problem`, at most 20 (RFC 9651).',
    '"b5cd5a1c-0d1a-4a5c-9f5e-0a4f6a1c7d11";problem=missing',
    { maxLength: 1_300 },
  ),
  'Retry-After': optional('The number of seconds to wait, if the request may succeed later.', '2', {
    maxLength: 10,
    pattern: '^[1-9]\\d*$',
  }),
};

/** A header of answers. */
export type HeaderName = Exclude<keyof typeof headers, 'ListETag'>;

/** Headers that any answer may have. */
const everywhere: readonly HeaderName[] = [
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
  'Access-Control-Allow-Origin',
];

/** The headers of an error, besides those. */
const errorHeaders: Partial<Record<ErrorCode, readonly HeaderName[]>> = {
  UNAUTHORIZED: ['WWW-Authenticate'],
  NOT_MODIFIED: ['ETag', 'X-Error-Code'],
  CONFLICT: ['Retry-After'],
  TOO_MANY_REQUESTS: ['Retry-After'],
  UNAVAILABLE: ['Retry-After'],
};

/** The body of every error (contract section 7). */
const errorSchema: OpenApiNode = {
  description: 'Why a request failed.',
  type: 'object',
  required: ['message', 'ok', 'code'],
  properties: {
    message: { description: 'What is wrong, for people.', type: 'string', maxLength: longestMessage },
    ok: { description: 'Always false.', type: 'boolean', const: false },
    code: {
      description: 'What is wrong, for programs.',
      type: 'string',
      // A 304 has no body for its code.
      enum: Object.keys(errorKinds).filter((code) => errorKinds[code as ErrorCode].status !== 304),
    },
  },
};

/** The body of an error for callers whose `Accept` asks for it. */
const problemSchema: OpenApiNode = {
  description: 'Why a request failed, as problem details (RFC 9457).',
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { description: 'The status says what kind of problem it is.', const: 'about:blank' },
    title: { description: 'The name of the status.', type: 'string', maxLength: 64 },
    status: { description: 'The status.', ...int32, minimum: 400, maximum: 599 },
    detail: { description: 'What is wrong, for people.', type: 'string', maxLength: longestMessage },
    instance: { description: 'The id of the request.', type: 'string', format: 'uri', maxLength: 64 },
    code: { description: 'What is wrong, for programs.', type: 'string', maxLength: 64 },
    errors: {
      description: 'What is wrong with members of the body, by JSON pointer, or with parameters, by name.',
      type: 'array',
      items: {
        type: 'object',
        required: ['detail'],
        properties: {
          pointer: { description: 'The member, from the body.', type: 'string', maxLength: 4096 },
          parameter: { description: 'The parameter.', type: 'string', maxLength: 4096 },
          detail: { description: 'What is wrong with it.', type: 'string', maxLength: longestMessage },
          rule: {
            description: 'The rule that it breaks.',
            type: 'string',
            enum: Object.keys(violationRules),
          },
        },
      },
      maxItems: maxViolations,
    },
  },
};

const only = (code: ErrorCode): OpenApiNode => ({ type: 'object', properties: { code: { const: code } } });

/** Converts an error code to Pascal case: `NOT_FOUND` → `NotFound`. */
function pascalCase(code: string): string {
  return code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const json = (schema: OpenApiNode, example: unknown): OpenApiNode => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

/** Describes an answer's headers: the named ones, and those of any answer. */
type NamedHeaders = (names: readonly HeaderName[]) => OpenApiNode;

function describeError(components: Components, code: ErrorCode, named: NamedHeaders): OpenApiNode {
  const { status, meaning } = errorKinds[code];
  // `Error` would clash with a class that many languages have.
  const base = components.ref('schemas', 'ErrorBody', () => errorSchema);
  return {
    description: meaning,
    headers: named(errorHeaders[code] ?? []),
    ...(status !== 304 && {
      content: json({ allOf: [base, only(code)] }, exampleError(code)),
      // `content` has only one type, because client generators mix up several.
      'x-also-answered': {
        [problemMediaType]: { schema: components.ref('schemas', 'Problem', () => problemSchema) },
      },
    }),
  };
}

const namedIn =
  (components: Components): NamedHeaders =>
  (names) =>
    Object.fromEntries(
      [...names, ...everywhere].map((name) => [name, components.ref('headers', name, () => headers[name])]),
    );

/** Describes errors by their status. */
const describeErrors = (components: Components, codes: readonly ErrorCode[]): OpenApiNode =>
  Object.fromEntries(
    codes.map((code) => [
      errorKinds[code].status,
      components.ref('responses', pascalCase(code), () =>
        describeError(components, code, namedIn(components)),
      ),
    ]),
  );

/** Describes the responses of an operation that is no route: a success, and the errors. */
export function describeAnswers(
  components: Components,
  status: number,
  {
    description,
    content,
    names = [],
  }: {
    readonly description: string;
    readonly content?: OpenApiNode;
    /** Headers of the success, besides those of any answer. */
    readonly names?: readonly HeaderName[];
  },
  codes: readonly ErrorCode[] = [],
): OpenApiNode {
  const known = [...codes, ...general.filter((code) => code !== 'PRECONDITION_FAILED')];
  return {
    [status]: { description, headers: namedIn(components)(names), ...(content && { content }) },
    ...describeErrors(components, known),
  };
}

/** Describes what the responses of every writing operation have because it takes an `Idempotency-Key`. */
export function withKeyResponses(components: Components, responses: OpenApiNode): OpenApiNode {
  const replayed = components.ref('headers', 'Idempotency-Replayed', () => headers['Idempotency-Replayed']);
  const successes = Object.entries(responses as Record<string, { readonly headers: OpenApiNode }>)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { headers: shown, ...answer }]) => [
      status,
      { ...answer, headers: { 'Idempotency-Replayed': replayed, ...shown } },
    ]);
  return { ...responses, ...Object.fromEntries(successes), ...describeErrors(components, keyErrors) };
}

/** Describes the responses of a route that shows what has no version. */
function describeUnversioned(
  components: Components,
  route: Route,
  status: number,
  body: OpenApiNode,
): OpenApiNode {
  const noun = route.kind === 'all' ? route.list : route.unversioned;
  const success = answersWithBody(route)
    ? { description: `The ${noun}.`, content: { 'application/json': { schema: body } } }
    : { description: 'It is deleted.' };
  const errors = takesBody(route) ? [...route.errors, ...bodyErrors] : route.errors;
  const responses = describeAnswers(components, status, success, errors);
  return route.method === 'GET' ? responses : withKeyResponses(components, responses);
}

/**
 * Describes the responses of an operation by their status.
 * @param body the schema of a success
 */
export function describeResponses(
  components: Components,
  { declared: route, responseStatus }: SofaRoute,
  body: OpenApiNode,
): OpenApiNode {
  if (route.unversioned) return describeUnversioned(components, route, responseStatus, body);
  const isList = route.kind === 'list';
  const named = (names: readonly HeaderName[]) =>
    Object.fromEntries(
      [...names, ...everywhere].map((name) => {
        const kind = isList && name === 'ETag' ? 'ListETag' : name;
        return [name, components.ref('headers', kind, () => headers[kind])];
      }),
    );

  function success(): OpenApiNode {
    const replayed: HeaderName[] = route.method === 'GET' ? [] : ['Idempotency-Replayed'];
    if (route.kind === 'receive')
      return { description: 'The notification is stored.', headers: named(replayed) };
    const content = json(body, exampleAnswer(operationIdOf(route)));
    const files: HeaderName[] = showsFiles(route) === undefined ? [] : ['Unreadable-Files'];
    if (isList)
      return { description: 'A page of the list.', headers: named(['ETag', 'Link', ...files]), content };
    if (route.kind === 'delete')
      return { description: 'The record as it was.', headers: named(replayed), content };
    const created = creates(route);
    return {
      description: created ? 'The new record.' : 'The record.',
      headers: named(['ETag', ...(created ? (['Location'] as const) : []), ...replayed, ...files]),
      content,
    };
  }

  const responseName = (code: ErrorCode) =>
    isList && code === 'NOT_MODIFIED' ? 'ListNotModified' : pascalCase(code);
  const errors = [...possibleErrors(route)].map((code) => [
    errorKinds[code].status,
    components.ref('responses', responseName(code), () => describeError(components, code, named)),
  ]);
  return { [responseStatus]: success(), ...Object.fromEntries(errors) };
}
