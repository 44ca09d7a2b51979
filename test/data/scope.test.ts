import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticate } from '../../src/access/authenticate.js';
import { dbOf, openSession, type ScopedClient } from '../../src/db/sql/scope.js';
import { newId } from '../../src/domain/rules.js';
import { createDatabase, createTenant, type TestDatabase, testTime } from '../support/gateway.js';
import {
  allModels,
  examples,
  hasPlace,
  keyOf,
  type Model,
  makeRows,
  models,
  newRow,
  on,
  outcome,
  type Place,
  uniqueOf,
} from './scope.fixture.js';

type Made = Awaited<ReturnType<typeof makeRows>>;

/** A caller's client, rows that are its own, and rows that it must not reach. */
interface Case {
  readonly db: ScopedClient;
  readonly own: Made;
  readonly place: Place;
  readonly hidden: Made;
}

let { database, drop } = {} as TestDatabase;
const cases = {} as Record<Kind, Case>;
type Kind = keyof typeof reached;

/** The models whose rows have a place to hide in. */
const reached = {
  'another organization': models,
  'another workspace': models.filter((model) => examples[model].reach === 'workspace'),
} as const;

beforeAll(async () => {
  ({ database, drop } = await createDatabase());
  const { prisma } = database;
  const [here, there] = [await createTenant(database), await createTenant(database, 'Globex')];
  const placeOf = ({ organizationId, teamId }: Place) => ({ organizationId, teamId });
  const own = await makeRows(prisma, placeOf(here));
  const caseOf = async (token: string, place: Place): Promise<Case> => {
    const caller = await authenticate(database, token, testTime);
    if (!caller) throw new Error('The token is unknown.');
    const db = dbOf(openSession(database, { caller, now: testTime }));
    return { db, own, place, hidden: await makeRows(prisma, place) };
  };
  cases['another organization'] = await caseOf(here.admin, placeOf(there));
  cases['another workspace'] = await caseOf(here.member, {
    organizationId: here.organizationId,
    teamId: here.otherTeamId,
  });
});
afterAll(() => drop());

test('every model has its example, and every operation its line', () => {
  expect([...models].sort()).toEqual([...allModels].sort());
  const lines = [...Object.keys(reads), ...Object.keys(changes), ...inserts, 'upsert'];
  // Of MongoDB alone, and what is no operation.
  const others = ['findRaw', 'aggregateRaw', 'fields', 'name', '$name', '$parent'];
  expect([...lines, ...others].sort()).toEqual(Object.keys(database.prisma.vehicle).sort());
});

/** What each operation that reads is given for a row, and what it answers when there is none. */
const reads: Record<string, [args: (model: Model, row: object) => object, nothing: unknown]> = {
  findUnique: [(model, row) => ({ where: uniqueOf(model, { ...row }) }), null],
  findUniqueOrThrow: [(model, row) => ({ where: uniqueOf(model, { ...row }) }), 'P2025'],
  findFirst: [(model, row) => ({ where: keyOf(model, { ...row }) }), null],
  findFirstOrThrow: [(model, row) => ({ where: keyOf(model, { ...row }) }), 'P2025'],
  findMany: [(model, row) => ({ where: keyOf(model, { ...row }) }), []],
  count: [(model, row) => ({ where: keyOf(model, { ...row }) }), 0],
  aggregate: [(model, row) => ({ where: keyOf(model, { ...row }), _count: true }), { _count: 0 }],
  groupBy: [(model, row) => ({ where: keyOf(model, { ...row }), by: examples[model].key }), []],
};

const data = (model: Model) => ({ data: examples[model].change });
const changes: typeof reads = {
  update: [(model, row) => ({ where: uniqueOf(model, { ...row }), ...data(model) }), 'P2025'],
  updateMany: [(model, row) => ({ where: keyOf(model, { ...row }), ...data(model) }), { count: 0 }],
  updateManyAndReturn: [(model, row) => ({ where: keyOf(model, { ...row }), ...data(model) }), []],
  delete: [(model, row) => ({ where: uniqueOf(model, { ...row }) }), 'P2025'],
  deleteMany: [(model, row) => ({ where: keyOf(model, { ...row }) }), { count: 0 }],
};

const inserts = ['create', 'createMany', 'createManyAndReturn'];

/** All rows of a model, as they are. */
const all = (model: Model) => on(database.prisma, model).findMany?.({ orderBy: keyOrder(model) });
const keyOrder = (model: Model) => examples[model].key.map((column) => ({ [column]: 'asc' }));

describe.each(Object.keys(reached) as Kind[])('a row of %s', (kind) => {
  const visible = reached[kind].map((model) => [model] as const);

  test.each(visible)('%s: is not found, nor changed, nor deleted', async (model) => {
    const { db, hidden } = cases[kind];
    const before = await all(model);
    for (const [operation, [args, nothing]] of Object.entries({ ...reads, ...changes })) {
      const answer = await outcome(db, model, operation, args(model, hidden.rows[model]));
      expect(answer, operation).toEqual(nothing);
    }
    expect(await all(model)).toEqual(before);
  });

  test.each(visible)('%s: is not hidden when it is the caller’s own', async (model) => {
    const { db, own } = cases[kind];
    const row = own.rows[model];
    for (const [operation, [args, nothing]] of Object.entries(reads)) {
      expect(await outcome(db, model, operation, args(model, row)), operation).not.toEqual(nothing);
    }
    const where = keyOf(model, row);
    expect(await outcome(db, model, 'updateMany', { where, ...data(model) })).toEqual({ count: 1 });
    expect(await outcome(db, model, 'upsert', { where: uniqueOf(model, row), update: {}, create: row })).toBe(
      'refused',
    );
  });

  test.each(visible)('%s: is not reached by any condition', async (model) => {
    const { db, hidden, own, place } = cases[kind];
    const key = keyOf(model, hidden.rows[model]);
    const column = examples[model].key[0] as string;
    const always = { OR: [key, { NOT: key }] };
    const named = Object.entries(place).filter(
      ([name]) => name in examples[model].row(place, own.ids, own.ids),
    );
    const scope = named.map(([name, value]) => ({ [name]: value }));
    const conditions = [
      undefined,
      {},
      always,
      { OR: [{}, key] },
      { AND: [] },
      { AND: undefined },
      { AND: key, OR: [key] },
      { AND: [{ OR: [key, {}] }, always] },
      { NOT: { [column]: newId() } },
      { NOT: [{ AND: [key, { NOT: key }] }] },
      ...scope.flatMap((own) => [own, { OR: [own] }, { AND: own }, { AND: [{ AND: [own] }] }]),
    ];
    for (const where of conditions) {
      const found = await on(db, model).findMany?.({ where });
      expect(found, JSON.stringify(where)).not.toContainEqual(expect.objectContaining(key));
      expect(await on(db, model).count?.({ where })).toBe(found.length);
    }
    const before = await all(model);
    await on(db, model).updateMany?.({ where: { ...key, OR: [key, { NOT: key }] }, ...data(model) });
    expect(
      await outcome(db, model, 'update', {
        where: { ...uniqueOf(model, hidden.rows[model]), ...always },
        ...data(model),
      }),
    ).toBe('P2025');
    expect(await all(model)).toEqual(before);
  });

  // A workspace that is new is nobody's yet, and rows without a place have a test file of their own.
  const placed = visible.filter(([model]) => hasPlace(model));
  const made = placed.filter(([model]) => kind === 'another organization' || model !== 'Team');

  test.each(made)('%s: is not made', async (model) => {
    const { db, hidden, place } = cases[kind];
    const before = await all(model);
    const row = newRow(model, place, hidden);
    for (const operation of inserts) {
      const rows = operation === 'create' ? row : [row];
      expect(await outcome(db, model, operation, { data: rows }), operation).toBe('refused');
    }
    expect(await all(model)).toEqual(before);
    // Nothing but the scope stood in the way.
    await on(database.prisma, model).create?.({ data: row });
    await on(database.prisma, model).deleteMany?.({ where: keyOf(model, row) });
  });

  test.each(made.filter(([model]) => model !== 'Organization'))(
    '%s: is not what a row of the caller’s can become',
    async (model) => {
      const { db, own, place } = cases[kind];
      const row = own.rows[model];
      const column = kind === 'another workspace' || model === 'Membership' ? 'teamId' : 'organizationId';
      expect(row).toHaveProperty(column);
      const before = await all(model);
      for (const operation of ['update', 'updateMany', 'updateManyAndReturn']) {
        const where = operation === 'update' ? uniqueOf(model, row) : keyOf(model, row);
        const args = { where, data: { [column]: place[column] } };
        expect(await outcome(db, model, operation, args), operation).toBe('refused');
      }
      expect(await all(model)).toEqual(before);
    },
  );
});
