import { randomUUID as newId } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefused } from '../graphql/people.support.js';
import { ask } from '../graphql/support.js';
import { linkMembers, stickersOf } from '../http/compliance-links.support.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';

const lines: string[] = [];
let gateway: TestGateway;
let stickers: ReturnType<typeof stickersOf>;
beforeAll(async () => {
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  gateway = await startGateway({ TRUST_PROXY: '1' }, undefined, { log });
  stickers = stickersOf(gateway);
});
afterAll(() => gateway.close());

const create = 'mutation ($input: CreateComplianceLinkInput!) { createComplianceLink(input: $input) { id } }';
const createMissing = `mutation ($input: CreateMissingComplianceLinksInput!) {
  createMissingComplianceLinks(input: $input) { id holderId url } }`;
const missing = async (holderIds: readonly string[]) =>
  (await ask(gateway, createMissing, { input: { holderKind: 'VEHICLE', holderIds } }))
    .createMissingComplianceLinks;
const eventsOf = async (id: string) => {
  const where = { entities: { some: { entityId: id } } };
  const events = await gateway.database.prisma.eventLog.findMany({ where, orderBy: { id: 'asc' } });
  return events.map(({ typeId, description }) => [typeId, description]);
};

test('a link is created, read and revoked, with an event each', async () => {
  const holderId = await stickers.vehicle();
  const made = await stickers.create({ holderKind: 'VEHICLE', holderId, name: 'Door' }, gateway.member);
  expect(made).toMatchObject({
    ...{ name: 'Door', holderKind: 'VEHICLE', holderId, holder: { name: 'Truck 101' } },
    ...{ uses: 0, lastUsedAt: null, revokedAt: null, revokedBy: null, teamId: gateway.teamId },
  });
  expect(made.url).toMatch(/^http:\/\/[^/]+\/gate\/[\w-]{43}$/);
  expect((await stickers.read(made.id)).url).toBe(made.url);
  const revoked = await stickers.revoke(made.id);
  expect(revoked).toEqual({
    id: made.id,
    url: null,
    revokedAt: testTime.toISOString(),
    revokedBy: { id: gateway.userId },
  });
  // A second time changes nothing.
  expect(await stickers.revoke(made.id)).toEqual(revoked);
  expect(await eventsOf(holderId)).toEqual([
    [41, 'Truck 101: a link to its compliance was created'],
    [42, 'Truck 101: a link to its compliance was revoked'],
  ]);
  const list = `query ($id: ID!, $isRevoked: Boolean) {
    complianceLinks(filter: { vehicleId: $id, isRevoked: $isRevoked }) { totalCount nodes { ${linkMembers} } } }`;
  expect((await ask(gateway, list, { id: holderId, isRevoked: true })).complianceLinks.totalCount).toBe(1);
  expect((await ask(gateway, list, { id: holderId, isRevoked: false })).complianceLinks.totalCount).toBe(0);
});

test('viewers see links but not their addresses, and make none', async () => {
  const holderId = await stickers.vehicle();
  const { id } = await stickers.create({ holderKind: 'VEHICLE', holderId });
  const read = 'query ($id: ID!) { complianceLink(id: $id) { id url } }';
  const { complianceLink } = await ask(gateway, read, { id }, gateway.viewer);
  expect(complianceLink).toEqual({ id, url: null });
  for (const token of [gateway.viewer, gateway.uploader]) {
    const input = { holderKind: 'VEHICLE', holderId };
    for (const [document, variables] of [
      [create, { input }],
      [createMissing, { input: { holderKind: 'VEHICLE', holderIds: [holderId] } }],
      ['mutation ($id: ID!) { revokeComplianceLink(id: $id) { id } }', { id }],
    ] as const) {
      const { errors } = await gateway.graphql(document, variables, token);
      expect(errors[0].extensions.code).toBe('FORBIDDEN');
    }
  }
});

describe('refused are', () => {
  const refused = (input: object, message: RegExp, code = 'BAD_REQUEST') =>
    expectRefused(gateway, create, { input }, [code, message]);

  test('records that are not there, are of another kind, or that the caller does not see', async () => {
    const holderId = await stickers.vehicle();
    await refused({ holderKind: 'VEHICLE', holderId: newId() }, /names no vehicle that exists/);
    await refused({ holderKind: 'CONTACT', holderId }, /names no contact that exists/);
    const hidden = await stickers.vehicle({ teamId: gateway.otherTeamId });
    const input = { holderKind: 'VEHICLE', holderId: hidden };
    const { errors } = await gateway.graphql(create, { input }, gateway.member);
    expect(errors[0].message).toMatch(/names no vehicle that exists/);
    const many = { holderKind: 'VEHICLE', holderIds: [holderId, newId()] };
    await expectRefused(gateway, createMissing, { input: many }, [
      'BAD_REQUEST',
      /holderIds.*names no vehicle/,
    ]);
    expect(await gateway.database.prisma.complianceLink.count({ where: { vehicleId: holderId } })).toBe(0);
  });

  test('an id that is taken, a name that is too long, no records and too many', async () => {
    const holderId = await stickers.vehicle();
    const { id } = await stickers.create({ holderKind: 'VEHICLE', holderId });
    await refused({ id, holderKind: 'VEHICLE', holderId }, /id/, 'CONFLICT');
    await refused({ name: 'x'.repeat(256), holderKind: 'VEHICLE', holderId }, /name/);
    const ofMany = (holderIds: string[]) =>
      expectRefused(gateway, createMissing, { input: { holderKind: 'VEHICLE', holderIds } }, [
        'BAD_REQUEST',
        /holderIds/,
      ]);
    await ofMany([]);
    await ofMany(Array.from({ length: 501 }, newId));
  });

  test('more than twenty links of a record that work', async () => {
    const holderId = await stickers.vehicle();
    const made = [];
    for (let n = 0; n < 20; n++) made.push(await stickers.create({ holderKind: 'VEHICLE', holderId }));
    await refused({ holderKind: 'VEHICLE', holderId }, /has 20 links that work/, 'CONFLICT');
    await stickers.revoke(made[0].id);
    await stickers.create({ holderKind: 'VEHICLE', holderId });
  });
});

test('a sheet has the newest link of each record that works, and new ones of the others', async () => {
  const [one, two, three] = [await stickers.vehicle(), await stickers.vehicle(), await stickers.vehicle()];
  await stickers.create({ holderKind: 'VEHICLE', holderId: two });
  gateway.clock.now = new Date(testTime.getTime() + 1_000);
  const newest = await stickers.create({ holderKind: 'VEHICLE', holderId: two });
  gateway.clock.now = testTime;
  const ended = await stickers.create({ holderKind: 'VEHICLE', holderId: three });
  await stickers.revoke(ended.id);
  const sheet = await missing([three, two, one, two]);
  expect(sheet.map(({ holderId }: { holderId: string }) => holderId)).toEqual([three, two, one]);
  expect(sheet[1]).toMatchObject({ id: newest.id, url: newest.url });
  expect(sheet[0].id).not.toBe(ended.id);
  expect(await missing([three, two, one])).toEqual(sheet);
  expect((await eventsOf(one)).map(([type]) => type)).toEqual([41]);
});

test('an address whose secret cannot be read any more is null, and still opens its page', async () => {
  const holderId = await stickers.vehicle();
  const { id, url } = await stickers.create({ holderKind: 'VEHICLE', holderId });
  const data = { sealedSecret: Buffer.alloc(80, 1) };
  await gateway.database.prisma.complianceLink.update({ where: { id }, data });
  expect((await stickers.read(id)).url).toBeNull();
  expect((await stickers.open(url)).status).toBe(200);
});

test('neither the log nor the database has a secret', async () => {
  const holderId = await stickers.vehicle();
  const { url } = await stickers.create({ holderKind: 'VEHICLE', holderId });
  await stickers.open(url);
  const secret = url.slice(-43);
  const { prisma } = gateway.database;
  const rows = [await prisma.complianceLink.findMany(), await prisma.eventLog.findMany()];
  const written = JSON.stringify([rows, lines], (_key, value) =>
    value instanceof Uint8Array
      ? Buffer.from(value).toString('latin1')
      : typeof value === 'bigint'
        ? `${value}`
        : value,
  );
  expect(lines.length).toBeGreaterThan(0);
  expect(written).not.toContain(secret);
});
