import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../../../prisma/generated/client/client.js';
import type { FileStores } from '../files/store.js';
import { DatabaseClient } from '../hosts/client.js';
import { createSettings, type DatabaseTimeouts, defaultTimeouts, type Pooling } from './settings.js';
import type { PreparedNames } from './statement.js';
import { type AroundStatement, watchStatements } from './statements.js';

/** `application_name` of the gateway's connections. The server can recognize them by it. */
export const APPLICATION_NAME = 'expiration-gateway';

/** Prisma Client in a transaction. Administration uses it, which no request waits for. */
export type PrismaTransaction = Prisma.TransactionClient;

/** A SQL statement that was sent, as listeners see it. */
export interface SentStatement {
  /** Name of the statement; `prisma` for those of Prisma Client. */
  readonly name: string;
  readonly query: string;
  readonly params: string;
}

export interface DatabaseOptions {
  readonly url: string;
  /** The same database without a connection pooler, for listening. Defaults to `url`. */
  readonly directUrl?: string;
  /** Defaults to sessions. */
  readonly pooling?: Pooling;
  /** Maximum connections. */
  readonly poolSize: number;
  /** True if PostgreSQL itself hides other callers' rows (row-level security). */
  readonly rowSecurity?: boolean;
  /** Stores of files' bytes. Defaults to the database alone. */
  readonly files?: FileStores | undefined;
  readonly patience?: Partial<DatabaseTimeouts>;
  /** Milliseconds that any statement may take. Unlimited by default. */
  readonly queryTimeout?: number;
  /** Called with every statement. It costs time, so only tests set it. */
  readonly onStatement?: ((statement: SentStatement) => void) | undefined;
  /** Wraps the sending of every statement. */
  readonly aroundStatement?: AroundStatement | undefined;
  /** Called with errors of idle connections, which would otherwise end the process. */
  readonly onError: (error: Error) => void;
}

/** Class of the pool's connections. The types of `pg` do not tell that it gets the pool's options. */
const PooledClient = DatabaseClient as unknown as new () => pg.ClientBase;

/** Opens the connection pool. Each connection is made when it is needed. */
export function openPool(options: DatabaseOptions): pg.Pool {
  const timeouts = { ...defaultTimeouts, ...options.patience };
  const { rowSecurity = false, pooling = { mode: 'session' } } = options;
  const settings = createSettings({ timeouts, rowSecurity, pooling });
  const pool = new pg.Pool({
    connectionString: options.url,
    Client: PooledClient,
    max: options.poolSize,
    connectionTimeoutMillis: timeouts.connection,
    query_timeout: options.queryTimeout,
    keepAlive: true,
    pipeline: true,
    application_name: APPLICATION_NAME,
    onConnect: settings.connect,
  });
  // Prisma's adapter has a listener of its own, but removes it before the connections are closed.
  pool.on('error', options.onError);
  settings.install(pool);
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
    // A writer may have to wait inside the transaction for others of the same record.
    transactionOptions: { maxWait: 10_000, timeout: 15_000 },
    log: onStatement ? [{ emit: 'event', level: 'query' }] : [],
  });
  if (onStatement) {
    prisma.$on('query', ({ query, params }) => onStatement({ name: 'prisma', query, params }));
  }
  return prisma as PrismaClient;
}
