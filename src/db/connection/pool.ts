import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../../../prisma/generated/client/client.js';
import { type Caller, seesAllTeams } from '../../domain/caller.js';
import type { FileStores } from '../files/store.js';
import { DatabaseClient } from '../hosts/hosts.js';
import type { LimitedQuery, PreparedNames } from './statement.js';

/** PostgreSQL role for callers' statements. Policies apply to it, but not to the tables' owner. */
export const callerRole = 'expiration_gateway_caller';

/** Session settings that the policies read. While they are unset, policies let no row through. */
export const settingNames = { organization: 'gateway.organization', teams: 'gateway.teams' } as const;

/**
 * Returns the settings of a caller for the policies. Callers with equal settings see the same rows: as in
 * db/sql/models.ts, an admin sees all workspaces of the organization.
 */
export const callerSettings = (caller: Caller): [organization: string, teams: string] => [
  caller.organizationId,
  seesAllTeams(caller) ? 'all' : `{${caller.teamIds.join(',')}}`,
];

/** A SELECT of settings that precedes a statement, in the same packet and transaction. */
interface Entry {
  /** Its name on connections where it is prepared, or an empty string. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly string[];
}

/** Returns the entry that a query needs, if any. */
type EntryOf<Q> = (query: Q, isInTransaction: boolean) => Entry | undefined;

/** Methods of every query. The types of `pg` omit the two that handle messages. */
interface Handlers extends pg.Query {
  submit(connection: pg.Connection): unknown;
  handleDataRow(row: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

const handlers = pg.Query.prototype as Handlers;

/**
 * A query with an entry ahead of it. Both go to the server before one `Sync`, so both happen or neither. A
 * single statement is its own transaction, with which the settings end; after BEGIN, they last for the whole
 * transaction.
 */
class EnteredQuery extends pg.Query {
  readonly query_timeout: number | undefined;
  readonly #entry: Entry;
  #isEntered = false;

  constructor(config: LimitedQuery, entry: Entry) {
    const extended = { ...config, queryMode: 'extended' };
    super(extended);
    this.#entry = entry;
    this.query_timeout = config.query_timeout;
  }

  // The types of `pg` declare it as a property.
  override submit = (connection: pg.Connection) => {
    const { name, text, values } = this.#entry;
    connection.stream.cork();
    try {
      if (name === '') connection.parse({ name, text, types: [] }, true);
      connection.bind({ statement: name, values: [...values] }, true);
      connection.execute({}, true);
      const refused = handlers.submit.call(this, connection);
      // It has not sent its statement, so the next one would run with these settings.
      if (refused) connection.stream.destroy();
      return refused;
    } finally {
      connection.stream.uncork();
    }
  };

  handleDataRow(row: unknown) {
    if (this.#isEntered) handlers.handleDataRow.call(this, row);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection) {
    if (this.#isEntered) handlers.handleCommandComplete.call(this, message, connection);
    this.#isEntered = true;
  }
}

/** Detects a BEGIN that sets the isolation level, which must come before any query. */
const isSnapshot = /^BEGIN\s+ISOLATION/;

/** Creates a query that begins a transaction, with its entry behind BEGIN. */
function enteredSnapshot({ text, query_timeout }: LimitedQuery, entry: Entry): EnteredQuery {
  const limit = query_timeout === undefined ? {} : { query_timeout };
  return new EnteredQuery({ ...entry, values: [...entry.values], ...limit }, { name: '', text, values: [] });
}

type Send = (...args: unknown[]) => unknown;

/** Returns whether a connection is in a transaction after a statement has been sent. */
function isInTransactionAfter(text: string | undefined, before: boolean): boolean {
  const [command] = /^(BEGIN|COMMIT|ROLLBACK)\b(?! TO)/.exec(text ?? '') ?? [];
  return command === undefined ? before : command === 'BEGIN';
}

/** Sends the statements of a pool's connections together with their entries. */
function sendEntries<Q extends LimitedQuery>(pool: pg.Pool, entryOf: EntryOf<Q>): void {
  pool.on('connect', (client) => {
    const { query: own } = client;
    const send: Send = (...args) => Reflect.apply(own, client, args);
    let isInTransaction = false;
    const query: Send = (statement, ...rest) => {
      const given = (typeof statement === 'string' ? { text: statement } : statement) as Q;
      const config = Array.isArray(rest[0]) ? { ...given, values: rest[0] } : given;
      const entry = entryOf(config, isInTransaction);
      isInTransaction = isInTransactionAfter(config.text, isInTransaction);
      if (!entry) return send(statement, ...rest);
      const sent = isSnapshot.test(config.text)
        ? enteredSnapshot(config, entry)
        : new EnteredQuery(config, entry);
      const callback = rest.at(-1);
      if (typeof callback === 'function') return send(sent, undefined, callback);
      return new Promise((resolve, reject) => {
        send(sent, undefined, (error: unknown, result: unknown) => (error ? reject(error) : resolve(result)));
      });
    };
    // `query` has overloads, which an assignment cannot keep; its results stay the same.
    (client as { query: unknown }).query = query;
  });
}

/** Timeouts for the database in milliseconds. A request that exceeds one gets a 503. */
interface DatabaseTimeouts {
  /** Timeout for a free or new connection and its settings. A pooler lets clients in without a server. */
  readonly connection: number;
  /**
   * Timeout for a lock that another writer holds. It is below the statement timeout, so that the error names
   * the real cause.
   */
  readonly lock: number;
  /** Timeout of any statement. PostgreSQL itself enforces it. */
  readonly statement: number;
  /**
   * Timeout for the answer to a statement outside transactions. Requests share connections, so a connection
   * that died silently must not block all of them.
   */
  readonly answer: number;
  /**
   * Timeout for a transaction's next statement. It exceeds what any transaction may take, so only a dead
   * process reaches it.
   */
  readonly idleTransaction: number;
}

export const defaultTimeouts: DatabaseTimeouts = {
  connection: 5_000,
  lock: 5_000,
  statement: 10_000,
  answer: 5_000,
  idleTransaction: 20_000,
};

/** The pooling of connections. Without a pooler, each has a session of its own. */
export type Pooling =
  | { readonly mode: 'session' }
  /** `prepares` tells that the pooler has prepared statements wherever it runs a transaction. */
  | { readonly mode: 'transaction'; readonly prepares: boolean };

/**
 * Returns the settings of every statement. Prisma's adapter writes and reads timestamps without an offset, so
 * sessions must be in UTC whatever the database's default is. JIT compilation is off: the planner
 * overestimates searches because of branches that hardly ever run. Whether plans are kept is decided for each statement.
 */
const settingsOf = ({ lock, statement, idleTransaction }: DatabaseTimeouts) => ({
  TimeZone: 'UTC',
  jit: 'off',
  plan_cache_mode: 'auto',
  lock_timeout: lock,
  statement_timeout: statement,
  idle_in_transaction_session_timeout: idleTransaction,
});

/** Settings of a caller; the values are parameters. */
const callerSql = [
  `set_config('role', '${callerRole}', true)`,
  `set_config('${settingNames.organization}', $1, true)`,
  `set_config('${settingNames.teams}', $2, true)`,
];

/** A query that may be sent on a caller's behalf. */
interface CallersQuery extends LimitedQuery {
  readonly caller?: Caller;
}

/** Commands that end a transaction or a part of it. They also work in a failed one. */
const isEnd = /^(COMMIT|ROLLBACK|RELEASE)\b/;

interface SettingsOptions {
  readonly timeouts: DatabaseTimeouts;
  readonly rowSecurity: boolean;
  readonly pooling: Pooling;
}

/** The ways by which settings reach the database. */
interface ConnectionSettings {
  /** Sets up a new connection. */
  connect(client: pg.ClientBase): Promise<void>;
  /** Arranges what goes ahead of statements, for a new pool. */
  install(pool: pg.Pool): void;
}

/**
 * Returns how the settings reach the database. Usually they are sent once, in one round trip, when a
 * connection is made. Start-up options would also do, but connection poolers reject those. Under transaction
 * pooling, where nothing outlives a transaction, they are sent in the packet of each statement and BEGIN.
 */
function createSettings({ timeouts, rowSecurity, pooling }: SettingsOptions): ConnectionSettings {
  const settings = Object.entries(settingsOf(timeouts));
  const perTransaction = pooling.mode === 'transaction';
  const own = perTransaction
    ? settings.map(([name, value]) => `set_config('${name}', '${value}', true)`)
    : [];
  const nameOf = (name: string) => (perTransaction && !pooling.prepares ? '' : name);
  const enter: Entry = { name: nameOf('enter'), text: `SELECT ${own.join(', ')}`, values: [] };
  const enterCaller = {
    name: nameOf('enter_caller'),
    text: `SELECT ${[...own, ...callerSql].join(', ')}`,
    values: ['', ''],
  };
  const session = settings.map(([name, value]) => `SET ${name} = '${value}'`).join('; ');
  const entries = [...(perTransaction ? [enter] : []), ...(rowSecurity ? [enterCaller] : [])];
  const entryOf = ({ caller, text }: CallersQuery, isInTransaction: boolean): Entry | undefined => {
    if (caller) return { ...enterCaller, values: callerSettings(caller) };
    return perTransaction && !isInTransaction && !isEnd.test(text) ? enter : undefined;
  };
  return {
    async connect(client) {
      const prepared = entries.filter(({ name }) => name !== '');
      const first: pg.QueryConfig[] = [
        ...(perTransaction ? [] : [{ text: session }]),
        ...prepared.map(({ name, text, values }) => ({ name, text, values: [...values] })),
      ];
      const limit = { query_timeout: timeouts.connection };
      await Promise.all(first.map((query) => client.query({ ...query, ...limit })));
    },
    install(pool) {
      if (entries.length > 0) sendEntries(pool, entryOf);
    },
  };
}

/** Sends a statement, and can observe its start and end. */
export type AroundStatement = <T>(statement: OutgoingStatement, send: () => Promise<T>) => Promise<T>;

/** A statement about to be sent: its name and SQL. */
interface OutgoingStatement {
  readonly name: string;
  readonly text: string;
}

type Query = (...args: unknown[]) => unknown;

/** Finds a statement's name. Without one of ours it is Prisma's, or a command to the connection. */
function sendingOf(query: unknown): OutgoingStatement {
  if (typeof query === 'string') return { name: 'connection', text: query };
  const { statement = 'prisma', text } = query as { statement?: string; text?: unknown };
  return { name: statement, text: String(text) };
}

/** Wraps a sender so that its statements pass through `around`, unless they have a callback. */
function watched(query: Query, around: AroundStatement): Query {
  return (...args) =>
    // Only the pool passes a callback, for a statement that has already passed through `around`.
    typeof args.at(-1) === 'function'
      ? query(...args)
      : around(sendingOf(args[0]), async () => query(...args));
}

/**
 * Passes every statement of a pool through `around`. For statements sent by the pool, this includes the wait
 * for a connection; transactions use their own connection.
 */
function watchStatements(pool: pg.Pool, around: AroundStatement): void {
  const watch = (one: { query: unknown }) => {
    // `query` has overloads, which an assignment cannot keep; its results stay the same.
    one.query = watched((one.query as Query).bind(one), around);
  };
  watch(pool);
  pool.on('connect', watch);
}

/** The id of the request that statements belong to, for logs and traces. */
const requests = new AsyncLocalStorage<string>();

/** Makes a request's id available to everything that is done for it. */
export const forRequest = <T>(id: string, work: () => T): T => requests.run(id, work);

/**
 * Logs every statement by name with its duration, but never its text or values. Statements that several
 * requests send together are logged with the id of one of them.
 * @param around another wrapper of the statements
 */
export function tracedStatements(log: TraceLog, around?: AroundStatement): AroundStatement {
  return async (statement, send) => {
    const begun = performance.now();
    let failed: boolean | undefined = true;
    try {
      const result = await (around ? around(statement, send) : send());
      failed = undefined;
      return result;
    } finally {
      const ms = Math.round((performance.now() - begun) * 1000) / 1000;
      log.trace({ statement: statement.name, ms, failed, id: requests.getStore() }, 'A statement was sent');
    }
  };
}

/** The part of a pino logger that is used to trace statements. */
interface TraceLog {
  trace(details: object, message: string): void;
}

/** `application_name` of the gateway's connections. The server can recognize them by it. */
export const APPLICATION_NAME = 'expiration-gateway';

/** Prisma Client in a transaction. Administration uses it, which no request waits for. */
export type PrismaTransaction = Prisma.TransactionClient;

/** A SQL statement that was sent, as listeners see it. */
export interface SentStatement {
  /** Name of the statement; `prisma` for those of Prisma Client. */
  readonly name: string;
  readonly query: string;
  readonly values: readonly unknown[];
  /** True if it is planned with its values each time. */
  readonly isPlannedAnew?: boolean | undefined;
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

/**
 * Milliseconds that an unused connection stays open. It keeps its plans: after a pause, a new connection took
 * 320 ms to read an item, and a kept one 29. The connections that a burst needed are closed again.
 */
const idleTimeoutMillis = 5 * 60_000;

/** Milliseconds between TCP keep-alive probes. Load balancers drop what is silent for four minutes or more. */
const keepAliveInitialDelayMillis = 30_000;

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
    idleTimeoutMillis,
    keepAlive: true,
    keepAliveInitialDelayMillis,
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
    prisma.$on('query', ({ query }) => onStatement({ name: 'prisma', query, values: [] }));
  }
  return prisma as PrismaClient;
}
