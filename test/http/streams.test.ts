import { describe, expect, test } from 'vitest';
import { post, streams } from '../live/support.js';
import { startGateway, useGateway } from '../support/gateway.js';

const gateway = useGateway();

const query = 'subscription { eventLogged { id } }';

describe('a stream', () => {
  test.each(['text/event-stream', 'text/event-stream;q=0.9, application/json', '*/*', 'text/*'])(
    'is what %s gets',
    async (accept) => {
      const response = await post(gateway, { query }, { accept });
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-request-id': expect.any(String),
      });
      expect(response.headers.has('content-encoding')).toBe(false);
      await response.body?.cancel();
      await streams(gateway, 0);
    },
  );

  test('can be asked for with GET', async () => {
    const response = await fetch(`${gateway.url}/graphql?query=${encodeURIComponent(query)}`, {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${gateway.admin}` },
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await response.body?.cancel();
    await streams(gateway, 0);
  });

  test('is pinged', async () => {
    const quick = await startGateway({}, { heartbeat: 20 });
    const response = await post(quick, { query });
    const reader = response.body?.getReader();
    const parts = [await reader?.read(), await reader?.read()];
    expect(parts.map((part) => new TextDecoder().decode(part?.value))).toEqual([':\n\n', ':\n\n']);
    await reader?.cancel();
    await streams(quick, 0);
    await quick.close();
  });
});

describe('nothing is left open by who', () => {
  test.each(['application/json', 'application/graphql-response+json', 'multipart/mixed', 'text/html'])(
    'takes %s only',
    async (accept) => {
      const response = await post(gateway, { query }, { accept });
      expect(response.status).toBe(406);
      expect(gateway.app.streams()).toBe(0);
      const text = await response.text();
      if (accept.includes('json')) {
        expect(JSON.parse(text)).toEqual({
          errors: [
            {
              message: expect.stringContaining('text/event-stream'),
              extensions: { code: 'NOT_ACCEPTABLE', violations: [] },
            },
          ],
        });
      }
    },
  );

  test('asks for the head of it', async () => {
    const response = await fetch(`${gateway.url}/graphql?query=${encodeURIComponent(query)}`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${gateway.admin}` },
    });
    expect(response.status).toBe(406);
    expect(gateway.app.streams()).toBe(0);
  });

  test.each([
    ['has no token', 'unknown', 401, 'UNAUTHORIZED'],
    ['may not read', 'uploader', 200, 'FORBIDDEN'],
  ] as const)('%s', async (_name, who, status, code) => {
    const token = who === 'uploader' ? gateway.uploader : who;
    const response = await post(gateway, { query, token });
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(`"code":"${code}"`);
    expect(gateway.app.streams()).toBe(0);
  });
});
