import { beforeAll, describe, expect, test } from 'vitest';
import { nowhere } from '../rest/support.js';
import { createTenant, type Tenant, testTime, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import {
  create,
  expectNothingWritten,
  later,
  list,
  make,
  plain,
  read,
  revoke,
} from './access-tokens.support.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway({ SECRET_KEY: '5e'.repeat(32) });

describe('another organization', () => {
  test('sees and ends none of its tokens', async () => {
    const foreign = await createTenant(gateway.database, 'Globex');
    const { accessToken } = await make(gateway);
    await expectNothingWritten(gateway, async () => {
      const refused = refusal(gateway, revoke, accessToken, foreign.admin);
      await expectRefusal(refused, 'NOT_FOUND', undefined, /^There is no access token/);
      expect((await ask(gateway, read, accessToken, foreign.admin)).accessToken).toBeNull();
    });
    const { nodes, totalCount } = (await ask(gateway, list, {}, foreign.admin)).accessTokens;
    expect([nodes.length, totalCount]).toEqual([4, 4]);
  });
});

describe('only an admin may', () => {
  const operations: [name: string, query: string, variables: () => Promise<object>][] = [
    ['createAccessToken', create, async () => ({ input: plain })],
    ['revokeAccessToken', revoke, async () => (await make(gateway)).accessToken],
    ['accessToken', read, async () => (await make(gateway)).accessToken],
    ['accessTokens', list, async () => ({})],
  ];

  describe.each(operations)('%s', (name, query, variables) => {
    test.each(['member', 'viewer', 'uploader'] as const)('not a %s', async (role) => {
      const given = await variables();
      await expectNothingWritten(gateway, () =>
        expectRefusal(
          refusal(gateway, query, given, gateway[role]),
          'FORBIDDEN',
          undefined,
          new RegExp(`role ${role.toUpperCase()}`),
        ),
      );
    });

    test('nobody without a token', async () => {
      const given = await variables();
      await expectNothingWritten(gateway, async () => {
        const body = { query, variables: given };
        const response = await gateway.send('POST', '/graphql', { token: null, body });
        expect(response.status).toBe(401);
        expect(response.json.errors[0].extensions).toEqual({ code: 'UNAUTHORIZED', violations: [] });
      });
    });

    test('the admin', async () => {
      expect((await ask(gateway, query, await variables()))[name]).not.toBeNull();
    });
  });
});

describe('accessTokens', () => {
  let tenant: Tenant;
  let max: string;
  const names = async (variables: object) => {
    const { nodes, totalCount } = (await ask(gateway, list, variables, tenant.admin)).accessTokens;
    expect(totalCount).toBe(nodes.length);
    return nodes.map(({ name }: { name: string }) => name);
  };
  beforeAll(async () => {
    tenant = await createTenant(gateway.database, 'Initech');
    const { organizationId } = tenant;
    const { prisma } = gateway.database;
    const data = { created: new Date(later(-1_000)) };
    await prisma.accessToken.updateMany({ where: { organizationId }, data });
    const user = await prisma.user.findFirstOrThrow({ where: { organizationId, name: 'Max Member' } });
    max = user.id;
    await make(gateway, { name: 'b', expiresAt: later(10_000) }, tenant.admin);
    gateway.clock.now = new Date(later(1));
    const { accessToken } = await make(gateway, { name: 'A', role: 'VIEWER', userId: max }, tenant.admin);
    await ask(gateway, revoke, accessToken, tenant.admin);
    gateway.clock.now = testTime;
    // From here on the use of no token is written down, so that a list by it stands still.
    await prisma.accessToken.updateMany({
      where: { name: { in: ['b', 'VIEWER'] } },
      data: { lastUsedAt: null },
    });
  });

  test.each<[filter: object, found: string[]]>([
    [{ term: 'a' }, ['A', 'UPLOADER', 'ADMIN']],
    [{ term: '%' }, []],
    [{ role: 'VIEWER' }, ['A', 'VIEWER']],
    [{ isRevoked: true }, ['A']],
    [{ isRevoked: false, role: 'MEMBER' }, ['b', 'MEMBER']],
    [{ userId: nowhere }, []],
  ])('%j finds %j, the newest first', async (filter, found) => {
    expect(await names({ filter })).toEqual(found);
  });

  test("finds a user's", async () => {
    expect(await names({ filter: { userId: max } })).toEqual(['A', 'UPLOADER', 'VIEWER', 'MEMBER']);
  });

  test.each(['CREATED', 'EXPIRES_AT', 'ID', 'LAST_USED_AT', 'NAME', 'REVOKED_AT'])(
    'by %s, page by page, shows each once',
    async (field) => {
      for (const direction of ['ASC', 'DESC']) {
        const orderBy = { field, direction };
        const whole = await names({ orderBy });
        const paged: string[] = [];
        for (let after: string | null = null, more = true; more; ) {
          const data = await ask(gateway, list, { first: 2, after, orderBy }, tenant.admin);
          paged.push(...data.accessTokens.nodes.map(({ name }: { name: string }) => name));
          after = data.accessTokens.pageInfo.endCursor;
          more = data.accessTokens.pageInfo.hasNextPage;
        }
        expect(paged).toEqual(whole);
        expect([...whole].sort()).toEqual(['A', 'ADMIN', 'MEMBER', 'UPLOADER', 'VIEWER', 'b']);
      }
    },
  );

  test('puts the soonest expiry first', async () => {
    expect((await names({ orderBy: { field: 'EXPIRES_AT', direction: 'ASC' } }))[0]).toBe('b');
  });

  test('takes one statement for the tokens with their users, and one to count', async () => {
    const sent = await namesOf(gateway, () => ask(gateway, list, {}, tenant.admin));
    expect(sent.sort()).toEqual(['access_tokens.count', 'access_tokens.list + users']);
  });
});

test("no field shows a token's secret, and no answer except that of its creation", async () => {
  const { token, signingSecret, accessToken } = await make(gateway, { signed: true });
  for (const field of ['hash', 'signingSecret', 'token', 'organizationId']) {
    const query = `{ accessTokens { nodes { ${field} } } }`;
    const response = await gateway.send('POST', '/graphql', { body: { query } });
    expect(response.json.errors[0].message).toMatch(/^Cannot query field/);
  }
  const row = await gateway.database.prisma.accessToken.findUniqueOrThrow({ where: { id: accessToken.id } });
  const kept = [row.hash, row.signingSecret ?? new Uint8Array()].map((bytes) => Buffer.from(bytes));
  const secrets = [
    token,
    signingSecret,
    ...kept.flatMap((bytes) => [bytes.toString('hex'), bytes.toString('base64')]),
  ];
  const answers = [
    await gateway.send('POST', '/graphql', { body: { query: list, variables: { first: 500 } } }),
    await gateway.send('POST', '/graphql', { body: { query: read, variables: accessToken } }),
    await gateway.send('POST', '/graphql', { body: { query: revoke, variables: accessToken } }),
    await gateway.send('GET', '/v1/eventlogs?paging=500'),
  ];
  for (const { status, text } of answers) {
    expect(status).toBe(200);
    expect(text).toContain(accessToken.name);
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
});
