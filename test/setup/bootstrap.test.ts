import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listTokens } from '../../src/access/access-tokens.js';
import { authenticate } from '../../src/access/callers.js';
import { endFirstToken } from '../../src/access/people.js';
import { createToken, revokeToken } from '../../src/access/tokens.js';
import { createSecrets, parseKey } from '../../src/db/secrets/secrets.js';
import { formatDate } from '../../src/domain/dates.js';
import { languages } from '../../src/domain/rules.js';
import { findOrganization } from '../../src/setup/accounts.js';
import { bootstrap, ensureOrganization } from '../../src/setup/bootstrap.js';
import { loadDemo } from '../../src/setup/demo/demo.js';
import type { ReceivedFile } from '../../src/uploads/reading/read-document.js';
import { findSuggestion } from '../../src/uploads/worker/worker.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';

/** Decodes the pixels of a PNG as the demo has them: one byte each, rows without filters. */
function pixelsOf(png: Uint8Array) {
  const bytes = Buffer.from(png);
  const at = bytes.indexOf('IDAT');
  const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
  const width = bytes.readUInt32BE(16);
  const cell = (x: number, y: number) =>
    Array.from({ length: 24 }, (_, line) => {
      const from = (y + line) * (width + 1) + 1 + x;
      return rows.toString('hex', from, from + 15);
    }).join();
  return { cell, height: bytes.readUInt32BE(20) };
}

/** Reads a date that was written into a picture, by comparing it with the characters below the empty one. */
function writtenAt(png: Uint8Array, x: number, y: number): string {
  const source = pixelsOf(readFileSync(new URL('../../prisma/demo-licence.png', import.meta.url)));
  const { cell, height } = pixelsOf(png);
  const characters = new Map([...'0123456789-'].map((one, at) => [source.cell(at * 15, height), one]));
  return Array.from({ length: 10 }, (_, at) => characters.get(cell(x + at * 15, y)) ?? '?').join('');
}

const now = new Date('2026-11-20T09:30:00.000Z');
const random = { token: undefined, demo: false, now };
const sent: string[] = [];
let { database, drop } = {} as TestDatabase;

beforeEach(async () => {
  ({ database, drop } = await createDatabase(({ query }) => sent.push(query)));
});
afterEach(() => drop());

const signing = { secrets: createSecrets({ secretKey: parseKey('5e'.repeat(32)), dataDir: 'unused' }) };

describe('bootstrap', () => {
  it('makes an organization, a workspace, a user and an admin token', async () => {
    const { token = '', ...done } = await bootstrap(database, random);
    expect(done).toEqual({ createdOrganization: true, warning: undefined });
    const caller = await authenticate(database, token, now);
    expect(caller).toMatchObject({
      role: 'ADMIN',
      user: { name: 'Administrator', email: 'admin@localhost' },
    });
    const organization = await database.prisma.organization.findFirstOrThrow({
      include: { teams: { include: { memberships: true } } },
    });
    expect(organization.name).toBe('Default organization');
    expect(organization.teams).toMatchObject([{ name: 'Main', memberships: [{ userId: caller?.user.id }] }]);
  });

  it('costs one statement and changes nothing when all is there', async () => {
    await bootstrap(database, random);
    sent.length = 0;
    expect(await bootstrap(database, { ...random, demo: true })).toEqual({
      token: undefined,
      createdOrganization: false,
      warning: undefined,
    });
    expect(sent).toHaveLength(1);
  });

  it('makes everything once when many processes start at once', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => bootstrap(database, { ...random, demo: true })));
    expect(all.filter(({ token }) => token !== undefined)).toHaveLength(1);
    expect(all.filter(({ createdOrganization }) => createdOrganization)).toHaveLength(1);
    expect(await database.prisma.organization.count()).toBe(1);
    expect(await database.prisma.team.count()).toBe(3);
    expect(await listTokens(database)).toHaveLength(1);
  });

  it('makes the given token, and does not answer it', async () => {
    expect((await bootstrap(database, { ...random, token: 'given' })).token).toBeUndefined();
    expect(await authenticate(database, 'given', now)).toMatchObject({ role: 'ADMIN' });
    expect((await bootstrap(database, { ...random, token: 'given' })).warning).toBeUndefined();
  });

  it('leaves a given token aside when there is another', async () => {
    await bootstrap(database, random);
    const { warning } = await bootstrap(database, { ...random, token: 'given' });
    expect(warning).toBe('BOOTSTRAP_TOKEN is not used because there is already an admin token');
    expect(await authenticate(database, 'given', now)).toBeNull();
  });

  it('ends its random token once an administrator can sign in, and makes no other', async () => {
    const { token = '' } = await bootstrap(database, random);
    expect(await endFirstToken(database, now)).toBe(true);
    const { id: userId, organizationId } = await database.prisma.user.findFirstOrThrow();
    await database.prisma.password.create({
      data: { userId, organizationId, phc: 'x', changedAt: now },
    });
    expect([await endFirstToken(database, now), await endFirstToken(database, now)]).toEqual([false, false]);
    expect(await authenticate(database, token, now)).toBeNull();
    expect((await bootstrap(database, random)).token).toBeUndefined();
    // A token that is set is made all the same, and stays.
    await bootstrap(database, { ...random, token: 'given' });
    expect(await endFirstToken(database, now)).toBe(false);
    expect(await authenticate(database, 'given', now)).toMatchObject({ role: 'ADMIN' });
    expect(await database.prisma.eventLog.count({ where: { typeId: 14 } })).toBe(1);
  });

  it('does not bring a revoked token back', async () => {
    await bootstrap(database, { ...random, token: 'given' });
    const [token] = await listTokens(database);
    await revokeToken(database, token?.id ?? '', now);
    const { warning } = await bootstrap(database, { ...random, token: 'given' });
    expect(warning).toBe('BOOTSTRAP_TOKEN was revoked, and there is no other admin token');
    expect(await authenticate(database, 'given', now)).toBeNull();
  });

  it.each(['expired', 'revoked', 'signed', 'a member'])(
    'makes an admin token when the only one is %s',
    async (flaw) => {
      await ensureOrganization(database, { demo: false, now });
      const { id: organizationId } = await findOrganization(database);
      const { id: userId } = await database.prisma.user.findFirstOrThrow();
      const expiresAt = flaw === 'expired' ? new Date(now.getTime() + 1000) : null;
      const role = flaw === 'a member' ? 'MEMBER' : 'ADMIN';
      const { id } = await createToken(
        database,
        { organizationId, userId, name: 'old', role, expiresAt, ...(flaw === 'signed' && { signing }) },
        now,
      );
      if (flaw === 'revoked') await revokeToken(database, id, now);
      const later = new Date(now.getTime() + 1000);
      const { token = '', createdOrganization } = await bootstrap(database, { ...random, now: later });
      expect(createdOrganization).toBe(false);
      expect(await authenticate(database, token, later)).toMatchObject({ role: 'ADMIN', organizationId });
    },
  );
});

describe('the demo workspace', () => {
  const models = ['vehicle', 'contact', 'location', 'tag', 'company', 'category', 'contactType'] as const;
  const counts = () => {
    const { prisma } = database;
    const tables = [...models, 'expirationItem', 'note', 'eventLog', 'membership', 'team'] as const;
    return Promise.all(tables.map((table) => (prisma[table] as typeof prisma.vehicle).count()));
  };

  it('comes with a new organization when it is wanted', async () => {
    await bootstrap(database, { ...random, demo: true });
    const team = await database.prisma.team.findFirstOrThrow({ where: { name: 'Demo' } });
    expect(await database.prisma.vehicle.count({ where: { teamId: team.id } })).toBe(12);
    expect(await database.prisma.membership.count({ where: { teamId: team.id } })).toBe(1);
  });

  it('is loaded once, whoever asks', async () => {
    await bootstrap(database, random);
    const { id } = await findOrganization(database);
    const loads = await Promise.all([1, 2, 3].map(() => loadDemo(database, id, now)));
    expect(loads.filter(({ created }) => created)).toHaveLength(1);
    const before = await counts();
    expect(await loadDemo(database, id, new Date('2027-01-01'))).toMatchObject({ created: false });
    expect(await counts()).toEqual(before);
  });

  it('has items that expired, that expire soon, and later, counted from today', async () => {
    await bootstrap(database, { ...random, demo: true });
    const items = await database.prisma.expirationItem.findMany({ where: { isActive: true } });
    const days = items.flatMap(({ expirationDate }) =>
      expirationDate ? [(expirationDate.getTime() - Date.parse('2026-11-20')) / 86_400_000] : [],
    );
    expect(days.every(Number.isInteger)).toBe(true);
    expect(days.filter((day) => day < 0).length).toBeGreaterThan(2);
    expect(days.filter((day) => day >= 0 && day <= 30).length).toBeGreaterThan(4);
    expect(days.filter((day) => day > 60).length).toBeGreaterThan(4);
  });

  it.each(languages)('has documents that tell the date of their items (%s)', async (locale) => {
    await bootstrap(database, random);
    const { id } = await findOrganization(database);
    await database.prisma.organization.update({ where: { id }, data: { locale } });
    await loadDemo(database, id, now);
    const files = await database.prisma.attachment.findMany({
      where: { contentType: { not: 'text/plain' } },
      include: { content: true, item: true },
    });
    const dateIn = async (file: ReceivedFile) => {
      const reading = { ocr: 'off', ocrCommand: '', today: new Date('2026-01-01') } as const;
      const { suggestion, problem } = await findSuggestion(file, reading);
      return suggestion?.date ?? problem;
    };
    const told = files.map(async ({ contentType, content, item: { expirationDate } }) => {
      const bytes = content?.content ?? Buffer.alloc(0);
      if (contentType === 'image/png')
        return [writtenAt(bytes, 446, 274), formatDate(expirationDate as Date)];
      return [await dateIn({ bytes, contentType }), expirationDate];
    });
    const dates = await Promise.all(told);
    expect(dates).toHaveLength(3);
    for (const [written, kept] of dates) expect(written).toEqual(kept);
    expect(files.reduce((sum, { contentLength }) => sum + Number(contentLength), 0)).toBeLessThan(60_000);
  });

  it('keeps to what the document types and the tree of locations say', async () => {
    await bootstrap(database, { ...random, demo: true });
    const items = await database.prisma.expirationItem.findMany({ include: { category: true } });
    for (const { customFields, category } of items) {
      const defined = (category.customFields as { id: string; name: string }[]).map(({ id, name }) => [
        id,
        name,
      ]);
      const used = (customFields as { id: string; name: string }[]).map(({ id, name }) => [id, name]);
      expect(defined).toEqual(expect.arrayContaining(used));
    }
    const depth = await database.prisma.location.count({
      where: { parentLocation: { parentLocationId: { not: null } } },
    });
    expect(depth).toBeGreaterThan(0);
  });

  it('does not mix with records that hold its unique values, and says so', async () => {
    await bootstrap(database, { ...random, demo: true });
    await database.prisma.team.updateMany({ where: { name: 'Demo' }, data: { name: 'Kept' } });
    const before = await counts();
    const { id } = await findOrganization(database);
    await expect(loadDemo(database, id, now)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await counts()).toEqual(before);
  });
});
