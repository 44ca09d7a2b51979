import { v5 as uuidv5 } from 'uuid';
import answers from '../../../schema/v1.answers.json' with { type: 'json' };
import { type ErrorCode, internalError } from '../../domain/errors.js';
import { forbidden } from '../../domain/roles.js';
import { demoId } from '../../domain/text/demo.js';
import { creates, type ListRoute, largestBodies, type Route } from '../route.js';
import { reference, routes } from '../routes.js';
import type { OpenApiNode } from './components.js';

/**
 * Returns the id that an operation's example names. It is a demo record's, or that of one made by the example of POST
 * (`madeForExamples`).
 */
export function exampleId({ path, method }: Route): string {
  const [before = ''] = path.split('/{id}');
  const found = reference.records[path] ?? reference.records[before];
  if (!found) return uuidv5(before, uuidv5.URL);
  return demoId(found.kind, (method === 'DELETE' ? found.deleted : undefined) ?? found.name);
}

/**
 * Returns a term that finds a record of the demo, or what `madeForExamples` made.
 * @throws Error for a list that neither its heading nor an example of POST names a term for
 */
export function exampleTerm({ list, path }: ListRoute): string {
  const made = madeForExamples().find((example) => example.path === path);
  const term = reference.terms[list] ?? made?.body.name;
  if (typeof term !== 'string') throw new Error(`The heading of ${list} names no term that finds something.`);
  return term;
}

/** Lists what the examples need and the demo lacks, as requests of POST. */
export function madeForExamples(): readonly { readonly path: string; readonly body: OpenApiNode }[] {
  return routes.flatMap((route) =>
    route.kind === 'write' && creates(route) && !reference.records[route.path]
      ? [{ path: route.path, body: { ...(route.example as OpenApiNode), id: exampleId(route) } }]
      : [],
  );
}

/** An entity tag as records have them. */
export const exampleTag = '"mia0bmo0-oRlyN5mLkG0qTcfa"';

/**
 * Returns the gateway's answer to an operation's example. A test writes the answers down
 * (test/contract/examples.test.ts); it is undefined for an operation that the test has not seen.
 */
export function exampleAnswer(operationId: string): unknown {
  return (answers as Readonly<Record<string, unknown>>)[operationId];
}

/** Messages of the errors that operations answer, as the gateway says them. */
const messages: Partial<Record<ErrorCode, string>> = {
  BAD_REQUEST: 'name: must have at most 255 characters',
  UNAUTHORIZED: 'The access token is unknown, expired or revoked.',
  FORBIDDEN: forbidden('VIEWER').message,
  NOT_FOUND: 'There is no such record.',
  CONFLICT: 'email: is already in use',
  PRECONDITION_FAILED: 'The record has changed: `If-Match` names another version.',
  PAYLOAD_TOO_LARGE: `The body is larger than ${largestBodies.standard} bytes.`,
  UNSUPPORTED_MEDIA_TYPE: 'The body must be application/json in UTF-8.',
  UNPROCESSABLE: 'The `Idempotency-Key` was sent with another request before.',
  TOO_MANY_REQUESTS: 'This token has sent too many requests. Try again in 1 s.',
  INTERNAL_ERROR: internalError.message,
  UNAVAILABLE: 'The gateway is overloaded; try again.',
};

/**
 * Returns a body that the gateway answers an error with.
 * @throws Error when the table of messages has none for it
 */
export function exampleError(code: ErrorCode): OpenApiNode {
  const message = messages[code];
  if (message === undefined) throw new Error(`No message is given as an example of ${code}.`);
  return { message, ok: false, code };
}
