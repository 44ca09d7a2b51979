import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { routes } from '../../src/rest/routes.js';
import { ask } from '../graphql/support.js';
import { testTime, useGateway } from '../support/gateway.js';
import { filestack, signedHeaders } from '../support/signatures.js';
import { namesOf } from '../support/statements.js';
import { expectError, nowhere, sendRaw } from './support.js';

const gateway = useGateway({ SECRET_KEY: '5e'.repeat(32) });
let token: string;
let secret: string;
beforeAll(async () => {
  ({ token, signingSecret: secret } = await make({ role: 'UPLOADER', signed: true }));
});
beforeEach(async () => {
  gateway.clock.now = testTime;
  await gateway.database.prisma.uploadNotification.deleteMany();
});

async function make(input: object) {
  const create = `mutation ($input: CreateAccessTokenInput!) {
    createAccessToken(input: $input) { token signingSecret accessToken { id } } }`;
  return (await ask(gateway, create, { input: { name: 'scanner', ...input } })).createAccessToken;
}

const path = '/v1/bulkscan/receive';
const body = '{"id": 7, "action": "fp.upload", "text": {"filename": "Führerschein.pdf"}}';
const json = { 'Content-Type': 'application/json' };
const seconds = (count: number) => new Date(testTime.getTime() + count * 1_000);
const post = (raw: BodyInit, headers: Record<string, string>, by = token) =>
  gateway.send('POST', path, { token: by, raw, headers: { ...json, ...headers } });
const signed = (changes: Record<string, string> = {}) => ({
  ...signedHeaders(secret, testTime, body),
  ...changes,
});
const count = () => gateway.database.prisma.uploadNotification.count();

async function expectRefused(raw: BodyInit, headers: Record<string, string>, message: RegExp): Promise<void> {
  const response = await post(raw, headers);
  expectError(response, 401, 'UNAUTHORIZED', message);
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  const { 'FS-Signature': right = '' } = signed();
  expect(response.text).not.toContain(right);
  expect(await count()).toBe(0);
}

describe('a notification that is signed', () => {
  test('is stored', async () => {
    expect((await post(body, signed())).status).toBe(204);
    expect(await count()).toBe(1);
  });

  test('in upper case, and under header names in any case, too', async () => {
    const { 'FS-Signature': signature = '', 'FS-Timestamp': timestamp = '' } = signed();
    const headers = { 'fs-signature': signature.toUpperCase(), 'fS-TIMESTAMP': timestamp };
    expect((await post(body, headers)).status).toBe(204);
  });

  test.each([-300, 300])('%i seconds off is stored', async (off) => {
    gateway.clock.now = seconds(off);
    expect((await post(body, signed())).status).toBe(204);
  });

  test('with nothing in it is stored', async () => {
    const headers = signedHeaders(secret, testTime, '');
    const authorization = { Authorization: `Bearer ${token}` };
    const options = { method: 'POST', headers: { ...authorization, ...headers } };
    expect((await sendRaw(gateway.url + path, options)).status).toBe(204);
    expect(await count()).toBe(1);
  });

  test('in pieces is stored', async () => {
    const headers = { Authorization: `Bearer ${token}`, ...json, ...signed() };
    const bytes = Buffer.from(body);
    // Cut inside of a letter.
    const cut = bytes.indexOf(0xc3) + 1;
    const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
    expect((await sendRaw(gateway.url + path, { method: 'POST', headers }, pieces)).status).toBe(204);
  });

  test('played back within the time is answered alike and stored once', async () => {
    const headers = signed();
    expect((await post(body, headers)).status).toBe(204);
    gateway.clock.now = seconds(299);
    expect((await post(body, headers)).status).toBe(204);
    expect(await count()).toBe(1);
    gateway.clock.now = seconds(301);
    expect((await post(body, headers)).status).toBe(401);
  });

  test('by Filestack is stored, with the secret that Filestack made', async () => {
    const [{ secret: signingSecret, body, signature, timestamp }] = filestack;
    const sender = await make({ role: 'MEMBER', signingSecret });
    expect(sender.signingSecret).toBe(signingSecret);
    gateway.clock.now = new Date(Number(timestamp) * 1_000);
    const headers = { 'FS-Signature': signature, 'FS-Timestamp': timestamp };
    expect((await post(body, headers, sender.token)).status).toBe(204);
    expect((await post(`${body} `, headers, sender.token)).status).toBe(401);
    const [stored] = await gateway.database.prisma.uploadNotification.findMany();
    expect(stored).toMatchObject({ notificationId: 6_844n, state: 'RECEIVED' });
  });

  test('is still read as any other: 400, 413, 415', async () => {
    const invalid = '{"id": "seven"}';
    const headers = (raw: string) => signedHeaders(secret, testTime, raw);
    expectError(await post(invalid, headers(invalid)), 400, 'BAD_REQUEST', /^id/);
    const large = `"${'x'.repeat(2 ** 20)}"`;
    expectError(await post(large, headers(large)), 413, 'PAYLOAD_TOO_LARGE');
    const form = { ...signed(), 'Content-Type': 'application/x-www-form-urlencoded' };
    expectError(await post(body, form), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });
});

describe('refused with 401 is one', () => {
  test('without headers', async () => {
    await expectRefused(body, {}, /`FS-Signature` is missing/);
    const { 'FS-Signature': signature = '', 'FS-Timestamp': timestamp = '' } = signed();
    await expectRefused(body, { 'FS-Timestamp': timestamp }, /`FS-Signature` is missing/);
    await expectRefused(body, { 'FS-Signature': signature }, /`FS-Timestamp` is missing/);
  });

  test('with another body, or the same one written otherwise', async () => {
    const message = /`FS-Signature` is not the signature/;
    await expectRefused(body.replace('7', '8'), signed(), message);
    await expectRefused(JSON.stringify(JSON.parse(body)), signed(), message);
    await expectRefused(`${body}\n`, signed(), message);
    await expectRefused(`\u{feff}${body}`, signed(), message);
    await expectRefused('', signed(), message);
    await expectRefused(Buffer.from(body, 'latin1'), signed(), message);
  });

  test('signed with another secret', async () => {
    const other = await make({ role: 'UPLOADER', signed: true });
    const forgeries = [other.signingSecret, token, '', `${secret}\n`];
    for (const forged of forgeries) {
      await expectRefused(body, signedHeaders(forged, testTime, body), /is not the signature/);
    }
  });

  test('signed without its time, or for another one', async () => {
    const { 'FS-Signature': bare = '' } = signedHeaders(secret, new Date(Number.NaN), body);
    await expectRefused(body, signed({ 'FS-Signature': bare }), /is not the signature/);
    await expectRefused(body, signed({ 'FS-Timestamp': '1795167001' }), /is not the signature/);
  });

  test.each([
    ['stale', 301],
    ['of the future', -301],
  ])('that is %s', async (_, off) => {
    gateway.clock.now = seconds(off);
    await expectRefused(body, signed(), /`FS-Timestamp` is more than 5 minutes off/);
  });

  test.each(['', 'now', '1795167000000', '1795167000.0', '-1795167000', '99999999999999999999'])(
    'whose time is %j',
    async (timestamp) => {
      await expectRefused(body, signed({ 'FS-Timestamp': timestamp }), /FS-Timestamp/);
    },
  );

  test.each(['', 'x', 'g'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), 'a'.repeat(8_000), 'ü'.repeat(64)])(
    'whose signature is %.70j',
    async (signature) => {
      await expectRefused(body, signed({ 'FS-Signature': signature }), /FS-Signature/);
    },
  );

  test('sent twice over', async () => {
    const { 'FS-Signature': signature = '', 'FS-Timestamp': timestamp = '' } = signed();
    const headers = {
      Authorization: `Bearer ${token}`,
      ...json,
      'FS-Signature': ['0'.repeat(64), signature],
      'FS-Timestamp': timestamp,
    };
    const response = await sendRaw(gateway.url + path, { method: 'POST', headers }, [body]);
    expect(response.status).toBe(401);
  });

  test('too long for any header: 431, by node', async () => {
    const headers = { Authorization: `Bearer ${token}`, ...signed({ 'FS-Signature': 'a'.repeat(20_000) }) };
    expect((await sendRaw(gateway.url + path, { method: 'POST', headers })).status).toBe(431);
  });

  test('whose token is revoked or expired, despite a correct signature', async () => {
    const expiresAt = seconds(60).toISOString();
    const short = await make({ role: 'UPLOADER', signed: true, expiresAt });
    const revoked = await make({ role: 'UPLOADER', signed: true });
    await ask(gateway, 'mutation ($id: ID!) { revokeAccessToken(id: $id) { id } }', revoked.accessToken);
    const send = (by: typeof short) =>
      post(body, signedHeaders(by.signingSecret, gateway.clock.now, body), by.token);
    expect((await send(short)).status).toBe(204);
    gateway.clock.now = seconds(60);
    for (const by of [short, revoked]) {
      expectError(await send(by), 401, 'UNAUTHORIZED', /unknown, expired or revoked/);
    }
  });
});

describe('elsewhere', () => {
  const elsewhere = routes.filter(({ kind }) => kind !== 'receive');
  const message = 'A signed token can be used only for POST /v1/bulkscan/receive.';

  test.each(elsewhere.map(({ method, path }) => [method, path] as const))(
    '%s %s answers 403 to a signed token, signed or not',
    async (method, path) => {
      const admin = await make({ role: 'ADMIN', signed: true });
      const raw = method === 'GET' ? undefined : '{}';
      const signature = signedHeaders(admin.signingSecret, testTime, raw ?? '');
      for (const headers of [json, { ...json, ...signature }]) {
        const request = { token: admin.token, headers, ...(raw && { raw }) };
        const response = await gateway.send(method, path.replace('{id}', nowhere), request);
        expectError(response, 403, 'FORBIDDEN');
        expect(response.json.message).toBe(message);
      }
    },
  );

  test('GraphQL answers 403, whatever is asked', async () => {
    const admin = await make({ role: 'ADMIN', signed: true });
    const upload = 'mutation { receiveUpload(input: {id: "1"}) { id } }';
    for (const query of ['{ me { name } }', '{ vehicles { totalCount } }', upload]) {
      const raw = JSON.stringify({ query });
      const headers = { ...json, ...signedHeaders(admin.signingSecret, testTime, raw) };
      const response = await gateway.send('POST', '/graphql', { token: admin.token, raw, headers });
      expect(response.status).toBe(403);
      expect(response.json).toEqual({
        errors: [{ message, extensions: { code: 'FORBIDDEN', violations: [] } }],
      });
      const url = `/graphql?query=${encodeURIComponent(query)}`;
      const headersOfGet = signedHeaders(admin.signingSecret, testTime, '');
      const answer = await gateway.send('GET', url, { token: admin.token, headers: headersOfGet });
      expect(answer.status).toBe(403);
    }
    expect(await count()).toBe(0);
  });

  test('what needs no token is not refused', async () => {
    expect((await gateway.send('OPTIONS', path, { token })).status).toBe(204);
    expect((await gateway.send('GET', path, { token })).status).toBe(405);
    expect((await gateway.send('GET', '/health/live', { token })).status).toBe(200);
  });
});

describe('an unsigned token', () => {
  test('may send signatures, which say nothing of it', async () => {
    const headers = { 'FS-Signature': 'whatever', 'FS-Timestamp': '0' };
    expect((await post(body, headers, gateway.uploader)).status).toBe(204);
  });

  test('and a signed one cost one statement to know', async () => {
    const [plain, proved] = [
      await namesOf(gateway, () => post('{"id": 1}', {}, gateway.uploader)),
      await namesOf(gateway, () => post('{"id": 2}', signedHeaders(secret, testTime, '{"id": 2}'))),
    ];
    expect(proved).toEqual(plain);
    expect(await namesOf(gateway, () => post(body, {}))).toEqual([]);
  });
});
