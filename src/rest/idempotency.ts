import { createHash } from 'node:crypto';
import { once } from '../access/idempotency.js';
import type { Session } from '../db/sql/scope.js';
import type { RestAnswer } from '../web/answer.js';
import { checkKey, keyHeader, replayedHeader } from '../web/idempotency.js';
import type { RestRequest } from './handler.js';

/** What tells a request from others: where it goes, its parameters in the order of their names, and its body. */
function fingerprintOf({ method, path, query, body }: RestRequest): string {
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return createHash('sha256').update(`${method} ${path}?${parameters}\n`).update(body).digest('base64url');
}

/**
 * Answers a request; one that writes and has an `Idempotency-Key` is done once, and answered again as it was first.
 * @param work does and answers it
 * @throws GatewayError BAD_REQUEST for a key that is none, and what `once` throws
 */
export async function answeredOnce(
  session: Session,
  request: RestRequest,
  work: () => Promise<RestAnswer>,
): Promise<RestAnswer> {
  const key = request.method === 'GET' ? null : request.header(keyHeader);
  if (key === null) return work();
  const keyed = { key: checkKey(key), fingerprint: fingerprintOf(request) };
  const { answer, replayed } = await once(session, keyed, work);
  return replayed ? { ...answer, headers: { ...answer.headers, ...replayedHeader } } : answer;
}
