import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { EventHead } from '../../domain/announcements.js';
import type { Caller } from '../../domain/caller.js';
import { type Prisma, PrismaClient } from '../../generated/prisma/client.js';
import { callerSettings, enableCallerStatements, prepareSql } from '../row-security/row-security.js';
import { APPLICATION_NAME } from '../server/application.js';
import { type Announcer, channel, createAnnouncer } from './announcer.js';
import { type Listener, openListener } from './listener.js';
import { createPipeline } from './pipeline.js';
import type { ReadSource, Replica, SendStatement } from './read-source.js';
import { named, PreparedNames, type SentQuery, type Statement } from './statement.js';
import { type AroundStatement, watchStatements } from './statements.js';
import { begin, type Transaction } from './transaction.js';

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

export interface Connections {
  readonly total: number;
  /** Open connections that nobody uses. */
  readonly idle: number;
  /** Statements and transactions that wait for one. */
  readonly waiting: number;
}

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

/** Class with one instance for a database, such as one that batches look-ups. */
export type Service<T> = new (database: Database) => T;

/** Its transaction writes nothing else, so it waits for no disk. */
const notify = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload';

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

/** Opens the database; connections are made when they are needed. */
export function openDatabase(options: DatabaseOptions): Database {
  return new Database(options);
}

/** An open database: its pool of connections, and how statements get there. */
export class Database implements ReadSource {
  /** The replica that reads can go to, if there is one; `openReplica` puts it here. */
  replica: Replica | undefined;
  /** Samples of tables' columns, by their names (search/rare-terms.ts). */
  readonly columnSamples = new Map<string, { readonly until: number; readonly samples: Promise<unknown> }>();
  readonly #options: DatabaseOptions;
  readonly #pool: pg.Pool;
  readonly #names = new PreparedNames();
  readonly #announcer: Announcer;
  #prisma: PrismaClient | undefined;
  readonly #services = new Map<Service<unknown>, unknown>();
  /** Milliseconds that the answer to a statement may take. */
  readonly #answerTime: number;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#answerTime = { ...patience, ...options.patience }.answer;
    this.#pool = openPool(options);
    const send = (payloads: readonly string[]) => this.#pool.query(notify, [channel, payloads]);
    this.#announcer = createAnnouncer(send, options.onError);
  }

  /**
   * Prisma Client, for administration only: accounts, lists of the command line, first start, demo. It is unscoped. It is
   * made when it is first asked for: most processes never do.
   */
  get prisma(): PrismaClient {
    this.#prisma ??= openPrisma(this.#pool, this.#names, this.#options);
    return this.#prisma;
  }

  /**
   * Sends a prepared statement and returns its rows. Values are of the classes that Prisma's are of (values.ts). It costs
   * a tenth of what Prisma Client costs.
   * @param caller on whose behalf it is sent: with row security, there is nothing beyond that caller for it
   */
  async query<Row>(statement: Statement, caller?: Caller): Promise<Row[]> {
    return (await this.#pool.query(this.#toSend(statement, caller))).rows as Row[];
  }

  /** Sends a statement of administration, which has no name of its own. */
  sql<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.query<Row>(named('administration', { text, values }));
  }

  /** Returns a sender that pipelines a caller's statements. Those of one turn share a connection (pipeline.ts). */
  pipeline(caller: Caller): SendStatement {
    const send = createPipeline(this.#pool);
    return async <Row>(statement: Statement) => (await send(this.#toSend(statement, caller))).rows as Row[];
  }

  /**
   * Does work in a transaction, and announces its events after the commit. A session has its own `inTransaction`; this
   * is for what is no session's work.
   * @param caller on whose behalf it is done
   * @throws what `work` throws, and then nothing is committed
   */
  async inTransaction<T>(work: (transaction: Transaction) => Promise<T>, caller?: Caller): Promise<T> {
    const first =
      this.#options.rowSecurity && caller ? { name: 'begin', text: 'BEGIN', caller } : { text: 'BEGIN' };
    const options = {
      pool: this.#pool,
      first: { ...first, statement: 'BEGIN' },
      prepare: (statement: Statement) => this.#names.prepare(statement),
      onStatement: (statement: Pick<Statement, 'name' | 'text'>) => this.#tell(statement),
      onError: this.#options.onError,
    };
    let events: readonly EventHead[] = [];
    const noted = (transaction: Transaction) => {
      events = transaction.pendingEvents;
      return work(transaction);
    };
    const result = await begin(options, noted, caller);
    this.announce(events);
    return result;
  }

  /**
   * Does administration in a transaction of Prisma's, on a connection of its own.
   * @throws what `work` throws, and then nothing is committed
   */
  administer<T>(work: (prisma: Prisma.TransactionClient) => Promise<T>): Promise<T> {
    return this.prisma.$transaction(work);
  }

  /** Tells all processes of committed events, for writers without `inTransaction`, which does it by itself. */
  announce(heads: readonly EventHead[]): void {
    this.#announcer.announce(heads);
  }

  /** Returns the database's one instance of a class. It is made when it is first asked for. */
  service<T>(type: Service<T>): T {
    const known = this.#services.get(type) ?? new type(this);
    this.#services.set(type, known);
    // Under a class, there is nothing but its instance.
    return known as T;
  }

  /** Returns a key for callers to whom the database shows the same rows. */
  viewOf(caller: Caller): string {
    return this.#options.rowSecurity ? callerSettings(caller).join(' ') : '';
  }

  /** Reports an error that no caller is told of. */
  onError(error: Error): void {
    this.#options.onError(error);
  }

  /** Counts the connections that are open, and who waits for one. */
  connections(): Connections {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  /** Answers whether the database can be reached. */
  async ping(): Promise<void> {
    await this.query(named('database.ping', { text: 'SELECT 1', values: [] }));
  }

  /**
   * Hears what is announced, on a connection of its own.
   * @param onPayload told of each notification
   * @param onLost told once when the connection is lost, and notifications with it
   */
  listen(onPayload: (payload: string) => void, onLost: (error: Error) => void): Promise<Listener> {
    return openListener(this.#options.url, onPayload, onLost);
  }

  async close(): Promise<void> {
    await this.#announcer.close();
    await this.#prisma?.$disconnect();
    // Prisma closes the pool only if it was used, and reads go past it.
    if (!this.#pool.ended) await this.#pool.end();
  }

  #tell({ name, text }: Pick<Statement, 'name' | 'text'>): void {
    this.#options.onStatement?.({ name, query: text, params: '' });
  }

  #toSend(statement: Statement, caller: Caller | undefined): SentQuery {
    this.#tell(statement);
    const behalf = this.#options.rowSecurity && caller ? { caller } : {};
    const query = this.#names.prepare(statement);
    // `pg` takes a time limit, though its types leave it out.
    const limit = { query_timeout: this.#answerTime };
    return { ...query, ...behalf, ...limit };
  }
}

function openPool(options: DatabaseOptions): pg.Pool {
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
function openPrisma(pool: pg.Pool, names: PreparedNames, options: DatabaseOptions): PrismaClient {
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
