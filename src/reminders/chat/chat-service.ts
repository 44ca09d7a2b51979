import type { Secrets } from '../../db/secrets/secrets.js';
import type { EnumOf, RowOf } from '../../db/sql/conditions.js';
import type { MailFailure } from '../../domain/reminders/reasons.js';
import { isAccepted, type Post, type PostResult } from '../../outbound/outbound.js';

/** A message to a chat, before it has a service's shape. */
export interface ChatMessage {
  readonly title: string;
  readonly lines: readonly string[];
  /** Page of the console that it is about. */
  readonly link: string | undefined;
  readonly linkLabel: string;
  /** Urgency: something has expired, or will within a week. */
  readonly urgency: 'expired' | 'soon' | 'normal';
}

/** Address of a service, with the token that some need. */
interface ChatAddress {
  readonly url: string;
  readonly token: string | undefined;
}

/** A request to a chat service. */
interface ChatRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The most characters of a message to Discord. */
const maxToDiscord = 2_000;

/** The most bytes of a message to ntfy. A longer one becomes a file, or is refused. */
const maxBytesToNtfy = 4_096;

/** The most characters of a message to any other service. All of them accept this many. */
const maxToOthers = 3_500;

/** Cuts a text to a size, if possible after a line. No character is split. */
function cut(text: string, most: number, sizeOf = (part: string) => [...part].length): string {
  if (sizeOf(text) <= most) return text;
  const end = '\n…';
  let [start, left] = ['', most - sizeOf(end)];
  for (const character of text) {
    left -= sizeOf(character);
    if (left < 0) break;
    start += character;
  }
  const line = start.lastIndexOf('\n');
  return `${line > start.length / 2 ? start.slice(0, line) : start}${end}`;
}

/** A character without width. Between two others, it keeps a service from reading them together. */
const apart = '\u200b';

/**
 * Keeps a text from mentioning or linking anything, whatever service shows it. It looks the same. Slack, Mattermost and
 * Rocket.Chat read one kind of message in three ways, and Apprise passes messages on to any service.
 */
const inert = (text: string): string =>
  text
    .replace(/(?<![A-Za-z0-9_])[@#~](?=[\p{L}\p{N}_])/gu, `$&${apart}`)
    .replace(/\](?=[([:])/g, `]${apart}`)
    .replace(/:(?=\/\/)/g, `:${apart}`)
    .replace(/\b(?:www|mailto|tel)(?=[.:])/gi, `$&${apart}`);

const json = (url: string, content: object, headers: Record<string, string> = {}): ChatRequest => ({
  url,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(content),
});

/** Encodes a header that is not ASCII (RFC 2047), as ntfy reads it. */
const headerText = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) && !text.includes('=?')
    ? text
    : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** Escapes the marks of Markdown, so that a name is shown as it is. */
const markdown = (text: string): string => text.replace(/[\\`*_~|[\]<>#]/g, '\\$&');

/** Escapes the three characters that Slack gives a meaning. Mattermost and Rocket.Chat read them alike. */
const slack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

type Shape = (address: ChatAddress, message: ChatMessage) => ChatRequest;

const priorities = {
  ntfy: { expired: 5, soon: 4, normal: 3 },
  gotify: { expired: 8, soon: 6, normal: 4 },
} as const;

const tags = { expired: 'rotating_light', soon: 'warning', normal: 'calendar' } as const;

/** Kinds of notifications of Apprise. */
const appriseTypes = { expired: 'failure', soon: 'warning', normal: 'info' } as const;

const shapes: Readonly<Record<EnumOf<'ChannelKind'>, Shape>> = {
  NTFY: ({ url, token }, { title, lines, link, urgency }) => ({
    url,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: headerText(cut(title, 200)),
      priority: String(priorities.ntfy[urgency]),
      tags: tags[urgency],
      ...(link !== undefined && { click: link }),
      ...bearer(token),
    },
    body: cut(lines.join('\n') || title, maxBytesToNtfy, Buffer.byteLength),
  }),
  SLACK: ({ url }, { title, lines, link, linkLabel }) => {
    const text = cut([`*${slack(title)}*`, ...lines.map(slack)].join('\n'), maxToOthers);
    return json(url, { text: link === undefined ? text : `${text}\n<${link}|${slack(linkLabel)}>` });
  },
  DISCORD: ({ url }, { title, lines, link }) => {
    const end = link === undefined ? '' : `\n<${link}>`;
    const text = cut(
      [`**${markdown(title)}**`, ...lines.map(markdown)].join('\n'),
      maxToDiscord - end.length,
    );
    // Nobody is mentioned, whatever a name contains.
    return json(url, { content: text + end, allowed_mentions: { parse: [] } });
  },
  TEAMS: ({ url }, { title, lines, link, linkLabel }) => {
    const block = (text: string, more: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...more });
    const text = cut(lines.map(markdown).join('\n\n'), maxToOthers);
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [block(markdown(title), { weight: 'Bolder' }), ...(text ? [block(text)] : [])],
      ...(link !== undefined && { actions: [{ type: 'Action.OpenUrl', title: linkLabel, url: link }] }),
    };
    const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', content };
    return json(url, { type: 'message', attachments: [attachment] });
  },
  GOTIFY: ({ url, token }, { title, lines, link, urgency }) => {
    const address = new URL(url);
    if (!address.pathname.endsWith('/message'))
      address.pathname = `${address.pathname.replace(/\/$/, '')}/message`;
    const extras = link === undefined ? {} : { extras: { 'client::notification': { click: { url: link } } } };
    const message = cut(lines.join('\n') || title, maxToOthers);
    const priority = priorities.gotify[urgency];
    const headers: Record<string, string> = token === undefined ? {} : { 'x-gotify-key': token };
    return json(String(address), { title, message, priority, ...extras }, headers);
  },
  APPRISE: ({ url, token }, { title, lines, link, urgency }) => {
    const body = cut(lines.join('\n') || title, maxToOthers);
    const type = appriseTypes[urgency];
    return json(url, { title, body: link === undefined ? body : `${body}\n${link}`, type }, bearer(token));
  },
};

/** Writes a message in the shape of a chat service. */
export const chatRequest = (
  kind: EnumOf<'ChannelKind'>,
  address: ChatAddress,
  { title, lines, ...message }: ChatMessage,
): ChatRequest => shapes[kind](address, { ...message, title: inert(title), lines: lines.map(inert) });

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
type StoredChannel = Pick<RowOf<'Channel'>, 'id' | 'kind' | 'host' | 'sealedUrl' | 'sealedToken'>;

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

/** Names of services. Three share a kind. */
const serviceNames: Readonly<Record<EnumOf<'ChannelKind'>, string>> = {
  NTFY: 'ntfy',
  SLACK: 'Slack, Mattermost or Rocket.Chat',
  DISCORD: 'Discord',
  TEAMS: 'Microsoft Teams',
  GOTIFY: 'Gotify',
  APPRISE: 'Apprise',
};

/** A message that a service did not take. */
export interface ChatProblem {
  readonly failure: MailFailure;
  /** The service, and why, in words. */
  readonly reason: string;
  /** True if another attempt would get the same answer, or would tell somebody twice. */
  readonly isHopeless: boolean;
}

/** Answers after which another attempt would get the same one. */
const lasting: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 413, 415, 422]);

/** Answers of Apprise that other servers mean in another way. */
const apprise: Readonly<Record<number, readonly [failure: MailFailure, meaning: string]>> = {
  204: ['CHAT_NOBODY_TOLD', 'it knows no service for this address, so that nobody was told'],
  424: ['CHAT_PARTLY_TOLD', 'it did not reach all of its services; the others have the message'],
};

/** Finds what a service did not like about a message. Null if it was accepted. */
export function chatProblem(
  { kind, host }: Pick<StoredChannel, 'kind' | 'host'>,
  result: PostResult,
): ChatProblem | null {
  const { status, error, responseStart } = result;
  const service = `${serviceNames[kind]} (${host})`;
  const own = kind === 'APPRISE' && status !== null ? apprise[status] : undefined;
  if (!own && isAccepted(result)) return null;
  if (status === null) {
    const reason = `${service} could not be reached. ${error ?? ''}`.trim();
    return { failure: 'CHAT_UNREACHABLE', reason, isHopeless: false };
  }
  const [failure, meaning] = own ?? (['CHAT_REFUSED', meanings[status]] as const);
  const said = responseStart.trim();
  const words = said ? ` It said: ${said.slice(0, 300)}` : '';
  return {
    failure,
    reason: `${service} answered ${status}${meaning ? `: ${meaning}` : ''}.${words}`,
    isHopeless: own !== undefined || lasting.has(status),
  };
}
