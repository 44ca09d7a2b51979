import { createHash } from 'node:crypto';
import { type KeyedRequest, once } from '../access/idempotency.js';
import type { Session } from '../db/connection/session.js';
import type { Stage } from '../domain/doors/stages.js';
import type { TextAnswer } from '../web/answer.js';
import { checkKey, keyHeader, replayedHeader } from '../web/idempotency.js';
import type { RestRequest } from './request.js';

/** Hashes a request: method, path, parameters ordered by name, and body. */
function hashRequest({ method, path, query, body }: RestRequest): string {
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return createHash('sha256').update(`${method} ${path}?${parameters}\n`).update(body).digest('base64url');
}

/**
 * Reads the `Idempotency-Key` of a writing request; undefined if it has none. An invalid key is rejected with
 * BAD_REQUEST.
 */
export const claimKey: Stage<RestRequest, KeyedRequest | undefined> = {
  name: 'claimKey',
  run(request) {
    const key = request.method === 'GET' ? null : request.header(keyHeader);
    return key === null ? undefined : { key: checkKey(key), fingerprint: hashRequest(request) };
  },
};

/**
 * Answers a request with an `Idempotency-Key`. It is executed once, and repetitions get the stored answer.
 * @param work executes and answers it
 * @throws GatewayError like `once`
 */
export async function answerOnce(
  session: Session,
  keyed: KeyedRequest,
  work: () => Promise<TextAnswer>,
): Promise<TextAnswer> {
  const { answer, replayed } = await once(session, keyed, work);
  return replayed ? { ...answer, headers: { ...answer.headers, ...replayedHeader } } : answer;
}
