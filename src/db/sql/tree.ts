import { Kept } from '../../domain/kept.js';
import { maxReadBytes, ReadTooLarge } from '../connection/read-bound.js';
import type { SendStatement } from '../connection/read-source.js';
import type { Session } from '../connection/session.js';
import { named } from '../connection/statement.js';
import { TimeSlices } from '../connection/time-slices.js';
import { columnsSql } from './columns.js';
import { columnSql, orderSql, recordsSql } from './conditions.js';
import { jsonSql, type ReadRow, rowReader } from './json.js';
import type { OfCaller } from './models.js';
import { modelName, tables } from './models.js';
import { attachJoined, type Join, type JoinedRecords, type JoinTable, type Selection } from './selection.js';
import { join, raw, Sql, sql } from './sql.js';

/** A node of the tree that a statement reads: rows and their joined records. Each is one CTE. */
interface Branch {
  /** Number of the CTE `branch0`, `branch1` …, in pre-order. */
  readonly index: number;
  /** Join to the rows above; undefined for the root. */
  readonly by?: Join | undefined;
  readonly fields: readonly string[];
  readonly read: ReadRow;
  /** True if there is at most one row. */
  readonly single: boolean;
  readonly branches: readonly Branch[];
  /** Names of the joined tables, for the statement's name: ` + users`. */
  readonly joined: string;
  /** SQL after the root's rows, cached by role. It has placeholders for the caller's values. */
  readonly templates: Map<string, Sql>;
}

const trees = { many: new Kept<Selection, Branch>(), single: new Kept<Selection, Branch>() };

function planBranch(
  { fields, joins, shown }: Selection,
  single: boolean,
  next: { index: number },
  by?: Join,
): Branch {
  const index = next.index++;
  const branches = joins.map(([join, selection]) =>
    planBranch(selection, single && 'field' in join, next, join),
  );
  const joined = branches.map(({ by, joined }) => ` + ${by ? tables[by.kind] : ''}${joined}`).join('');
  return {
    index,
    by,
    fields,
    read: rowReader(fields, shown),
    single,
    branches,
    joined,
    templates: new Map(),
  };
}

function planTree(selection: Selection, single: boolean): Branch {
  const known = trees[single ? 'single' : 'many'];
  return known.ensure(selection, () => planBranch(selection, single, { index: 0 }));
}

/** Separates the rows of a branch. PostgreSQL writes no line feed within a row. */
const lineEnd = ',\n';
const lineEndSql = raw("E',\\n'");

/** Returns a branch's rows as JSON arrays, one per line. The column `last` follows the fields of each row. */
function branchJsonSql({ index, fields }: Branch, last?: string): Sql {
  const values = [
    ...fields.map((field) => jsonSql('branch', field)),
    ...(last ? [raw(`branch."${last}"`)] : []),
  ];
  const lines = sql`string_agg(json_build_array(${join(values)})::text, ${lineEndSql})`;
  return sql`(SELECT ${lines} FROM ${raw(`branch${index}`)} AS branch) AS ${raw(`"${index}"`)}`;
}

/**
 * Returns the query for records linked to rows by a join table. They come in its order, each with the id of
 * its row as `own`, as far as the caller sees them.
 * @param owners right-hand side of `own =`, as SQL
 */
export function joinTableSql(of: OfCaller, by: JoinTable, columns: Sql, owners: Sql): Sql {
  const [table, own, their] = [by.table, by.own, by.their].map((name) => raw(name));
  const pairs = sql`JOIN ${table} AS pair ON pair.${their} = record.id AND pair.${own} = ${owners}`;
  return sql`SELECT ${columns}, pair.${own} AS own ${recordsSql(of, by.kind, {}, pairs)} ORDER BY pair.position`;
}

/**
 * Returns the right-hand side of a join condition on a branch's field. For one parent row it is `(SELECT …)`,
 * else `ANY(ARRAY(SELECT …))`: for the first form, the planner assumes one row.
 */
function joinKey({ index, single }: Branch, field: string): Sql {
  return raw(
    `${single ? '' : 'ANY(ARRAY'}(SELECT above."${field}" FROM branch${index} AS above)${single ? '' : ')'}`,
  );
}

/** Returns the query for the records that a join leads to. */
function joinedSql(of: OfCaller, by: Join, fields: readonly string[], above: Branch): Sql {
  const columns = columnsSql(modelName(by.kind), fields);
  if ('table' in by) return joinTableSql(of, by, columns, joinKey(above, 'id'));
  if ('owner' in by) {
    const records = recordsSql(of, by.kind, { [by.owner]: joinKey(above, 'id') });
    return sql`SELECT ${columns}, ${columnSql('record', by.owner)} AS own ${records} ORDER BY ${orderSql('record', by.orderBy)}`;
  }
  return sql`SELECT ${columns} ${recordsSql(of, by.kind, { id: joinKey(above, by.field) })}`;
}

/** Adds the CTEs and answer columns of a branch and of those below it. */
function addBranchSql(of: OfCaller, branch: Branch, above: Branch, into: { named: Sql[]; answered: Sql[] }) {
  const { index, by, fields, branches } = branch;
  if (by) {
    into.named.push(sql`${raw(`branch${index}`)} AS (${joinedSql(of, by, fields, above)})`);
    into.answered.push(branchJsonSql(branch, 'field' in by ? undefined : 'own'));
  }
  for (const next of branches) addBranchSql(of, next, branch, into);
}

/**
 * Returns the size of the answer in bytes. PostgreSQL knows it without reading the values (`octet_length`).
 */
const sizeSql = (branches: number) =>
  raw(Array.from({ length: branches }, (_, i) => `coalesce(octet_length("${i}"), 0)::bigint`).join(' + '));

/** Returns the rest of a tree's statement, after the CTE of its root. */
function buildTreeSql(of: OfCaller, tree: Branch, counted: boolean): Sql {
  const into = { named: [] as Sql[], answered: [branchJsonSql(tree, counted ? 'total' : undefined)] };
  addBranchSql(of, tree, tree, into);
  const answer = sql`answer AS MATERIALIZED (SELECT ${join(into.answered)})`;
  const sized = sql`SELECT *, ${sizeSql(into.answered.length)} AS bytes FROM answer`;
  return sql`${join([...into.named, answer])} SELECT * FROM (${sized}) AS sized WHERE bytes <= ${placeholderBound}`;
}

/** Placeholders for the caller's organization, workspaces and user in a cached statement. */
const placeholderCaller = {
  organizationId: "the caller's organization",
  teamIds: ["the caller's workspaces"],
  user: { id: "the caller's user", name: '', email: '', teamId: '' },
};

/** Placeholder for the number of bytes that may be read. */
const placeholderBound = 'the bytes that may be read';

/**
 * Returns a tree's SQL from the cache with the caller's values. Building it would take a tenth of a small
 * request's time.
 */
function treeSql(of: OfCaller, tree: Branch, counted: boolean, byteLimit: number): Sql {
  const { caller } = of;
  const key = `${caller.role} ${counted}`;
  let made = tree.templates.get(key);
  if (!made) {
    made = buildTreeSql({ caller: { ...caller, ...placeholderCaller } }, tree, counted);
    tree.templates.set(key, made);
  }
  const values = made.values.map((value) => {
    if (value === placeholderBound) return byteLimit;
    if (value === placeholderCaller.organizationId) return caller.organizationId;
    if (value === placeholderCaller.user.id) return caller.user.id;
    return value === placeholderCaller.teamIds ? caller.teamIds : value;
  });
  return new Sql(made.strings, values);
}

/** The lines of each branch's rows; null for none. */
type Answer = Record<number, string | null> & { readonly bytes: number | bigint };
type Row = Record<string, unknown>;

/** Characters of rows that are parsed at once. That takes a tenth of a millisecond. */
const parsedLength = 16 * 1024;

/** Parses rows in small batches, so that they do not block the event loop. */
function* parseRows(lines: string | null | undefined): Generator<readonly unknown[][]> {
  for (let start = 0; lines && start < lines.length; ) {
    const isLong = lines.length - start > parsedLength;
    const next = isLong ? lines.indexOf(lineEnd, start + parsedLength) : -1;
    const end = next === -1 ? lines.length : next;
    yield JSON.parse(`[${lines.slice(start, end)}]`);
    start = end + lineEnd.length;
  }
}

/** Receives a row, and the value that came after its fields. */
type TakeRow = (row: Row, last: unknown) => void;

/** Returns the function that finds the joined records of a row above. */
async function joinLookup(
  branch: Branch,
  answer: Answer,
  slices: TimeSlices,
): Promise<(row: Row) => unknown> {
  const { by } = branch;
  if (by && 'field' in by) {
    const { field } = by;
    const byId = new Map<unknown, Row>();
    await readBranch(branch, answer, slices, (row) => byId.set(row.id, row));
    return (row) => byId.get(row[field]) ?? null;
  }
  const lists = new Map<unknown, Row[]>();
  await readBranch(branch, answer, slices, (row, own) => {
    const list = lists.get(own);
    if (list) list.push(row);
    else lists.set(own, [row]);
  });
  return (row) => lists.get(row.id) ?? [];
}

/** Reads the rows of a branch from the answer, and attaches their joined records. */
async function readBranch(branch: Branch, answer: Answer, slices: TimeSlices, take: TakeRow): Promise<void> {
  const { index, branches, fields, read } = branch;
  const joins: { readonly name: string; readonly of: (row: Row) => unknown }[] = [];
  for (const next of branches) {
    joins.push({ name: next.by?.name ?? '', of: await joinLookup(next, answer, slices) });
  }
  for (const some of parseRows(answer[index])) {
    for (const values of some) {
      if (slices.isOver) await slices.next();
      const row = read(values);
      if (joins.length > 0) {
        const records: JoinedRecords = {};
        for (const { name, of } of joins) records[name] = of(row);
        attachJoined(row, records);
      }
      take(row, values[fields.length]);
    }
  }
}

interface TreeOptions {
  /** Name of the statement; the joined tables are appended. */
  readonly name: string;
  /** True if the rows have a column `total`. A list without rows then has one row of nulls with it. */
  readonly counted?: boolean;
  /** True if there is at most one row. */
  readonly single?: boolean;
}

/** Rows of a tree, and the total number of matches if it was counted. */
interface TreeRows<R> {
  readonly rows: R[];
  readonly total: number | undefined;
}

/**
 * Reads rows and their joined records, to any depth, with one statement. PostgreSQL writes lines of JSON
 * arrays for each branch. Parsing them with JSON.parse takes a third of the time of the protocol's rows.
 * @param rows a statement for the rows, with a column named after each of the selection's fields
 * @throws GatewayError BAD_REQUEST if there is more than the request may read
 */
export async function readTree<R>(
  session: Session,
  rows: Sql,
  selection: Selection,
  { name, counted = false, single = false }: TreeOptions,
): Promise<TreeRows<R>> {
  const tree = planTree(selection, single);
  const statement = (byteLimit: number) =>
    named(name + tree.joined, sql`WITH branch0 AS (${rows}), ${treeSql(session, tree, counted, byteLimit)}`);
  const answer = await session.readBound.read(async (byteLimit) => {
    const [found] = await session.read<Answer>(statement(byteLimit));
    if (!found) return undefined;
    const bytes = Number(found.bytes);
    session.slices.addRead(bytes);
    return { found, bytes };
  });
  return readAnswer(tree, answer, counted, session.slices);
}

/**
 * Writes a row, and reads it with its joined records, in one statement.
 * @param row an INSERT or UPDATE … RETURNING, with a column for each of the selection's fields
 * @param also further CTEs
 * @param send sends the statement, which may be the last of its transaction
 * @returns undefined if no row was written
 */
export async function writeTree<R>(
  of: OfCaller,
  name: string,
  row: Sql,
  selection: Selection,
  also: Sql,
  send: SendStatement,
): Promise<R | undefined> {
  const tree = planTree(selection, true);
  const statement = sql`WITH branch0 AS (${row}), ${also}, ${treeSql(of, tree, false, maxReadBytes)}`;
  const [answer] = await send<Answer>(named(name + tree.joined, statement));
  if (!answer) throw new ReadTooLarge();
  const { rows } = await readAnswer<R>(tree, answer, false, new TimeSlices());
  return rows[0];
}

async function readAnswer<R>(
  tree: Branch,
  answer: Answer,
  counted: boolean,
  slices: TimeSlices,
): Promise<TreeRows<R>> {
  const rows: Row[] = [];
  let total: number | undefined;
  await readBranch(tree, answer, slices, (row, last) => {
    if (counted) total = Number(last);
    if (row.id !== null) rows.push(row);
  });
  return { rows: rows as R[], total };
}
