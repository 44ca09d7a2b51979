import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listTokens } from '../../src/access/access-tokens.js';
import { authenticate } from '../../src/access/callers.js';
import { createToken, revokeToken } from '../../src/access/tokens.js';
import { createSecrets, parseKey } from '../../src/db/secrets/secrets.js';
import type { Role } from '../../src/domain/caller.js';
import { eventTypes } from '../../src/domain/models.js';
import { newId } from '../../src/domain/rules.js';
import { findOrganization, findOrMakeUser, firstUser } from '../../src/setup/accounts.js';
import { bootstrap } from '../../src/setup/bootstrap.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';

const now = new Date('2026-11-20T09:30:00.000Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const secrets = createSecrets({ secretKey: parseKey('5e'.repeat(32)), dataDir: 'unused' });
const sent: string[] = [];
let { database, drop } = {} as TestDatabase;
let organizationId: string;
let adminId: string;

beforeAll(async () => {
  ({ database, drop } = await createDatabase(({ query }) => sent.push(query)));
  await bootstrap(database, { token: 'first', demo: false, now });
  organizationId = (await findOrganization(database)).id;
  adminId = (await firstUser(database.prisma, organizationId)).id;
});
afterAll(() => drop());

function make(role: Role = 'MEMBER', changes: Partial<Parameters<typeof createToken>[1]> = {}) {
  return createToken(
    database,
    { organizationId, userId: adminId, name: 'ci', role, expiresAt: null, ...changes },
    now,
  );
}

async function makeTeam(name: string, organization = organizationId): Promise<string> {
  const team = { id: newId(), organizationId: organization, name };
  await database.prisma.team.create({ data: team });
  return team.id;
}

function eventsOf(type: 'token created' | 'token revoked') {
  return database.prisma.eventLog.findMany({
    where: { typeId: eventTypes[type] },
    include: { entities: true },
  });
}

describe('createToken', () => {
  it('answers 256 random bits and keeps nothing but their hash', async () => {
    const [one, two] = [await make(), await make()];
    expect(one.token).toMatch(/^egw_[A-Za-z0-9_-]{43}$/);
    expect(one.token).not.toBe(two.token);
    const row = await database.prisma.accessToken.findUniqueOrThrow({ where: { id: one.id } });
    expect(row.hash).toHaveLength(32);
    expect(JSON.stringify(await listTokens(database))).not.toContain('hash');
  });

  it('logs the event without the token', async () => {
    const { token } = await make('UPLOADER', { name: 'scanner "3"' });
    const event = (await eventsOf('token created')).at(-1);
    const user = await database.prisma.user.findUniqueOrThrow({ where: { id: adminId } });
    expect(event).toMatchObject({
      organizationId,
      teamId: user.teamId,
      userId: user.id,
      userName: user.name,
      description: 'Token "scanner \\"3\\"" with the role uploader was created',
      created: now,
      entities: [],
    });
    expect(JSON.stringify(event)).not.toContain(token);
  });

  it.each([
    ['an empty name', { name: ' ' }, 'BAD_REQUEST'],
    ['a long name', { name: 'x'.repeat(256) }, 'BAD_REQUEST'],
    ['an expiry that is past', { expiresAt: now }, 'BAD_REQUEST'],
    ['an unknown user', { userId: newId() }, 'BAD_REQUEST'],
    ['another organization', { organizationId: newId() }, 'BAD_REQUEST'],
    ['a signed token that may not upload', { role: 'VIEWER', signing: { secrets } }, 'BAD_REQUEST'],
    ['a short secret', { signing: { secrets, secret: 'x'.repeat(15) } }, 'BAD_REQUEST'],
    ['a long secret', { signing: { secrets, secret: 'x'.repeat(256) } }, 'BAD_REQUEST'],
    ['a secret with a space', { signing: { secrets, secret: `${'x'.repeat(20)} ` } }, 'BAD_REQUEST'],
    ['a secret that is not ASCII', { signing: { secrets, secret: 'ü'.repeat(20) } }, 'BAD_REQUEST'],
  ] as const)('refuses %s and makes nothing', async (_, changes, code) => {
    const before = [await database.prisma.accessToken.count(), await database.prisma.eventLog.count()];
    await expect(make('MEMBER', changes)).rejects.toMatchObject({ name: 'GatewayError', code });
    expect([await database.prisma.accessToken.count(), await database.prisma.eventLog.count()]).toEqual(
      before,
    );
  });

  it('refuses a token that exists', async () => {
    const given = { organizationId, userId: adminId, name: 'again', role: 'ADMIN' as const, expiresAt: null };
    await expect(createToken(database, given, now, 'first')).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('a signed token', () => {
  const make = (secret?: string) =>
    createToken(
      database,
      {
        organizationId,
        userId: adminId,
        name: 'scanner',
        role: 'UPLOADER',
        expiresAt: null,
        signing: { secrets, secret },
      },
      now,
    );
  const read = (id: string) => database.prisma.accessToken.findUniqueOrThrow({ where: { id } });

  it('has a secret of 256 random bits, or the given one', async () => {
    const [one, two] = [await make(), await make()];
    expect(one.signingSecret).toMatch(/^egs_[A-Za-z0-9_-]{43}$/);
    expect(one.signingSecret).not.toBe(two.signingSecret);
    expect(one.accessToken.signed).toBe(true);
    expect((await make('Y5cWb1rdRDSTSqEjF5pv')).signingSecret).toBe('Y5cWb1rdRDSTSqEjF5pv');
  });

  it('is stored with an unreadable secret that only this token can open', async () => {
    const { id, signingSecret } = await make();
    const other = await make();
    const sealed = (await read(id)).signingSecret ?? new Uint8Array();
    expect(Buffer.from(sealed).toString('latin1')).not.toContain(signingSecret?.slice(0, 8));
    expect(await secrets.open(sealed, id)).toBe(signingSecret);
    await expect(secrets.open(sealed, other.id)).rejects.toThrow('is not the one');
    const listed = JSON.stringify(await listTokens(database));
    expect(listed).not.toMatch(/signingSecret|egs_/);
  });

  it('is known by nobody who does not ask for its proof', async () => {
    const { id, token } = await make();
    expect(await authenticate(database, token, now)).toBeNull();
    const proved: string[] = [];
    const verifySignature = async (signed: { id: string }) => void proved.push(signed.id);
    expect(await authenticate(database, token, now, { verifySignature })).toMatchObject({ tokenId: id });
    expect(proved).toEqual([id]);
  });

  it('does not count as used when the proof fails', async () => {
    const { id, token } = await make();
    const verifySignature = () => Promise.reject(new Error('not signed'));
    sent.length = 0;
    await expect(authenticate(database, token, now, { verifySignature })).rejects.toThrow('not signed');
    expect(sent).toHaveLength(1);
    expect((await read(id)).lastUsedAt).toBeNull();
  });

  it('costs the unsigned nothing: no proof is asked for', async () => {
    const { token } = await createToken(
      database,
      { organizationId, userId: adminId, name: 'plain', role: 'UPLOADER', expiresAt: null },
      now,
    );
    const verifySignature = () => Promise.reject(new Error('asked for'));
    expect(await authenticate(database, token, now, { verifySignature })).not.toBeNull();
  });
});

describe('authenticate', () => {
  it('finds the user behind a token', async () => {
    const { id, token } = await make('ADMIN');
    const user = await database.prisma.user.findUniqueOrThrow({ where: { id: adminId } });
    expect(await authenticate(database, token, now)).toEqual({
      tokenId: id,
      role: 'ADMIN',
      organizationId,
      teamIds: [user.teamId],
      user: { id: user.id, name: user.name, email: user.email, teamId: user.teamId },
    });
  });

  it.each(['', 'egw_', 'FIRST', 'first ', "' OR true --", '\0'])('knows nobody behind %j', async (token) => {
    expect(await authenticate(database, token, now)).toBeNull();
  });

  it('ends with the expiry', async () => {
    const { token } = await make('MEMBER', { expiresAt: later(1000) });
    expect(await authenticate(database, token, later(999))).not.toBeNull();
    expect(await authenticate(database, token, later(1000))).toBeNull();
  });

  it('lets an admin into every workspace of the organization, and others into their own, ordered', async () => {
    const other = await database.prisma.organization.create({ data: { id: newId(), name: 'Other' } });
    const foreign = await makeTeam('Foreign', other.id);
    const user = await findOrMakeUser(database, organizationId, 'member@example.com', now);
    const [joined, alone] = [await makeTeam('Joined'), await makeTeam('Not joined')];
    // The second is what a faulty import could leave behind.
    const memberships = [joined, foreign].map((teamId) => ({ userId: user.id, teamId }));
    await database.prisma.membership.createMany({ data: memberships });
    const admin = await authenticate(database, (await make('ADMIN', { userId: user.id })).token, now);
    const member = await authenticate(database, (await make('MEMBER', { userId: user.id })).token, now);
    const { teamId: home } = await database.prisma.user.findUniqueOrThrow({ where: { id: user.id } });
    expect(member?.teamIds).toEqual([home, joined].sort());
    expect(admin?.teamIds).toEqual([home, joined, alone].sort());
  });

  it('falls back to the first workspace when the default one is not open, or to none', async () => {
    const user = await findOrMakeUser(database, organizationId, 'moved@example.com', now);
    const { token } = await make('VIEWER', { userId: user.id });
    await database.prisma.membership.deleteMany({ where: { userId: user.id } });
    expect((await authenticate(database, token, now))?.user.teamId).toBe('');
    const teamId = await makeTeam('New home');
    await database.prisma.membership.create({ data: { userId: user.id, teamId } });
    expect((await authenticate(database, token, now))?.user.teamId).toBe(teamId);
  });

  describe('writes down the last use', () => {
    async function lastUse(id: string): Promise<Date | null> {
      return (await database.prisma.accessToken.findUniqueOrThrow({ where: { id } })).lastUsedAt;
    }

    it('at most once a minute, with one statement more', async () => {
      const { id, token } = await make();
      await authenticate(database, token, now);
      await expect.poll(() => lastUse(id)).toEqual(now);
      sent.length = 0;
      await authenticate(database, token, later(59_999));
      await authenticate(database, token, later(60_000));
      await expect.poll(() => sent.length).toBe(3);
      expect(sent.map((sql) => sql.trim().split(/\s/)[0])).toEqual(['SELECT', 'SELECT', 'UPDATE']);
      // Told of when it is sent, which is before it is done.
      await expect.poll(() => lastUse(id)).toEqual(later(60_000));
    });

    it('and fails no request when it cannot', async () => {
      const { token } = await make();
      const errors: unknown[] = [];
      const { prisma } = database;
      await prisma.$executeRaw`ALTER TABLE access_tokens ADD CONSTRAINT never_used CHECK (last_used_at IS NULL) NOT VALID`;
      expect(
        await authenticate(database, token, now, { onError: (error) => errors.push(error) }),
      ).not.toBeNull();
      await expect.poll(() => errors.length).toBe(1);
      await prisma.$executeRaw`ALTER TABLE access_tokens DROP CONSTRAINT never_used`;
    });
  });
});

describe('revokeToken', () => {
  it('ends a token at once, and logs it once', async () => {
    const { id, token } = await make();
    const before = (await eventsOf('token revoked')).length;
    expect(await revokeToken(database, id, now)).toBe(true);
    expect(await revokeToken(database, id, later(1))).toBe(true);
    expect(await authenticate(database, token, now)).toBeNull();
    const events = await eventsOf('token revoked');
    expect(events).toHaveLength(before + 1);
    expect(events.at(-1)).toMatchObject({
      description: 'Token "ci" with the role member was revoked',
      entities: [],
    });
    const row = await database.prisma.accessToken.findUniqueOrThrow({ where: { id } });
    expect(row.revokedAt).toEqual(now);
  });

  it.each([newId(), 'nonsense'])('does not know %s', async (id) => {
    expect(await revokeToken(database, id, now)).toBe(false);
  });
});
