import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../src/outbound/outbound.js';

/** First and last address of every row of IANA's IPv4 special-purpose registry, and of multicast. */
const special4 = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
].map(([first = '', last = '']) => [number4(first), number4(last)] as const);

/** Every row of IANA's IPv6 special-purpose registry, and what else the address architecture (RFC 4291) sets apart. */
const special6: readonly (readonly [string, number])[] = [
  ['::', 128],
  ['::1', 128],
  ['::', 96], // IPv4-compatible
  ['::ffff:0:0', 96], // IPv4-mapped
  ['::ffff:0:0:0', 96], // IPv4-translated
  ['64:ff9b::', 96], // NAT64
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['100:0:0:1::', 64],
  ['2001::', 23],
  ['2001::', 32], // Teredo
  ['2001:1::1', 128],
  ['2001:1::2', 128],
  ['2001:1::3', 128],
  ['2001:2::', 48],
  ['2001:3::', 32],
  ['2001:4:112::', 48],
  ['2001:10::', 28],
  ['2001:20::', 28],
  ['2001:30::', 28],
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  // Not assigned to anybody.
  ['400::', 6],
  ['4000::', 3],
  ['8000::', 1],
];

function number4(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function text4(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}

/** Returns the value of an IPv6 address in hexadecimal groups. */
function number6(address: string): bigint {
  const [head = [], tail = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const groups = [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail];
  return groups.reduce((number, group) => (number << 16n) | BigInt(`0x${group}`), 0n);
}

function text6(number: bigint): string {
  return Array.from({ length: 8 }, (_, index) =>
    ((number >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
  ).join(':');
}

function range6([network, bits]: readonly [string, number]): readonly [bigint, bigint] {
  const first = number6(network);
  return [first, first + (1n << BigInt(128 - bits)) - 1n];
}

const isSpecial4 = (number: number) => special4.some(([first, last]) => first <= number && number <= last);
const isSpecial6 = (number: bigint) =>
  special6.map(range6).some(([first, last]) => first <= number && number <= last);

const any4 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const inSpecial4 = fc.constantFrom(...special4).chain(([min, max]) => fc.integer({ min, max }));
const inSpecial6 = fc.constantFrom(...special6.map(range6)).chain(([min, max]) => fc.bigInt({ min, max }));
const [first6, last6] = range6(['2000::', 3]);

/** The IPv6 addresses that hold an IPv4 one, and lead to it where there is a gateway. */
const forms: Record<string, (number: number) => string> = {
  mapped: (number) => `::ffff:${text4(number)}`,
  'mapped, in hexadecimal': (number) => text6((0xffffn << 32n) | BigInt(number)),
  compatible: (number) => `::${text4(number)}`,
  translated: (number) => `::ffff:0:${text4(number)}`,
  NAT64: (number) => `64:ff9b::${text4(number)}`,
  'local NAT64': (number) => `64:ff9b:1::${text4(number)}`,
  '6to4': (number) => text6((0x2002n << 112n) | (BigInt(number) << 80n) | 1n),
  Teredo: (number) => text6((0x20010000n << 96n) | (BigInt(number ^ -1) & 0xffffffffn)),
};

describe('isPublicAddress', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '223.255.255.255',
    '2001:200::',
    '2001:4860:4860::8888',
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db9::',
    '2003::',
    '2606:4700:4700::1111',
    '2A00:1450:4001:80B::200E',
    '3fff:1000::',
  ])('takes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    '',
    'localhost',
    'example.com',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '8.8.8',
    '8.8.8.8.',
    ' 8.8.8.8',
    '8.8.8.8:443',
    '08.8.8.8',
    '[2606:4700::1]',
    '2606:4700::1/64',
    'fe80::1%eth0',
    '::1%lo',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:169.254.169.254',
  ])('refuses %j', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test('agrees with the registry on every IPv4 address', () => {
    fc.assert(
      fc.property(fc.oneof(any4, inSpecial4), (number) => {
        expect(isPublicAddress(text4(number))).toBe(!isSpecial4(number));
      }),
      { numRuns: 2_000 },
    );
  });

  test('agrees with the registry at the ends of its IPv4 rows', () => {
    for (const number of special4.flatMap(([first, last]) => [first - 1, first, last, last + 1])) {
      if (number < 0 || number >= 2 ** 32) continue;
      expect([text4(number), isPublicAddress(text4(number))]).toEqual([text4(number), !isSpecial4(number)]);
    }
  });

  test('agrees with the registry on every IPv6 address of hosts', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: first6, max: last6 }), (number) => {
        expect(isPublicAddress(text6(number))).toBe(!isSpecial6(number));
      }),
      { numRuns: 2_000 },
    );
  });

  test('agrees with the registry at the ends of its IPv6 rows', () => {
    const outside = (number: bigint) => number < first6 || number > last6;
    for (const number of special6
      .map(range6)
      .flatMap(([first, last]) => [first - 1n, first, last, last + 1n])) {
      if (number < 0n || number >= 1n << 128n) continue;
      const expected = !outside(number) && !isSpecial6(number);
      expect([text6(number), isPublicAddress(text6(number))]).toEqual([text6(number), expected]);
    }
  });

  test('refuses every special IPv6 address', () => {
    fc.assert(
      fc.property(inSpecial6, (number) => {
        expect(isPublicAddress(text6(number))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(Object.entries(forms))('rejects every IPv4 address that is %s', (_, form) => {
    fc.assert(
      fc.property(fc.oneof(any4, inSpecial4), (number) => {
        const address = form(number);
        expect(isIP(address)).toBe(6);
        expect(isPublicAddress(address)).toBe(false);
      }),
    );
  });
});
