import { Kept } from '../../domain/kept.js';
import { Prisma } from '../../generated/prisma/client.js';
import { largestRead, ReadTooLarge } from '../connection/read-bound.js';
import type { SendStatement } from '../connection/read-source.js';
import type { Session } from '../connection/session.js';
import { named } from '../connection/statement.js';
import { columnsSql } from './columns.js';
import { recordsSql } from './conditions.js';
import { jsonSql, type ReadRow, rowReader } from './json.js';
import { modelName, tables } from './models.js';
import type { OfCaller } from './scope.js';
import { attachJoined, type Join, type JoinedRecords, type JoinTable, type Selection } from './selection.js';

const { sql, raw, join } = Prisma;

/** What a statement reads: rows, and what is joined to them. */
interface Branch {
  /** Its place among all that the statement reads; what is joined comes after what it is joined to. */
  readonly index: number;
  /** What joins it to the rows above; none of the rows that the statement is about. */
  readonly by?: Join | undefined;
  readonly fields: readonly string[];
  readonly read: ReadRow;
  /** Whether there is one row at most. */
  readonly single: boolean;
  readonly branches: readonly Branch[];
  /** The tables that are joined, for the statement's name: ` + users`. */
  readonly joined: string;
  /** Of the first, what its statements are after its rows, as they were made for anyone. */
  readonly templates: Map<string, Prisma.Sql>;
}

const trees = { many: new Kept<Selection, Branch>(), single: new Kept<Selection, Branch>() };

function planBranch(
  { fields, joins }: Selection,
  single: boolean,
  next: { index: number },
  by?: Join,
): Branch {
  const index = next.index++;
  const branches = joins.map(([join, selection]) =>
    planBranch(selection, single && 'field' in join, next, join),
  );
  const joined = branches.map(({ by, joined }) => ` + ${by ? tables[by.kind] : ''}${joined}`).join('');
  return { index, by, fields, read: rowReader(fields), single, branches, joined, templates: new Map() };
}

function planTree(selection: Selection, single: boolean): Branch {
  const known = trees[single ? 'single' : 'many'];
  return known.ensure(selection, () => planBranch(selection, single, { index: 0 }));
}

/** The rows of a branch as one value; what `last` names stands behind the fields of each. */
function branchJsonSql({ index, fields }: Branch, last?: string): Prisma.Sql {
  const values = [
    ...fields.map((field) => jsonSql('branch', field)),
    ...(last ? [raw(`branch."${last}"`)] : []),
  ];
  const rows = sql`SELECT json_agg(json_build_array(${join(values)})) FROM ${raw(`branch${index}`)} AS branch`;
  return sql`(${rows}) AS ${raw(`"${index}"`)}`;
}

/**
 * The records that rows lead to by pairs, in the order of the pairs, each with the id of the row as `own`, as far as
 * the caller sees them.
 * @param owners what the rows' ids are equal to, as SQL
 */
export function joinTableSql(
  of: OfCaller,
  by: JoinTable,
  columns: Prisma.Sql,
  owners: Prisma.Sql,
): Prisma.Sql {
  const [table, own, their] = [by.table, by.own, by.their].map((name) => raw(name));
  const pairs = sql`JOIN ${table} AS pair ON pair.${their} = record.id AND pair.${own} = ${owners}`;
  return sql`SELECT ${columns}, pair.${own} AS own ${recordsSql(of, by.kind, {}, pairs)} ORDER BY pair.position`;
}

/** What an id is equal to that a field of a branch's rows holds: told that it is one, PostgreSQL plans for one. */
function joinKey({ index, single }: Branch, field: string): Prisma.Sql {
  return raw(
    `${single ? '' : 'ANY(ARRAY'}(SELECT above."${field}" FROM branch${index} AS above)${single ? '' : ')'}`,
  );
}

/** The records that a join leads to from the rows above. */
function joinedSql(of: OfCaller, by: Join, fields: readonly string[], above: Branch): Prisma.Sql {
  const columns = columnsSql(modelName(by.kind), fields);
  if ('table' in by) return joinTableSql(of, by, columns, joinKey(above, 'id'));
  return sql`SELECT ${columns} ${recordsSql(of, by.kind, { id: joinKey(above, by.field) })}`;
}

/** Writes down a branch and those below it: what each is called, and what is answered of it. */
function addBranchSql(
  of: OfCaller,
  branch: Branch,
  above: Branch,
  into: { named: Prisma.Sql[]; answered: Prisma.Sql[] },
) {
  const { index, by, fields, branches } = branch;
  if (by) {
    into.named.push(sql`${raw(`branch${index}`)} AS (${joinedSql(of, by, fields, above)})`);
    into.answered.push(branchJsonSql(branch, 'table' in by ? 'own' : undefined));
  }
  for (const next of branches) addBranchSql(of, next, branch, into);
}

/** The size of an answer, which PostgreSQL knows without looking at it. */
const sizeSql = (branches: number) =>
  raw(
    Array.from({ length: branches }, (_, i) => `coalesce(octet_length("${i}"::text), 0)::bigint`).join(' + '),
  );

/** What a tree's statement is after its rows. */
function buildTreeSql(of: OfCaller, tree: Branch, counted: boolean): Prisma.Sql {
  const into = { named: [] as Prisma.Sql[], answered: [branchJsonSql(tree, counted ? 'total' : undefined)] };
  addBranchSql(of, tree, tree, into);
  const answer = sql`answer AS MATERIALIZED (SELECT ${join(into.answered)})`;
  const sized = sql`SELECT *, ${sizeSql(into.answered.length)} AS bytes FROM answer`;
  return sql`${join([...into.named, answer])} SELECT * FROM (${sized}) AS sized WHERE bytes <= ${placeholderBound}`;
}

/** What stands in a statement that is made for anyone where the caller's organization and workspaces are to be. */
const placeholderCaller = {
  organizationId: "the caller's organization",
  teamIds: ["the caller's workspaces"],
};

/** What stands there where the bytes that may be read are to be. */
const placeholderBound = 'the bytes that may be read';

/** `makeRest`, made once for all callers of whom as much is asked: making it takes a tenth of a small request. */
function treeSql(of: OfCaller, tree: Branch, counted: boolean, byteLimit: number): Prisma.Sql {
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
    return value === placeholderCaller.teamIds ? caller.teamIds : value;
  });
  return new Prisma.Sql(made.strings, values);
}

type Answer = Record<number, (readonly unknown[])[] | null> & { readonly bytes: number | bigint };
type Row = Record<string, unknown>;

/** What a branch has for each key of the rows above. */
function joinLookup(branch: Branch, answer: Answer): (row: Row) => unknown {
  const { by, fields } = branch;
  const rows = readBranch(branch, answer);
  if (by && 'field' in by) {
    const { field } = by;
    const byId = new Map(rows.map((row) => [row.id, row]));
    return (row) => byId.get(row[field]) ?? null;
  }
  const lists = new Map<unknown, Row[]>();
  answer[branch.index]?.forEach((values, place) => {
    const own = values[fields.length];
    const list = lists.get(own);
    const row = rows[place] as Row;
    if (list) list.push(row);
    else lists.set(own, [row]);
  });
  return (row) => lists.get(row.id) ?? [];
}

/** The rows of a branch, each with what is joined to it. */
function readBranch(branch: Branch, answer: Answer): Row[] {
  const rows = (answer[branch.index] ?? []).map(branch.read);
  if (branch.branches.length === 0) return rows;
  const joins = branch.branches.map((next) => ({ name: next.by?.name ?? '', of: joinLookup(next, answer) }));
  for (const row of rows) {
    const records: JoinedRecords = {};
    for (const { name, of } of joins) records[name] = of(row);
    attachJoined(row, records);
  }
  return rows;
}

/** How a tree is read. */
interface TreeOptions {
  /** What the statement is called; what it joins is added. */
  readonly name: string;
  /** Whether the rows have a column `total`, too: where there are none, in one row of nulls. */
  readonly counted?: boolean;
  /** Whether there is one row at most. */
  readonly single?: boolean;
}

/** What a tree reads. */
interface TreeRows<R> {
  readonly rows: R[];
  readonly total: number | undefined;
}

/**
 * Reads rows and what is joined to them, to any depth, with one statement: for each kind a list of lists of values,
 * which PostgreSQL writes and JSON.parse reads at a third of what rows of the protocol cost.
 * @param rows a statement for the rows, with a column under the name of each of the selection's fields
 * @throws GatewayError BAD_REQUEST when there is more than the request may read
 */
export async function readTree<R>(
  session: Session,
  rows: Prisma.Sql,
  selection: Selection,
  { name, counted = false, single = false }: TreeOptions,
): Promise<TreeRows<R>> {
  const tree = planTree(selection, single);
  const statement = (byteLimit: number) =>
    named(name + tree.joined, sql`WITH branch0 AS (${rows}), ${treeSql(session, tree, counted, byteLimit)}`);
  const answer = await session.readBound.read(async (byteLimit) => {
    const [found] = await session.read<Answer>(statement(byteLimit));
    return found && { found, bytes: Number(found.bytes) };
  });
  return readAnswer(tree, answer, counted);
}

/**
 * Writes a row, and reads it with what is joined to it, with one statement.
 * @param row a statement that writes it and returns a column under the name of each of the selection's fields
 * @param also further parts of the statement's WITH
 * @param send sends it: it may be the last of its transaction
 * @returns undefined where no row was written
 */
export async function writeTree<R>(
  of: OfCaller,
  name: string,
  row: Prisma.Sql,
  selection: Selection,
  also: Prisma.Sql,
  send: SendStatement,
): Promise<R | undefined> {
  const tree = planTree(selection, true);
  const statement = sql`WITH branch0 AS (${row}), ${also}, ${treeSql(of, tree, false, largestRead)}`;
  const [answer] = await send<Answer>(named(name + tree.joined, statement));
  if (!answer) throw new ReadTooLarge();
  return readAnswer<R>(tree, answer, false).rows[0];
}

function readAnswer<R>(tree: Branch, answer: Answer, counted: boolean): TreeRows<R> {
  const total = counted ? Number(answer[0]?.[0]?.[tree.fields.length]) : undefined;
  const read = readBranch(tree, answer).filter(({ id }) => id !== null);
  return { rows: read as R[], total };
}
