import { seesAllTeams } from '../../domain/caller.js';
import { WeakCache } from '../../domain/collections.js';
import type { ModelName, RecordKind } from '../../domain/models.js';
import type { Order } from '../../domain/paging.js';
import { maxReadBytes, ReadTooLarge, TimeSlices } from '../connection/bounds.js';
import type { SendStatement } from '../connection/database.js';
import type { Session } from '../connection/session.js';
import { prepared } from '../connection/statement.js';
import { type Condition, columnSql, columnsSql, orderSql, type RowOf, recordsSql } from './conditions.js';
import { modelName, type OfCaller, tables } from './models.js';
import { join, raw, Sql, sql } from './sql.js';

type Model = ModelName;
type FieldsWith<M extends Model, T> = {
  [Field in keyof RowOf<M>]: NonNullable<RowOf<M>[Field]> extends T ? Field : never;
}[keyof RowOf<M>];
/** The fields of all models with the type T. */
type Fields<T> = { [M in Model]: FieldsWith<M, T> }[Model];

const moment = (text: string) => new Date(text);

/** Lengths of dates, and of moments with milliseconds, as PostgreSQL writes them in JSON. */
const dateLength = '2026-11-20'.length;
const momentLength = '2026-11-20T09:30:00.000+00:00'.length;

/** Writes a date or moment as answers show it. PostgreSQL omits zeros at the end of a fraction. */
export function shownMoment(text: string): string {
  if (text.length === dateLength) return text;
  return text.length === momentLength && text[19] === '.'
    ? `${text.slice(0, 23)}Z`
    : moment(text).toISOString();
}

const bytes = (text: string) => Uint8Array.from(Buffer.from(text.slice(2), 'hex'));

/**
 * Parsers for fields whose values have no JSON type. A new field of such a type does not compile until it is
 * added here. 64-bit integers are written as text, because JSON numbers would lose digits.
 */
const readers: Record<Fields<Date>, typeof moment> &
  Record<Fields<bigint>, typeof BigInt> &
  Record<Fields<Uint8Array>, typeof bytes> = {
  created: moment,
  modified: moment,
  expirationDate: moment,
  previousDate: moment,
  receivedAt: moment,
  openedAt: moment,
  undoUntil: moment,
  filedAt: moment,
  suggestedExpirationDate: moment,
  dueAt: moment,
  expiresAt: moment,
  lastUsedAt: moment,
  revokedAt: moment,
  notifyOn: moment,
  noticeDate: moment,
  renewUntil: moment,
  slot: moment,
  decidedAt: moment,
  snoozeUntil: moment,
  mutedUntil: moment,
  until: moment,
  changesAt: moment,
  from: moment,
  endedOn: moment,
  itemDate: moment,
  dueOn: moment,
  statedDate: moment,
  sentAt: moment,
  nextMailAt: moment,
  firstTriedAt: moment,
  settledAt: moment,
  through: moment,
  nextAt: moment,
  pageUntil: moment,
  dayThrough: moment,
  dayNextAt: moment,
  failingSince: moment,
  requestedAt: moment,
  deletedAt: moment,
  usedAt: moment,
  secondFactorAt: moment,
  confirmedAt: moment,
  changedAt: moment,
  pacedUntil: moment,
  lastOkAt: moment,
  slowedUntil: moment,
  occurredAt: moment,
  frozenAt: moment,
  at: moment,
  contentLength: BigInt,
  notificationId: BigInt,
  timestamp: BigInt,
  size: BigInt,
  counter: BigInt,
  lastStep: BigInt,
  content: bytes,
  sheetRows: bytes,
  hash: bytes,
  digest: bytes,
  sealed: bytes,
  deviceHash: bytes,
  credentialId: bytes,
  publicKey: bytes,
  signingSecret: bytes,
  sealedHeaders: bytes,
  sealedUrl: bytes,
  sealedToken: bytes,
  sealedSecret: bytes,
};

type Reader = (text: string) => unknown;

const readerFor = (field: string): Reader | undefined => (readers as Partial<Record<string, Reader>>)[field];

/** Returns the expression that puts a field into JSON without loss. */
function jsonSql(row: string, field: string): Sql {
  return raw(`${row}."${field}"${readerFor(field) === BigInt ? '::text' : ''}`);
}

/** Builds a row from the JSON values of its fields. Its values have the same classes as Prisma's. */
type ReadRow = (values: readonly unknown[]) => Record<string, unknown>;

/**
 * Creates the function that builds rows with the given fields.
 * @param shown fields that no code reads. Their dates are texts: a `Date` that is only written again takes ten
 *   times as long.
 */
function rowReader(fields: readonly string[], shown?: ReadonlySet<string>): ReadRow {
  const converted = fields.flatMap((field) => {
    const read = readerFor(field);
    return read ? [{ field, read: read === moment && shown?.has(field) ? shownMoment : read }] : [];
  });
  // Copying this is cheaper than building up each row, and saves a third of a list's garbage.
  const blank: Record<string, unknown> = Object.fromEntries(fields.map((field) => [field, null]));
  return (values) => {
    const row = { ...blank };
    for (let index = 0; index < fields.length; index++) row[fields[index] as string] = values[index];
    for (const { field, read } of converted) {
      const value = row[field];
      if (value !== null) row[field] = read(value as string);
    }
    return row;
  };
}

interface JoinBase<Kind extends RecordKind> {
  /** Name of the join, unique in its model. The joined records are attached to the row under this name. */
  readonly name: string;
  readonly kind: Kind;
}

/** A join by a foreign key: the row holds the id of one record. */
export interface ForeignKeyJoin<Kind extends RecordKind = RecordKind> extends JoinBase<Kind> {
  readonly field: string;
}

/** A join by a join table, whose rows are ordered pairs of ids. */
export interface JoinTable<Kind extends RecordKind = RecordKind> extends JoinBase<Kind> {
  readonly table: string;
  readonly own: string;
  readonly their: string;
}

/** A join to a record's parts, in their order: rows that hold its id. */
export interface Parts<Kind extends RecordKind = RecordKind> extends JoinBase<Kind> {
  /** Field of the parts that holds the record's id. */
  readonly owner: string;
  readonly orderBy: readonly Condition[];
}

/** A join from a row to other records. */
export type Join = ForeignKeyJoin | JoinTable | Parts;

/** The fields to read of a row, and the joined records (projection). */
export interface Selection {
  /** Field names. They always include the id and each field that a join starts from. */
  readonly fields: readonly string[];
  /** Fields that are only shown. Their dates are texts, as answers write them. */
  readonly shown?: ReadonlySet<string>;
  readonly joins: readonly (readonly [Join, Selection])[];
}

/** Creates a join by the foreign key in a field. */
export const pointer = <Field extends string, Kind extends RecordKind>(field: Field, kind: Kind) => ({
  name: field,
  kind,
  field,
});

/** Creates a join to parts. Their order ends with their ids, in the direction of the last key. */
export function partsOf(name: string, kind: RecordKind, owner: string, orders: readonly Order[]): Parts {
  const keys = orders.map(({ field, direction }) => ({ [field]: direction }));
  return { name, kind, owner, orderBy: [...keys, { id: orders.at(-1)?.direction ?? 'asc' }] };
}

const joined = Symbol('joined');

/** Joined records by the names of the joins: a list, or one record or null. */
type JoinedRecords = Record<string, unknown>;

/** Attaches joined records to a row, under a symbol. */
function attachJoined(row: object, records: JoinedRecords): void {
  (row as { [joined]?: JoinedRecords })[joined] = records;
}

/** Returns what a join has read with a row; undefined if it was not read. */
export function getJoined(row: object, { name }: Join): unknown {
  return (row as { [joined]?: JoinedRecords })[joined]?.[name];
}

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

const trees = { many: new WeakCache<Selection, Branch>(), single: new WeakCache<Selection, Branch>() };

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
  const pairs = sql`JOIN ${table} AS pair ON pair.${own} = ${owners}`;
  const records = recordsSql(of, by.kind, { id: sql`pair.${their}` }, pairs);
  return sql`SELECT ${columns}, pair.${own} AS own ${records} ORDER BY pair.position`;
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
  const key = `${caller.role} ${seesAllTeams(caller)} ${counted}`;
  let made = tree.templates.get(key);
  if (!made) {
    const { organizationId, user, teamIds } = placeholderCaller;
    made = buildTreeSql({ caller: { ...caller, organizationId, user, teamIds } }, tree, counted);
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
type HttpResponse = Record<number, string | null> & { readonly bytes: number | bigint };
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
  answer: HttpResponse,
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
async function readBranch(
  branch: Branch,
  answer: HttpResponse,
  slices: TimeSlices,
  take: TakeRow,
): Promise<void> {
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
  /** True if the best plan depends on the values. */
  readonly isPlannedAnew?: boolean;
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
  { name, counted = false, single = false, isPlannedAnew }: TreeOptions,
): Promise<TreeRows<R>> {
  const tree = planTree(selection, single);
  const statement = (byteLimit: number) =>
    prepared(
      name + tree.joined,
      sql`WITH branch0 AS (${rows}), ${treeSql(session, tree, counted, byteLimit)}`,
      isPlannedAnew,
    );
  const answer = await session.readBound.read(async (byteLimit) => {
    const [found] = await session.read<HttpResponse>(statement(byteLimit));
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
  const [answer] = await send<HttpResponse>(prepared(name + tree.joined, statement));
  if (!answer) throw new ReadTooLarge();
  const { rows } = await readAnswer<R>(tree, answer, false, new TimeSlices());
  return rows[0];
}

async function readAnswer<R>(
  tree: Branch,
  answer: HttpResponse,
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
