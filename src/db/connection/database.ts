import type pg from 'pg';
import type { EventHead } from '../../domain/announcements.js';
import type { Caller } from '../../domain/caller.js';
import type { Prisma, PrismaClient } from '../../generated/prisma/client.js';
import { callerSettings } from '../row-security/row-security.js';
import { type Announcer, channel, createAnnouncer } from './announcer.js';
import { type Listener, openListener } from './listener.js';
import { createPipeline } from './pipeline.js';
import { type DatabaseOptions, openPool, openPrisma, patience } from './pool.js';
import type { ReadSource, Replica, SendStatement } from './read-source.js';
import { named, PreparedNames, type SentQuery, type Statement } from './statement.js';
import { begin, type Transaction } from './transaction.js';

export interface Connections {
  readonly total: number;
  /** Open connections that nobody uses. */
  readonly idle: number;
  /** Statements and transactions that wait for one. */
  readonly waiting: number;
}

/** Class with one instance for a database, such as one that batches look-ups. */
export type Service<T> = new (database: Database) => T;

/** Its transaction writes nothing else, so it waits for no disk. */
const notify = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload';

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
