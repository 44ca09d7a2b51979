import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the address by which a sender is counted. It is an IPv4 address or the /64 network of an IPv6
 * address, as one host has that whole network. An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function groupAddress(address: string): string {
  const [, mapped = ''] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (isIPv4(mapped)) return mapped;
  return isIPv6(address) ? `${ipv6Network(address)}::/64` : address;
}

/** Returns the network part of an IPv6 address: its first 64 bits (RFC 4291 §2.2). */
function ipv6Network(address: string): string {
  const [left = '', right] = address.replace(/%.*$/, '').split('::');
  const groups = left === '' ? [] : left.split(':');
  const others = right ? right.split(':').length + (right.includes('.') ? 1 : 0) : 0;
  const missing = right === undefined ? 0 : 8 - groups.length - others;
  const whole = [...groups, ...Array<string>(missing).fill('0'), ...(right ?? '').split(':')];
  return whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':');
}

/** Removes the port that proxies may append to an address in `X-Forwarded-For`. */
function withoutPort(text: string): string {
  return text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1');
}

/**
 * Returns the client address of a request, as rate limits count it.
 * @param proxies number of proxies in front; each appends the address it was called from to
 * `X-Forwarded-For`, and anybody can forge the entries left of those
 */
export function clientAddress({ headers, socket }: IncomingMessage, proxies: number): string {
  const direct = socket.remoteAddress ?? '';
  if (proxies === 0) return groupAddress(direct);
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map(withoutPort);
  const forwardedAddress = forwarded.at(-proxies) ?? forwarded[0] ?? '';
  return groupAddress(isIPv4(forwardedAddress) || isIPv6(forwardedAddress) ? forwardedAddress : direct);
}

/**
 * Returns the origin that a request was sent to, such as `https://gateway.example.com`. It is used in links
 * back to the gateway.
 * @param proxies number of proxies in front; they may have terminated TLS, and then say so in
 * `X-Forwarded-Proto`
 */
export function askedOrigin({ headers, socket }: IncomingMessage, proxies: number): string {
  const forwarded = String(headers['x-forwarded-proto'] ?? '')
    .split(',')
    .at(-1);
  const scheme = proxies > 0 && forwarded?.trim().toLowerCase() === 'https' ? 'https' : 'http';
  const { localAddress = 'localhost', localPort } = socket;
  const direct = `${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:${localPort}`;
  const { host = direct } = headers;
  return URL.canParse(`${scheme}://${host}`) ? new URL(`${scheme}://${host}`).origin : `http://${direct}`;
}
