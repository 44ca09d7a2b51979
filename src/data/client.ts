import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.js';
import { announceWith, channel, createAnnouncer } from './announcer.js';
import { type Listener, openListener } from './live/listener.js';
import { createPipeline } from './pipeline.js';
import { parameterOf, types } from './values.js';

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

/** What a database is opened with. */
export interface DatabaseOptions {
  readonly url: string;
  /** Connections at most. */
  readonly poolSize: number;
  /** Told of every statement; costs time, so only tests set it. */
  readonly onStatement?: ((statement: SentStatement) => void) | undefined;
  /** Told of errors of idle connections, which would otherwise end the process. */
  readonly onError: (error: Error) => void;
}

/** Statements that are prepared by name on each connection; the rest, past this number, are parsed each time. */
const maxPrepared = 500;

/** Its transaction writes nothing else, so it waits for no disk. */
const notify = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload';

function statementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    // pg sends a statement without a name unprepared.
    if (names.size >= maxPrepared) return '';
    const name = createHash('sha1').update(sql).digest('base64url');
    names.set(sql, name);
    return name;
  };
}

/**
 * Milliseconds that a hand-written statement may take. Requests share these: a connection that has died without a
 * word must not keep all of them waiting.
 */
const patience = 5_000;

/** Opens the database; connections are made when they are needed. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    pipeline: true,
    application_name: 'expiration-gateway',
    // Prisma's adapter writes moments without their offset and reads them so: sessions must be in UTC, whatever
    // the database prefers. A start-up option would do as well, but connection poolers refuse those.
    onConnect: async (client) => void (await client.query("SET TIME ZONE 'UTC'")),
  });
  // Prisma's adapter has a listener of its own, and takes it away before the connections are closed.
  pool.on('error', options.onError);
  const nameOf = statementNames();
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: nameOf,
    onConnectionError: options.onError,
  });
  const prisma = new PrismaClient({
    adapter,
    // A writer may have to wait for others of the same record: the lock is taken inside the transaction.
    transactionOptions: { maxWait: 10_000, timeout: 15_000 },
    log: options.onStatement ? [{ emit: 'event', level: 'query' }] : [],
  });
  const announcer = createAnnouncer((payloads) => pool.query(notify, [channel, payloads]), options.onError);
  announceWith(prisma, announcer);
  if (options.onStatement) onStatements(prisma, options.onStatement);
  const pipelines = new WeakMap<object, ReturnType<typeof createPipeline>>();
  const pipelineOf = (together: object) => {
    const pipeline = pipelines.get(together) ?? createPipeline(pool);
    pipelines.set(together, pipeline);
    return pipeline;
  };
  const database: Database = {
    prisma,
    query: async <Row>(sql: string, values: readonly unknown[], together?: object) => {
      options.onStatement?.({ query: sql, params: '' });
      const parameters = values.map(parameterOf);
      const query = { name: nameOf({ sql }), text: sql, values: parameters, types, query_timeout: patience };
      const { rows } = await (together ? pipelineOf(together)(query) : pool.query(query));
      return rows as Row[];
    },
    ping: async () => void (await pool.query('SELECT 1')),
    listen: (onPayload, onLost) => openListener(options.url, onPayload, onLost),
    close: async () => {
      await announcer.close();
      await prisma.$disconnect();
      // Not left to Prisma, which closes nothing when it was never used: reads go past it.
      await pool.end();
    },
  };
  databases.set(prisma, database);
  return database;
}

const databases = new WeakMap<PrismaClient, Database>();

/** The database that a client was opened with. */
export function databaseOf(prisma: PrismaClient): Database {
  const database = databases.get(prisma);
  if (!database) throw new Error('This client belongs to no open database.');
  return database;
}

/** Prisma knows the events of a client by the type of its options; ours are known only when it runs. */
function onStatements(prisma: PrismaClient, onStatement: (statement: SentStatement) => void): void {
  (prisma as PrismaClient<'query'>).$on('query', onStatement);
}
