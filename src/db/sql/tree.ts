import { Kept } from '../../domain/kept.js';
import { Prisma } from '../../generated/prisma/client.js';
import { columnsSql } from './columns.js';
import { recordsSql } from './conditions.js';
import { jsonSql, type ReadRow, rowReader } from './json.js';
import { modelOf } from './models.js';
import { largestRead, ReadTooLarge, readBounded } from './read-bound.js';
import { type Reader, readerOf, type Session } from './scope.js';
import { type Join, type Joined, type Pairs, putBeside, type Selection } from './selection.js';

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
  /** Of the first, what its statements are after its rows, as they were made for anyone. */
  readonly made: Map<string, Prisma.Sql>;
}

const trees = { many: new Kept<Selection, Branch>(), single: new Kept<Selection, Branch>() };

function branchOf({ fields, joins }: Selection, single: boolean, next: { index: number }, by?: Join): Branch {
  const index = next.index++;
  const branches = joins.map(([join, selection]) =>
    branchOf(selection, single && 'field' in join, next, join),
  );
  return { index, by, fields, read: rowReader(fields), single, branches, made: new Map() };
}

function treeOf(selection: Selection, single: boolean): Branch {
  const known = trees[single ? 'single' : 'many'];
  return known.ensure(selection, () => branchOf(selection, single, { index: 0 }));
}

/** The rows of a branch as one value; what `last` names stands behind the fields of each. */
function rowsJson({ index, fields }: Branch, last?: string): Prisma.Sql {
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
export function pairedSql(session: Session, by: Pairs, columns: Prisma.Sql, owners: Prisma.Sql): Prisma.Sql {
  const [table, own, their] = [by.table, by.own, by.their].map((name) => raw(name));
  const pairs = sql`JOIN ${table} AS pair ON pair.${their} = record.id AND pair.${own} = ${owners}`;
  return sql`SELECT ${columns}, pair.${own} AS own ${recordsSql(session, by.kind, {}, pairs)} ORDER BY pair.position`;
}

/** What an id is equal to that a field of a branch's rows holds: told that it is one, PostgreSQL plans for one. */
function equalTo({ index, single }: Branch, field: string): Prisma.Sql {
  return raw(
    `${single ? '' : 'ANY(ARRAY'}(SELECT above."${field}" FROM branch${index} AS above)${single ? '' : ')'}`,
  );
}

/** The records that a join leads to from the rows above. */
function joinedSql(session: Session, by: Join, fields: readonly string[], above: Branch): Prisma.Sql {
  const columns = columnsSql(modelOf(by.kind), fields);
  if ('table' in by) return pairedSql(session, by, columns, equalTo(above, 'id'));
  return sql`SELECT ${columns} ${recordsSql(session, by.kind, { id: equalTo(above, by.field) })}`;
}

/** Writes down a branch and those below it: what each is called, and what is answered of it. */
function write(
  session: Session,
  branch: Branch,
  above: Branch,
  into: { named: Prisma.Sql[]; answered: Prisma.Sql[] },
) {
  const { index, by, fields, branches } = branch;
  if (by) {
    into.named.push(sql`${raw(`branch${index}`)} AS (${joinedSql(session, by, fields, above)})`);
    into.answered.push(rowsJson(branch, 'table' in by ? 'own' : undefined));
  }
  for (const next of branches) write(session, next, branch, into);
}

/** The size of an answer, which PostgreSQL knows without looking at it. */
const sizeSql = (branches: number) =>
  raw(
    Array.from({ length: branches }, (_, i) => `coalesce(octet_length("${i}"::text), 0)::bigint`).join(' + '),
  );

/** What a tree's statement is after its rows. */
function makeRest(session: Session, tree: Branch, counted: boolean): Prisma.Sql {
  const into = { named: [] as Prisma.Sql[], answered: [rowsJson(tree, counted ? 'total' : undefined)] };
  write(session, tree, tree, into);
  const answer = sql`answer AS MATERIALIZED (SELECT ${join(into.answered)})`;
  const sized = sql`SELECT *, ${sizeSql(into.answered.length)} AS bytes FROM answer`;
  return sql`${join([...into.named, answer])} SELECT * FROM (${sized}) AS sized WHERE bytes <= ${anyBound}`;
}

/** What stands in a statement that is made for anyone where the caller's organization and workspaces are to be. */
const anyone = { organizationId: "the caller's organization", teamIds: ["the caller's workspaces"] };

/** What stands there where the bytes that may be read are to be. */
const anyBound = 'the bytes that may be read';

/** `makeRest`, made once for all callers of whom as much is asked: making it takes a tenth of a small request. */
function restSql(session: Session, tree: Branch, counted: boolean, most: number): Prisma.Sql {
  const { caller } = session;
  const key = `${caller.role} ${counted}`;
  let made = tree.made.get(key);
  if (!made) {
    made = makeRest({ ...session, caller: { ...caller, ...anyone } }, tree, counted);
    tree.made.set(key, made);
  }
  const values = made.values.map((value) => {
    if (value === anyBound) return most;
    if (value === anyone.organizationId) return caller.organizationId;
    return value === anyone.teamIds ? caller.teamIds : value;
  });
  return new Prisma.Sql(made.strings, values);
}

type Answer = Record<number, (readonly unknown[])[] | null> & { readonly bytes: number | bigint };
type Row = Record<string, unknown>;

/** What a branch has for each key of the rows above. */
function found(branch: Branch, answer: Answer): (row: Row) => unknown {
  const { by, fields } = branch;
  const rows = rowsOf(branch, answer);
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
function rowsOf(branch: Branch, answer: Answer): Row[] {
  const rows = (answer[branch.index] ?? []).map(branch.read);
  if (branch.branches.length === 0) return rows;
  const joins = branch.branches.map((next) => ({ name: next.by?.name ?? '', of: found(next, answer) }));
  for (const row of rows) {
    const records: Joined = {};
    for (const { name, of } of joins) records[name] = of(row);
    putBeside(row, records);
  }
  return rows;
}

/** How a tree is read. */
interface TreeOptions {
  /** Whether the rows have a column `total`, too: where there are none, in one row of nulls. */
  readonly counted?: boolean;
  /** Whether there is one row at most. */
  readonly single?: boolean;
  /** Further parts of the statement's WITH. */
  readonly also?: Prisma.Sql;
  /** Sends the statement, once; where it is left out, it is one that reads only. */
  readonly send?: Reader;
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
  { counted = false, single = false, also, send }: TreeOptions = {},
): Promise<{ rows: R[]; total: number | undefined }> {
  const tree = treeOf(selection, single);
  const first = also ? sql`branch0 AS (${rows}), ${also}` : sql`branch0 AS (${rows})`;
  const ask = async (sender: Reader, most: number) => {
    const [found] = await sender<Answer>(sql`WITH ${first}, ${restSql(session, tree, counted, most)}`);
    return found && { found, bytes: Number(found.bytes) };
  };
  const answer = send
    ? (await ask(send, largestRead))?.found
    : await readBounded(session, (most) => ask(readerOf(session), most));
  if (!answer) throw new ReadTooLarge();
  const total = counted ? Number(answer[0]?.[0]?.[tree.fields.length]) : undefined;
  const read = rowsOf(tree, answer).filter(({ id }) => id !== null);
  return { rows: read as R[], total };
}
