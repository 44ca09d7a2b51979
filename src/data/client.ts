import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { APPLICATION_NAME } from '../database/application.js';
import type { EventHead } from '../domain/announcements.js';
import { Kept } from '../domain/kept.js';
import type { Caller } from '../domain/roles.js';
import { type Prisma, PrismaClient } from '../generated/prisma/client.js';
import { channel, createAnnouncer } from './announcer.js';
import { type BeginOptions, begin } from './begin.js';
import { isSent, joining } from './connections.js';
import { type Listener, openListener } from './live/listener.js';
import { createPipeline, type Send } from './pipeline.js';
import { type AroundStatement, watchStatements } from './statements.js';
import { parameterOf, types } from './values.js';
import { type OnBehalf, preparing, reachOf, sendOnBehalf } from './wall.js';

/** One SQL statement that was sent, as Prisma logs it. */
export interface SentStatement {
  readonly query: string;
  readonly params: string;
}

/** An open database: the unscoped client, which only this layer sees, and how to close it. */
export interface Database {
  readonly prisma: PrismaClient;
  /**
   * Sends a statement, prepared on each connection, and gives its rows with values of the classes that Prisma's are
   * of (values.ts). It costs a tenth of what Prisma's client costs.
   * @param together statements with the same one share a connection (pipeline.ts); without it, each has its own
   */
  query<Row>(sql: string, values: readonly unknown[], together?: object): Promise<Row[]>;
  /**
   * Does work in a transaction (begin.ts). `inTransaction` is what begins one.
   * @param client whose models the work sees; called when it asks for one
   */
  transaction<T>(client: () => PrismaClient, work: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T>;
  /**
   * Tells all processes of events that are committed (announcer.ts). `inTransaction` does it by itself; this is for
   * writers without one.
   */
  announce(heads: readonly EventHead[]): void;
  /** What sends a caller's statements: with row security, the database in which there is nothing beyond the caller. */
  as(caller: Caller): Database;
  /** What tells callers apart for whom `as` is not the same. */
  viewOf(caller: Caller): string;
  /** Told of errors that nobody who asks for something is told of. */
  onError(error: Error): void;
  /** The connections that are open now, and who waits for one. */
  connections(): Connections;
  /** Answers whether the database can be reached. */
  ping(): Promise<void>;
  /**
   * Hears what is announced, on a connection of its own.
   * @param onPayload told of each notification
   * @param onLost told once when the connection is lost, and notifications with it
   */
  listen(onPayload: (payload: string) => void, onLost: (error: Error) => void): Promise<Listener>;
  close(): Promise<void>;
}

/** How long the database may be waited for, in milliseconds; who waits longer is answered 503. */
export interface Patience {
  /** For a free connection, or a new one. */
  readonly connection: number;
  /** For a lock that another writer has. Under what a statement may take, so that it is known for what it is. */
  readonly lock: number;
  /** For a statement. */
  readonly statement: number;
  /**
   * For a hand-written statement. Requests share these: a connection that has died without a word must not keep all of
   * them waiting.
   */
  readonly handWritten: number;
  /** For a transaction's next statement; over what any transaction may take, so that it is one whose process is gone. */
  readonly idleTransaction: number;
}

/** The usual ones. */
export const patience: Patience = {
  connection: 5_000,
  lock: 5_000,
  statement: 10_000,
  handWritten: 5_000,
  idleTransaction: 20_000,
};

/** The state of the pool of connections. */
export interface Connections {
  /** How many are open. */
  readonly total: number;
  /** How many of those nobody uses. */
  readonly idle: number;
  /** How many statements and transactions wait for one. */
  readonly waiting: number;
}

/** What a database is opened with. */
export interface DatabaseOptions {
  readonly url: string;
  /** Connections at most. */
  readonly poolSize: number;
  /** Whether PostgreSQL itself keeps callers from others' rows, by the policies of row-security.ts. */
  readonly rowSecurity?: boolean;
  /** Instead of the usual ones. */
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

/** Statements that are prepared by name on each connection; the rest, past this number, are parsed each time. */
const maxPrepared = 500;

/** Statements of which is known that they were sent once. */
const maxSeen = 2_000;

/** Its transaction writes nothing else, so it waits for no disk. */
const notify = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload';

function statementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  const seen = new LRUCache<string, true>({ max: maxSeen });
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    // pg sends a statement without a name unprepared.
    if (names.size >= maxPrepared) return '';
    const name = createHash('sha1').update(sql).digest('base64url');
    // What is asked for once only, as by documents that a program makes, keeps nobody's place.
    if (!seen.delete(name)) {
      seen.set(name, true);
      return '';
    }
    names.set(sql, name);
    return name;
  };
}

/**
 * What every session begins with, in one round trip. Start-up options would do as well, but connection poolers refuse
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
  const patient = { ...patience, ...options.patience };
  const session = options.rowSecurity ? `${sessionOf(patient)};${preparing}` : sessionOf(patient);
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
  if (options.rowSecurity) sendOnBehalf(pool);
  if (options.aroundStatement) watchStatements(pool, options.aroundStatement);
  const nameOf = statementNames();
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: nameOf,
    onConnectionError: options.onError,
  });
  const prisma = new PrismaClient({
    adapter: joining(adapter),
    // A writer may have to wait for others of the same record: the lock is taken inside the transaction.
    transactionOptions: { maxWait: 10_000, timeout: 15_000 },
    log: options.onStatement ? [{ emit: 'event', level: 'query' }] : [],
  });
  const announcer = createAnnouncer((payloads) => pool.query(notify, [channel, payloads]), options.onError);
  if (options.onStatement) onStatements(prisma, options.onStatement);
  const prepared = (sql: string, values: readonly unknown[]) => ({
    name: nameOf({ sql }),
    text: sql,
    values: values.map(parameterOf),
    types,
  });
  const beginning: BeginOptions = {
    pool,
    first: { text: 'BEGIN' },
    prepared,
    onStatement: (sql) => options.onStatement?.({ query: sql, params: '' }),
    onError: options.onError,
  };
  const pipelines = new Kept<object, Send>();
  const pipelineOf = (together: object) => pipelines.ensure(together, () => createPipeline(pool));
  /** @param whose what is added to statements, if they are a caller's */
  const sending = (whose?: OnBehalf): Pick<Database, 'query' | 'transaction'> => {
    const begins = whose ? { ...beginning, first: { name: 'begin', text: 'BEGIN', ...whose } } : beginning;
    return {
      query: async <Row>(sql: string, values: readonly unknown[], together?: object) => {
        options.onStatement?.({ query: sql, params: '' });
        const query = { ...prepared(sql, values), query_timeout: patient.handWritten, ...whose };
        const { rows } = await (together ? pipelineOf(together)(query) : pool.query(query));
        return rows as Row[];
      },
      transaction: (client, work) => begin(begins, client, work),
    };
  };
  const database: Database = {
    prisma,
    ...sending(),
    announce: announcer.announce,
    onError: options.onError,
    as: (caller) => (options.rowSecurity ? { ...database, ...sending({ caller }) } : database),
    viewOf: (caller) => (options.rowSecurity ? reachOf(caller).join(' ') : ''),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    ping: async () => void (await pool.query('SELECT 1')),
    listen: (onPayload, onLost) => openListener(options.url, onPayload, onLost),
    close: async () => {
      await announcer.close();
      await prisma.$disconnect();
      // Not left to Prisma, which closes nothing when it was never used: reads go past it.
      if (!pool.ended) await pool.end();
    },
  };
  return database;
}

/** Prisma knows the events of a client by the type of its options; ours are known only when it runs. */
function onStatements(prisma: PrismaClient, onStatement: (statement: SentStatement) => void): void {
  (prisma as PrismaClient<'query'>).$on('query', (statement) => {
    if (isSent(statement.query)) onStatement(statement);
  });
}
