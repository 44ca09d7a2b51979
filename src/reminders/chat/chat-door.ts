import type { Secrets } from '../../db/secrets/secrets.js';
import type { RowOf } from '../../db/sql/columns.js';
import type { Lookup, PrivateHosts } from '../../outbound/address.js';
import { createLookup } from '../../outbound/look-up.js';
import { createPost, isAccepted, type Post, type PostResult } from '../../outbound/post.js';
import { type ChatAddress, type ChatMessage, chatRequest } from './shapes.js';

/** Chat services as the gateway reaches them. */
export interface ChatDoor {
  readonly privateHosts: PrivateHosts;
  readonly lookup: Lookup;
  readonly post: Post;
}

/** Creates the way to chat services. */
export function createChatDoor(privateHosts: PrivateHosts): ChatDoor {
  const lookup = createLookup(privateHosts);
  return { privateHosts, lookup, post: createPost({ privateHosts, lookup }) };
}

/** Returns what the address or the token of a channel is encrypted for. */
export const channelOwner = (id: string, what: 'url' | 'token') => `chat channel ${what} ${id}`;

/** Encrypts the address or the token of a channel. */
export const sealPart = (
  secrets: Pick<Secrets, 'seal'>,
  id: string,
  what: 'url' | 'token',
  text: string,
): Promise<Uint8Array<ArrayBuffer>> => secrets.seal(text, channelOwner(id, what));

/** A channel as it is stored. */
export type StoredChannel = Pick<RowOf<'Channel'>, 'id' | 'kind' | 'sealedUrl' | 'sealedToken'>;

/** Decrypts the address of a channel. */
async function openAddress(
  { open }: Pick<Secrets, 'open'>,
  { id, sealedUrl, sealedToken }: StoredChannel,
): Promise<ChatAddress> {
  const url = await open(sealedUrl, channelOwner(id, 'url'));
  return { url, token: sealedToken ? await open(sealedToken, channelOwner(id, 'token')) : undefined };
}

/** Sends a message to a channel. It rejects only without the key of its secrets. */
export async function sendToChannel(
  post: Post,
  secrets: Pick<Secrets, 'open'>,
  channel: StoredChannel,
  message: ChatMessage,
): Promise<PostResult> {
  const { url, headers, body } = chatRequest(channel.kind, await openAddress(secrets, channel), message);
  return post(url, headers, body);
}

const meanings: Readonly<Record<number, string>> = {
  400: 'it does not understand the message; the kind of the channel may be wrong',
  401: 'it does not accept the token',
  403: 'it does not allow sending with this address or token',
  404: 'it does not know the address',
  410: 'the address has ended',
  413: 'the message is too large for it',
  429: 'it has got too many messages',
};

/** Describes in words what became of a message. Null if it was accepted. */
export function chatProblem(result: PostResult): string | null {
  const { status, error, responseStart } = result;
  if (isAccepted(result)) return null;
  if (status === null) return error ?? 'The service could not be reached.';
  const meaning = meanings[status] ? `: ${meanings[status]}` : '';
  const said = responseStart.trim();
  return `The service answered ${status}${meaning}.${said ? ` It said: ${said.slice(0, 300)}` : ''}`;
}
