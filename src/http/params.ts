import type { GraphQLParams } from 'graphql-yoga';
import { GatewayError } from '../domain/errors.js';
import { readJson } from '../rest/body.js';
import { readParameters } from '../rest/parameters.js';
import { isMultipart, readMultipart } from './multipart.js';

/** The header that shows that a browser has asked before it sent a form: the one that upload clients have an option for. */
const preflight = 'apollo-require-preflight';

/** What yoga answers in (its result processors); each also by a wildcard. */
const answered = [
  'application/graphql-response+json',
  'application/json',
  'text/event-stream',
  'multipart/mixed',
];

/**
 * Checks that there is a form in which the caller accepts an answer: found out afterwards, a mutation would be done
 * and its answer thrown away.
 * @throws GatewayError NOT_ACCEPTABLE
 */
export function checkAccept(accept: string | null): void {
  const ranges = (accept || '*/*').toLowerCase().replaceAll(/\s/g, '').split(',');
  const acceptable = ranges.some((range) => {
    const [type = '', ...parameters] = range.split(';');
    const charset = parameters.find((parameter) => parameter.includes('charset=')) ?? 'charset=utf-8';
    return (
      charset === 'charset=utf-8' &&
      answered.some((own) => [own, own.replace(/\/.*/, '/*'), '*/*'].includes(type))
    );
  });
  if (!acceptable) {
    throw new GatewayError('NOT_ACCEPTABLE', `This path answers in ${answered.slice(0, 2).join(' or ')}.`);
  }
}

function jsonParameter(parameters: URLSearchParams, name: string): unknown {
  const text = parameters.get(name);
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new GatewayError('BAD_REQUEST', `The parameter \`${name}\` must be JSON.`);
  }
}

/** The parameters of a GET (GraphQL over HTTP, section 6.2); an empty one is none. */
function fromQuery({ search }: URL): GraphQLParams {
  const searchParams = readParameters(search.slice(1));
  const named = ['query', 'operationName', 'documentId'].map((name) => [
    name,
    searchParams.get(name) || undefined,
  ]);
  const parsed = ['variables', 'extensions'].map((name) => [name, jsonParameter(searchParams, name)]);
  return Object.fromEntries([...named, ...parsed]);
}

/**
 * Reads a request's parameters.
 *
 * A body must say that it is JSON. That is GraphQL over HTTP, section 6.3, and what keeps forms out: a browser sends
 * such a body, or `Authorization`, to another origin only after that has agreed (a preflight), and one without a type
 * or of a form's at once. A form with files therefore needs a header that a page cannot send at once, either.
 * @param body as it was sent
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, or BAD_REQUEST for what is no JSON object
 */
export async function readParams(
  { method, url, headers }: Request,
  body: Uint8Array,
): Promise<GraphQLParams> {
  if (method !== 'POST') return fromQuery(new URL(url));
  const type = headers.get('content-type') ?? '';
  const files = isMultipart(type) && headers.has(preflight);
  const params = files ? await readMultipart(type, body) : readJson(type, body, false);
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new GatewayError('BAD_REQUEST', 'The body must be a JSON object: one operation, not a batch.');
  }
  // Whatever has this member is taken for a promise on its way.
  if ('then' in params)
    throw new GatewayError('BAD_REQUEST', 'Unexpected parameter "then" in the request body.');
  return params;
}
