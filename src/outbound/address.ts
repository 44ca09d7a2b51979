import type { LookupAddress } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { readUrl } from '../domain/text/formats.js';
import { isPublicAddress } from '../uploads/worker/fetch-addresses.js';

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

/**
 * Parses the address of an endpoint once: the checked URL is the requested one.
 * @throws AddressRefused saying why nothing may be sent there, whatever its name resolves to
 */
export function readAddress(text: string, hosts: PrivateHosts): URL {
  const url = readUrl(text);
  if (!url) throw new AddressRefused('must be a URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new AddressRefused('must begin with https://');
  if (url.username !== '' || url.password !== '')
    throw new AddressRefused('must not contain a user name or password');
  const host = hostOf(url);
  // `URL` reads all spellings of addresses, such as `0x7f.1` for 127.0.0.1.
  const isPrivate = isNamed(url, hosts) || isInNetworks(host, hosts);
  if (isIP(host) !== 0 && !isPrivate) throw new AddressRefused('must contain a host name, not an IP address');
  const mayBePrivate = isPrivate || hosts.some((entry) => entry.includes('/'));
  if (url.protocol === 'http:' && !mayBePrivate)
    throw new AddressRefused('must begin with https:// (http:// only in the own network)');
  const port = portOf(url);
  const isUsual = publicPorts.has(port) || (port === '80' && mayBePrivate);
  if (!isUsual && !hosts.includes(`${url.hostname}:${port}`))
    throw new AddressRefused('must have port 443 or 8443 (others only in the own network)');
  return url;
}

/**
 * Resolves the host of an endpoint, and checks where it leads to. The request must go to these addresses,
 * because another look-up of the name might return different ones.
 * @throws AddressRefused if it is not on the public internet and not listed
 */
export async function resolveAddress(
  url: URL,
  hosts: PrivateHosts,
  lookup: Lookup,
): Promise<readonly LookupAddress[]> {
  const host = hostOf(url);
  const family = isIP(host);
  const addresses = family === 0 ? await lookup(host) : [{ address: host, family }];
  const isListed = (address: string) => isNamed(url, hosts) || isInNetworks(address, hosts);
  const isAllowed = ({ address }: LookupAddress) =>
    isListed(address) || (url.protocol === 'https:' && isPublicAddress(address));
  if (addresses.length === 0 || !addresses.every(isAllowed))
    throw new AddressRefused('leads to an address that is not on the public internet');
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
