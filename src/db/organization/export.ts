import type { Writable } from 'node:stream';
import pg from 'pg';
import { newId } from '../../domain/rules.js';
import { type Backup, type BackupOptions, writeBackup } from '../backup/backup.js';
import type { Base, ExportedOrganization } from '../backup/format.js';
import {
  type CopiedTable,
  hasSealedValues,
  keyIdOf,
  listOwnedTables,
  type OwnedTable,
} from '../backup/tables.js';
import { timelineSql } from '../hosts/hosts.js';
import type { SealedValues } from '../secrets/sealed-values.js';
import type { Secrets } from '../secrets/secrets.js';

const momentSql = `
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS transaction,
    (SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || coalesce((${timelineSql})::text, '') AS database`;

/** Describes the moment of the snapshot that a client reads. */
async function describeMoment(client: pg.ClientBase): Promise<Base> {
  const { rows } = await client.query<Omit<Base, 'id'>>(momentSql);
  const [moment] = rows;
  if (!moment) throw new Error('The database did not describe its snapshot.');
  return { id: newId(), ...moment };
}

/** The most transactions between a copy and its changes. PostgreSQL compares numbers of 32 bits. */
const maxTransactions = 2n ** 30n;

/**
 * Lists the parts of a file of changes. Each table has two: the keys of all its rows, which tell what is gone,
 * and the rows that are newer than a moment.
 * @throws {Error} if the moment is of another database, or too long ago
 */
async function listChangedTables(
  client: pg.ClientBase,
  tables: readonly OwnedTable[],
  base: Base,
): Promise<CopiedTable[]> {
  const { transaction, database } = await describeMoment(client);
  const passed = BigInt(transaction) - BigInt(base.transaction);
  if (database !== base.database || passed < 0n || passed > maxTransactions)
    throw new Error(
      'The changes since the file was written are not known: it is of another database, or the database has been ' +
        'restored or failed over since. Export the organization again.',
    );
  const keys = await primaryKeys(client);
  // A transaction counts from 0 again after 2^32. The age of a row's one is right for half of that.
  const oldest = BigInt.asUintN(32, BigInt(base.transaction));
  return tables.flatMap((table) => [
    { ...table, columns: keyOf(keys, table) },
    { ...table, where: `(${table.where}) AND age(xmin) <= age('${oldest}'::xid)` },
  ]);
}

/** Reads the columns of all primary keys, by table. Names are quoted as SQL requires. */
export async function primaryKeys(client: pg.ClientBase): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    SELECT format('%I', relname) AS name, ARRAY(
      SELECT format('%I', attname) FROM unnest(indkey::int2[]) WITH ORDINALITY AS part (number, place)
        JOIN pg_attribute ON attrelid = pg_class.oid AND attnum = number
      ORDER BY place
    ) AS columns
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE indisprimary AND relnamespace = current_schema()::regnamespace`);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** Returns the columns of a table's primary key. */
export function keyOf(
  keys: ReadonlyMap<string, readonly string[]>,
  { name }: Pick<OwnedTable, 'name'>,
): readonly string[] {
  const columns = keys.get(name);
  if (!columns) throw new Error(`${name} has no primary key.`);
  return columns;
}

/** An organization to export. */
interface Exported {
  readonly id: string;
  /** The encryption of the database's secrets. */
  readonly secrets: Pick<Secrets, 'keyFor' | 'hasKey'>;
  readonly sealed: readonly SealedValues[];
  /** The head of an earlier file, to write only what has changed since then. */
  readonly since?: ExportedOrganization | undefined;
}

/**
 * Writes everything of an organization to a file, as of one moment, or its changes. It may be in use meanwhile.
 * @param url connection string
 * @param target see `writeBackup`
 * @throws {Error} if there is no such organization, or its changes are not known; and what `writeBackup` throws
 */
export function exportOrganization(
  url: string,
  target: string | Writable,
  { id, secrets, sealed, since }: Exported,
  options: Omit<BackupOptions, 'select'> = {},
): Promise<Backup> {
  return writeBackup(url, target, {
    ...options,
    select: async (client) => {
      const { rows } = await client.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
        id,
      ]);
      const [organization] = rows;
      if (!organization) throw new Error(`There is no organization with the id ${id}.`);
      const tables = await listOwnedTables(client, pg.escapeLiteral(id));
      const isSealed = await hasSealedValues(client, sealed, tables);
      const key = isSealed && (await secrets.hasKey()) ? { key: await keyIdOf(secrets) } : {};
      const told = { id, name: organization.name, ...key };
      if (!since) return { organization: { ...told, base: await describeMoment(client) }, tables };
      if (!since.base || since.id !== id)
        throw new Error(
          `The earlier file is not one of ${JSON.stringify(organization.name)}, with everything.`,
        );
      return {
        organization: { ...told, since: since.base.id },
        tables: await listChangedTables(client, tables, since.base),
      };
    },
  });
}
