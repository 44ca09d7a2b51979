import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GraphQLError, Source } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import * as z from 'zod';
import type { Config } from '../../config/config.js';
import { ConfigError } from '../../config/parse.js';
import { GatewayError } from '../../domain/errors.js';
import { parseExact, parseExactInTurns } from '../../domain/text/json.js';
import { asInvalid } from '../../graphql/limits/limits.js';
import { checkJsonType, readLargeJson } from '../../rest/body.js';
import { readParameters } from '../../web/parameters.js';
import { acceptedTypes, accepts, badForm, formIn, isMultipart, type ReadHeader } from '../request/request.js';
import type { Incoming } from '../routing/endpoint.js';
import type { GatewayPlugin } from './limits.js';

async function jsonIn(form: FormData, name: string): Promise<object> {
  const text = form.get(name);
  let value: unknown;
  try {
    value = typeof text === 'string' ? await readLargeJson(Buffer.from(text), parseExactInTurns) : undefined;
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badForm(`The part "${name}" must be a JSON object.`);
  }
  return value;
}

/** Puts a file at a path such as `variables.input.file`, where a null must be. */
function place(operations: object, path: unknown, file: File): void {
  const steps = typeof path === 'string' ? path.split('.') : [];
  const last = steps.pop();
  let here: unknown = operations;
  for (const step of steps) here = Object.hasOwn(Object(here), step) ? Object(here)[step] : undefined;
  if (steps[0] !== 'variables' || last === undefined || Object(here)[last] !== null) {
    throw badForm('A path in the part "map" must lead to a null below "variables" in the part "operations".');
  }
  (here as Record<string, unknown>)[last] = file;
}

/**
 * Reads a GraphQL operation with file uploads (graphql-multipart-request-spec, version 2). The files are put
 * into their places among its variables.
 * @throws GatewayError BAD_REQUEST naming the invalid part
 */
async function readMultipart(contentType: string, bytes: Uint8Array): Promise<object> {
  const form = await formIn(contentType, bytes);
  const operations = await jsonIn(form, 'operations');
  for (const [name, paths] of Object.entries(await jsonIn(form, 'map'))) {
    const file = form.get(name);
    if (file === null || typeof file === 'string') {
      throw badForm(`The part ${JSON.stringify(name)}, which the part "map" names, must be a file.`);
    }
    if (!Array.isArray(paths)) throw badForm('The part "map" must give each file a list of paths.');
    for (const path of paths) place(operations, path, file);
  }
  return operations;
}

/** The header that forces a CORS preflight for a form. Upload clients have an option for it. */
const preflight = 'Apollo-Require-Preflight';

/** The media types of a single result, preferred first. Each may also be requested by a wildcard. */
const answered = [
  'application/graphql-response+json',
  'application/json',
  'text/event-stream',
  'multipart/mixed',
];

/** The JSON type for each media range. A wildcard gets plain JSON, for older clients. */
const jsonFor: Readonly<Record<string, string>> = {
  '*/*': 'application/json',
  'application/*': 'application/json',
  'application/json': 'application/json',
  'application/graphql-response+json': 'application/graphql-response+json',
};

/**
 * Picks the media type of a single result by `Accept`. JSON comes before the others.
 * @param accept a header that `checkAccept` has accepted
 */
export function mediaTypeFor(accept: string | null): string {
  const json = acceptedTypes(accept)
    .map((type) => jsonFor[type])
    .find((type) => type !== undefined);
  return json ?? (accepts(accept, 'multipart/mixed') ? 'multipart/mixed' : 'text/event-stream');
}

/**
 * Checks that `Accept` allows a media type of results. A later check would come after the mutation is done,
 * and its answer would be lost.
 * @throws GatewayError NOT_ACCEPTABLE
 */
export function checkAccept(accept: string | null): void {
  if (!answered.some((type) => accepts(accept, type))) {
    throw new GatewayError('NOT_ACCEPTABLE', `This path returns ${answered.slice(0, 2).join(' or ')}.`);
  }
}

function jsonParameter(parameters: URLSearchParams, name: string): unknown {
  const text = parameters.get(name);
  if (!text) return undefined;
  try {
    return parseExact(text);
  } catch {
    throw new GatewayError('BAD_REQUEST', `The parameter \`${name}\` must be JSON.`);
  }
}

/** Reads the GraphQL parameters of a GET (GraphQL over HTTP, section 6.2). An empty one counts as absent. */
function fromQuery(searchParams: URLSearchParams): GraphQLParams {
  const named = ['query', 'operationName', 'documentId'].map((name) => [
    name,
    searchParams.get(name) || undefined,
  ]);
  const parsed = ['variables', 'extensions'].map((name) => [name, jsonParameter(searchParams, name)]);
  return Object.fromEntries([...named, ...parsed]);
}

/**
 * Deletes the parameters of a request whose event stream has begun. They would stay in memory while it is
 * open.
 */
export function forgetParams(params: object): void {
  for (const name of Object.keys(params)) delete (params as Record<string, unknown>)[name];
}

/**
 * Checks the `Content-Type` of a body before it is read.
 *
 * A body must be declared as JSON (GraphQL over HTTP, section 6.3). This prevents CSRF: a browser sends such
 * a body, or `Authorization`, to another origin only after a successful preflight, but sends forms and bodies
 * without a type right away. A form with files therefore also needs a header that forces a preflight.
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE
 */
export function checkParamsType(header: ReadHeader): void {
  const type = header('content-type');
  if (!isMultipart(type)) checkJsonType(type ?? '', false);
  else if (header(preflight.toLowerCase()) === null) {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', `A form also needs the header \`${preflight}: true\`.`);
  }
}

/**
 * Reads a request's parameters, with every digit of their numbers.
 * @param body as it was sent; its type has been checked (`checkParamsType`)
 * @throws GatewayError BAD_REQUEST unless it is a JSON object
 */
export async function readParams(
  { method, query, header }: Incoming,
  body: Uint8Array,
): Promise<GraphQLParams> {
  if (method !== 'POST') return fromQuery(readParameters(query));
  const type = header('content-type');
  const params = await (isMultipart(type)
    ? readMultipart(type, body)
    : readLargeJson(body, parseExactInTurns));
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new GatewayError('BAD_REQUEST', 'The body must be a JSON object: one operation, not a batch.');
  }
  // An object with this member would be taken for a promise.
  if ('then' in params)
    throw new GatewayError('BAD_REQUEST', 'Unexpected parameter "then" in the request body.');
  return params;
}

/** GraphQL documents by the ids that clients send. */
type PersistedDocuments = ReadonlyMap<string, string>;

type Entry = readonly [id: string, document: string];

/** Formats of manifests: Apollo's, or documents by id (Relay, GraphQL Code Generator). */
const manifest = z.union([
  z
    .object({
      format: z.literal('apollo-persisted-query-manifest'),
      version: z.literal(1),
      operations: z.array(z.object({ id: z.string(), body: z.string() })),
    })
    .transform(({ operations }) => operations.map(({ id, body }): Entry => [id, body])),
  z.record(z.string(), z.string()).transform((documents): Entry[] => Object.entries(documents)),
]);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Maps a document's SHA-256 hashes to it. Tools hash it with the line break at its end, clients without. */
function fromDocument(text: string): Entry[] {
  const document = text.replace(/\r?\n$/, '');
  return [document, text].map((hashed) => [sha256(hashed), document]);
}

function fromFile(file: string): Entry[] {
  if (file.endsWith('.graphql')) return fromDocument(readFileSync(file, 'utf8'));
  return file.endsWith('.json') ? manifest.parse(JSON.parse(readFileSync(file, 'utf8'))) : [];
}

/** Runs `work`, and reports its error as an invalid setting. */
function attempt<T>(path: string, expected: string, work: () => T): T {
  try {
    return work();
  } catch {
    throw new ConfigError([`PERSISTED_OPERATIONS ${JSON.stringify(path)}: expected ${expected}`]);
  }
}

/**
 * Loads the persisted documents of a folder and its subfolders. They are the files `*.graphql`, and those
 * that the manifests `*.json` list.
 * @throws {ConfigError} naming a folder or file that cannot be read
 */
export function loadPersistedDocuments(folder: string): PersistedDocuments {
  const names = attempt(folder, 'a folder that can be read', () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }),
  );
  const entries = names.flatMap((name) => {
    const file = join(folder, name);
    const expected = "a document, or a manifest of Apollo's, Relay's or GraphQL Code Generator's";
    return attempt(file, expected, () => fromFile(file));
  });
  return new Map(entries);
}

/** A request's parameters, including the one that yoga does not know. */
interface PersistedParams extends GraphQLParams {
  readonly documentId?: unknown;
}

/**
 * Reads a document's id. It is sent by GraphQL over HTTP (appendix A) or as in Apollo's automatic persisted
 * queries.
 */
function readDocumentId({ documentId, extensions }: PersistedParams): string | undefined {
  const { sha256Hash } = (extensions?.persistedQuery ?? {}) as { sha256Hash?: unknown };
  const id = documentId ?? sha256Hash ?? undefined;
  if (id !== undefined && typeof id !== 'string') {
    // The request is malformed rather than its document, so every client gets 400.
    throw new GraphQLError("A document's id must be a string.", { extensions: { http: { status: 400 } } });
  }
  return id?.replace(/^sha256:/, '');
}

/** Creates the error for an invalid id or document. It has the form of a validation error. */
function invalidDocument(message: string): GraphQLError {
  return new GraphQLError(message, { source: new Source(''), extensions: asInvalid() });
}

/**
 * Answers documents by their ids, and if so configured only those. The check applies to whatever is parsed,
 * so it also covers documents that do not come in the parameters of an HTTP request; yoga's own plugin would
 * let those pass.
 * @param own documents that the gateway's own pages send, answered whatever is configured
 * @param console documents that the console sends by their ids, answered whatever is configured
 * @throws {ConfigError} if the operations cannot be read
 */
export function usePersistedDocuments(
  { folder, only }: Config['persistedOperations'],
  own: readonly string[],
  console: PersistedDocuments,
): GatewayPlugin {
  const persisted = folder === undefined ? undefined : loadPersistedDocuments(folder);
  const documents = new Set([...own, ...console.values(), ...(persisted?.values() ?? [])]);
  return {
    onParams({ params, setParams }) {
      const { documentId: _, ...known } = params as PersistedParams;
      const id = readDocumentId(params);
      if (id === undefined) return;
      const document = persisted?.get(id) ?? console.get(id);
      // Clients recognize these messages: they then send the document, or stop sending ids.
      if (document === undefined && params.query == null) {
        throw invalidDocument(persisted ? 'PersistedQueryNotFound' : 'PersistedQueryNotSupported');
      }
      if (document !== undefined && params.query != null && params.query !== document) {
        throw invalidDocument('The document does not have this id.');
      }
      setParams({ ...known, ...(document !== undefined && { query: document }) });
    },
    onParse({ parseFn, setParseFn }) {
      if (!only) return;
      setParseFn((source, options) => {
        if (documents.has(source.toString())) return parseFn(source, options);
        throw invalidDocument('Only persisted operations are accepted: send the id of one as `documentId`.');
      });
    },
  };
}
