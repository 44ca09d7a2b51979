import { Readable } from 'node:stream';
import type { Session } from '../db/connection/session.js';
import type { Route } from '../domain/doors/route.js';
import { GatewayError } from '../domain/errors.js';
import { base64Length, encodeBase64, writtenReferences } from '../domain/files.js';
import type { Right } from '../domain/roles.js';
import { schema } from '../graphql/schema.js';
import { readFiles } from '../items/attachments/contents.js';
import { fileSizes, findFile, readFileRange } from '../items/attachments/files.js';
import { checkJsonType, patchTypes } from '../rest/body.js';
import { createRest, type RestHandler } from '../rest/handler.js';
import { largestContents } from '../rest/lists/list.js';
import { bodyLimit, routes, takesBody, takesForm } from '../rest/routes.js';
import type { Answer } from '../web/answer.js';
import { readParameters } from '../web/parameters.js';
import { noSession } from './auth/auth.js';
import { answerMemory } from './graphql/graphql.js';
import { formIn, isMultipart } from './request/form.js';
import type { Endpoint, MethodHandler } from './routing/endpoint.js';

/** Bytes of a file that are read at a time. A multiple of three, so that base64 needs no padding. */
const sliceBytes = 768 * 1024;

/** Thrown if a file was replaced or removed after its size was read. The answer has told its length already. */
class FileChanged extends GatewayError {
  constructor(cause?: unknown) {
    const headers = { 'Retry-After': '1' };
    super('UNAVAILABLE', 'A file was replaced while it was read; try again.', { cause, headers });
  }
}

/** Yields the bytes of a large file in base64, slice by slice. */
async function* base64Slices(session: Session, id: string, size: number) {
  const file = await findFile(session, id);
  if (file?.size !== size) throw new FileChanged();
  for (let at = 0; at < size; at += sliceBytes) {
    const slice = readFileRange(session, file, at, Math.min(sliceBytes, size - at));
    yield encodeBase64(
      await slice.catch((error) => {
        throw error instanceof GatewayError && error.code === 'NOT_FOUND' ? new FileChanged(error) : error;
      }),
    );
  }
}

/** Reads small files. Each must have the size that is expected. */
async function readGroup(session: Session, ids: readonly string[], sizes: ReadonlyMap<string, number>) {
  const files = await readFiles(session, ids);
  if (ids.some((id) => files.get(id)?.length !== sizes.get(id))) throw new FileChanged();
  return files;
}

/** Groups files that are read with one statement. A group fits into a slice, or is one larger file. */
function groupFiles(sizes: ReadonlyMap<string, number>): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  let group: string[] = [];
  let room = 0;
  for (const [id, size] of sizes) {
    if (size > room) [group, room] = [[], sliceBytes];
    group.push(id);
    room -= size;
    groups.set(id, group);
  }
  return groups;
}

/** Yields a text with its file references replaced by the files' contents. A missing file becomes null. */
async function* expandReferences(
  session: Session,
  parts: readonly string[],
  sizes: ReadonlyMap<string, number>,
) {
  const groups = groupFiles(sizes);
  let read: ReadonlyMap<string, Uint8Array> = new Map();
  for (const [at, part] of parts.entries()) {
    const size = at % 2 === 0 ? undefined : sizes.get(part);
    if (at % 2 === 0) yield part;
    else if (size === undefined) yield 'null';
    else if (size > sliceBytes) {
      yield '"';
      yield* base64Slices(session, part, size);
      yield '"';
    } else {
      if (!read.has(part)) read = await readGroup(session, groups.get(part) ?? [part], sizes);
      yield `"${encodeBase64(read.get(part) ?? Buffer.of())}"`;
    }
  }
}

/** Number of new attempts if the first files of an answer change meanwhile. */
const mostRetries = 5;

/** Number of parts up to a file's first bytes: text, quotation mark, bytes. */
const firstParts = 3;

/**
 * Reads the first file before the answer begins. If its store is away, an error is the answer.
 * @throws what the parts throw
 */
async function begun(parts: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const read: string[] = [];
  for (let count = 0; count < firstParts; count++) {
    const next = await parts.next();
    if (next.done) break;
    read.push(next.value);
  }
  return (async function* () {
    yield* read;
    yield* parts;
  })();
}

/** Drops files that would exceed a total number of bytes. Smaller files after them may still fit. */
function fitting(sizes: ReadonlyMap<string, number>, ids: readonly string[], most: number) {
  let left = most;
  return new Map(
    ids.flatMap((id) => {
      const size = sizes.get(id);
      if (size === undefined || size > left) return [];
      left -= size;
      return [[id, size] as const];
    }),
  );
}

/**
 * Replaces file references in an answer with the files' contents. Files are read as the caller takes them, so
 * an answer with a hundred large files needs no more memory than one without.
 * @param most maximum bytes of all files together; files beyond it become null
 */
export async function withFileContents(session: Session, answer: Answer, most: number): Promise<Answer> {
  for (let left = mostRetries; ; left--) {
    try {
      return await beginWithContents(session, answer, most);
    } catch (error) {
      // Nothing has been sent yet.
      if (!(error instanceof FileChanged) || left === 0) throw error;
    }
  }
}

async function beginWithContents(session: Session, answer: Answer, most: number): Promise<Answer> {
  if (typeof answer.body !== 'string') return answer;
  // The capturing group puts the ids between the parts.
  const parts = answer.body.split(writtenReferences);
  if (parts.length === 1) return answer;
  const ids = parts.filter((_part, at) => at % 2 === 1);
  const sizes = fitting(await fileSizes(session, ids), ids, most);
  const lengths = parts.map((part, at) => {
    if (at % 2 === 0) return Buffer.byteLength(part);
    const size = sizes.get(part);
    return size === undefined ? 'null'.length : base64Length(size) + 2;
  });
  const length = lengths.reduce((sum, bytes) => sum + bytes, 0);
  const body = Readable.from(await begun(expandReferences(session, parts, sizes)), {
    objectMode: false,
    highWaterMark: sliceBytes,
  });
  return { ...answer, headers: { ...answer.headers, 'Content-Length': String(length) }, body };
}

/**
 * The REST handler of the contract. All gateways of a process share it, because it keeps nothing but parsed
 * operations.
 */
const contract = createRest(schema);

/** The right that each kind of route needs. */
const rights: Readonly<Record<Route['kind'], Right>> = {
  read: 'read',
  list: 'read',
  write: 'write',
  patch: 'write',
  act: 'write',
  delete: 'write',
  receive: 'upload',
};

/** Creates the handler of one route of the contract. */
function createMethodHandler(answer: RestHandler, route: Route): MethodHandler {
  const isWrite = route.method !== 'GET';
  return {
    access: route.right ?? rights[route.kind],
    hasStages: true,
    ...(route.kind === 'receive' && { signed: true, work: 'upload' }),
    ...(takesBody(route) && {
      body: {
        limit: () => bodyLimit(route),
        check: ({ header }) => {
          const type = header('content-type');
          if (!(takesForm(route) && isMultipart(type))) checkJsonType(type, route.kind === 'patch');
        },
      },
    }),
    async handle(request, exchange) {
      const { session = noSession(), body, stages } = exchange;
      const query = readParameters(request.query);
      const memory = answerMemory(exchange.memory, () => isWrite);
      const type = request.header('content-type');
      const form = takesForm(route) && isMultipart(type) ? await formIn(type, body) : undefined;
      const given = { ...request, query, body, form, memory, stages };
      return answer(route, given, session);
    },
    complete: (answered, { session = noSession() }) =>
      withFileContents(session, answered, route.kind === 'list' ? largestContents : Number.POSITIVE_INFINITY),
  };
}

/**
 * Creates the endpoints of the REST door, one for each path of the contract. They bypass yoga: the Fetch
 * objects that yoga creates for a request and its response cost as much as a small request does.
 */
export function restEndpoints(table: readonly Route[] = routes): Endpoint[] {
  const answer = table === routes ? contract : createRest(schema, table);
  const paths = [...new Set(table.map(({ path }) => path))];
  return paths.map((path) => {
    const rows = table.filter((route) => route.path === path);
    return {
      path,
      door: 'rest',
      methods: Object.fromEntries(rows.map((route) => [route.method, createMethodHandler(answer, route)])),
      ...(rows.some(({ kind }) => kind === 'patch') && { acceptPatch: patchTypes.join(', ') }),
    };
  });
}
