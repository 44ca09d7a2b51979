import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { authenticate } from '../../src/access/authenticate.js';
import { dbOf, openSession, type ScopedClient } from '../../src/db/sql/scope.js';
import { newId } from '../../src/domain/rules.js';
import {
  createDatabase,
  createTenant,
  type Tenant,
  type TestDatabase,
  testTime,
} from '../support/gateway.js';
import {
  examples,
  hasPlace,
  keyOf,
  makeRows,
  models,
  newRow,
  on,
  outcome,
  uniqueOf,
} from './scope.fixture.js';

let { database, drop } = {} as TestDatabase;
let tenant: Tenant;
/** A member's client; a vehicle of its own; rows of a workspace and of an organization that it is not in. */
let db: ScopedClient;
let own: Awaited<ReturnType<typeof makeRows>>;
let elsewhere: typeof own;
let abroad: typeof own;
let foreign: Tenant;

beforeAll(async () => {
  ({ database, drop } = await createDatabase());
  [tenant, foreign] = [await createTenant(database), await createTenant(database, 'Globex')];
  const caller = await authenticate(database, tenant.member, testTime);
  if (!caller) throw new Error('The token is unknown.');
  db = dbOf(openSession(database, { caller, now: testTime }));
  const { organizationId, teamId, otherTeamId } = tenant;
  own = await makeRows(database.prisma, { organizationId, teamId });
  elsewhere = await makeRows(database.prisma, { organizationId, teamId: otherTeamId });
  const { organizationId: otherId, teamId: otherTeam } = foreign;
  abroad = await makeRows(database.prisma, { organizationId: otherId, teamId: otherTeam });
  await database.prisma.vehicle.update({
    where: { id: own.ids.vehicle },
    data: { locationId: elsewhere.ids.location },
  });
});
afterAll(() => drop());

describe('a part of a record that the caller may not see', () => {
  const parts = models.filter((model) => !hasPlace(model)).map((model) => [model] as const);

  test.each(parts)('%s: another part cannot become it', async (model) => {
    const { prisma } = database;
    const [parent = ''] = examples[model].key;
    const row = own.rows[model];
    const done: string[] = [];
    for (const [hidden, where] of [
      [elsewhere, 'workspace'],
      [abroad, 'organization'],
    ] as const) {
      const part = newRow(model, tenant, hidden);
      for (const operation of ['update', 'updateMany', 'updateManyAndReturn']) {
        const which = operation === 'update' ? uniqueOf(model, row) : keyOf(model, row);
        const args = { where: which, data: { [parent]: part[parent] } };
        if ((await outcome(db, model, operation, args)) !== 'refused')
          done.push(`${operation} to another ${where}`);
        const moved = keyOf(model, { ...row, [parent]: part[parent] });
        await on(prisma, model).updateMany?.({ where: moved, data: { [parent]: row[parent] } });
      }
    }
    expect(done).toEqual([]);
  });
});

describe('a place in other words', () => {
  const to = (id: string) => ({ connect: { id } });
  test.each<[string, () => object]>([
    ['teamId: set', () => ({ teamId: { set: tenant.otherTeamId } })],
    ['organizationId: set', () => ({ organizationId: { set: foreign.organizationId } })],
    ['team: connect', () => ({ team: to(tenant.otherTeamId) })],
    ['team: connect, abroad', () => ({ team: to(foreign.teamId) })],
    ['organization: connect', () => ({ organization: to(foreign.organizationId) })],
    ['organization: create', () => ({ organization: { create: { id: newId(), name: 'New' } } })],
    [
      'team: create, abroad',
      () => ({ team: { create: { id: newId(), name: 'New', organizationId: foreign.organizationId } } }),
    ],
  ])('%s: no vehicle goes there', async (_, data) => {
    const { vehicle } = database.prisma;
    const before = await vehicle.findMany({ orderBy: { id: 'asc' } });
    const where = { id: own.ids.vehicle };
    const changed = await outcome(db, 'Vehicle', 'update', { where, data: data() });
    const { organizationId, teamId } = tenant;
    const id = newId();
    const place = { organization: to(organizationId), team: to(teamId) };
    const scalar = Object.keys(data()).some((name) => name.endsWith('Id'));
    const made = scalar
      ? 'refused'
      : await outcome(db, 'Vehicle', 'create', { data: { id, ...place, ...data() } });
    const after = await vehicle.findMany({ orderBy: { id: 'asc' } });
    await vehicle.deleteMany({ where: { id } });
    await vehicle.update({ where, data: { organizationId, teamId } });
    expect([changed, made]).toEqual(['refused', 'refused']);
    expect(after).toEqual(before);
  });
});

describe('a relation does not lead beyond the scope', () => {
  beforeEach(async () => {
    const { prisma } = database;
    await prisma.vehicle.updateMany({ data: { name: 'as it was' } });
    await prisma.location.updateMany({ where: { id: elsewhere.ids.location }, data: { name: 'as it was' } });
  });
  const organization = () => ({ where: { id: tenant.organizationId } });
  const vehicle = () => ({ where: { id: own.ids.vehicle } });

  test.each<[string, () => Promise<unknown>]>([
    ['to one, included', () => db.vehicle.findMany({ ...vehicle(), include: { location: true } })],
    ['to one, selected', () => db.vehicle.findUnique({ ...vehicle(), select: { location: true } })],
    ['to many, included', () => db.organization.findMany({ include: { vehicles: true, locations: true } })],
    [
      'to many, selected',
      () => db.organization.findFirst({ select: { vehicles: { select: { id: true } } } }),
    ],
    [
      'there and back',
      () => db.vehicle.findMany({ include: { organization: { include: { vehicles: true } } } }),
    ],
    [
      'from a change',
      () => db.vehicle.update({ ...vehicle(), data: { year: 1 }, include: { location: true } }),
    ],
    [
      'by the fluent interface',
      async () => db.organization.findUnique({ where: { id: tenant.organizationId } }).vehicles(),
    ],
  ])('when it reads: %s', async (_, read) => {
    const found = await read().catch(() => 'refused');
    const said = JSON.stringify(found);
    for (const hidden of [elsewhere.ids, elsewhere.spare]) {
      expect(said).not.toContain(`"id":"${hidden.location}"`);
      expect(said).not.toContain(`"id":"${hidden.vehicle}"`);
    }
  });

  test('when it counts', async () => {
    const select = { _count: { select: { vehicles: true } } };
    const found = await db.organization.findUnique({ ...organization(), select }).catch(() => 'refused');
    expect([{ _count: { vehicles: await db.vehicle.count() } }, 'refused']).toContainEqual(found);
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      'to one',
      () => db.vehicle.update({ ...vehicle(), data: { location: { update: { name: 'changed' } } } }),
    ],
    [
      'to many',
      () =>
        db.organization.update({
          ...organization(),
          data: { vehicles: { updateMany: { where: {}, data: { name: 'changed' } } } },
        }),
    ],
    [
      'to many, deleting',
      () =>
        db.organization.update({
          ...organization(),
          data: { vehicles: { deleteMany: { id: elsewhere.spare.vehicle } } },
        }),
    ],
  ])('when it writes: %s', async (_, write) => {
    const { prisma } = database;
    const ids = [elsewhere.ids.vehicle, elsewhere.spare.vehicle];
    const hidden = async () => [
      await prisma.vehicle.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } }),
      await prisma.location.findMany({ where: { id: elsewhere.ids.location } }),
    ];
    const before = await hidden();
    await write().catch(() => 'refused');
    expect(await hidden()).toEqual(before);
  });
});

test('a transaction is scoped, too', async () => {
  const { id } = { id: elsewhere.ids.vehicle };
  const found = await db.$transaction(async (tx) => [
    await tx.vehicle.findUnique({ where: { id } }),
    await tx.vehicle.count({ where: { id: { in: [id, own.ids.vehicle] } } }),
  ]);
  expect(found).toEqual([null, 1]);
  await expect(db.$transaction([db.vehicle.delete({ where: { id } })])).rejects.toMatchObject({
    code: 'P2025',
  });
});

test('a session that was not opened has no client', () => {
  const caller = { tokenId: '', role: 'ADMIN', organizationId: '', teamIds: [], user: {} as never } as const;
  expect(() => dbOf({ caller, now: testTime })).toThrow('not opened');
  const session = openSession(database, { caller, now: testTime });
  expect(() => dbOf({ ...session })).toThrow('not opened');
});
