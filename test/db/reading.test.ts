import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { authenticate } from '../../src/access/callers.js';
import { defaultBound, ReadBound } from '../../src/db/connection/bounds.js';
import { Session } from '../../src/db/connection/session.js';
import { prepared } from '../../src/db/connection/statement.js';
import type { Condition, RowOf } from '../../src/db/sql/conditions.js';
import { scopeOf } from '../../src/db/sql/models.js';
import { defineRows, readRows } from '../../src/db/sql/select.js';
import { sql } from '../../src/db/sql/sql.js';
import { readTree } from '../../src/db/sql/tree.js';
import { newId } from '../../src/domain/rules.js';
import { createDatabase, createTenant, type TestDatabase, testTime } from '../support/gateway.js';
import {
  allowAnyContent,
  edges,
  examples,
  freeColumns,
  keyOf,
  type Model,
  makeRows,
  models,
  on,
} from './scope.fixture.js';

let { database, drop } = {} as TestDatabase;
/** A member of one workspace, where there are rows of every model, and an admin of its organization. */
let [member, admin] = [] as unknown as [Session, Session];
/** The rows of the member's workspace, of another one, and of another organization. */
let places: Awaited<ReturnType<typeof makeRows>>[];

beforeAll(async () => {
  // A machine's own zone must not show, so it is one in which days begin at another time than in UTC.
  vi.stubEnv('TZ', 'America/Toronto');
  ({ database, drop } = await createDatabase());
  await allowAnyContent(database);
  const { prisma } = database;
  const [here, there] = [await createTenant(database), await createTenant(database, 'Globex')];
  const sessionOf = async (token: string) => {
    const caller = await authenticate(database, token, testTime);
    if (!caller) throw new Error('The token is unknown.');
    return new Session(database, { caller, now: testTime });
  };
  [member, admin] = [await sessionOf(here.member), await sessionOf(here.admin)];
  places = [
    await makeRows(prisma, { organizationId: here.organizationId, teamId: here.teamId }),
    await makeRows(prisma, { organizationId: here.organizationId, teamId: here.otherTeamId }),
    await makeRows(prisma, { organizationId: there.organizationId, teamId: there.teamId }),
  ];
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await drop();
});

test('dates are sent in UTC, also in lists', async () => {
  const date = new Date('2027-03-31');
  const statement = sql`SELECT ${[date, null]}::date[]::text AS dates`;
  const rows = await admin.readUnscoped(prepared('dates', statement));
  expect(rows).toEqual([{ dates: '{2027-03-31,NULL}' }]);
});

/** Reads the same rows in both ways, in one order. */
async function bothWays(session: Session, model: Model, where: Condition) {
  const orderBy = examples[model].key.map((column) => ({ [column]: 'desc' }));
  const read: RowOf<Model>[] = await readRows(session, model, { where, orderBy });
  // By the statement that answers in JSON.
  const listed: object[] = await defineRows(model).list(session, { where, orderBy });
  expect(listed).toStrictEqual(read);
  return { read, expected: await readByPrisma(session, model, { where, orderBy }) };
}

/** Reads a caller's rows with Prisma Client. */
async function readByPrisma({ caller }: Session, model: Model, { where = {}, ...query }: Query) {
  const scoped = { AND: [where, scopeOf(caller, model)] };
  return on(database.prisma, model).findMany?.({ ...query, where: scoped });
}

/** Arguments of Prisma's `findMany`. */
interface Query {
  readonly where?: Condition;
  readonly orderBy: object;
  readonly skip?: number;
  readonly take?: number;
}

describe.each(models)('%s', (model) => {
  test('is read as Prisma reads it, as far as each caller sees it', async () => {
    for (const session of [member, admin]) {
      const { read, expected } = await bothWays(session, model, {});
      expect(read.length).toBeGreaterThan(0);
      expect(read).toStrictEqual(expected);
    }
    const seen = async (session: Session) =>
      Promise.all(
        places.map(async ({ rows }) => {
          const where = keyOf(model, rows[model]);
          return (await readRows(session, model, { where })).length;
        }),
      );
    expect(await seen(member)).toEqual([1, examples[model].reach === 'organization' ? 1 : 0, 0]);
    expect(await seen(admin)).toEqual([1, 1, 0]);
  });

  test.each(freeColumns(model).map(({ name, type }): [string, string] => [name, type]))(
    '%s %s',
    async (name, type) => {
      const where = keyOf(model, places[0]?.rows[model] ?? {});
      const values = edges[type];
      if (!values) throw new Error(`Values of ${type} are missing.`);
      for (const value of values) {
        await on(database.prisma, model).updateMany?.({ where, data: { [name]: value } });
        const { read, expected } = await bothWays(member, model, where);
        expect(read).toHaveLength(1);
        expect(read).toStrictEqual(expected);
        if (value instanceof Date) {
          const sought = await bothWays(member, model, { AND: [where, { [name]: expected[0][name] }] });
          expect(sought.read).toStrictEqual(expected);
        }
      }
    },
  );
});

test('a part of a list is as Prisma reads it', async () => {
  const query = { orderBy: [{ name: 'asc' }, { id: 'desc' }], skip: 1, take: 2 };
  const expected = await readByPrisma(admin, 'Tag', query);
  expect(expected).toHaveLength(2);
  expect(await readRows(admin, 'Tag', query)).toStrictEqual(expected);
});

test('a part of a list that is larger than a page has all of its rows', async () => {
  const { organizationId } = admin.caller;
  const [first] = await readRows(admin, 'Tag', {}, ['teamId']);
  const data = Array.from({ length: 1_100 }, (_, n) => {
    const name = `Of many ${String(n).padStart(4, '0')}`;
    return { id: newId(), organizationId, teamId: first?.teamId ?? '', name };
  });
  await database.prisma.tag.createMany({ data });
  const where = { name: { in: data.map(({ name }) => name) } };
  try {
    for (const [skip, take] of [
      [0, 1_050],
      [300, 750],
      [501, 550],
    ] as const) {
      const query = { where, orderBy: [{ name: 'asc' as const }, { id: 'asc' as const }], skip, take };
      const expected = data.slice(skip, skip + take).map(({ id }) => ({ id }));
      expect(await readRows(admin, 'Tag', query, ['id'])).toEqual(expected);
    }
  } finally {
    await database.prisma.tag.deleteMany({ where: { id: { in: data.map(({ id }) => id) } } });
  }
});

test('fields that are left out are not read', async () => {
  const [token] = await readRows(admin, 'AccessToken', {}, ['id', 'name']);
  expect(token).toBeDefined();
  expect(token).not.toHaveProperty('hash');
});

test('what one request reads is bounded, in one statement and in all', async () => {
  const selection = { fields: ['id', 'name'], joins: [] };
  const read = () =>
    readTree(admin, sql`SELECT id, name FROM tags WHERE name IS NOT NULL`, selection, {
      name: 'test.tags',
    });
  const refusal = { code: 'BAD_REQUEST', message: expect.stringContaining('ask for fewer rows') };
  const { rows } = await read();
  expect(rows.length).toBeGreaterThan(1);
  admin.readBound = new ReadBound(10);
  await expect(read()).rejects.toMatchObject(refusal);
  const bytes = JSON.stringify(rows).length;
  admin.readBound = new ReadBound(2.5 * bytes);
  expect((await read()).rows).toEqual(rows);
  const more = async () => {
    for (let n = 0; n < 10; n++) await read();
  };
  await expect(more()).rejects.toMatchObject(refusal);
  admin.readBound = new ReadBound(defaultBound);
  expect((await read()).rows).toEqual(rows);
});
