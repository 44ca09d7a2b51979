import { expect, test } from 'vitest';
import { startGateway, useGateway } from '../support/gateway.js';

const gateway = useGateway();

const check = (path: string) => gateway.send('GET', path, { token: null });

test.each([
  ['/health/live', 'live'],
  ['/health/ready', 'ready'],
  ['/livez', 'live'],
  ['/readyz', 'ready'],
])('%s answers without a token, and is not to be cached', async (path, status) => {
  const response = await check(path);
  expect(response).toMatchObject({ status: 200, json: { status } });
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect((await gateway.send('HEAD', path, { token: null })).status).toBe(200);
});

test.each(['/health', '/graphql/health', '/v1/health', '/x/health'])('%s is no check', async (path) => {
  expect((await check(path)).status).toBe(404);
});

test('a stopping gateway is not ready, but still answers', async () => {
  const stopping = await startGateway();
  try {
    stopping.app.retire();
    const ready = await stopping.send('GET', '/health/ready', { token: null });
    expect(ready).toMatchObject({
      status: 503,
      json: { status: 'not ready', reason: 'The gateway is stopping.' },
    });
    expect((await stopping.send('GET', '/health/live', { token: null })).status).toBe(200);
    const created = await stopping.send('POST', '/v1/vehicles', { body: { name: 'Van' } });
    expect(created.status).toBe(201);
    // The caller's next connection goes to another gateway.
    expect(created.headers.get('connection')).toBe('close');
    expect(await stopping.graphql('{ vehicles { totalCount } }')).toEqual({
      data: { vehicles: { totalCount: 1 } },
    });
  } finally {
    await stopping.close();
  }
});

test('without its database the gateway lives, and is not ready', async () => {
  const alone = await startGateway();
  try {
    await alone.database.close();
    const ready = await alone.send('GET', '/health/ready', { token: null });
    expect(ready).toMatchObject({ status: 503, json: { reason: 'The database is away.' } });
    expect((await alone.send('GET', '/health/live', { token: null })).status).toBe(200);
  } finally {
    await alone.close();
  }
});
