import { describe, expect, test } from 'vitest';
import { createFileFetcher, FetchFailure } from '../../src/uploads/worker/fetch.js';

const hosts = ['files.example.com', '*.bucket.example.com', 'example.com:8443', 'xn--bcher-kva.example'];

/** Returns the failure of fetching, and the names that were looked up for it. */
async function attempt(url: string, allowed: readonly string[] = hosts) {
  const names: string[] = [];
  const lookup = async (name: string) => {
    names.push(name);
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name} at 10.0.0.53`), { code: 'ENOTFOUND' });
  };
  const error: unknown = await createFileFetcher({ hosts: allowed, lookup })(url).catch((error) => error);
  if (!(error instanceof FetchFailure)) throw error;
  return { message: error.message, final: error.final, names };
}

const notUrl = 'The url is not a URL.';
const notHttps = 'The url must begin with https://.';
const credentials = 'The url must not contain a user name or password.';
const address = 'The url must contain a host name, not an IP address.';
const unlisted = (host: string) => `The host ${host} is not listed in UPLOAD_HOSTS.`;

test.each([
  ['/a', 'ADDRESS_INVALID'],
  ['http://files.example.com/a', 'ADDRESS_INVALID'],
  ['https://user@files.example.com/', 'ADDRESS_INVALID'],
  ['https://127.0.0.1/', 'ADDRESS_INVALID'],
  ['https://evil.com/', 'HOST_NOT_ALLOWED'],
  ['https://files.example.com/', 'HOST_NOT_FOUND'],
])('%s has the reason %s', async (url, reason) => {
  const lookup = async () => [];
  await expect(createFileFetcher({ hosts, lookup })(url)).rejects.toMatchObject({ reason });
});

describe('a URL that may not be fetched', () => {
  test.each<[string, string]>([
    ['', notUrl],
    [' ', notUrl],
    ['files.example.com/a', notUrl],
    ['//files.example.com/a', notUrl],
    ['/a', notUrl],
    ['https://', notUrl],
    ['https:///', notUrl],
    ['https://files.example.com:65536/', notUrl],
    ['https://files.example.com:x/', notUrl],
    ['https://files.exa mple.com/', notUrl],
    ['https://files.example.com%00.evil.com/', notUrl],
    ['https://[files.example.com]/', notUrl],
    ['https://[::1/', notUrl],
    ['https://256.256.256.256/', notUrl],
    ['https://1.2.3.4.5/', notUrl],

    ['http://files.example.com/a', notHttps],
    ['HTTP://files.example.com:443/a', notHttps],
    ['ftp://files.example.com/a', notHttps],
    ['ws://files.example.com/a', notHttps],
    ['wss://files.example.com/a', notHttps],
    ['file:///etc/passwd', notHttps],
    ['file://files.example.com/etc/passwd', notHttps],
    ['data:text/plain,https://files.example.com/', notHttps],
    ['javascript:alert(1)//files.example.com', notHttps],
    ['blob:https://files.example.com/1', notHttps],
    ['gopher://files.example.com/_x', notHttps],
    ['jar:https://files.example.com/a!/b', notHttps],
    ['files.example.com:443/a', notHttps],
    ['localhost:443', notHttps],

    ['https://user@files.example.com/', credentials],
    ['https://user:word@files.example.com/', credentials],
    ['https://:word@files.example.com/', credentials],
    ['https://files.example.com@evil.com/', credentials],
    ['https://files.example.com:443@evil.com/', credentials],
    ['https://evil.com%2f@files.example.com/', credentials],

    ['https://127.0.0.1/', address],
    ['https://127.1/', address],
    ['https://127.0.0.1./', address],
    ['https://2130706433/', address],
    ['https://0x7f000001/', address],
    ['https://0x7f.0.0.1/', address],
    ['https://0177.0.0.1/', address],
    ['https://017700000001/', address],
    ['https://0/', address],
    ['https://１２７.0.0.1/', address],
    ['https://127。0。0。1/', address],
    ['https://%31%32%37.0.0.1/', address],
    ['https://169.254.169.254/latest/meta-data/', address],
    ['https://10.0.0.1/', address],
    ['https://8.8.8.8/', address],
    ['https://[::]/', address],
    ['https://[::1]/', address],
    ['https://[0:0:0:0:0:0:0:1]:443/', address],
    ['https://[::ffff:127.0.0.1]/', address],
    ['https://[::ffff:7f00:1]/', address],
    ['https://[::127.0.0.1]/', address],
    ['https://[64:ff9b::10.0.0.1]/', address],
    ['https://[fd00:ec2::254]/', address],
    ['https://[2606:4700:4700::1111]/', address],

    ['https://evil.com/', unlisted('evil.com')],
    ['https://localhost/', unlisted('localhost')],
    ['https://example.com/', unlisted('example.com')],
    ['https://evil-files.example.com/', unlisted('evil-files.example.com')],
    ['https://evilfiles.example.com/', unlisted('evilfiles.example.com')],
    ['https://a.files.example.com/', unlisted('a.files.example.com')],
    ['https://files.example.com.evil.com/', unlisted('files.example.com.evil.com')],
    ['https://files.example.co/', unlisted('files.example.co')],
    ['https://filesxexample.com/', unlisted('filesxexample.com')],
    ['https://files.example.com./', unlisted('files.example.com.')],
    ['https://.files.example.com/', unlisted('.files.example.com')],
    ['https://evil.com/@files.example.com/', unlisted('evil.com')],
    ['https://evil.com\\@files.example.com/', unlisted('evil.com')],
    ['https://evil.com#@files.example.com/', unlisted('evil.com')],
    ['https://evil.com?files.example.com', unlisted('evil.com')],
    ['https://evil.com\n.files.example.com/', unlisted('evil.com.files.example.com')],
    ['https:evil.com', unlisted('evil.com')],
    ['https://filеs.example.com/', unlisted('xn--fils-x4d.example.com')], // A Cyrillic е.
    ['https://filés.example.com/', unlisted('xn--fils-dpa.example.com')],

    ['https://files.example.com:80/', unlisted('files.example.com:80')],
    ['https://files.example.com:8443/', unlisted('files.example.com:8443')],
    ['https://files.example.com:0/', unlisted('files.example.com:0')],
    ['https://example.com:443/', unlisted('example.com')],
    ['https://example.com:844/', unlisted('example.com:844')],

    ['https://bucket.example.com/', unlisted('bucket.example.com')],
    ['https://.bucket.example.com/', unlisted('.bucket.example.com')],
    ['https://evil-bucket.example.com/', unlisted('evil-bucket.example.com')],
    ['https://a.bucket.example.com:8443/', unlisted('a.bucket.example.com:8443')],
    ['https://a.bucket.example.com.evil.com/', unlisted('a.bucket.example.com.evil.com')],
    ['https://a.bucket.example.com./', unlisted('a.bucket.example.com.')],
  ])('%j', async (url, message) => {
    expect(await attempt(url)).toEqual({ message, final: true, names: [] });
  });

  test.each(['evil.com', 'bucket.example.com'])('is one with too long a host, below %s', async (domain) => {
    const message = unlisted('a'.repeat(253));
    expect(await attempt(`https://${'a'.repeat(100_000)}.${domain}/`)).toEqual({
      message,
      final: true,
      names: [],
    });
  });

  test('is any, when no host is listed', async () => {
    const expected = { message: unlisted('files.example.com'), final: true, names: [] };
    expect(await attempt('https://files.example.com/', [])).toEqual(expected);
  });

  test.each(['https://127.0.0.1/', 'https://[::1]/'])('is %s, even if it were listed', async (url) => {
    const expected = { message: address, final: true, names: [] };
    expect(await attempt(url, ['127.0.0.1', '[::1]'])).toEqual(expected);
  });
});

describe('a URL of a listed host', () => {
  test.each<[string, string]>([
    ['https://files.example.com', 'files.example.com'],
    ['https://files.example.com:443/a?b#c', 'files.example.com'],
    [' HTTPS://FILES.Example.COM/', 'files.example.com'],
    ['https://files.example.com\\@evil.com/', 'files.example.com'],
    ['https://files.example.com/@evil.com', 'files.example.com'],
    ['https://files。example。com/', 'files.example.com'],
    ['https://ｆiles.example.com/', 'files.example.com'],
    ['https://example.com:8443/', 'example.com'],
    ['https://a.bucket.example.com/', 'a.bucket.example.com'],
    ['https://a.b.bucket.example.com/', 'a.b.bucket.example.com'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
  ])('%j is looked up, once', async (url, name) => {
    const message = `The name ${name} could not be looked up (ENOTFOUND).`;
    expect(await attempt(url)).toEqual({ message, final: false, names: [name] });
  });
});
