import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../generated/prisma/client.js';
import { enableCallerStatements, prepareSql } from '../row-security/row-security.js';
import { APPLICATION_NAME } from '../server/application.js';
import type { PreparedNames } from './statement.js';
import { type AroundStatement, watchStatements } from './statements.js';

/** One SQL statement that was sent, as it is told of. */
export interface SentStatement {
  /** Name of the statement; `prisma` for those of Prisma Client. */
  readonly name: string;
  readonly query: string;
  readonly params: string;
}

/** Time limits for waiting on the database, in milliseconds. Who waits longer is answered 503. */
export interface Patience {
  /** Wait for a free connection, or a new one. */
  readonly connection: number;
  /** Wait for a lock that another writer has. Under what a statement may take, so that it is known for what it is. */
  readonly lock: number;
  /** Time of a statement of any kind. PostgreSQL itself ends it. */
  readonly statement: number;
  /**
   * Wait for the answer to a statement outside of transactions. Requests share connections: one that has died without a
   * word must not keep all of them waiting.
   */
  readonly answer: number;
  /** Wait for a transaction's next statement. It is over what any transaction may take, so the process is gone. */
  readonly idleTransaction: number;
}

export const patience: Patience = {
  connection: 5_000,
  lock: 5_000,
  statement: 10_000,
  answer: 5_000,
  idleTransaction: 20_000,
};

export interface DatabaseOptions {
  readonly url: string;
  /** Connections at most. */
  readonly poolSize: number;
  /** PostgreSQL itself keeps callers from others' rows, by row-level security. */
  readonly rowSecurity?: boolean;
  readonly patience?: Partial<Patience>;
  /** Milliseconds that any statement may take; as long as it takes unless told. */
  readonly queryTimeout?: number;
  /** Told of every statement; costs time, so only tests set it. */
  readonly onStatement?: ((statement: SentStatement) => void) | undefined;
  /** Every statement passes through it. */
  readonly aroundStatement?: AroundStatement | undefined;
  /** Told of errors of idle connections, which would otherwise end the process. */
  readonly onError: (error: Error) => void;
}

/**
 * Makes the settings of every database session, sent in one round trip. Start-up options would do as well, but connection poolers refuse
 * those. Prisma's adapter writes moments without their offset and reads them so: sessions must be in UTC, whatever the
 * database prefers. Plans are not compiled: those of searches look dear for parts that are hardly ever run.
 */
function sessionOf({ lock, statement, idleTransaction }: Patience): string {
  return `
    SET TIME ZONE 'UTC';
    SET jit = off;
    SET lock_timeout = ${lock};
    SET statement_timeout = ${statement};
    SET idle_in_transaction_session_timeout = ${idleTransaction}`;
}

/** Opens the pool of connections; each is made when it is needed. */
export function openPool(options: DatabaseOptions): pg.Pool {
  const patient = { ...patience, ...options.patience };
  const session = options.rowSecurity ? `${sessionOf(patient)};${prepareSql}` : sessionOf(patient);
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: patient.connection,
    query_timeout: options.queryTimeout,
    keepAlive: true,
    pipeline: true,
    application_name: APPLICATION_NAME,
    onConnect: async (client) => void (await client.query(session)),
  });
  // Prisma's adapter has a listener of its own, and takes it away before the connections are closed.
  pool.on('error', options.onError);
  // While a connection is in use, who uses it is told of its loss, by a statement that fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  if (options.rowSecurity) enableCallerStatements(pool);
  if (options.aroundStatement) watchStatements(pool, options.aroundStatement);
  return pool;
}

/** Opens Prisma Client on the pool. Its transactions take connections of their own. */
export function openPrisma(pool: pg.Pool, names: PreparedNames, options: DatabaseOptions): PrismaClient {
  const { onError, onStatement } = options;
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: ({ sql }) => names.nameOf('prisma', sql),
    onConnectionError: onError,
  });
  const prisma = new PrismaClient({
    adapter,
    // A writer may have to wait for others of the same record: the lock is taken inside the transaction.
    transactionOptions: { maxWait: 10_000, timeout: 15_000 },
    log: onStatement ? [{ emit: 'event', level: 'query' }] : [],
  });
  if (onStatement) {
    prisma.$on('query', ({ query, params }) => onStatement({ name: 'prisma', query, params }));
  }
  return prisma as PrismaClient;
}
