import { beforeEach, describe, expect, test } from 'vitest';
import { createToken } from '../../src/access/tokens.js';
import { newId } from '../../src/domain/rules.js';
import { make, namedBy } from '../contract/fixtures.js';
import { ask, bodyFor, hasId } from '../contract/requests.js';
import { rows } from '../contract/rows.js';
import { createTenant, testTime, useGateway } from '../support/gateway.js';
import { hours, isReplay, keyed, shown, written } from './idempotency.support.js';
import { create, expectBadRequest, expectError, expectNothingWritten } from './support.js';

const gateway = useGateway();
beforeEach(() => {
  gateway.clock.now = testTime;
});

const van = { body: { name: 'Van', year: 2024 } };
const post = (request = keyed(van)) => gateway.send('POST', '/v1/vehicles', request);

describe.each(
  rows.filter(({ method }) => method !== 'GET').map((row) => [`${row.method} ${row.path}`, row] as const),
)('%s with a key', (_name, row) => {
  test('is done once, and answered again byte for byte', async () => {
    const home = { gateway, tenant: gateway };
    const { id = '' } = hasId(row) ? await make(home, namedBy(row)) : {};
    const body = row.path.endsWith('/receive') ? { action: 'fp.upload' } : await bodyFor(home, row);
    const request = keyed({ body });
    const first = await ask(home, row, id, request);
    expect([first.status, isReplay(first)]).toEqual([row.status, false]);
    const after = await written(gateway);
    gateway.clock.now = new Date(testTime.getTime() + hours(23));
    for (let again = 0; again < 2; again++) {
      const replay = await ask(home, row, id, request);
      expect(shown(replay)).toEqual(shown(first));
      expect(isReplay(replay)).toBe(true);
    }
    expect(await written(gateway)).toEqual(after);
  });
});

describe('another request under the key', () => {
  test.each<[string, (id: string) => [string, string, object]]>([
    ['of another body', () => ['POST', '/v1/vehicles', { body: { ...van.body, year: 2025 } }]],
    ['to another path', () => ['POST', '/v1/companies', van]],
    ['of another method', (id) => ['PUT', `/v1/vehicles/${id}`, van]],
    ['with another query', () => ['POST', '/v1/vehicles?x=1', van]],
    ['to the receiver', () => ['POST', '/v1/bulkscan/receive', van]],
  ])('%s is 422, and does nothing', async (_name, other) => {
    const key = newId();
    const { json } = await post(keyed(van, key));
    const [method, path, request] = other(json.id);
    await expectNothingWritten(gateway, async () => {
      expectError(
        await gateway.send(method, path, keyed(request, key)),
        422,
        'UNPROCESSABLE',
        /`Idempotency-Key`/,
      );
    });
    expect(isReplay(await post(keyed(van, key)))).toBe(true);
  });

  test('is the same one when its parameters come in another order', async () => {
    const [key, path] = [newId(), '/v1/vehicles'];
    const first = await gateway.send('POST', `${path}?a=1&b=2`, keyed(van, key));
    const again = await gateway.send('POST', `${path}?b=2&a=1`, keyed(van, key));
    expect(shown(again)).toEqual(shown(first));
  });
});

describe('whose a key is', () => {
  test("another user's, another organization's and another token's requests are their own", async () => {
    const key = newId();
    const { userId, organizationId, admin, member, database } = gateway;
    const token = { organizationId, userId, name: 'second', role: 'ADMIN', expiresAt: null } as const;
    const second = (await createToken(database, token, testTime)).token;
    const abroad = (await createTenant(database, 'Elsewhere')).admin;
    const answers = [];
    for (const token of [admin, member, second, abroad])
      answers.push(await post(keyed({ ...van, token }, key)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(answers.some(isReplay)).toBe(false);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(4);
  });

  test('a request with a key sees and writes no more than one without', async () => {
    const { member: token, otherTeamId: team_id } = gateway;
    const { id } = await create(gateway, { team_id });
    await expectNothingWritten(gateway, async () => {
      const put = keyed({ body: { name: 'Theirs' }, token });
      expectError(await gateway.send('PUT', `/v1/vehicles/${id}`, put), 404, 'NOT_FOUND');
      expectBadRequest(await post(keyed({ body: { team_id }, token })), /^team_id/);
    });
  });

  test('nothing is replayed without a right to it', async () => {
    const key = newId();
    await post(keyed(van, key));
    expectError(await post(keyed({ ...van, token: null }, key)), 401, 'UNAUTHORIZED');
    expectError(await post(keyed({ ...van, token: gateway.viewer }, key)), 403, 'FORBIDDEN');
  });
});

describe('time', () => {
  test('an answer is kept for 24 hours; then the key is a new one', async () => {
    const request = keyed(van);
    const first = await post(request);
    gateway.clock.now = new Date(testTime.getTime() + hours(24) - 1);
    expect(shown(await post(request))).toEqual(shown(first));
    gateway.clock.now = new Date(testTime.getTime() + hours(24));
    const second = await post(request);
    expect([second.status, isReplay(second)]).toEqual([201, false]);
    expect(second.json.id).not.toBe(first.json.id);
    expect(shown(await post(request))).toEqual(shown(second));
  });

  test('answers past their time go, some with each new one', async () => {
    const { prisma } = gateway.database;
    const { id: callerId, organizationId } = await prisma.accessToken.findFirstOrThrow();
    await prisma.idempotencyKey.deleteMany();
    await prisma.idempotencyKey.createMany({
      data: Array.from({ length: 25 }, (_, i) => ({
        callerId,
        organizationId,
        key: `old ${i}`,
        sealed: new Uint8Array(),
        created: new Date(testTime.getTime() - hours(24) - i),
      })),
    });
    await post();
    expect(await prisma.idempotencyKey.count({ where: { key: { startsWith: 'old' } } })).toBe(5);
    await post();
    expect(await prisma.idempotencyKey.count({ where: { key: { startsWith: 'old' } } })).toBe(0);
    expect(await prisma.idempotencyKey.count()).toBe(2);
  });
});

describe('the header', () => {
  test.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
    ['not ASCII', 'clé'],
    ['of two words', 'one two'],
    ['sent twice', 'one, two'],
  ])('is refused when it is %s', async (_name, key) => {
    await expectNothingWritten(gateway, async () => {
      expectBadRequest(await post(keyed(van, key)), /`Idempotency-Key`.*255/);
    });
  });

  test.each(['k', '~'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"'])('may be %s', async (key) => {
    const first = await post(keyed(van, key));
    expect(first.status).toBe(201);
    expect(isReplay(await post(keyed(van, key)))).toBe(true);
  });

  test('means nothing to GET', async () => {
    for (const key of ['k', '']) {
      const answer = await gateway.send('GET', '/v1/vehicles', keyed({}, key));
      expect([answer.status, isReplay(answer)]).toEqual([200, false]);
    }
  });

  test('left out, costs no statement', async () => {
    const sent = await gateway.statements(() => post(van));
    expect(sent.filter((sql) => /idempotency|advisory/.test(sql))).toEqual([]);
  });
});

test('an upload that comes with a key is a job like any other, and a repeat like any other', async () => {
  const { status } = await gateway.send(
    'POST',
    '/v1/bulkscan/receive',
    keyed({ body: { id: 77, action: 'fp.upload' } }),
  );
  expect(status).toBe(204);
  // Without the key, or with another, it is still the notification that came before.
  const again = await gateway.send(
    'POST',
    '/v1/bulkscan/receive',
    keyed({ body: { id: 77, action: 'fp.upload' } }),
  );
  expect([again.status, isReplay(again)]).toEqual([204, false]);
  const where = { notificationId: 77n };
  expect(await gateway.database.prisma.uploadNotification.findMany({ where })).toMatchObject([
    { state: 'RECEIVED', dueAt: testTime },
  ]);
});
