import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { askedOrigin, clientAddress, groupAddress } from '../../src/http/request/request.js';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:db8:0:1::9', '2001:db8:0:1::/64'],
  ['2001:0DB8:0000:0001::', '2001:db8:0:1::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['::1:0:0:192.0.2.7', '0:0:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('%j is counted as %s', (address, sender) => {
  expect(groupAddress(address)).toBe(sender);
});

test.each([
  // Nobody is trusted, whatever is told.
  [0, '192.0.2.1', '198.51.100.1'],
  // What each proxy adds stands at the right.
  [1, '192.0.2.1', '192.0.2.1'],
  [1, '203.0.113.9, 192.0.2.1', '192.0.2.1'],
  [2, '203.0.113.9, 192.0.2.2, 192.0.2.1', '192.0.2.2'],
  [2, '203.0.113.9,192.0.2.2,192.0.2.1', '192.0.2.2'],
  [1, '192.0.2.1:4711', '192.0.2.1'],
  [1, '[2001:db8::1]:4711', '2001:db8:0:0::/64'],
  [1, '[2001:db8::1]', '2001:db8:0:0::/64'],
  [1, '2001:db8::1', '2001:db8:0:0::/64'],
  // Fewer than promised: the first that is told of.
  [3, '192.0.2.2, 192.0.2.1', '192.0.2.2'],
  // No address: the proxy's own.
  [1, undefined, '198.51.100.1'],
  [1, '', '198.51.100.1'],
  [1, 'unknown', '198.51.100.1'],
  [1, '192.0.2.1, ', '198.51.100.1'],
])('behind %i proxies, X-Forwarded-For %j is %s', (proxies, forwarded, sender) => {
  // All of a request that is looked at.
  const request = {
    headers: { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: '198.51.100.1' },
  } as unknown as IncomingMessage;
  expect(clientAddress(request, proxies)).toBe(sender);
});

test.each([
  ['/v1/vehicles', 'gateway.example.com', 'http://gateway.example.com'],
  ['/v1/vehicles', 'GATEWAY.example.com:8080', 'http://gateway.example.com:8080'],
  ['/v1/vehicles', '[2001:db8::1]:8080', 'http://[2001:db8::1]:8080'],
  // The target's own authority takes precedence (RFC 9112, section 3.2.2).
  ['http://other.example.com/v1/vehicles', 'gateway.example.com', 'http://other.example.com'],
  ['HTTP://other.example.com:81?x', 'gateway.example.com', 'http://other.example.com:81'],
  // HTTP/1.0 needs no host.
  ['/v1/vehicles', undefined, 'http://198.51.100.1:4000'],
])('the target %s with the host %s was sent to %s', (url, host, origin) => {
  const socket = { localAddress: '198.51.100.1', localPort: 4000 };
  expect(askedOrigin({ url, headers: { host }, socket } as unknown as IncomingMessage, 0)).toBe(origin);
});
