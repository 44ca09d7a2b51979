import { type ErrorCode, errorKinds } from '../../domain/errors.js';
import { creates, type Route, takesBody } from '../route.js';
import type { Components, Node } from './components.js';

/** Errors of every operation (docs/rest.md). */
const general: readonly ErrorCode[] = [
  // Of what takes no body: parameters whose percent-encoding is broken.
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'PRECONDITION_FAILED',
  'TOO_MANY_REQUESTS',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
];

/** Errors of every operation that takes a body: it is unreadable, or conflicts. */
const bodyErrors: readonly ErrorCode[] = [
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNPROCESSABLE',
];

/** Errors of every operation that can have an `Idempotency-Key`. */
const keyErrors: readonly ErrorCode[] = ['CONFLICT', 'UNPROCESSABLE'];

function possibleErrors(route: Route): Set<ErrorCode> {
  const codes = new Set([...route.errors, ...general]);
  if (route.method === 'GET') return codes.add('NOT_MODIFIED');
  for (const code of takesBody(route) ? bodyErrors : keyErrors) codes.add(code);
  return codes;
}

function header(description: string, schema: Node = {}): Node {
  return { description, required: true, schema: { type: 'string', ...schema } };
}

const headers = {
  ETag: header("The record's entity tag, a strong one (RFC 9110 §8.8.3).", { pattern: '^"[^"]+"$' }),
  ListETag: header("The list's entity tag, a weak one (RFC 9110 §8.8.3).", { pattern: '^W/"[^"]+"$' }),
  Link: header('Where the other parts of the list are (RFC 8288): `next`, `prev`, `first`, `last`.'),
  Location: header('Where the new record is.', { format: 'uri-reference' }),
  RateLimit: header('How much is left of which limit (draft-ietf-httpapi-ratelimit-headers-10).', {
    pattern: '^"(token|failures)";r=\\d+;t=\\d+$',
  }),
  'RateLimit-Policy': header('The limit: how many requests, in how many seconds.', {
    pattern: '^"(token|failures)";q=\\d+;w=\\d+$',
  }),
  'WWW-Authenticate': header('What is wrong with the token (RFC 6750 §3).', { pattern: '^Bearer' }),
  'X-Error-Code': header('The code of the error.', { const: 'NOT_MODIFIED' }),
  'Idempotency-Replayed': {
    ...header('When the answer is that of an earlier request with the same `Idempotency-Key`.', {
      const: 'true',
    }),
    required: false,
  },
  'Retry-After': {
    ...header('Seconds to wait, when the request may succeed later.', { pattern: '^[1-9]\\d*$' }),
    required: false,
  },
};

type HeaderName = Exclude<keyof typeof headers, 'ListETag'>;

/** The headers that come with an error. */
const errorHeaders: Partial<Record<ErrorCode, readonly HeaderName[]>> = {
  UNAUTHORIZED: ['WWW-Authenticate'],
  NOT_MODIFIED: ['ETag', 'X-Error-Code'],
  CONFLICT: ['Retry-After'],
  TOO_MANY_REQUESTS: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  UNAVAILABLE: ['Retry-After'],
};

/** The body of every error (contract section 7). */
const errorSchema: Node = {
  description: 'Why a request failed.',
  type: 'object',
  required: ['message', 'ok', 'code'],
  properties: {
    message: { description: 'What is wrong, for people.', type: 'string' },
    ok: { description: 'Never true.', type: 'boolean', const: false },
    code: {
      description: 'What is wrong, for programs.',
      type: 'string',
      // A 304 has no body to name its code in.
      enum: Object.keys(errorKinds).filter((code) => errorKinds[code as ErrorCode].status !== 304),
    },
  },
};

const only = (code: ErrorCode): Node => ({ type: 'object', properties: { code: { const: code } } });

/** Returns the status code of a success (docs/rest.md). */
function successStatus(route: Route): number {
  if (route.kind === 'receive') return 204;
  return creates(route) ? 201 : 200;
}

/** Converts an error code to Pascal case: `NOT_FOUND` → `NotFound`. */
function pascalCase(code: string): string {
  return code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const json = (schema: Node): Node => ({ 'application/json': { schema } });

/**
 * Describes the responses of an operation by their status.
 * @param body the schema of a success
 */
export function describeResponses(components: Components, route: Route, body: Node): Node {
  const isList = route.kind === 'list';
  const named = (names: readonly HeaderName[]) =>
    Object.fromEntries(
      names.map((name) => {
        const kind = isList && name === 'ETag' ? 'ListETag' : name;
        return [name, components.ref('headers', kind.replaceAll('-', ''), () => headers[kind])];
      }),
    );

  function error(code: ErrorCode): Node {
    const { status, meaning } = errorKinds[code];
    const sent = errorHeaders[code] ?? [];
    const base = components.ref('schemas', 'Error', () => errorSchema);
    return {
      description: meaning,
      ...(sent.length > 0 && { headers: named(sent) }),
      ...(status !== 304 && { content: json({ allOf: [base, only(code)] }) }),
    };
  }

  function success(): Node {
    if (isList)
      return { description: 'A page of the list.', headers: named(['ETag', 'Link']), content: json(body) };
    const replayed: HeaderName[] = route.method === 'GET' ? [] : ['Idempotency-Replayed'];
    if (route.kind === 'receive') return { description: 'It is kept.', headers: named(replayed) };
    if (route.kind === 'delete')
      return { description: 'The record as it was.', headers: named(replayed), content: json(body) };
    const created = creates(route);
    return {
      description: created ? 'The new record.' : 'The record.',
      headers: named(created ? ['ETag', 'Location', ...replayed] : ['ETag', ...replayed]),
      content: json(body),
    };
  }

  const responseName = (code: ErrorCode) =>
    isList && code === 'NOT_MODIFIED' ? 'ListNotModified' : pascalCase(code);
  const errors = [...possibleErrors(route)].map((code) => [
    errorKinds[code].status,
    components.ref('responses', responseName(code), () => error(code)),
  ]);
  return { [successStatus(route)]: success(), ...Object.fromEntries(errors) };
}
