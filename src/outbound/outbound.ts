import type { LookupAddress } from 'node:dns';
import { lookup as lookUp, Resolver } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import { badField } from '../domain/errors.js';
import { readUrl } from '../domain/text/formats.js';
import { version } from '../version.js';

/** IPv4 ranges without public hosts: IANA's special-purpose registry, and multicast. */
const special4 = [
  '0.0.0.0/8', // this network (RFC 791)
  '10.0.0.0/8', // private (RFC 1918)
  '100.64.0.0/10', // shared by a carrier's customers (RFC 6598)
  '127.0.0.0/8', // loopback (RFC 1122)
  '169.254.0.0/16', // link-local (RFC 3927), where clouds answer for their metadata
  '172.16.0.0/12', // private (RFC 1918)
  '192.0.0.0/24', // protocol assignments (RFC 6890)
  '192.0.2.0/24', // documentation (RFC 5737)
  '192.31.196.0/24', // AS112 (RFC 7535)
  '192.52.193.0/24', // automatic multicast tunnels (RFC 7450)
  '192.88.99.0/24', // 6to4 relays (RFC 7526)
  '192.168.0.0/16', // private (RFC 1918)
  '192.175.48.0/24', // AS112 (RFC 7534)
  '198.18.0.0/15', // benchmarking (RFC 2544)
  '198.51.100.0/24', // documentation (RFC 5737)
  '203.0.113.0/24', // documentation (RFC 5737)
  '224.0.0.0/4', // multicast (RFC 5771)
  '240.0.0.0/4', // reserved, and broadcast (RFC 1112, RFC 919)
];

/**
 * The only block that IANA assigns to hosts (RFC 3587). Outside it are all unspecified, loopback, link-local,
 * site-local, private, multicast and unassigned addresses, and IPv4 addresses in mapped, compatible or
 * translated form.
 */
const unicast6 = ['2000::/3'];

/** IPv6 ranges within global unicast without public hosts: IANA's special-purpose registry. */
const special6 = [
  '2001::/23', // protocol assignments, Teredo, benchmarking and ORCHID among them (RFC 2928)
  '2001:db8::/32', // documentation (RFC 3849)
  '2002::/16', // 6to4, which holds IPv4 addresses (RFC 3056)
  '2620:4f:8000::/48', // AS112 (RFC 7534)
  '3fff::/20', // documentation (RFC 9637)
];

function blocks(family: 'ipv4' | 'ipv6', prefixes: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const prefix of prefixes) {
    const [network = '', bits] = prefix.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return (address) => list.check(address, family);
}

const isSpecial4 = blocks('ipv4', special4);
const isUnicast6 = blocks('ipv6', unicast6);
const isSpecial6 = blocks('ipv6', special6);

/**
 * Checks that an IP address belongs to a public internet host (SSRF protection). The address is in the form
 * that a resolver returns. Special addresses, invalid ones, and IPv6 addresses that contain an IPv4 address
 * are not public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !isSpecial4(address);
  return isIPv6(address) && isUnicast6(address) && !isSpecial6(address);
}

/** Ports of public receivers. Others must be named in the setting. */
const publicPorts = new Set(['443', '8443']);

/** Finds the addresses of a host. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Receivers in one's own network, as in WEBHOOK_PRIVATE_HOSTS and NOTIFY_HOSTS: `host`, `host:port` or CIDR. */
export type PrivateHosts = readonly string[];

/** Error of an address to which nothing may be sent. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Returns a URL's port, also if it is the usual one. */
const portOf = ({ port, protocol }: URL) => port || (protocol === 'http:' ? '80' : '443');

/** Returns a URL's host name. IPv6 addresses are without brackets. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Returns whether an address is in one of the networks (CIDR) of a list. */
function isInNetworks(address: string, hosts: PrivateHosts): boolean {
  const list = new BlockList();
  for (const entry of hosts.filter((host) => host.includes('/'))) {
    const [network = '', bits] = entry.split('/');
    list.addSubnet(network, Number(bits), familyOf(network));
  }
  return isIP(address) !== 0 && list.check(address, familyOf(address));
}

/** Returns whether a URL's host or host and port are listed by name. */
const isNamed = (url: URL, hosts: PrivateHosts) =>
  hosts.includes(url.hostname) || hosts.includes(`${url.hostname}:${portOf(url)}`);

/** Decides which addresses requests may go to (SSRF protection). Each check throws if they may not. */
export interface AddressPolicy {
  readonly protocols: readonly string[];
  /** Checks the host and port of a URL, whatever its name resolves to. */
  readonly checkHost: (url: URL, host: string) => void;
  /** Checks an IP address that the host of a URL has. */
  readonly checkAddress: (address: string, url: URL) => void;
  readonly lookup: Lookup;
}

/**
 * Creates the policy for receivers that administrators choose. They are on the public internet, or listed as
 * those of one's own network.
 */
export function receiversIn(
  privateHosts: PrivateHosts,
  lookup: Lookup = createLookup(privateHosts),
): AddressPolicy {
  const hasNetworks = privateHosts.some((entry) => entry.includes('/'));
  return {
    protocols: ['https:', 'http:'],
    checkHost(url, host) {
      const isPrivate = isNamed(url, privateHosts) || isInNetworks(host, privateHosts);
      if (!isPrivate) refuseIp(host);
      const mayBePrivate = isPrivate || hasNetworks;
      if (url.protocol === 'http:' && !mayBePrivate)
        throw new AddressRefused('must begin with https:// (http:// only in the own network)');
      const port = portOf(url);
      const isUsual = publicPorts.has(port) || (port === '80' && mayBePrivate);
      if (!isUsual && !privateHosts.includes(`${url.hostname}:${port}`))
        throw new AddressRefused('must have port 443 or 8443 (others only in the own network)');
    },
    checkAddress(address, url) {
      const isListed = isNamed(url, privateHosts) || isInNetworks(address, privateHosts);
      if (!isListed && !(url.protocol === 'https:' && isPublicAddress(address))) throw notPublic();
    },
    lookup,
  };
}

const notPublic = () => new AddressRefused('leads to an address that is not on the public internet');

/**
 * Refuses a host that is an IP address. Node.js connects to it without calling `lookup`. `URL` reads all
 * spellings of addresses, such as `0x7f.1` for 127.0.0.1.
 */
export function refuseIp(host: string): void {
  if (isIP(host) !== 0) throw new AddressRefused('must contain a host name, not an IP address');
}

/**
 * Parses an address once: the checked URL is the requested one.
 * @throws AddressRefused, or what the policy throws, whatever its name resolves to
 */
export function readAddress(text: string, { protocols, checkHost }: AddressPolicy): URL {
  const url = readUrl(text);
  if (!url) throw new AddressRefused('must be a URL');
  if (!protocols.includes(url.protocol)) throw new AddressRefused('must begin with https://');
  if (url.username !== '' || url.password !== '')
    throw new AddressRefused('must not contain a user name or password');
  checkHost(url, hostOf(url));
  return url;
}

/**
 * Resolves the host of a URL, and checks where it leads to. The request must go to these addresses, because
 * another look-up of the name might return different ones.
 * @throws AddressRefused, or what the policy throws, if one of them may not be reached
 */
export async function resolveAddress(
  url: URL,
  { checkAddress, lookup }: AddressPolicy,
): Promise<readonly LookupAddress[]> {
  const host = hostOf(url);
  const family = isIP(host);
  const addresses = family === 0 ? await lookup(host) : [{ address: host, family }];
  if (addresses.length === 0) throw notPublic();
  for (const { address } of addresses) checkAddress(address, url);
  return addresses;
}

/** Checks an entry of the setting. It is a host, optionally with port, or a network (CIDR). */
export function isPrivateHostEntry(text: string): boolean {
  const [network = '', bits, ...others] = text.split('/');
  if (bits !== undefined) {
    const family = isIP(network);
    return (
      others.length === 0 &&
      family !== 0 &&
      /^\d{1,3}$/.test(bits) &&
      Number(bits) <= (family === 6 ? 128 : 32)
    );
  }
  const url = readUrl(`http://${text}`);
  return (
    url !== undefined &&
    url.pathname === '/' &&
    [url.hostname, `${url.hostname}:${portOf(url)}`].includes(text)
  );
}

/** Servers to ask instead of the system's, and how long to wait for them. */
interface LookupOptions {
  readonly servers?: readonly string[];
  /** Milliseconds to wait for an answer at first. */
  readonly timeoutMs?: number;
}

/**
 * Creates the function that finds the addresses of hosts. It asks DNS servers itself. The look-up of the
 * system, of which Node.js runs two at once, would let two names whose servers never answer stop everything
 * that leaves. Only that one knows the names of the own network, such as those in `/etc/hosts`, so it is used
 * for hosts that are listed, and for all if networks are listed.
 */
export function createLookup(privateHosts: PrivateHosts, options: LookupOptions = {}): Lookup {
  const { servers, timeoutMs = 2_000 } = options;
  const hasNetworks = privateHosts.some((entry) => entry.includes('/'));
  const names = new Set(privateHosts.map((entry) => entry.replace(/:\d+$/, '')));
  return async (hostname) => {
    if (hasNetworks || names.has(hostname)) return lookUp(hostname, { all: true });
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
    if (servers) resolver.setServers(servers);
    const asked = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = asked.map((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [four = [], six = []] = found;
    const addresses: LookupAddress[] = [
      ...four.map((address) => ({ address, family: 4 })),
      ...six.map((address) => ({ address, family: 6 })),
    ];
    if (addresses.length > 0) return addresses;
    const [first] = asked;
    throw first?.status === 'rejected' ? first.reason : new Error('The host has no address.');
  };
}

/** A request, and where it may go. */
interface GuardedRequest {
  readonly url: string;
  readonly policy: AddressPolicy;
  /** Milliseconds from the look-up to the end of the work on the response. */
  readonly timeoutMs: number;
  /** Error of a request that takes longer. */
  readonly late: Error;
  /** Certificates in PEM to trust instead of those of Node.js. */
  readonly ca?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Option that tries all addresses in turn (happy eyeballs). It makes `lookup` return all addresses instead of
 * one; the types of https omit it.
 */
const inTurn = { autoSelectFamily: true } satisfies Partial<TcpNetConnectOpts>;

/** Sends a request over its own connection, only to the given addresses. It follows no redirects. */
function requestFrom(
  url: URL,
  addresses: readonly LookupAddress[],
  { ca, method = 'GET', headers, body }: GuardedRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // Use the checked addresses, because another lookup of the name might return different ones (DNS
  // rebinding).
  const checked: LookupFunction = (_hostname, _options, done) => done(null, [...addresses]);
  const { request } = url.protocol === 'http:' ? http : https;
  return new Promise((resolve, reject) => {
    request(url, {
      method,
      // Use a separate direct connection, whatever pool or proxy the process has.
      agent: false,
      lookup: checked,
      ...inTurn,
      // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
      rejectUnauthorized: true,
      ca,
      headers: { 'accept-encoding': 'identity', ...headers },
      signal,
    })
      .on('response', resolve)
      .on('error', reject)
      // An answer that switches protocols emits only this event.
      .on('close', () => reject(new Error('The connection was closed without a response.')))
      .end(body);
  });
}

/**
 * Runs work with a timeout and a signal, even if it cannot be stopped. It avoids combining
 * `AbortSignal.timeout` and `AbortSignal.any`, which may be garbage-collected before they fire.
 * @param late error of work that takes too long
 */
async function withTimeout<T>(
  timeoutMs: number,
  late: Error,
  signal: AbortSignal | undefined,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const stopped = new Promise<never>((_resolve, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
  });
  const timer = setTimeout(() => stop.abort(late), timeoutMs);
  const giveUp = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', giveUp);
  try {
    return await Promise.race([stopped, work(stop.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

/**
 * Sends a request to where a policy allows it, and works on the response.
 * @throws AddressRefused, or what the policy throws; `late`; the signal's reason; errors of the connection
 */
export function guardedRequest<T>(
  asked: GuardedRequest,
  work: (response: IncomingMessage) => Promise<T>,
): Promise<T> {
  const { url: text, policy, timeoutMs, late, signal } = asked;
  return withTimeout(timeoutMs, late, signal, async (stop) => {
    const url = readAddress(text, policy);
    const addresses = await resolveAddress(url, policy);
    stop.throwIfAborted();
    const response = await requestFrom(url, addresses, asked, stop);
    try {
      return await work(response);
    } finally {
      response.destroy();
    }
  });
}

/** Result of one attempt to send a message. */
export interface PostResult {
  /** Status of the answer; null if there was none. */
  readonly status: number | null;
  /** Reason why there is no answer, without details of the network. */
  readonly error: string | null;
  /** Milliseconds until the answer, or until the failure. */
  readonly ms: number;
  /** True if there was no answer in time. */
  readonly isLate: boolean;
  /** Beginning of the answer's body. */
  readonly responseStart: string;
  /** The header `Retry-After`, as sent. */
  readonly retryAfter: string | null;
}

/** Returns whether a receiver accepted a message. */
export const isAccepted = ({ status }: Pick<PostResult, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300;

/** The longest time in milliseconds that a receiver can ask for by `Retry-After`. */
const longestAsked = 86_400_000;

/**
 * Reads `Retry-After`, which is a number of seconds or a date (RFC 9110 §10.2.3).
 * @returns the time before which a receiver wants no further attempt, at most a day away; a past one if it does not say
 */
export function askedTime(retryAfter: string | null, now: Date): Date {
  const text = retryAfter?.trim() ?? '';
  const asked = /^\d+$/.test(text) ? now.getTime() + Number(text) * 1_000 : Date.parse(text);
  return new Date(Number.isNaN(asked) ? 0 : Math.min(asked, now.getTime() + longestAsked));
}

/** Sends a message to the address of an endpoint. It never throws, unless the signal aborts it. */
export type Post = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal?: AbortSignal,
) => Promise<PostResult>;

/** Limits of sending, and which receivers are allowed. */
interface PostOptions {
  readonly privateHosts: PrivateHosts;
  /** Milliseconds from the look-up to the end of the answer. */
  readonly timeoutMs?: number;
  readonly lookup?: Lookup;
  /** Certificates in PEM to trust instead of those of Node.js. */
  readonly ca?: string;
}

/** Bytes of an answer that are read. What follows is not waited for. */
const maxRead = 16 * 1_024;

/** Characters of an answer that are kept for admins. */
const maxKept = 1_024;

/** Reads the beginning of an answer's body. What has come is in the list, even if the rest fails. */
async function readStart(response: IncomingMessage, chunks: Uint8Array[]): Promise<void> {
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxRead) break;
  }
}

/** Returns the text that is kept of a body. PostgreSQL cannot store NUL characters. */
const keptOf = (chunks: readonly Uint8Array[]) =>
  Buffer.concat(chunks).toString('utf8').replaceAll('\0', '').slice(0, maxKept);

/** Says what prevented an answer. An error's code reveals nothing about where it happened. */
function reasonOf(error: unknown): string {
  if (error instanceof AddressRefused) return `The url ${error.message}.`;
  if (error instanceof TooLate) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? `The connection failed (${code}).` : 'The connection failed.';
}

/** Error of a receiver that does not answer in time. */
class TooLate extends Error {}

/**
 * Creates the function that sends messages, safe against SSRF. Administrators choose the addresses, but the
 * network that the gateway runs in may not be theirs. It follows no redirects, sends no cookies, ignores
 * proxies, and connects only to addresses that were checked for this attempt.
 */
export function createPost(options: PostOptions): Post {
  const { privateHosts, lookup, timeoutMs = 15_000, ca } = options;
  const policy = receiversIn(privateHosts, lookup);
  return async (text, headers, body, signal) => {
    const started = performance.now();
    const late = new TooLate(`There was no answer within ${timeoutMs / 1_000} seconds.`);
    const spent = () => Math.round(performance.now() - started);
    let answered: Pick<PostResult, 'status' | 'retryAfter'> | undefined;
    const chunks: Uint8Array[] = [];
    try {
      const sent = {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': `expiration-gateway/${version}`,
      };
      const asked = { url: text, policy, timeoutMs, late, ca, signal, body };
      await guardedRequest({ ...asked, method: 'POST', headers: { ...sent, ...headers } }, (response) => {
        const { statusCode = 0, headers: fields } = response;
        answered = { status: statusCode, retryAfter: fields['retry-after'] ?? null };
        return readStart(response, chunks);
      });
    } catch (error) {
      // The status decides. A body that breaks off or never ends changes nothing.
      if (!answered) {
        if (signal?.aborted) throw error;
        const none = { status: null, responseStart: '', retryAfter: null };
        return { ...none, error: reasonOf(error), isLate: error instanceof TooLate, ms: spent() };
      }
    }
    const responseStart = keptOf(chunks);
    return {
      status: null,
      retryAfter: null,
      ...answered,
      responseStart,
      error: null,
      isLate: false,
      ms: spent(),
    };
  };
}

/** Receivers that administrators choose, such as those of webhooks and chat messages. */
export interface Receivers {
  /**
   * Checks an address when it is saved. Each attempt to send checks it again.
   * @throws GatewayError BAD_REQUEST naming `url`
   */
  checkUrl(text: string): Promise<URL>;
  readonly post: Post;
}

/** Creates the way to receivers. */
export function createReceivers(privateHosts: PrivateHosts): Receivers {
  const policy = receiversIn(privateHosts);
  return {
    async checkUrl(text) {
      try {
        const url = readAddress(text, policy);
        await resolveAddress(url, policy);
        return url;
      } catch (error) {
        const reason = error instanceof AddressRefused ? error.message : 'has a host that is not found';
        throw badField(['url'], reason);
      }
    },
    post: createPost({ privateHosts, lookup: policy.lookup }),
  };
}
