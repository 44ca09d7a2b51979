import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { roles } from '../../src/domain/caller.js';
import { nowhere } from '../rest/support.js';
import { createTenant, startGateway, type Tenant, testTime, useGateway } from '../support/gateway.js';
import {
  create,
  eventsOf,
  expectNothingWritten,
  later,
  make,
  plain,
  read,
  revoke,
} from './access-tokens.support.js';
import { ask, expectRefusal, refusal, serverId } from './support.js';

const gateway = useGateway({ SECRET_KEY: '5e'.repeat(32) });
let foreign: Tenant;
let max: string;
beforeAll(async () => {
  foreign = await createTenant(gateway.database, 'Globex');
  const where = { name: 'Max Member', organizationId: gateway.organizationId };
  max = (await gateway.database.prisma.user.findFirstOrThrow({ where })).id;
});

/** Returns the role that the gateway knows a token by; undefined when it does not. */
async function roleOf(token: string): Promise<string | undefined> {
  const response = await gateway.send('POST', '/graphql', { token, body: { query: '{ me { role } }' } });
  return response.json.data?.me.role;
}

describe('createAccessToken', () => {
  test.each(roles)('makes a token with the role %s, which works at once', async (role) => {
    const { token, signingSecret, accessToken } = await make(gateway, { role });
    expect(token).toMatch(/^egw_[\w-]{43}$/);
    expect(signingSecret).toBeNull();
    expect(accessToken).toEqual({
      id: serverId,
      name: 'CI',
      role,
      user: { id: gateway.userId, name: 'Ada Admin' },
      expiresAt: null,
      lastUsedAt: null,
      created: testTime.toISOString(),
      revokedAt: null,
      signed: false,
    });
    expect((await ask(gateway, read, accessToken)).accessToken).toEqual(accessToken);
    expect(await roleOf(token)).toBe(role);
  });

  test('for another user, until a time', async () => {
    const { token, accessToken } = await make(gateway, {
      name: ' x ',
      userId: max.toUpperCase(),
      expiresAt: later(1),
    });
    expect(accessToken).toMatchObject({ name: 'x', user: { name: 'Max Member' }, expiresAt: later(1) });
    expect((await ask(gateway, '{ me { name teams { id } } }', {}, token)).me).toEqual({
      name: 'Max Member',
      teams: [{ id: gateway.teamId }],
    });
    gateway.clock.now = new Date(later(1));
    expect(await roleOf(token)).toBeUndefined();
    gateway.clock.now = testTime;
  });

  test('with a name of 255 characters', async () => {
    const name = '𝒳'.repeat(255);
    expect((await make(gateway, { name })).accessToken.name).toBe(name);
  });

  test('shows the secret of a signed token, which is kept sealed', async () => {
    const { signingSecret, accessToken } = await make(gateway, { role: 'UPLOADER', signed: true });
    expect(signingSecret).toMatch(/^egs_[\w-]{43}$/);
    expect(accessToken.signed).toBe(true);
    const given = await make(gateway, { signingSecret: 'a-secret-of-the-sender' });
    expect(given).toMatchObject({ signingSecret: 'a-secret-of-the-sender', accessToken: { signed: true } });
    const rows = await gateway.database.prisma.accessToken.findMany({
      where: { id: { in: [accessToken.id, given.accessToken.id] } },
    });
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(Buffer.from(row.signingSecret ?? []).toString('latin1')).not.toMatch(/egs_|sender/);
      expect(row.signingSecret?.[0]).toBe(1);
    }
    expect((await make(gateway, { signed: false })).accessToken.signed).toBe(false);
  });

  test('makes nothing where its secret cannot be kept', async () => {
    const file = fileURLToPath(import.meta.url);
    const keyless = await startGateway({ DATA_DIR: file });
    try {
      await expectNothingWritten(keyless, async () => {
        const refused = refusal(keyless, create, { input: { ...plain, signed: true } });
        await expectRefusal(
          refused,
          'UNAVAILABLE',
          undefined,
          /^Signing secrets cannot be read or stored now\.$/,
        );
      });
      expect((await make(keyless)).token).toMatch(/^egw_/);
    } finally {
      await keyless.close();
    }
  });

  test('writes an event by the caller, without secrets', async () => {
    const { token, signingSecret } = await make(gateway, { name: 'scanner "3"', userId: max, signed: true });
    const event = (await eventsOf(gateway, 'token created')).at(-1);
    expect(event).toMatchObject({
      teamId: gateway.teamId,
      userId: gateway.userId,
      userName: 'Ada Admin',
      description: 'Token "scanner \\"3\\"" with the role member was created',
      details: null,
      created: testTime,
      entities: [],
    });
    const text = JSON.stringify(event);
    for (const secret of [token, signingSecret]) expect(text).not.toContain(secret);
  });

  test.each<[string, object, string | undefined]>([
    ['an empty name', { name: '' }, 'name'],
    ['a blank name', { name: ' ' }, 'name'],
    ['a long name', { name: 'x'.repeat(256) }, 'name'],
    ['a name with NUL', { name: 'a\0b' }, 'name'],
    ['an expiry that is now', { expiresAt: later(0) }, 'expiresAt'],
    ['an expiry that is past', { expiresAt: later(-1) }, 'expiresAt'],
    ['an unknown user', { userId: nowhere }, 'userId'],
    ['a user that is no UUID', { userId: 'Ada' }, 'userId'],
    ['a signed token that may not upload', { role: 'VIEWER', signed: true }, 'role'],
    ['a short secret', { signingSecret: 'x'.repeat(15) }, 'signingSecret'],
    ['a secret with white space', { signingSecret: `${'x'.repeat(20)}\n` }, 'signingSecret'],
    ['a secret for an unsigned token', { signed: false, signingSecret: 'x'.repeat(20) }, 'signingSecret'],
  ])('refuses %s', async (_, input, field) => {
    await expectNothingWritten(gateway, () =>
      expectRefusal(refusal(gateway, create, { input: { ...plain, ...input } }), 'BAD_REQUEST', field),
    );
  });

  test('refuses a user of another organization', async () => {
    const input = { ...plain, userId: foreign.userId };
    await expectNothingWritten(gateway, () =>
      expectRefusal(refusal(gateway, create, { input }), 'BAD_REQUEST', 'userId', /names no user/),
    );
  });

  test.each([
    { name: null },
    { role: null },
    { role: 'BOSS' },
    { role: undefined },
    { expiresAt: 'soon' },
    { hash: 'x' },
  ])('refuses %j before anything is run', async (input) => {
    const variables = { input: { ...plain, ...input } };
    const response = await gateway.send('POST', '/graphql', { body: { query: create, variables } });
    expect(response.json.data).toBeUndefined();
    expect(response.json.errors[0].extensions).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('revokeAccessToken', () => {
  test('revokes a token at once, with one event, and can be repeated', async () => {
    const { token, accessToken } = await make(gateway, { userId: max });
    expect(await roleOf(token)).toBe('MEMBER');
    const before = (await eventsOf(gateway, 'token revoked')).length;
    const { revokeAccessToken: revoked } = await ask(gateway, revoke, accessToken);
    expect(revoked).toMatchObject({ id: accessToken.id, revokedAt: testTime.toISOString() });
    const response = await gateway.send('GET', '/v1/vehicles', { token });
    expect(response.status).toBe(401);
    gateway.clock.now = new Date(later(1_000));
    const again = (await ask(gateway, revoke, accessToken)).revokeAccessToken;
    // Its last use is written down in the meantime, which nobody waits for.
    expect({ ...again, lastUsedAt: null }).toEqual({ ...revoked, lastUsedAt: null });
    gateway.clock.now = testTime;
    const events = await eventsOf(gateway, 'token revoked');
    expect(events).toHaveLength(before + 1);
    expect(events.at(-1)).toMatchObject({
      userId: gateway.userId,
      teamId: gateway.teamId,
      description: 'Token "CI" with the role member was revoked',
    });
  });

  test('twenty times at once writes one event', async () => {
    const { accessToken } = await make(gateway);
    const before = (await eventsOf(gateway, 'token revoked')).length;
    await Promise.all(Array.from({ length: 20 }, () => ask(gateway, revoke, accessToken)));
    expect(await eventsOf(gateway, 'token revoked')).toHaveLength(before + 1);
  });

  test("ends the caller's own token", async () => {
    const own = await make(gateway, { role: 'ADMIN' });
    await ask(gateway, revoke, own.accessToken, own.token);
    expect(await roleOf(own.token)).toBeUndefined();
  });

  test.each([nowhere, 'no-uuid', ''])('does not know %j', async (id) => {
    await expectNothingWritten(gateway, () => expectRefusal(refusal(gateway, revoke, { id }), 'NOT_FOUND'));
  });
});
