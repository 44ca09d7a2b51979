import type { LookupAddress } from 'node:dns';
import { lookup as lookUp, Resolver } from 'node:dns/promises';
import type { Lookup, PrivateHosts } from './address.js';

/** Servers to ask instead of the system's, and how long to wait for them. */
export interface LookupOptions {
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
