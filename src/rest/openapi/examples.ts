import { v5 as uuidv5 } from 'uuid';
import answers from '../../../schema/v1.answers.json' with { type: 'json' };
import type { ListRoute, Route } from '../../domain/doors/route.js';
import { type ErrorCode, internalError } from '../../domain/errors.js';
import { forbidden } from '../../domain/roles.js';
import { demoId } from '../../domain/text/demo.js';
import { creates, largestBodies, reference, routes } from '../routes.js';
import type { OpenApiNode } from './components.js';

/**
 * Returns the id in an operation's example. It belongs to a demo record, or to one created by the example of
 * POST (`madeForExamples`).
 */
export function exampleId({ path, method }: Route): string {
  const [before = ''] = path.split('/{id}');
  const found = reference.records[path] ?? reference.records[before];
  if (!found) return uuidv5(before, uuidv5.URL);
  return demoId(found.kind, (method === 'DELETE' ? found.deleted : undefined) ?? found.name);
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
export function exampleAnswer(operationId: string): unknown {
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
