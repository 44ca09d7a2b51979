import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticate } from '../../src/access/callers.js';
import { Session } from '../../src/db/connection/session.js';
import type { Transaction } from '../../src/db/connection/transaction.js';
import type { Condition, NewRow } from '../../src/db/sql/conditions.js';
import { modelInfo } from '../../src/db/sql/models.js';
import { defineRows, readRows } from '../../src/db/sql/select.js';
import type { Sql } from '../../src/db/sql/sql.js';
import { deleteRow, deleteRows, insertRows, updateRow, updateRows } from '../../src/db/sql/write.js';
import { newId } from '../../src/domain/rules.js';
import { eventsSql } from '../../src/records/event-logs.js';
import { createDatabase, createTenant, type TestDatabase, testTime } from '../support/gateway.js';
import {
  allModels,
  examples,
  hasPlace,
  isPart,
  keyOf,
  type Model,
  makeRows,
  models,
  newRow,
  on,
  type Place,
} from './scope.fixture.js';

type Made = Awaited<ReturnType<typeof makeRows>>;
type Values = Record<string, unknown>;

/** A caller's session, rows that are its own, and rows that it must not reach. */
interface Case {
  readonly session: Session;
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
    const session = new Session(database, { caller, now: testTime });
    return { session, own, place, hidden: await makeRows(prisma, place) };
  };
  cases['another organization'] = await caseOf(here.admin, placeOf(there));
  cases['another workspace'] = await caseOf(here.member, {
    organizationId: here.organizationId,
    teamId: here.otherTeamId,
  });
});
afterAll(() => drop());

test('every model has its example', () => {
  expect([...models].sort()).toEqual([...allModels].sort());
});

/** Ways to read the rows of a model that keep a condition, as far as a session's caller sees them. */
const reads: Record<
  string,
  (session: Session, model: Model, where: Condition) => Promise<readonly object[]>
> = {
  readRows: (session, model, where) => readRows(session, model, { where }),
  'readRows in a transaction': (session, model, where) =>
    session.inTransaction((tx) => readRows(tx, model, { where })),
  list: (session, model, where) => defineRows(model).list(session, { where, orderBy: order(model) }),
  'a page of a list': (session, model, where) =>
    defineRows(model).list(session, { where, orderBy: order(model), skip: 0, take: 100 }),
};

/** Ways to read the row of an id. */
const readsById: Record<string, (session: Session, model: Model, id: string) => Promise<object | null>> = {
  get: (session, model, id) => defineRows(model).get(session, id),
  find: (session, model, id) => session.inTransaction((tx) => defineRows(model).find(tx, id)),
  lock: (session, model, id) => session.inTransaction((tx) => defineRows(model).lock(tx, id)),
};

const order = (model: Model) => examples[model].key.map((column) => ({ [column]: 'asc' as const }));

/** Does work in a transaction of a session's; tells of what was not sent, because it cannot be scoped. */
async function attempt<T>(session: Session, work: (tx: Transaction) => Promise<T>): Promise<T | 'refused'> {
  try {
    return await session.inTransaction(work);
  } catch (error) {
    if (/cannot be scoped/.test((error as Error).message)) return 'refused';
    throw error;
  }
}

const change = (model: Model, tx: Transaction, where: Condition, values: Values = examples[model].change) =>
  updateRows(tx, model, where, values as Partial<NewRow<Model>>);

const put = (model: Model, tx: Transaction, rows: readonly Values[]) =>
  insertRows(tx, model, rows as unknown as NewRow<Model>[]);

/** Writes no event. */
const log = (session: Session) => (provided?: Sql) => eventsSql(session, [], provided);

/** Returns all rows of a model, as they are. */
const all = (model: Model) => on(database.prisma, model).findMany?.({ orderBy: order(model) });

describe.each(Object.keys(reached) as Kind[])('a row of %s', (kind) => {
  const visible = reached[kind].map((model) => [model] as const);

  test.each(visible)('%s: is not found, nor changed, nor deleted', async (model) => {
    const { session, hidden } = cases[kind];
    const before = await all(model);
    const where = keyOf(model, hidden.rows[model]);
    for (const [way, read] of Object.entries(reads))
      expect(await read(session, model, where), way).toEqual([]);
    expect(await defineRows(model).count(session, where)).toBe(0);
    expect(await attempt(session, (tx) => change(model, tx, where))).toEqual([]);
    expect(await attempt(session, (tx) => deleteRows(tx, model, where))).toBe(0);
    expect(await all(model)).toEqual(before);
  });

  const identified = visible.filter(([model]) => !isPart(model));
  test.each(identified)('%s: is not found, changed or deleted by its id', async (model) => {
    const { session, hidden, own } = cases[kind];
    const id = String(hidden.rows[model].id);
    const before = await all(model);
    for (const [way, read] of Object.entries(readsById)) {
      expect(await read(session, model, id), way).toBeNull();
      expect(await read(session, model, String(own.rows[model].id)), way).not.toBeNull();
    }
    const how = { values: examples[model].change, log: log(session), finish: true };
    await expect(session.inTransaction((tx) => updateRow(tx, model, id, how))).rejects.toThrow('is gone');
    await session.inTransaction((tx) => deleteRow(tx, model, id, log(session)));
    expect(await all(model)).toEqual(before);
  });

  test.each(visible)('%s: is not hidden when it is the caller’s own', async (model) => {
    const { session, own } = cases[kind];
    const where = keyOf(model, own.rows[model]);
    for (const [way, read] of Object.entries(reads)) {
      expect(await read(session, model, where), way).toHaveLength(1);
    }
    expect(await defineRows(model).count(session, where)).toBe(1);
    expect(await attempt(session, (tx) => change(model, tx, where))).toHaveLength(1);
  });

  test.each(visible)('%s: is not reached by any condition', async (model) => {
    const { session, hidden, own, place } = cases[kind];
    const key = keyOf(model, hidden.rows[model]);
    const column = examples[model].key[0] as string;
    const always = { OR: [key, { NOT: key }] };
    const named = Object.entries(place).filter(
      ([name]) => name in examples[model].row(place, own.ids, own.ids),
    );
    const scope = named.map(([name, value]) => ({ [name]: value }));
    const conditions: Condition[] = [
      {},
      always,
      { OR: [{}, key] },
      { AND: [] },
      { AND: key, OR: [key] },
      { AND: [{ OR: [key, {}] }, always] },
      { NOT: { [column]: newId() } },
      { NOT: [{ AND: [key, { NOT: key }] }] },
      ...scope.flatMap((own) => [own, { OR: [own] }, { AND: own }, { AND: [{ AND: [own] }] }]),
    ];
    for (const where of conditions) {
      for (const [way, read] of Object.entries(reads)) {
        const found = await read(session, model, where);
        const said = `${way} ${JSON.stringify(where)}`;
        expect(found, said).not.toContainEqual(expect.objectContaining(key));
        expect(await defineRows(model).count(session, where), said).toBe(found.length);
      }
    }
    const before = await all(model);
    const where = { ...key, OR: [key, { NOT: key }] };
    expect(await attempt(session, (tx) => change(model, tx, where))).toEqual([]);
    expect(await attempt(session, (tx) => deleteRows(tx, model, where))).toBe(0);
    expect(await all(model)).toEqual(before);
  });

  // A workspace that is new is nobody's yet, and rows without a place are tested below.
  const placed = visible.filter(([model]) => hasPlace(model));
  const made = placed.filter(([model]) => kind === 'another organization' || model !== 'Team');

  test.each(made)('%s: is not made', async (model) => {
    const { session, hidden, place } = cases[kind];
    const before = await all(model);
    const row = newRow(model, place, hidden);
    for (const rows of [[row], [row, row]]) {
      expect(await attempt(session, (tx) => put(model, tx, rows)), `${rows.length}`).toBe('refused');
    }
    expect(await all(model)).toEqual(before);
    // Nothing but the scope stood in the way.
    await on(database.prisma, model).create?.({ data: row });
    await on(database.prisma, model).deleteMany?.({ where: keyOf(model, row) });
  });

  test.each(made.filter(([model]) => model !== 'Organization'))(
    "%s: cannot be moved outside the caller's scope",
    async (model) => {
      const { session, own, place } = cases[kind];
      const row = own.rows[model];
      const column = kind === 'another workspace' || model === 'Membership' ? 'teamId' : 'organizationId';
      expect(row).toHaveProperty(column);
      const before = await all(model);
      const where = keyOf(model, row);
      for (const value of [place[column], { set: place[column] }]) {
        expect(await attempt(session, (tx) => change(model, tx, where, { [column]: value }))).toBe('refused');
        const how = { values: { [column]: value }, log: log(session), finish: true };
        const id = String(row.id);
        expect(await attempt(session, (tx) => updateRow(tx, model, id, how))).toBe('refused');
      }
      expect(await all(model)).toEqual(before);
    },
  );

  const parts = models.filter((model) => !hasPlace(model)).map((model) => [model] as const);
  test.each(parts)('%s: a part of the caller’s cannot become its part', async (model) => {
    const { session, own, hidden, place } = cases[kind];
    const parent = model === 'Membership' ? 'userId' : `${modelInfo[model].partOf?.relation}Id`;
    const before = await all(model);
    const part = newRow(model, place, hidden);
    const where = keyOf(model, own.rows[model]);
    const values = { [parent]: part[parent] };
    expect(await attempt(session, (tx) => change(model, tx, where, values))).toBe('refused');
    expect(await all(model)).toEqual(before);
  });
});
