import { createHash, type Hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type KeyedRequest, once } from '../../access/idempotency.js';
import type { Stage } from '../../domain/doors/stages.js';
import { checkKey, keyHeader, readParameters, replayedHeader } from '../../web/parameters.js';
import type { HttpResponse, TextResponse } from '../../web/response.js';
import { noSession } from '../auth/auth.js';
import { isMultipart, partsWithoutBoundary } from '../request/request.js';
import type { Incoming, MethodHandler, RequestContext } from '../routing/endpoint.js';

/** A writing request whose caller is authorized and whose body is read. */
interface Received {
  readonly incoming: Incoming;
  readonly handler: MethodHandler;
  readonly exchange: RequestContext;
}

/** Bytes that are hashed at once. That takes a millisecond or two. */
const hashedAtOnce = 1024 * 1024;

/** Adds bytes to a hash, and lets other requests have their turn in between. */
async function addBytes(hash: Hash, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += hashedAtOnce) {
    if (at > 0) await setImmediate();
    hash.update(bytes.subarray(at, at + hashedAtOnce));
  }
}

/** Hashes a request: method, path, parameters ordered by name, `keyedHeaders`, and body. */
async function hashRequest({ incoming, handler, exchange }: Received): Promise<string> {
  const { method, path, header } = incoming;
  const parameters = readParameters(incoming.query);
  parameters.sort();
  const hash = createHash('sha256').update(`${method} ${path}?${parameters}\n`);
  for (const name of handler.keyedHeaders ?? []) hash.update(`${name}: ${header(name) ?? ''}\n`);
  const { body } = exchange;
  const type = header('content-type');
  for (const part of isMultipart(type) ? partsWithoutBoundary(type, body) : [body])
    await addBytes(hash, part);
  return hash.digest('base64url');
}

/**
 * Reads the `Idempotency-Key` of a writing request; undefined if it has none. An invalid key is rejected with
 * BAD_REQUEST.
 */
const claimKey: Stage<Received, Promise<KeyedRequest> | undefined> = {
  name: 'claimKey',
  run(received) {
    const { method, header } = received.incoming;
    const sent = method === 'GET' ? null : header(keyHeader);
    if (sent === null) return undefined;
    const key = checkKey(sent);
    return hashRequest(received).then((fingerprint) => ({ key, fingerprint }));
  },
};

/** Returns an answer that can be stored. Streams are only answers to GET, which takes no key. */
function storable(answer: HttpResponse | undefined): TextResponse {
  const { status, headers, body } = answer ?? {};
  if (status === undefined || !headers || !(typeof body === 'string' || body === null))
    throw new Error('The answer to a request with a key cannot be stored.');
  return { status, headers, body };
}

/**
 * Answers a request. With an `Idempotency-Key` it is executed once, and repetitions get the stored answer.
 * @param work executes and answers it
 * @throws GatewayError like `once`
 */
export async function respondOnce(
  received: Received,
  work: () => Promise<HttpResponse | undefined>,
): Promise<HttpResponse | undefined> {
  const { stages, session = noSession() } = received.exchange;
  const keyed = await stages.run(claimKey, received);
  if (!keyed) return work();
  const { answer, replayed } = await once(session, keyed, async () => storable(await work()));
  return replayed ? { ...answer, headers: { ...answer.headers, ...replayedHeader } } : answer;
}
