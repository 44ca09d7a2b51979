import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getDatamodel } from '../../prisma/generated/pothos.js';
import { authenticate } from '../../src/access/callers.js';
import { Session } from '../../src/db/connection/session.js';
import type { Transaction } from '../../src/db/connection/transaction.js';
import type { NewRow } from '../../src/db/sql/conditions.js';
import { readRows } from '../../src/db/sql/select.js';
import { deleteRows, insertRows, type NewValues, updateRows } from '../../src/db/sql/write.js';
import { createDatabase, createTenant, type TestDatabase, testTime } from '../support/gateway.js';
import {
  allowAnyContent,
  edges,
  examples,
  freeColumns,
  hasPlace,
  keyOf,
  type Model,
  makeRows,
  models,
  newRow,
  on,
} from './scope.fixture.js';

type Values = Record<string, unknown>;
type Made = Awaited<ReturnType<typeof makeRows>>;

let { database, drop } = {} as TestDatabase;
/** A member of one workspace, and an admin of its organization. */
let [member, admin] = [] as unknown as [Session, Session];
/** Rows of the member's workspace, two of each model; of another workspace; and of another organization. */
let [own, more, beside, foreign] = [] as unknown as [Made, Made, Made, Made];

const { datamodel } = getDatamodel();

beforeAll(async () => {
  ({ database, drop } = await createDatabase());
  await allowAnyContent(database);
  const [here, there] = [await createTenant(database), await createTenant(database, 'Globex')];
  const sessionOf = async (token: string) => {
    const caller = await authenticate(database, token, testTime);
    if (!caller) throw new Error('The token is unknown.');
    return new Session(database, { caller, now: testTime });
  };
  [member, admin] = [await sessionOf(here.member), await sessionOf(here.admin)];
  const made = (organizationId: string, teamId: string) =>
    makeRows(database.prisma, { organizationId, teamId });
  own = await made(here.organizationId, here.teamId);
  more = await made(here.organizationId, here.teamId);
  beside = await made(here.organizationId, here.otherTeamId);
  foreign = await made(there.organizationId, there.teamId);
});
afterAll(() => drop());

const place = () => ({
  organizationId: own.rows.Tag.organizationId as string,
  teamId: own.rows.Tag.teamId as string,
});

/** Sets of values: all that can be null is null in one, the edges of the columns' types are in the others. */
function sets(model: Model): Values[] {
  const fields = datamodel.models[model]?.fields ?? [];
  const columns = freeColumns(model);
  const empty = columns.filter(
    ({ name }) => fields.find((field) => field.name === name)?.isRequired === false,
  );
  const filled = Array.from({ length: 4 }, (_, place) =>
    Object.fromEntries(
      columns.map(({ name, type }) => [name, edges[type]?.[place % (edges[type]?.length ?? 1)]]),
    ),
  );
  // A user is known to both an issuer and by a subject, or to neither.
  return [Object.fromEntries(empty.map(({ name }) => [name, null])), ...filled];
}

const byPrisma = (model: Model) => on(database.prisma, model);
/** Columns that the database writes itself: a new workspace's own policy, and times by its clock. */
const byDatabase: Readonly<Partial<Record<Model, string>>> = {
  Team: 'reminderPolicyId',
  Reminder: 'modified',
  Delivery: 'modified',
  ReminderMark: 'dayNextAt',
};
/** Times of other names that begin as the database's clock says. */
const byClock: Readonly<Partial<Record<Model, string>>> = { ComplianceTurn: 'dueAt' };
const withoutOwn = (model: Model, rows: readonly unknown[]) =>
  (rows as Values[]).map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => name !== byDatabase[model])),
  );
const readByPrisma = async (model: Model, row: Values) =>
  withoutOwn(model, (await byPrisma(model).findMany?.({ where: keyOf(model, row) })) ?? []);
const removeByPrisma = (model: Model, row: Values) =>
  byPrisma(model).deleteMany?.({ where: keyOf(model, row) });

/** Returns the types of one model do not say what those of another hold. */
const insert = (tx: Transaction, model: Model, rows: readonly Values[]) =>
  insertRows(tx, model, rows as unknown as NewRow<Model>[]);
const update = (tx: Transaction, model: Model, where: Values, values: Values) =>
  updateRows(tx, model, where, values as NewValues<Model>);

/** Models of which an organization has one row that belongs to nothing else. */
const single: readonly Model[] = ['Organization', 'MailText'];

describe.each(models)('%s', (model) => {
  if (!single.includes(model))
    test('is inserted as Prisma inserts it, alone and with others', async () => {
      const strings = freeColumns(model).filter(({ type }) => type === 'String');
      const texts = new Set(strings.map(({ name }) => name));
      for (const values of sets(model)) {
        const times = Object.fromEntries(
          Object.keys(on(database.prisma, model).fields ?? {})
            .filter((name) =>
              ['created', 'modified', 'receivedAt', 'requestedAt', byClock[model]].includes(name),
            )
            .map((name) => [name, new Date('2026-03-08T23:59:59.007Z')]),
        );
        const row = { ...newRow(model, place(), own), ...times, ...values };
        const other = newRow(model, place(), more);
        const another = { ...row, ...other };
        for (const [name, value] of Object.entries(row)) {
          // Of unique texts, each row has its own.
          if (!(name in other) && texts.has(name) && typeof value === 'string') another[name] = `${value}2`;
        }
        await byPrisma(model).create?.({ data: row });
        const expected = await readByPrisma(model, row);
        expect(expected).toHaveLength(1);
        await removeByPrisma(model, row);
        await admin.inTransaction((tx) => insert(tx, model, [row]));
        expect(await readByPrisma(model, row)).toStrictEqual(expected);
        await removeByPrisma(model, row);
        await admin.inTransaction((tx) => insert(tx, model, [another, row]));
        expect(await readByPrisma(model, row)).toStrictEqual(expected);
        expect(await readByPrisma(model, another)).toHaveLength(1);
        await removeByPrisma(model, another);
        await removeByPrisma(model, row);
      }
    });

  test('is updated as Prisma updates it', async () => {
    const where = keyOf(model, own.rows[model]);
    for (const data of sets(model)) {
      if (Object.keys(data).length === 0) continue;
      const before = (await readByPrisma(model, own.rows[model])) as Values[];
      await byPrisma(model).updateMany?.({ where, data });
      const expected = await readByPrisma(model, own.rows[model]);
      await byPrisma(model).updateMany?.({ where, data: before[0] });
      const updated = await member.inTransaction((tx) => update(tx, model, where, data));
      expect(await readByPrisma(model, own.rows[model])).toStrictEqual(expected);
      expect(withoutOwn(model, updated)).toStrictEqual(expected);
      await byPrisma(model).updateMany?.({ where, data: before[0] });
    }
  });

  test('is neither updated nor deleted where the caller does not see it', async () => {
    const hidden = examples[model].reach === 'organization' ? [foreign] : [beside, foreign];
    for (const { rows } of hidden) {
      const where = keyOf(model, rows[model]);
      const before = await readByPrisma(model, rows[model]);
      await member.inTransaction(async (tx) => {
        expect(await readRows(tx, model, { where })).toEqual([]);
        expect(await update(tx, model, where, examples[model].change)).toEqual([]);
        expect(await deleteRows(tx, model, where)).toBe(0);
      });
      expect(await readByPrisma(model, rows[model])).toStrictEqual(before);
    }
  });

  test('is put nowhere else', async () => {
    const into = (made: Made) => {
      const { organizationId, teamId } = made.rows.Tag as { organizationId: string; teamId: string };
      return newRow(model, { organizationId, teamId }, made);
    };
    const hidden = examples[model].reach === 'organization' ? [foreign] : [beside, foreign];
    for (const row of hidden.map(into)) {
      if (!hasPlace(model)) continue;
      // A workspace is made by the organization.
      if (model === 'Team' && row.organizationId === member.caller.organizationId) continue;
      const both = [newRow(model, place(), own), row];
      await expect(member.inTransaction((tx) => insert(tx, model, [row]))).rejects.toThrow(
        /^A (write outside|new)/,
      );
      await expect(member.inTransaction((tx) => insert(tx, model, both))).rejects.toThrow(
        /^A (write outside|new)/,
      );
      expect(await readByPrisma(model, row)).toEqual([]);
    }
    const where = keyOf(model, own.rows[model]);
    const to = foreign.rows.Tag;
    const moves = [{ organizationId: to.organizationId }, { teamId: to.teamId }].filter(
      (move) => (Object.keys(move)[0] as string) in own.rows[model],
    );
    for (const move of moves) {
      await expect(member.inTransaction((tx) => update(tx, model, where, move))).rejects.toThrow(
        'outside of',
      );
    }
  });

  test('is deleted', async () => {
    if (model === 'Organization' || model === 'Team') return;
    const row = newRow(model, place(), own);
    await byPrisma(model).create?.({ data: row });
    const where = keyOf(model, row);
    expect(await member.inTransaction((tx) => deleteRows(tx, model, where))).toBe(1);
    expect(await readByPrisma(model, row)).toEqual([]);
  });
});

test('a part never becomes another record’s', async () => {
  const { noteId } = more.rows.NoteRelation;
  const moving = member.inTransaction((tx) =>
    updateRows(tx, 'NoteRelation', keyOf('NoteRelation', own.rows.NoteRelation), {
      noteId: noteId as string,
    }),
  );
  await expect(moving).rejects.toThrow('A part of a record');
});

test('a row that another writer has just inserted is skipped or rejected, as requested', async () => {
  const row = own.rows.Tag as unknown as NewRow<'Tag'>;
  await expect(member.inTransaction((tx) => insertRows(tx, 'Tag', [row]))).rejects.toMatchObject({
    code: '23505',
  });
  await member.inTransaction((tx) => insertRows(tx, 'Tag', [row], { skipDuplicates: true }));
  await member.inTransaction((tx) => insertRows(tx, 'Tag', []));
});
