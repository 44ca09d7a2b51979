import type pg from 'pg';
import { isDenied } from '../connection/errors.js';
import { DatabaseClient } from '../hosts/hosts.js';
import {
  checkRights,
  listMigrations,
  MIGRATIONS_FOLDER,
  readHistory,
  refuseTooNew,
} from '../migrations/migrate.js';
import { readTableRights, type TableRights } from './grants.js';

/** Facts about a database, found without changing it. */
export interface Examination {
  /** PostgreSQL's version, such as `18.1`. */
  readonly version: string;
  /** PostgreSQL's numeric version, for example 180001. */
  readonly versionNumber: number;
  /** True for a standby server, which accepts no writes. */
  readonly standby: boolean;
  /** Milliseconds by which the server's clock is ahead of ours. It is accurate to half the round trip. */
  readonly skew: number;
  /** Number of connections that the server allows to roles without special rights. */
  readonly maxConnections: number;
  /** True if this connection is encrypted with TLS. */
  readonly isEncrypted: boolean;
  /** Number of migrations that the database lacks. */
  readonly pending: number;
  /** The rights for pending migrations that the role lacks, with statements for an administrator. */
  readonly denied: string | undefined;
  /** Rights on the tables; undefined without tables. */
  readonly rights: TableRights | undefined;
}

interface Row {
  readonly version: string;
  readonly number: number;
  readonly standby: boolean;
  readonly now: number;
  readonly connections: number;
  readonly encrypted: boolean;
}

/**
 * Examines a database.
 * @throws {Error} of `pg` if it accepts no connection; with instructions if it is too new for this version
 */
export async function examineDatabase(url: string, clock: () => Date): Promise<Examination> {
  const client = new DatabaseClient({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  });
  client.on('error', () => {}); // the query fails as well
  await client.connect();
  try {
    const asked = clock().getTime();
    const { rows } = await client.query<Row>(
      `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
        pg_is_in_recovery() AS standby, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
        (SELECT sum(CASE name WHEN 'max_connections' THEN setting::int ELSE -setting::int END)::int FROM pg_settings
          WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections')) AS connections,
        coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS encrypted`,
    );
    const answered = clock().getTime();
    const [row] = rows;
    if (!row) throw new Error('A statement without a condition gave no row.');
    const {
      version,
      number: versionNumber,
      standby,
      connections: maxConnections,
      encrypted: isEncrypted,
    } = row;
    const skew = Math.round(row.now - (asked + answered) / 2);
    const server = { version, versionNumber, standby, maxConnections, isEncrypted };
    return { ...server, skew, ...(await lookAtMigrations(client)) };
  } finally {
    await client.end();
  }
}

async function lookAtMigrations(
  client: pg.Client,
): Promise<Pick<Examination, 'pending' | 'denied' | 'rights'>> {
  try {
    const known = await listMigrations(MIGRATIONS_FOLDER);
    const history = await readHistory(client, known);
    await refuseTooNew(client, history);
    const pending = history.pending.length;
    const isNew = pending === known.length;
    const check = async () => pending > 0 && checkRights(client, isNew);
    const denied = await check().then(
      () => undefined,
      (error: Error) => error.message,
    );
    return { pending, denied, rights: isNew ? undefined : await readTableRights(client) };
  } catch (error) {
    if (!isDenied(error)) throw error;
    const todo = 'Connect as the role that owns them, or ask an administrator to make this role their owner.';
    return {
      pending: 0,
      rights: undefined,
      denied: `The role may not use the gateway's tables: ${(error as Error).message}. ${todo}`,
    };
  }
}
