import { expect, test } from 'vitest';
import { readAddress, receiversIn } from '../../src/outbound/outbound.js';

const isAllowed = (entry: string, url: string): boolean => {
  try {
    readAddress(url, receiversIn([entry]));
    return true;
  } catch {
    return false;
  }
};

test.each([
  ['ntfy.lan', 'http://ntfy.lan/topic', true],
  ['ntfy.lan', 'https://ntfy.lan/topic', true],
  ['ntfy.lan', 'https://ntfy.lan:8443/topic', true],
  ['ntfy.lan', 'http://ntfy.lan:2586/topic', false],
  ['ntfy.lan', 'http://ntfy.lan:22/topic', false],
  ['ntfy.lan', 'http://ntfy.lan:5432/topic', false],
  ['ntfy.lan', 'http://other.lan/topic', false],
  ['ntfy.lan:2586', 'http://ntfy.lan:2586/topic', true],
  ['ntfy.lan:2586', 'http://ntfy.lan/topic', false],
  ['ntfy.lan:2586', 'http://ntfy.lan:22/topic', false],
  ['192.168.1.5:8065', 'http://192.168.1.5:8065/hooks/x', true],
  ['192.168.1.5:8065', 'http://192.168.1.5:22/hooks/x', false],
  ['192.168.1.0/24', 'http://192.168.1.5/hooks/x', true],
  ['192.168.1.0/24', 'http://192.168.1.5:22/hooks/x', false],
])('of %s, %s is allowed: %s', (entry, url, expected) => {
  expect(isAllowed(entry, url)).toBe(expected);
});
