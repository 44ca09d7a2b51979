import { describe, expect, test } from 'vitest';
import { createToken } from '../../src/access/tokens.js';
import { testTime, useGateway } from '../support/gateway.js';
import { create, expectError, expectNothingWritten, nowhere, patch } from './support.js';

const gateway = useGateway();

const rename = [{ op: 'replace', path: '/name', value: 'Mine' }];
const endpoints: [method: string, path: string, body: unknown][] = [
  ['GET', '/v1/vehicles', undefined],
  ['POST', '/v1/vehicles', { name: 'Mine' }],
  ['PUT', '/v1/vehicles/{id}', { name: 'Mine' }],
  ['PATCH', '/v1/vehicles/{id}', rename],
];

describe.each(endpoints)('%s %s', (method, path, body) => {
  test('answers 401 with a challenge when no valid token is sent', async () => {
    const { id } = await create(gateway);
    const about = {
      organizationId: gateway.organizationId,
      userId: gateway.userId,
      name: 'old',
      role: 'ADMIN' as const,
    };
    const earlier = new Date(testTime.getTime() - 1);
    const expired = await createToken(gateway.database, { ...about, expiresAt: testTime }, earlier);
    const revoked = await createToken(gateway.database, { ...about, expiresAt: null }, testTime);
    await gateway.database.prisma.accessToken.update({
      where: { id: revoked.id },
      data: { revokedAt: testTime },
    });
    const wrong: (string | undefined)[] = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearer unknown',
      'Bearer two words',
      `Basic ${gateway.admin}`,
      gateway.admin,
      `Bearer ${expired.token}`,
      `Bearer ${revoked.token}`,
      `Bearer ${gateway.admin}x`,
    ];
    await expectNothingWritten(gateway, async () => {
      for (const authorization of wrong) {
        const headers: Record<string, string> =
          authorization === undefined ? {} : { Authorization: authorization };
        const response = await gateway.send(method, path.replace('{id}', id), { token: null, body, headers });
        expectError(response, 401, 'UNAUTHORIZED');
        expect(response.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
      }
    });
  });

  test('takes the scheme of the token in any letter case', async () => {
    const { id } = await create(gateway);
    const headers = { Authorization: `bEARER ${gateway.admin}` };
    const response = await gateway.send(method, path.replace('{id}', id), { token: null, body, headers });
    expect([200, 201]).toContain(response.status);
  });
});

describe('ids in paths', () => {
  const wrong = [
    nowhere,
    '1',
    'null',
    'not-a-uuid',
    '%00',
    '%zz',
    'a%2Fb',
    `%7B${nowhere}%7D`,
    nowhere.replaceAll('-', ''),
    `${nowhere}%20`,
    'x'.repeat(2_000),
  ];
  test.each(wrong)('%.50s is no vehicle: 404', async (id) => {
    await expectNothingWritten(gateway, async () => {
      expectError(await gateway.send('PUT', `/v1/vehicles/${id}`, { body: {} }), 404, 'NOT_FOUND');
      expectError(await patch(gateway, { id }, rename), 404, 'NOT_FOUND');
    });
  });

  test('match in upper case', async () => {
    const { id } = await create(gateway, { name: 'Before' });
    const response = await patch(gateway, { id: id.toUpperCase() }, rename);
    expect(response.json).toMatchObject({ id, name: 'Mine' });
  });
});
