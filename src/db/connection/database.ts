import type pg from 'pg';
import type { Caller } from '../../domain/caller.js';
import { type EventHead, encodeHeads } from '../../domain/models.js';
import { FileStores, type StagedFile, TransactionFiles } from '../files/store.js';
import { DatabaseClient } from '../hosts/hosts.js';
import {
  callerSettings,
  type DatabaseOptions,
  defaultTimeouts,
  openPool,
  openPrisma,
  type PrismaTransaction,
} from './pool.js';
import { PreparedNames, prepared, type SentQuery, type SentText, type Statement } from './statement.js';
import { begin, createPipeline, type Transaction } from './transaction.js';

/** Tells all processes about committed events. */
interface Announcer {
  /** Announces events soon, in batches. The caller does not wait. */
  announce(heads: readonly EventHead[]): void;
  /** Sends the remaining announcements and stops. */
  close(): Promise<void>;
}

/** The PostgreSQL channel on which events are announced. Each database has its own. */
const channel = 'expiration_gateway_events';

/** Milliseconds in which events are gathered, to announce them with one statement. */
const gatherMs = 20;

/** Milliseconds from a failed announcement to the message that some were lost. */
const lossReportDelayMs = 1_000;

/** The most events that wait to be announced. Any further ones are lost. */
const capacity = 10_000;

/**
 * Creates an announcer of events. It sends NOTIFY outside the transactions that wrote them, because NOTIFY
 * holds a database-wide lock until its transaction ends, so that writers would have to commit one after the
 * other.
 * @param send sends payloads with one statement
 * @param onError is called when announcements fail; subscribers are told as soon as sending works again
 */
export function createAnnouncer(
  send: (payloads: readonly string[]) => Promise<unknown>,
  onError: (error: Error) => void,
): Announcer {
  let waiting: EventHead[] = [];
  let isLost = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  const schedule = (delay: number) => {
    timer ??= setTimeout(() => {
      sending = flush();
    }, delay);
  };
  async function flush(): Promise<void> {
    const payloads = encodeHeads(waiting, isLost);
    waiting = [];
    isLost = false;
    try {
      await send(payloads);
    } catch (error) {
      isLost = true;
      onError(error as Error);
    }
    timer = undefined;
    if (isLost || waiting.length > 0) schedule(isLost ? lossReportDelayMs : gatherMs);
  }
  return {
    announce(heads) {
      if (heads.length === 0) return;
      if (waiting.length + heads.length > capacity) {
        waiting = [];
        isLost = true;
      } else {
        waiting.push(...heads);
      }
      schedule(gatherMs);
    },
    async close() {
      await sending;
      clearTimeout(timer);
      if (waiting.length > 0) await flush();
      clearTimeout(timer);
    },
  };
}

/** A connection that receives announcements. */
export interface Listener {
  /** Resolves if the connection is alive. Nothing else detects a network that silently drops packets. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds that the server may take to answer. */
const checkTimeoutMs = 3_000;

/**
 * Connects and starts to listen.
 * @param onPayload is called with each notification
 * @param onLost is called once if the connection ends without having been closed
 * @throws {Error} if it cannot connect
 */
async function openListener(
  url: string,
  onPayload: (payload: string) => void,
  onLost: (error: Error) => void,
): Promise<Listener> {
  const client = new DatabaseClient({
    connectionString: url,
    application_name: 'expiration-gateway-live',
    connectionTimeoutMillis: 5_000,
    query_timeout: checkTimeoutMs,
    keepAlive: true,
  });
  let open = false;
  const lose = (error: Error) => {
    if (!open) return;
    open = false;
    onLost(error);
  };
  client.on('error', lose);
  client.on('end', () => lose(new Error('The connection that listens has ended.')));
  client.on('notification', ({ payload = '' }) => onPayload(payload));
  const end = async () => {
    open = false;
    await client.end().catch(() => {});
  };
  try {
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    open = true;
  } catch (error) {
    await end();
    throw error;
  }
  return { check: async () => void (await client.query('SELECT 1')), close: end };
}

/** Sends a statement and returns its rows. */
export type SendStatement = <Row>(statement: Statement) => Promise<Row[]>;

/** A place to read from: the database or a replica of it. */
export interface ReadSource {
  /** Sends a statement on a connection of its own, for a caller if given. */
  query<Row>(statement: Statement, caller?: Caller): Promise<Row[]>;
  /** Returns a sender that pipelines a caller's statements. Those of one turn share a connection. */
  pipeline(caller: Caller): SendStatement;
}

/** A read replica. */
export interface Replica {
  /** Reads from the replica. A statement that fails there is repeated on the primary. */
  readonly source: ReadSource;
  /** Returns whether a caller may read from it now. */
  suits(caller: Caller, now: Date): boolean;
  /** Returns its replication lag in milliseconds; undefined while it is unknown. */
  lag(): number | undefined;
  /** Returns whether callers who have not written lately read from it. */
  isUsed(): boolean;
  close(): Promise<void>;
}

interface Connections {
  readonly total: number;
  /** Open connections that are idle. */
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
}

/** Class with one instance per database, such as one that batches look-ups. */
type Service<T> = new (database: Database) => T;

/** Its transaction writes nothing else, so it does not wait for the disk. */
const notify = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload';

/** Beginning of a transaction. */
interface Beginning {
  readonly name: string;
  readonly text: string;
  /** New files that are already in their store. */
  readonly staged: readonly StagedFile[];
  /** Milliseconds that the work may take. */
  readonly maxMs?: number;
}

/** Opens the database. Connections are made when they are needed. */
export function openDatabase(options: DatabaseOptions): Database {
  return new Database(options);
}

/** An open database: its connection pool, and the ways to send statements. */
export class Database implements ReadSource {
  /** The read replica, if there is one; `openReplica` sets it. */
  replica: Replica | undefined;
  /** Stores of files' bytes besides the database itself. */
  readonly files: FileStores;
  /** Facts from the planner's statistics (`db/sql/statistics.ts`). */
  readonly statistics = new Map<string, { readonly until: number; readonly value: Promise<unknown> }>();
  readonly #options: DatabaseOptions;
  readonly #pool: pg.Pool;
  readonly #names: PreparedNames;
  readonly #announcer: Announcer;
  #prisma: ReturnType<typeof openPrisma> | undefined;
  readonly #services = new Map<Service<unknown>, unknown>();
  /** Milliseconds that a statement's answer may take. */
  readonly #answerTime: number;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.files = options.files ?? new FileStores();
    const { pooling } = options;
    this.#names = new PreparedNames(pooling?.mode !== 'transaction' || pooling.prepares);
    this.#answerTime = { ...defaultTimeouts, ...options.patience }.answer;
    this.#pool = openPool(options);
    const send = (payloads: readonly string[]) => this.#pool.query(notify, [channel, payloads]);
    this.#announcer = createAnnouncer(send, options.onError);
  }

  /** True if row-level security applies to callers' statements. */
  get rowSecurity(): boolean {
    return this.#options.rowSecurity === true;
  }

  /**
   * Prisma Client, for administration only: accounts, lists of the command line, first start, demo. It is
   * unscoped. It is created on first use, so most processes never create it.
   */
  get prisma(): ReturnType<typeof openPrisma> {
    this.#prisma ??= openPrisma(this.#pool, this.#names, this.#options);
    return this.#prisma;
  }

  /**
   * Sends a prepared statement and returns its rows. Values have the same classes as Prisma's (values.ts). It
   * costs a tenth of what Prisma Client costs.
   * @param caller on whose behalf it is sent; row-level security limits it to that caller's rows
   */
  async query<Row>(statement: Statement, caller?: Caller): Promise<Row[]> {
    return (await this.#pool.query(this.#toSend(statement, caller))).rows as Row[];
  }

  /** Sends an administrative statement, which has no name of its own. */
  sql<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.query<Row>(prepared('administration', { text, values }));
  }

  /**
   * Returns a sender that pipelines a caller's statements. Statements of one turn share a connection
   * (pipeline.ts).
   */
  pipeline(caller: Caller): SendStatement {
    const send = createPipeline(this.#pool);
    return async <Row>(statement: Statement) => (await send(this.#toSend(statement, caller))).rows as Row[];
  }

  /**
   * Runs work in a transaction, and announces its events after the commit. Sessions have their own
   * `inTransaction`; use this one for work outside sessions.
   * @param caller on whose behalf the work is done
   * @param staged new files that are already in their store
   * @param maxMs milliseconds that the work may take, if not the usual ones
   * @throws what `work` throws; nothing is committed then
   */
  inTransaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    caller?: Caller,
    staged: readonly StagedFile[] = [],
    maxMs?: number,
  ): Promise<T> {
    return this.#begin(work, caller, {
      name: 'begin',
      text: 'BEGIN',
      staged,
      ...(maxMs !== undefined && { maxMs }),
    });
  }

  /**
   * Runs work that reads one snapshot: everything is as it was when the work began.
   * @param caller on whose behalf the work is done
   * @param maxMs milliseconds that the work may take; longer snapshots keep old rows from being cleaned up
   * @throws what `work` throws
   */
  inSnapshot<T>(work: (transaction: Transaction) => Promise<T>, caller: Caller, maxMs: number): Promise<T> {
    const text = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
    return this.#begin(work, caller, { name: 'begin_snapshot', text, staged: [], maxMs });
  }

  async #begin<T>(
    work: (transaction: Transaction) => Promise<T>,
    caller: Caller | undefined,
    { name, text, staged, maxMs }: Beginning,
  ): Promise<T> {
    const behalf =
      this.#options.rowSecurity && caller ? { name: this.#names.isUsed ? name : '', caller } : {};
    const options = {
      pool: this.#pool,
      first: { text, statement: 'BEGIN', ...behalf },
      maxMs,
      prepare: (statement: Statement) => this.#names.prepare(statement),
      onStatement: (statement: SentText) => this.#tell(statement),
      onError: this.#options.onError,
      files: new TransactionFiles(this.files.target, staged),
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
   * Runs administrative work in a Prisma transaction, on a connection of its own.
   * @throws what `work` throws; nothing is committed then
   */
  administer<T>(work: (prisma: PrismaTransaction) => Promise<T>): Promise<T> {
    return this.prisma.$transaction(work);
  }

  /** Announces committed events for writers that do not use `inTransaction`, which does it itself. */
  announce(heads: readonly EventHead[]): void {
    this.#announcer.announce(heads);
  }

  /** Returns the database's single instance of a class. It is created on first use. */
  service<T>(type: Service<T>): T {
    const known = this.#services.get(type) ?? new type(this);
    this.#services.set(type, known);
    // The map holds only an instance under its own class.
    return known as T;
  }

  /** Returns a key for what the database shows a caller. Callers who see the same rows have the same key. */
  viewOf(caller: Caller): string {
    return this.#options.rowSecurity ? callerSettings(caller).join(' ') : '';
  }

  /** Reports an error that no caller is told about. */
  onError(error: Error): void {
    this.#options.onError(error);
  }

  /** Counts the open connections, and the statements that wait for one. */
  connections(): Connections {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  /** Checks that the database can be reached. */
  async ping(): Promise<void> {
    await this.query(prepared('database.ping', { text: 'SELECT 1', values: [] }));
  }

  /**
   * Listens for announcements on a connection of its own.
   * @param onPayload is called with each notification
   * @param onLost is called once if the connection is lost, and notifications with it
   */
  listen(onPayload: (payload: string) => void, onLost: (error: Error) => void): Promise<Listener> {
    const { url, directUrl = url } = this.#options;
    return openListener(directUrl, onPayload, onLost);
  }

  async close(): Promise<void> {
    await this.#announcer.close();
    await this.#prisma?.$disconnect();
    // Prisma closes the pool only if Prisma used it, and reads bypass Prisma.
    if (!this.#pool.ended) await this.#pool.end();
  }

  #tell({ name, text, values = [], isPlannedAnew }: SentText): void {
    this.#options.onStatement?.({ name, query: text, values, ...(isPlannedAnew && { isPlannedAnew }) });
  }

  #toSend(statement: Statement, caller: Caller | undefined): SentQuery {
    this.#tell(statement);
    const behalf = this.#options.rowSecurity && caller ? { caller } : {};
    const query = this.#names.prepare(statement);
    return { ...query, ...behalf, query_timeout: this.#answerTime };
  }
}
