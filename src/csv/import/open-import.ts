import type { GraphQLSchema } from 'graphql';
import type { Database } from '../../db/connection/database.js';
import type { Session } from '../../db/connection/session.js';
import { preferIndexes } from '../../db/sql/by-index.js';
import { readRows } from '../../db/sql/select.js';
import { GatewayError } from '../../domain/errors.js';
import { importLimits, type ListKind } from '../../imports/options.js';
import type { ClaimedImport } from '../../imports/queue.js';
import type { Declared } from '../../records/declare/declare.js';
import type { Resource } from '../../records/resource.js';
import { mapHeaders, resourceOf, targetOf } from './headers/mapping.js';
import { Identifier, type RowIdentity } from './match-rows.js';
import { type IdentifiedRow, RowPlanner } from './plan-rows.js';
import { type FileTable, readFile } from './read-file.js';
import { RowReader } from './read-rows.js';

/** Rows that are written in one transaction. */
export const batchRows = 500;

/** Dependencies of processing imports. */
export interface ImportWork {
  readonly database: Database;
  readonly clock: () => Date;
  readonly schema: GraphQLSchema;
  /** Rows that are written in one transaction, if not the usual ones. */
  readonly batchRows?: number;
}

/** An import of a CSV file that a worker has claimed. */
export type ClaimedList = ClaimedImport & { readonly kind: ListKind };

/** An import whose file has been read. */
export interface OpenedImport {
  readonly claimed: ClaimedList;
  readonly session: Session;
  readonly table: FileTable;
  readonly columns: readonly (string | undefined)[];
  readonly resource: Resource & Declared;
  readonly reader: RowReader;
  readonly planner: RowPlanner;
  /** The records that the rows are about. */
  readonly identities: readonly (RowIdentity | undefined)[];
}

/** Reads the users of the caller's organization by their addresses. */
export async function readUsers(session: Session): Promise<ReadonlyMap<string, readonly string[]>> {
  const users = new Map<string, string[]>();
  for (const { id, email } of await readRows(session, 'User', { where: {} })) {
    const key = email.toLowerCase();
    users.set(key, [...(users.get(key) ?? []), id]);
  }
  return users;
}

/** Collects rows in batches. */
export async function* batchesOf<Row>(rows: AsyncIterable<Row>, size: number): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Reads a file, and finds the records that its rows are about. */
export async function openImport(
  work: ImportWork,
  claimed: ClaimedList,
  signal: AbortSignal,
): Promise<OpenedImport> {
  const { kind, options, content, session } = claimed;
  if (!session) throw new GatewayError('FORBIDDEN', 'The person who created the import may no longer write.');
  const table = await readFile(content, options);
  const target = targetOf(work.schema, kind);
  const mapping = mapHeaders(work.schema, target, table, options);
  const reader = new RowReader(target, table, mapping, options, await readUsers(session));
  const resource = resourceOf(target);
  const identifier = new Identifier(kind, resource, options);
  const planner = new RowPlanner(target, resource, reader, identifier, options.acceptDamage ?? []);
  const identities: OpenedImport['identities'][number][] = [];
  for await (const batch of batchesOf(table.rows, batchRows)) {
    signal.throwIfAborted();
    const rows = batch.map((row) => reader.read(row));
    const found = await work.database.inTransaction(async (tx) => {
      await preferIndexes(tx);
      return session.within(tx, () => planner.identify(session, rows));
    }, session.caller);
    identities.push(...found.map(({ identity }) => identity));
    if (options.atomic && identities.length > importLimits.atomicRows) {
      const message = `An import of all or nothing has at most ${importLimits.atomicRows} rows.`;
      throw new GatewayError('BAD_REQUEST', message);
    }
  }
  return { claimed, session, table, columns: mapping.columns, resource, reader, planner, identities };
}

/** Reads rows in batches, with the records that they are about. */
export async function* rowsOf(
  { table, reader, identities }: OpenedImport,
  size: number,
  signal: AbortSignal,
): AsyncGenerator<IdentifiedRow[]> {
  let at = 0;
  for await (const batch of batchesOf(table.rows, size)) {
    signal.throwIfAborted();
    yield batch.map((row) => ({ row: reader.read(row), identity: identities[at++] }));
  }
}
