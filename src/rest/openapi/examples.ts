import answers from '../../../schema/v1.answers.json' with { type: 'json' };
import { type ErrorCode, internalError } from '../../domain/errors.js';
import { forbidden } from '../../domain/roles.js';
import { type DemoKind, demoId } from '../../setup/demo/place.js';
import { type ListRoute, largestBodies, type Route } from '../route.js';
import type { Node } from './components.js';

/** Records of the demo that the paths of operations name. What is deleted is of no use to others. */
interface Named {
  readonly kind: DemoKind;
  readonly name: string;
  readonly deleted?: string;
}

/** The records that examples name, by the path or its part before `{id}`. */
const records: Readonly<Record<string, Named>> = {
  '/v1/expirationitems': { kind: 'item', name: 'Cargo insurance', deleted: 'Copier service contract' },
  '/v1/expirationitems/contact': { kind: 'contact', name: 'Ben Carter' },
  '/v1/attachments/expirationitem': { kind: 'attachment', name: 'cargo-policy.txt' },
  '/v1/vehicles': { kind: 'vehicle', name: 'Truck 101', deleted: 'Pickup 300' },
  '/v1/categories': { kind: 'category', name: 'Insurance policy', deleted: 'Visitor pass' },
  '/v1/companies': {
    kind: 'company',
    name: 'Great Lakes Insurance Brokers',
    deleted: 'Steel City Truck Service',
  },
  '/v1/contacts': { kind: 'contact', name: 'Ben Carter', deleted: 'Hugo Martin' },
  '/v1/contacttypes': { kind: 'contactType', name: 'Dispatcher', deleted: 'Mechanic' },
  '/v1/locations': { kind: 'location', name: 'Hamilton yard', deleted: 'Server room' },
  '/v1/notes': { kind: 'note', name: 'Second quote', deleted: 'Truck 103' },
  '/v1/tags': { kind: 'tag', name: 'fleet', deleted: 'office' },
  '/v1/teams': { kind: 'team', name: 'Demo', deleted: 'Demo branch' },
  '/v1/users': { kind: 'user', name: 'Administrator' },
  '/v1/uploads': { kind: 'upload', name: 'scan-0412.pdf' },
  '/v1/uploads/{id}/retry': { kind: 'upload', name: 'scan-0413.pdf' },
  '/v1/eventlogs': { kind: 'event', name: 'Expiration item "Cargo insurance" was renewed' },
};

/**
 * Returns the id that an operation's example names: that of a record of the demo.
 * @throws Error when the table of such records has none for its path
 */
export function exampleId({ path, method }: Route): string {
  const [before = ''] = path.split('/{id}');
  const found = records[path] ?? records[before];
  const name = method === 'DELETE' ? found?.deleted : found?.name;
  if (!found || name === undefined) throw new Error(`No record of the demo is named for ${method} ${path}.`);
  return demoId(found.kind, name);
}

/** Terms that find something of the demo, by the name of the list. */
const terms: Readonly<Record<string, string>> = {
  expiration_items: 'insurance',
  attachments: 'policy',
  vehicles: 'truck',
  categories: 'licence',
  contacts: 'carter',
  contact_types: 'driver',
  locations: 'depot',
  companies: 'insurance',
  notes: 'quote',
  tags: 'fleet',
  teams: 'demo',
  renewals: 'year',
  uploads: 'scan',
  eventlogs: 'renewed',
};

/**
 * Returns a term that finds something of the demo.
 * @throws Error when the table of terms has none for the list
 */
export function exampleTerm({ list }: ListRoute): string {
  const term = terms[list];
  if (term === undefined) throw new Error(`No term is named that finds something of ${list} in the demo.`);
  return term;
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
export function exampleError(code: ErrorCode): Node {
  const message = messages[code];
  if (message === undefined) throw new Error(`No message is given as an example of ${code}.`);
  return { message, ok: false, code };
}
