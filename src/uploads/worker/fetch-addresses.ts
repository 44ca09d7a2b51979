import { BlockList, isIPv4, isIPv6 } from 'node:net';

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
