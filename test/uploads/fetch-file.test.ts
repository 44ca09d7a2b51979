import type { LookupAddress } from 'node:dns';
import { getEventListeners, once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { UploadReason } from '../../src/domain/uploads/upload.js';
import { eventually } from '../support/eventually.js';
import { type FileHost, failureOf, startFileHost } from './fetch.support.js';
import { answersOf } from './fetch-answers.js';

let host: FileHost;
beforeAll(async () => {
  host = await startFileHost(answersOf(() => host));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
afterAll(() => host.close());

/** Fails unless every connection ends by itself. */
const allClosed = () => eventually(() => expect(host.connections.size).toBe(0));

describe('a file', () => {
  test('comes with its bytes and their type', async () => {
    const file = await host.fetcher()(host.url('/a%20file.pdf?version=1#page=2'));
    expect(file).toEqual({ bytes: new TextEncoder().encode('%PDF'), contentType: 'application/pdf' });
    await allClosed();
  });

  test('is asked for by name, plainly, and uncompressed', async () => {
    const { bytes, contentType } = await host.fetcher()(host.url('/request', 'a.bucket.example.com'));
    expect(contentType).toBeNull();
    expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual({
      method: 'GET',
      headers: {
        host: `a.bucket.example.com:${host.port}`,
        'accept-encoding': 'identity',
        connection: 'close',
      },
    });
  });

  test.each([
    ['/empty', 0],
    ['/largest', 1000],
    ['/largest-in-parts', 1000],
    ['/identity', 4],
    ['/hints', 4],
  ])('may be %s', async (path, length) => {
    const { bytes } = await host.fetcher({ maxBytes: 1000 })(host.url(path));
    expect(bytes.length).toBe(length);
  });
});

describe('an answer that is no file', () => {
  test.each<[string, UploadReason, string, boolean]>([
    ['/too-large', 'FILE_TOO_LARGE', 'The file is larger than 1000 bytes.', true],
    ['/too-large-in-parts', 'FILE_TOO_LARGE', 'The file is larger than 1000 bytes.', true],
    ['/endless', 'FILE_TOO_LARGE', 'The file is larger than 1000 bytes.', true],
    [
      '/redirect',
      'HOST_REFUSED',
      'The host HOST returned status 302, not 200; redirects are not followed.',
      true,
    ],
    [
      '/moved',
      'HOST_REFUSED',
      'The host HOST returned status 301, not 200; redirects are not followed.',
      true,
    ],
    [
      '/not-modified',
      'HOST_REFUSED',
      'The host HOST returned status 304, not 200; redirects are not followed.',
      true,
    ],
    ['/created', 'HOST_REFUSED', 'The host HOST returned status 201, not 200.', true],
    ['/no-content', 'HOST_REFUSED', 'The host HOST returned status 204, not 200.', true],
    ['/partial', 'HOST_REFUSED', 'The host HOST returned status 206, not 200.', true],
    ['/missing', 'FILE_GONE', 'The host HOST returned status 404, not 200.', true],
    ['/forbidden', 'FILE_LOCKED', 'The host HOST returned status 403, not 200.', true],
    ['/slow-client', 'HOST_BUSY', 'The host HOST returned status 408, not 200.', false],
    ['/early', 'HOST_BUSY', 'The host HOST returned status 425, not 200.', false],
    ['/many', 'HOST_BUSY', 'The host HOST returned status 429, not 200.', false],
    ['/broken', 'HOST_BUSY', 'The host HOST returned status 500, not 200.', false],
    ['/away', 'HOST_BUSY', 'The host HOST returned status 503, not 200.', false],
    ['/upgrade', 'HOST_UNREACHABLE', 'The connection to HOST failed.', false],
    ['/gzip', 'FILE_UNREADABLE', 'The host HOST sent a compressed file, although it was asked not to.', true],
    ['/no-end', 'FILE_UNREADABLE', 'The host HOST sent neither the length of the file nor its end.', true],
    ['/no-http', 'HOST_UNREACHABLE', 'The connection to HOST failed (HPE_INVALID_CONSTANT).', false],
    [
      '/two-lengths',
      'HOST_UNREACHABLE',
      'The connection to HOST failed (HPE_UNEXPECTED_CONTENT_LENGTH).',
      false,
    ],
    ['/cut', 'HOST_UNREACHABLE', 'The connection to HOST failed (ECONNRESET).', false],
    ['/cut-chunks', 'HOST_UNREACHABLE', 'The connection to HOST failed (ECONNRESET).', false],
    ['/reset', 'HOST_UNREACHABLE', 'The connection to HOST failed (ECONNRESET).', false],
  ])('%s', async (path, reason, message, final) => {
    const failure = await failureOf(host.fetcher({ maxBytes: 1000 })(host.url(path)));
    const told = message.replace('HOST', `files.example.com:${host.port}`);
    expect(failure).toEqual({ reason, message: told, final });
    await allClosed();
  });
});

describe('a host', () => {
  const failedWith = (code: string, name = 'files.example.com') => ({
    reason: 'HOST_UNREACHABLE',
    message: `The connection to ${name}:${host.port} failed (${code}).`,
    final: false,
  });

  test('must have a trusted certificate', async () => {
    const fetch = host.fetcher({ ca: undefined });
    expect(await failureOf(fetch(host.url('/request')))).toEqual(failedWith('DEPTH_ZERO_SELF_SIGNED_CERT'));
  });

  test('must have one whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    vi.spyOn(process, 'emitWarning').mockReturnValue();
    const fetch = host.fetcher({ ca: undefined });
    expect(await failureOf(fetch(host.url('/request')))).toEqual(failedWith('DEPTH_ZERO_SELF_SIGNED_CERT'));
  });

  test.each(['other.example.com', 'a.b.bucket.example.com'])(
    'must have one for its name, not %s',
    async (name) => {
      const failure = await failureOf(host.fetcher()(host.url('/request', name)));
      expect(failure).toEqual(failedWith('ERR_TLS_CERT_ALTNAME_INVALID', name));
    },
  );

  test('is looked up once, and connected to where that led', async () => {
    const answers = ['127.0.0.1', '127.0.0.2'];
    const asked: string[] = [];
    const fetch = host.fetcher({
      lookup: async (name) => {
        asked.push(name);
        return [{ address: answers[asked.length - 1] ?? '', family: 4 }];
      },
    });
    await fetch(host.url('/request'));
    expect(asked).toEqual(['files.example.com']);
  });

  test('is connected to at its next address when the first is out of order', async () => {
    const addresses = [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ];
    const fetch = host.fetcher({ lookup: async () => addresses, isAllowedAddress: () => true });
    expect((await fetch(host.url('/identity'))).bytes.length).toBe(4);
  });

  test.each([
    [['127.0.0.1']],
    [['::ffff:127.0.0.1']],
    [['93.184.215.14', '10.0.0.1']],
    [['10.0.0.1', '93.184.215.14']],
    [['2606:4700::1', '93.184.215.14', 'fd00::1']],
  ])('with the addresses %j is refused', async (addresses) => {
    const lookup = async () => addresses.map((address) => ({ address, family: net.isIP(address) }));
    expect(
      await failureOf(host.fetcher({ lookup, isAllowedAddress: undefined })(host.url('/request'))),
    ).toEqual({
      reason: 'HOST_NOT_ALLOWED',
      message: 'The host files.example.com has an address that is not on the public internet.',
      final: true,
    });
  });

  test('without an address may have one later', async () => {
    const failure = await failureOf(host.fetcher({ lookup: async () => [] })(host.url('/request')));
    expect(failure).toEqual({
      reason: 'HOST_NOT_FOUND',
      message: 'The name files.example.com could not be looked up.',
      final: false,
    });
  });

  test('is resolved by the system and rejected at a loopback address by default', async () => {
    const fetch = host.fetcher({
      hosts: [`localhost:${host.port}`],
      lookup: undefined,
      isAllowedAddress: undefined,
    });
    expect(await failureOf(fetch(host.url('/request', 'localhost')))).toEqual({
      reason: 'HOST_NOT_ALLOWED',
      message: 'The host localhost has an address that is not on the public internet.',
      final: true,
    });
  });
});

describe('time', () => {
  const late = { reason: 'HOST_SLOW', message: 'The file did not arrive within 0.1 seconds.', final: false };

  test.each(['/silent', '/drip'])('is limited for an answer that is %s', async (path) => {
    expect(await failureOf(host.fetcher({ timeoutMs: 100 })(host.url(path)))).toEqual(late);
    await allClosed();
  });

  test('is limited for a look-up', async () => {
    const fetch = host.fetcher({ timeoutMs: 100, lookup: () => new Promise(() => {}) });
    expect(await failureOf(fetch(host.url('/request')))).toEqual(late);
  });

  test('is limited for a handshake', async () => {
    const server = net.createServer(() => {}).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    // Long enough for a connection, which is what has to be closed.
    const fetch = host.fetcher({ timeoutMs: 2_000, hosts: [`files.example.com:${port}`] });
    const connected = once(server, 'connection');
    expect(await failureOf(fetch(`https://files.example.com:${port}/`))).toEqual({
      ...late,
      message: 'The file did not arrive within 2 seconds.',
    });
    const [socket] = (await connected) as [net.Socket];
    if (!socket.destroyed) await once(socket.resume(), 'close');
    server.close();
  });

  test('opens no connection after too slow a look-up', async () => {
    let find: (addresses: LookupAddress[]) => void = () => {};
    const lookup = () => new Promise<LookupAddress[]>((resolve) => (find = resolve));
    const isAllowedAddress = vi.fn(() => true);
    await failureOf(host.fetcher({ timeoutMs: 20, lookup, isAllowedAddress })(host.url('/silent')));
    find([{ address: '127.0.0.1', family: 4 }]);
    await eventually(() => expect(isAllowedAddress).toHaveBeenCalled());
    // A connection for it would have come before this one, and be open still.
    await host.fetcher()(host.url('/empty'));
    await allClosed();
  });

  test('ends when the caller says so, with the reason given', async () => {
    const controller = new AbortController();
    const reason = new Error('stopping');
    const fetching = host.fetcher()(host.url('/drip'), controller.signal);
    await eventually(() => expect(host.connections.size).toBe(1));
    controller.abort(reason);
    await expect(fetching).rejects.toBe(reason);
    await allClosed();
  });

  test('leaves nothing on the signal of a caller who does not', async () => {
    const { signal } = new AbortController();
    await host.fetcher()(host.url('/empty'), signal);
    await failureOf(host.fetcher()(host.url('/missing'), signal));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('does not start for an aborted caller', async () => {
    const lookup = vi.fn(async () => []);
    const reason = new Error('stopping');
    const fetch = host.fetcher({ lookup })(host.url('/request'), AbortSignal.abort(reason));
    await expect(fetch).rejects.toBe(reason);
    expect(lookup).not.toHaveBeenCalled();
  });
});
