import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import { readSilence, silentText } from '../db/queue/silence.js';
import { newId } from '../domain/rules.js';
import type { PrivateHosts } from '../outbound/address.js';
import { createLookup } from '../outbound/look-up.js';
import { createPost, type Post, type PostResult } from '../outbound/post.js';
import { type AddressChecks, findEndpoint } from './endpoints.js';
import { testType } from './event-types.js';
import { openHeaders } from './headers.js';
import { liveSecretsSql, openSecrets, type SealedSecret } from './secrets.js';
import { messageIdOf, signatureHeaders } from './signature.js';

/** Webhooks as the APIs see them. */
export interface WebhookDoor extends AddressChecks {
  readonly post: Post;
}

/** Creates what the APIs need to check endpoints and to test them. */
export function createWebhookDoor(privateHosts: PrivateHosts): WebhookDoor {
  const lookup = createLookup(privateHosts);
  return { privateHosts, lookup, post: createPost({ privateHosts, lookup }) };
}

/**
 * Sends a test message to an endpoint at once, whatever its state.
 * @throws GatewayError NOT_FOUND
 */
export async function testEndpoint(
  session: Session,
  { post }: WebhookDoor,
  endpointId: string,
): Promise<PostResult> {
  const { secrets, now } = session;
  const endpoint = await findEndpoint(session, endpointId);
  const { id, url, name } = endpoint;
  if (!secrets) throw new Error('This session cannot keep secrets.');
  if (await readSilence(session.database)) {
    const none = { status: null, responseStart: '', retryAfter: null, isLate: false, ms: 0 };
    return { ...none, error: silentText };
  }
  const sealed = await session.read<SealedSecret>(named('webhook_secrets.live', liveSecretsSql(id, now)));
  const data = { endpoint_id: id, endpoint_name: name };
  const body = JSON.stringify({ type: testType, timestamp: now.toISOString(), data });
  const message = { id: messageIdOf(newId()), at: now, body };
  const own = await openHeaders(secrets, endpoint);
  return post(url, { ...own, ...signatureHeaders(message, await openSecrets(secrets, sealed)) }, body);
}
